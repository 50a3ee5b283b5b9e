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
    """Best first. `has_all`: each result has every word; otherwise nothing had, and these have some.

    `corrected`: the text that these are the results for, where nothing has what was typed; empty otherwise. `nearest`:
    where nothing is found, words that are found and look like those that are not.
    """

    has_all: bool
    corrected: str
    nearest: list[str]
    results: list[ResultOut]


@router.get("/search")
def index(
    request: Request,
    q: Annotated[str, Query(description="Any text. The last word may be unfinished: `posit` finds positions.")] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_RESULTS)] = MAX_RESULTS,
    as_typed: Annotated[bool, Query(description="Do not correct typing errors.")] = False,
) -> FoundOut:
    """Sections of lessons, exercises and questions that hold these words. What has this name comes first. Words that
    touch, as in `jnp.take`, must stand together; case, accents and endings do not count, and a few words find what
    means the same."""
    with state_of(request).db.reading() as db:
        found = search(db, q, limit, as_typed=as_typed)
    return FoundOut(
        has_all=found.has_all,
        corrected=found.corrected,
        nearest=list(found.nearest),
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
