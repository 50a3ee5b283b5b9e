"""Frozen copies of the gradebook: made, listed, and one as JSON or CSV. None is ever changed."""

import json
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.encoders import jsonable_encoder
from pydantic import BaseModel, ConfigDict, Field

from app.classes.classes import require_member, require_writer
from app.classes.frozen import (
    MAX_WHY,
    FrozenGradebook,
    freeze_by_hand,
    frozen_csv,
    frozen_of,
    read_wanted,
    require_frozen,
)
from app.classes.rights import Right
from app.people.identity import Caller
from app.state import state_of
from app.web.csv_file import csv_response, wants_csv

router = APIRouter(tags=["classes"])


class NewFrozen(BaseModel):
    """Without `kind` and `slug`: all assignments."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["exercise", "quiz"] | None = None
    slug: str | None = Field(None, max_length=240)
    why: str = Field(min_length=1, max_length=MAX_WHY)


class FrozenOut(BaseModel):
    """`automatic`: it was made at a deadline, by itself."""

    id: int
    kind: Literal["exercise", "quiz"] | None
    slug: str | None
    at: datetime
    why: str
    automatic: bool


class FrozenRowOut(BaseModel):
    user: int
    email: str | None
    name: str
    section: str
    cells: list[dict[str, Any] | None] = Field(description="As the gradebook had them.")
    total: float | None


class WholeFrozenOut(FrozenOut):
    columns: list[dict[str, Any]]
    rows: list[FrozenRowOut]


CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


@router.get("/classes/{class_id}/frozen")
def index(request: Request, class_id: str) -> list[FrozenOut]:
    """The newest first. For the class's staff."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        return [FrozenOut(**_public(one)) for one in frozen_of(db, member.class_)]


@router.post("/classes/{class_id}/frozen", status_code=201)
def create(request: Request, class_id: str, sent: NewFrozen) -> FrozenOut:
    """A copy as the gradebook is now. For the class's instructors."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.freeze)
        what = f"{sent.kind or ''}/{sent.slug or ''}" if sent.kind or sent.slug else ""
        assignment, why = read_wanted(db, member, what, sent.why)
    number = freeze_by_hand(state.db, state.catalog, member, assignment, why)
    with state.db.reading() as db:
        return FrozenOut(**_public(db.get_one(FrozenGradebook, number)))


@router.get("/classes/{class_id}/frozen/{frozen}", response_model=WholeFrozenOut, responses=CSV)
def show(request: Request, class_id: str, frozen: str) -> Any:
    """As CSV for `Accept: text/csv`. For the class's staff."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        copy, rows = require_frozen(db, member, frozen)
    if wants_csv(request):
        return csv_response(frozen_csv(copy, rows), f"gradebook-{member.class_.id}-frozen-{copy.id}.csv")
    # Written here: as many cells as these take long to check against what they are documented as.
    head = json.dumps(jsonable_encoder({**_public(copy), "columns": copy.columns}), ensure_ascii=False)
    rows_text = ", ".join(row.json_text for row in rows)
    return Response(f'{head[:-1]}, "rows": [{rows_text}]}}', media_type="application/json")


def _public(one: FrozenGradebook) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "slug": one.slug,
        "at": one.at,
        "why": one.why,
        "automatic": one.occasion is not None,
    }
