"""The sample cases of an exercise as data, for tests on a student's own machine."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.people import identity
from app.practice.exercises import met
from app.practice.samples import whole_samples
from app.state import state_of

router = APIRouter(tags=["exercises"])


class WholeSampleOut(BaseModel):
    """Values are JSON where that says them exactly. All else is an object of one key: `array`, `tuple`, `dict`, `set`,
    `complex`, or `float` for NaN and infinities."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    arguments: list[Any] = Field([], description="Of a call, in the order of the signature.")
    script: str = Field("", description="Of a script: its statements, with `values` in scope.")
    values: dict[str, Any] = {}
    expected: dict[str, Any] | list[dict[str, Any]] = Field(
        {},
        description='`{"value": …}` or `{"raised": type, "message": …}`; of a script, one for each answer, with its '
        '`line`, or `{"odd": true}` for an object that is not compared. Absent where a checker decides.',
    )
    tolerance: dict[str, float] = Field({}, description="`rtol` and `atol`, where this case has its own.")


class SamplesOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    entries: list[str] = Field(description="The names that students write; the first is called.")
    raises: list[str] = Field(description="Exceptions that are an answer.")
    messages: bool = Field(description="Whether their text is compared too.")
    cases: list[WholeSampleOut]
    left_out: list[str] = Field(description="The names of sample cases that are too large, or have a value not listed.")
    provided: dict[str, str] = Field({}, description="Modules that code may import, by path: `provided/tree.py`.")
    data: dict[str, str] = Field({}, description="Files that code may open, by path: `data/words.txt`; in base64.")


@router.get("/exercises/{slug}/samples", response_model_exclude_unset=True)
def index(request: Request, slug: str) -> SamplesOut:
    """All sample cases with every number, of the caller's variant. Public, like the exercise; 503 until the judge has
    made them."""
    state = state_of(request)
    with state.db.reading() as db:
        exercise = met(state.catalog, identity.viewer(db, request), slug, request.query_params.get("variant"))
    return SamplesOut.model_validate(whole_samples(state, exercise))
