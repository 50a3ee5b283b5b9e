"""The answers of a sitting, one a question: saved as they are typed, read back, and judged when it is submitted.

A save names the revision that it replaces. Of two tabs that save over the same one, the second is told what the first
has saved.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlalchemy import JSON, Double, ForeignKey, String, Text, UniqueConstraint, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.expression import UnreadableAnswer
from app.content.questions.asking import Judged, judge_answer, read_answer
from app.content.questions.kind import Reply
from app.content.questions.question import Question, UnknownVariant
from app.db import Base, Moment, now, read_id
from app.quizzes.answers import MAX_SECONDS
from app.web.errors import NotFound
from graders.text import storable


class SittingResponse(Base):
    """The answer to one question as it was last saved: `given` as typed or picked, None for none. `revision` is one
    more each time it is written. `correct` and `score` are there once the sitting is submitted; of what a person
    grades once that is done, with a `comment` and `graded_at`."""

    __tablename__ = "sitting_response"
    __table_args__ = (UniqueConstraint("sitting_id", "slug"),)

    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # from 1
    slug: Mapped[str] = mapped_column(String(120))
    variant: Mapped[int]
    given: Mapped[Reply | None] = mapped_column(JSON(none_as_null=True))
    flagged: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(default=0)
    seconds: Mapped[float | None] = mapped_column(Double)
    saved_at: Mapped[datetime | None] = mapped_column(Moment)
    correct: Mapped[bool | None]
    score: Mapped[float | None] = mapped_column(Double)
    comment: Mapped[str | None] = mapped_column(Text)
    graded_at: Mapped[datetime | None] = mapped_column(Moment)


@dataclass(frozen=True)
class SavedResponse:
    """A response as the server has it now. `yours`: it is what was just sent; otherwise another's came between."""

    response: SittingResponse
    yours: bool


@dataclass(frozen=True)
class ReadBack:
    """How an answer is understood, before anybody says whether it is right."""

    read_as: str | None = None
    problem: str | None = None


def responses_of(db: Session, sitting_id: int) -> list[SittingResponse]:
    mine = select(SittingResponse).where(SittingResponse.sitting_id == sitting_id).order_by(SittingResponse.place)
    return list(db.scalars(mine))


def response_at(db: Session, sitting_id: int, place: str) -> SittingResponse | None:
    """The response at this place, as an address or a form names it."""
    number = read_id(place)
    return db.get(SittingResponse, (sitting_id, number)) if number is not None and str(number) == place else None


def response_beside(db: Session, sitting_id: int, place: int, *, is_next: bool) -> SittingResponse | None:
    """The one at the nearest place after this one, or before it."""
    mine = select(SittingResponse).where(SittingResponse.sitting_id == sitting_id).limit(1)
    if is_next:
        return db.scalar(mine.where(SittingResponse.place > place).order_by(SittingResponse.place))
    return db.scalar(mine.where(SittingResponse.place < place).order_by(SittingResponse.place.desc()))


def variants_before(db: Session, sittings: list[int]) -> dict[str, list[int]]:
    asked: dict[str, list[int]] = {}
    rows = select(SittingResponse.slug, SittingResponse.variant).where(SittingResponse.sitting_id.in_(sittings))
    for slug, variant in db.execute(rows.order_by(SittingResponse.sitting_id)):
        asked.setdefault(slug, []).append(variant)
    return asked


def save_response(
    db: Session,
    sitting_id: int,
    slug: str,
    reply: Reply | None,
    revision: int,
    *,
    flagged: bool | None = None,
    seconds: float | None = None,
) -> SavedResponse:
    """Compare and set: written if `revision` is still the newest, or else left alone and given back as it is. The
    sitting is open, and its person held. `flagged` and `seconds` None: as before. Raises NotFound."""
    reply = as_saved(reply)
    mine = (SittingResponse.sitting_id == sitting_id, SittingResponse.slug == slug)
    values: dict[str, object] = {"given": reply, "revision": SittingResponse.revision + 1, "saved_at": now()}
    if flagged is not None:
        values["flagged"] = flagged
    if seconds is not None:
        values["seconds"] = min(max(seconds, 0.0), MAX_SECONDS)
    replace = update(SittingResponse).where(*mine, SittingResponse.revision == revision)
    written = db.scalar(
        replace.values(**values)
        .returning(SittingResponse)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    if written is not None:
        return SavedResponse(written, yours=True)
    response = db.scalar(select(SittingResponse).where(*mine).execution_options(populate_existing=True))
    if response is None:
        raise NotFound("There is no such question in this attempt.", "GET the sitting to see which questions it has.")
    # The same once more is no conflict: it was saved before, and the answer was lost on the way.
    return SavedResponse(response, yours=response.given == reply and flagged in (None, response.flagged))


def as_saved(reply: Reply | None) -> Reply | None:
    """None for what is empty.

    attack: half a surrogate pair, which JSON can say and no page can be sent with, or a NUL, which PostgreSQL keeps in
    no text: once saved, the sitting and whatever shows it would fail from then on. defence: it is kept and shown as
    the sign for what is unreadable.
    """
    if isinstance(reply, str):
        return storable(reply) if reply.strip() else None
    if isinstance(reply, dict):
        return {storable(key): storable(reply[key]) for key in sorted(reply)} or None
    return [storable(key) for key in reply] if reply else None


def read_back(question: Question, variant: int, reply: Reply | None) -> ReadBack:
    """Nothing that is right or wrong can be told from it."""
    if reply is None:
        return ReadBack()
    try:
        return ReadBack(read_as=read_answer(question, variant, reply))
    except UnreadableAnswer as error:
        return ReadBack(problem=f"{error.message} {error.hint}".strip())
    except UnknownVariant:
        return ReadBack()


def judged(question: Question, variant: int, reply: Reply | None) -> Judged | None:
    """None for no answer, and for one that cannot be read. Raises UnknownVariant."""
    try:
        return None if reply is None else _judged(question, variant, json.dumps(reply))
    except UnreadableAnswer:
        return None


# Sittings that end together are judged before their turn to write comes, and looked at again right after it.
@lru_cache(maxsize=8192)
def _judged(question: Question, variant: int, reply: str) -> Judged:
    return judge_answer(question, variant, json.loads(reply))
