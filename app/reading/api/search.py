"""Search over lessons, exercises and questions: public, as they are."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict

from app.content.words import Piece
from app.reading.search import MAX_RESULTS, search
from app.state import state_of

router = APIRouter(tags=["search"])


class PieceOut(BaseModel):
    """A stretch of text; `hit`: one of the words looked for. Plain text, never HTML."""

    model_config = ConfigDict(from_attributes=True)

    text: str
    hit: bool


class ResultOut(BaseModel):
    """`course` and `heading` are empty where there is none. `url` leads to the place itself."""

    kind: Literal["lesson", "exercise", "question"]
    course: str
    title: str
    heading: str
    excerpt: list[PieceOut]
    url: str


class FoundOut(BaseModel):
    """Best first. `has_all`: each result has every word; otherwise nothing had, and these have some."""

    has_all: bool
    results: list[ResultOut]


@router.get("/search")
def index(
    request: Request,
    q: Annotated[str, Query(description="Any text. The last word may be unfinished: `posit` finds positions.")] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_RESULTS)] = MAX_RESULTS,
) -> FoundOut:
    """Sections of lessons, exercises and questions that hold these words. Words that touch, as in `jnp.take`, must
    stand together; case, accents and a plural's s do not count."""
    with state_of(request).db.reading() as db:
        found = search(db, q, limit)
    return FoundOut(
        has_all=found.has_all,
        results=[
            ResultOut(
                kind=one.kind,
                course=one.course,
                title=_plain(one.title),
                heading=_plain(one.heading),
                excerpt=[PieceOut.model_validate(piece) for piece in one.excerpt],
                url=one.url,
            )
            for one in found.results
        ],
    )


def _plain(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)
