"""Runs of a lab's experiment: a reader's numbers go in, the frames for its figure come out. Nobody keeps them."""

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.people.identity import Caller
from app.reading.labs import run
from app.state import state_of

router = APIRouter(tags=["lessons"])


# attack: a whole number of four hundred digits, which is no float. defence: no slider goes that far.
LARGEST = 10**9


class NewExperimentRun(BaseModel):
    """What is not given stands as in the figure."""

    model_config = ConfigDict(extra="forbid", strict=True)

    parameters: dict[str, Annotated[int | float, Field(ge=-LARGEST, le=LARGEST)]]


class ExperimentRunOut(BaseModel):
    """The parameters that it ran with, and its frames: for `train-a-table`, [step, loss, table] for each."""

    parameters: dict[str, int | float]
    frames: list[Any]


@router.post("/courses/{course}/{lesson}/labs/{lab}/runs")
def create_run(request: Request, course: str, lesson: str, lab: str, body: NewExperimentRun) -> ExperimentRunOut:
    """Runs the lab's own code in a sandbox."""
    parameters = {name: f"{value:g}" for name, value in body.parameters.items()}
    done = run(state_of(request), Caller(request), course, lesson, lab, parameters)
    return ExperimentRunOut(parameters=done.parameters, frames=done.frames)
