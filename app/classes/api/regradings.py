"""Regradings: begun as a dry run, looked at, applied, and taken back. For instructors of the class."""

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.classes import regradings
from app.classes.classes import require_writer
from app.classes.regradings import (
    MAX_MESSAGE,
    begin_regrading,
    begin_ruling,
    delete_regrading,
    require_regrading,
    standing_of,
    take_back,
)
from app.classes.rights import Right
from app.classes.rulings import Action
from app.people.identity import Caller
from app.state import AppState, state_of

router = APIRouter(tags=["classes"])


class NewRegrading(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    revision: str = Field(max_length=64, description="The content hash of a revision, published or not.")
    class_id: int = Field(alias="class")


class NewRuling(BaseModel):
    """`accept`: `answer` is right too. `void`: the question counts no more. `full`: full credit for everybody who was
    asked. `key`: judged by the question as it is published now."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str = Field(max_length=300, description="Its slug in the quiz.")
    action: Literal["accept", "void", "full", "key"]
    answer: str | list[str] | dict[str, str] | None = None


class RegradingOut(BaseModel):
    id: int
    state: Literal["queued", "running", "finished", "failed", "applied"]


class DifferenceOut(BaseModel):
    """Scores in [0, 1]. `submission`, or of a quiz `sitting`."""

    submission: int | None = None
    sitting: int | None = None
    user: int
    before: float
    after: float
    before_verdict: str | None
    after_verdict: str | None


class StandingOut(RegradingOut):
    """`same`, `failed`: how many keep their score, and how many could not be judged and stay as they are."""

    model_config = ConfigDict(populate_by_name=True)

    class_id: int = Field(alias="class")
    kind: Literal["exercise", "quiz"]
    slug: str
    revision: str | None
    ruling: dict[str, Any] | None
    why: str | None
    keep: Literal["better", "new"] | None
    total: int
    done: int
    gain: list[DifferenceOut]
    lose: list[DifferenceOut]
    same: int
    failed: int


class NewApplication(BaseModel):
    """`better`: only where the score is higher. `message`: a sentence for those whose score changes."""

    model_config = ConfigDict(extra="forbid", strict=True)

    keep: Literal["better", "new"] = "better"
    message: str = Field("", max_length=MAX_MESSAGE)


@router.post("/exercises/{slug}/regradings", status_code=202)
def create(request: Request, slug: str, sent: NewRegrading) -> RegradingOut:
    """A dry run: judge what the class sent to this exercise by another revision. Nothing changes before it is
    applied."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), sent.class_id, Right.regrade)
        row = begin_regrading(db, member, state.catalog, slug, sent.revision)
    state.regrader.look()
    return RegradingOut(id=row.id, state=row.state)  # type: ignore[arg-type]


@router.post("/classes/{class_id}/quizzes/{slug}/regradings", status_code=202)
def create_ruling(request: Request, class_id: str, slug: str, sent: NewRuling) -> RegradingOut:
    """A dry run of a ruling on one question of a quiz."""
    state = state_of(request)
    action: Action = sent.action
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.regrade)
        row = begin_ruling(db, member, state.catalog, slug, sent.question, action, sent.answer)
    return RegradingOut(id=row.id, state=row.state)  # type: ignore[arg-type]


@router.get("/classes/{class_id}/regradings")
def index(request: Request, class_id: str) -> list[RegradingOut]:
    """The newest first."""
    with state_of(request).db.reading() as db:
        member = regradings.require_regrader(db, Caller(request), class_id)
        rows = regradings.regradings_of(db, member.class_)
        return [RegradingOut(id=row.id, state=row.state) for row in rows]  # type: ignore[arg-type]


@router.get("/regradings/{id}", response_model=StandingOut)
def show(request: Request, id: str) -> Any:
    """How far it is, and who gains and who loses."""
    with state_of(request).db.reading() as db:
        _, row = require_regrading(db, Caller(request), id)
        return standing_of(db, row).as_json()


@router.delete("/regradings/{id}", status_code=204)
def delete(request: Request, id: str) -> None:
    """A dry run is forgotten, also while it runs."""
    with state_of(request).db.writing() as db:
        member, row = require_regrading(db, Caller(request), id, writes=True)
        delete_regrading(db, member, row)


@router.post("/regradings/{id}/application", response_model=StandingOut)
def apply(request: Request, id: str, sent: NewApplication) -> Any:
    """What the dry run found counts from now on."""
    state = state_of(request)
    _announce(state, regradings.apply(state.db, state.catalog, Caller(request), id, sent.keep, sent.message))
    return show(request, id)


@router.delete("/regradings/{id}/application", response_model=StandingOut)
def undo(request: Request, id: str) -> Any:
    """Every verdict is again what it was."""
    state = state_of(request)
    _announce(state, take_back(state.db, Caller(request), id))
    return show(request, id)


def _announce(state: AppState, submission_ids: list[int]) -> None:
    """To the pages that show them."""
    for id in submission_ids:
        state.events.announce(id)
