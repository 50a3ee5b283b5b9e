"""Accepted submissions that their authors let others see. Nobody's name goes with them; taken back, they are gone."""

import hashlib
import io
import tokenize
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, Index, Select, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.audit import Thing, note
from app.people.belongings import Belonging, register
from app.people.permission import Wish, may
from app.people.users import User
from app.practice.submissions import Shown, Submission
from app.web.errors import Conflict, Forbidden
from graders.exercise.definition import Exercise
from graders.verdict import Verdict

SHOWN = 5
LOOKED_AT = 100  # of which so many are shown: the same program sent a hundred times hides others only then


class SharedSolution(Base):
    """`tokens` and `wall_ms` are what it is ordered by. `digest` is of its tokens: the same program is shown once.

    `judging_hash`: the cases that accepted it. Once they change, it is shown no more.
    """

    __tablename__ = "shared_solution"
    __table_args__ = (
        Index("ix_shared_solution_fastest", "exercise", "framework", "judging_hash", "wall_ms"),
        Index("ix_shared_solution_shortest", "exercise", "framework", "judging_hash", "tokens"),
        Index("ix_shared_solution_user_id", "user_id"),
    )

    submission_id: Mapped[int] = mapped_column(
        ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    exercise: Mapped[str] = mapped_column(String(120))
    framework: Mapped[str] = mapped_column(String(16))
    judging_hash: Mapped[str] = mapped_column(String(64))
    tokens: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    wall_ms: Mapped[float | None]
    shared_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Seen:
    """A solution as others see it."""

    source: str
    tokens: int
    wall_ms: float | None
    is_own: bool


def share(db: Session, user: User, shown: Shown, judging_hash: str) -> None:
    """Raises Forbidden, Conflict. Sharing twice is sharing once."""
    submission = shown.submission
    if submission.user_id != user.id:
        raise Forbidden("Only the author of a solution can share it.", "Ask the author.")
    if user.is_guest:
        raise Forbidden(
            "Guests can see others' solutions but not share their own.", "Sign up first: you keep all your work."
        )
    if submission.kind != "submit" or shown.verdict != Verdict.accepted:
        raise Conflict("Only an accepted submission can be shared.", "Share one that was accepted.")
    if db.get(SharedSolution, submission.id) is None:
        tokens, digest = count_tokens(shown.source)
        db.add(
            SharedSolution(
                submission_id=submission.id,
                user_id=user.id,
                exercise=submission.exercise,
                framework=submission.framework,
                judging_hash=judging_hash,
                tokens=tokens,
                digest=digest,
                wall_ms=shown.grading.wall_ms,
            )
        )
        db.flush()


def take_back(db: Session, user: User, shown: Shown) -> None:
    """By its author, or by staff; it vanishes at once. Raises Forbidden."""
    if not may(user, Wish.stop_sharing, shown.submission.user_id):
        raise Forbidden("Only the author of a solution can stop sharing it.", "Ask the author.")
    if user.id != shown.submission.user_id:
        note(db, user, Thing("submission", str(shown.id)), "sharing stopped")
    db.execute(delete(SharedSolution).where(SharedSolution.submission_id == shown.id))


def is_shared(db: Session, submission_id: int) -> bool:
    return db.get(SharedSolution, submission_id) is not None


def fastest(db: Session, viewer: User, exercise: Exercise, framework: str) -> list[Seen]:
    timed = _shared(exercise, framework).where(SharedSolution.wall_ms.is_not(None))
    return _distinct(db, viewer, timed.order_by(SharedSolution.wall_ms, SharedSolution.submission_id))


def shortest(db: Session, viewer: User, exercise: Exercise, framework: str) -> list[Seen]:
    ordered = _shared(exercise, framework).order_by(SharedSolution.tokens, SharedSolution.submission_id)
    return _distinct(db, viewer, ordered)


def _shared(exercise: Exercise, framework: str) -> Select[SharedSolution]:
    return select(SharedSolution).where(
        SharedSolution.exercise == exercise.slug,
        SharedSolution.framework == framework,
        SharedSolution.judging_hash == exercise.judging_hash,
    )


def _distinct(db: Session, viewer: User, ordered: Select[SharedSolution]) -> list[Seen]:
    """The first few different programs; of equal ones the first."""
    found: dict[str, SharedSolution] = {}
    for one in db.scalars(ordered.limit(LOOKED_AT)):
        found.setdefault(one.digest, one)
    chosen = list(found.values())[:SHOWN]
    if not chosen:
        return []
    sources = select(Submission.id, Submission.source).where(Submission.id.in_([one.submission_id for one in chosen]))
    texts = {id: source.decode("utf-8", "replace") for id, source in db.execute(sources)}
    return [Seen(texts[one.submission_id], one.tokens, one.wall_ms, one.user_id == viewer.id) for one in chosen]


_LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_NOTHING = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)


def count_tokens(source: str) -> tuple[int, str]:
    """(how many tokens the program has, their digest). Comments and layout count nothing; names of any length one."""
    count, digest = 0, hashlib.sha256()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.removeprefix("\ufeff")).readline):
            if token.type in _NOTHING:
                continue
            count += token.type not in _LAYOUT
            text = "" if token.type in _LAYOUT else token.string  # layout is part of a program, its width is not
            digest.update(repr((token.type, text)).encode("utf-8", "replace"))
    except (tokenize.TokenError, SyntaxError):
        # What a box has accepted is Python; this is for a Python of another version than the box's.
        return len(source.split()), hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()
    return count, digest.hexdigest()


register(
    Belonging(
        100,
        "shared_solutions",
        "Solutions shared",
        "The ones you let others see, without your name.",
        SharedSolution,
    )
)
