"""Which accepted submissions to an assigned exercise are alike."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from app.classes.assignments import require_assignment
from app.classes.classes import require_member
from app.classes.rights import Right
from app.classes.similarity import note_opened, report_of
from app.people.identity import Caller
from app.state import state_of

router = APIRouter(tags=["classes"])


class SentOut(BaseModel):
    """`tokens`: that are not the exercise's own; null where the source has been erased."""

    user: int
    name: str
    submission: int
    sent_at: datetime
    first_accepted_at: datetime
    tokens: int | None


class RunOut(BaseModel):
    """Lines count from 1, both ends included."""

    tokens: int
    left_first: int
    left_last: int
    right_first: int
    right_last: int


class PairOut(BaseModel):
    """`left` and `right` are submissions; who had theirs accepted first is on the left."""

    left: int
    right: int
    share: float = Field(description="Of the rare code of the shorter one, from 0 to 1.")
    tokens: int
    longest: int = Field(description="Tokens in a row.")
    runs: list[RunOut]


class ClusterOut(BaseModel):
    members: list[SentOut]
    pairs: list[PairOut]


class SimilarityOut(BaseModel):
    """No proof of anything. `common_above`: what more than so many have in common counts for nothing. `is_cut`: it
    would have taken too long to look at all that many share."""

    slug: str
    students: int
    compared: int
    too_short: list[SentOut]
    erased: list[SentOut]
    common_above: int
    is_cut: bool
    clusters: list[ClusterOut]


@router.get("/classes/{class_id}/similarity/{slug}", response_model=SimilarityOut)
def show(request: Request, class_id: str, slug: str) -> Any:
    """Of an assigned exercise. For the class's instructors; noted in the audit log."""
    state, caller = state_of(request), Caller(request)
    with state.db.reading() as db:
        member = require_member(db, caller, class_id, Right.see_similarity)
        require_assignment(db, member, "exercise", slug)
    state.limits.spend("similarity", person=member.user.id, address=caller.address)
    report, people = report_of(state.db, state.catalog, member.class_, slug)
    note_opened(state.db, member, slug=slug)
    return report.as_json(people)
