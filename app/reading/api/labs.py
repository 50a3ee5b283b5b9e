"""Runs of a lab's experiment: a reader's numbers go in, the frames for its figure come out. Nobody keeps them."""

from collections.abc import Mapping
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.content.labs.kind import Experiment
from app.content.lesson import LabBlock
from app.people import identity
from app.state import state_of
from app.web.errors import Invalid, JudgeCannotRun, NotFound
from app.web.limits import neighbourhood

router = APIRouter(tags=["lessons"])
log = structlog.get_logger("lectern.labs")


# attack: a whole number of four hundred digits, which is no float. defence: no slider goes that far.
LARGEST = 10**9


class NewExperimentRun(BaseModel):
    """What is not given stands as in the figure."""

    model_config = ConfigDict(extra="forbid", strict=True)

    parameters: dict[str, Annotated[int | float, Field(ge=-LARGEST, le=LARGEST)]]


class ExperimentRunAnswer(BaseModel):
    """The parameters that it ran with, and its frames: for `train-a-table`, [step, loss, table] for each."""

    parameters: dict[str, int | float]
    frames: list[Any]


@router.post("/courses/{course}/{lesson}/labs/{lab}/runs")
def create_run(request: Request, course: str, lesson: str, lab: str, body: NewExperimentRun) -> ExperimentRunAnswer:
    """Runs the lab's own code in a sandbox."""
    return run(request, course, lesson, lab, {name: f"{value:g}" for name, value in body.parameters.items()})


def run(request: Request, course: str, lesson: str, lab: str, given: Mapping[str, str]) -> ExperimentRunAnswer:
    """For the API and for pages alike. Raises NotFound, Invalid, RateLimited and JudgeCannotRun.

    attack: code where a number belongs; a table of a million rows; answers that are no numbers, from a box that was
            broken out of, to every reader's page.
    defence: a parameter is one of the values that its slider stops at, or nothing runs; what came back is read number
             by number before it is passed on.
    """
    experiment = find(request, course, lesson, lab)
    parameters = read_parameters(experiment, given)
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    # it takes a box as a cell does, and counts as one
    person, address = viewer.id if viewer else None, identity.address_of(request)
    state.limits.spend("cell", person=person, address=address)
    with state.limits.holding("cell", person=person, address=address):
        ran = state.cells.experiment(experiment.source, parameters, neighbourhood(address))
    try:
        if ran.error:
            raise ValueError(f"no {ran.error.type}")
        return ExperimentRunAnswer(parameters=parameters, frames=experiment.read(ran.result, parameters))
    except ValueError as odd:
        log.warning("experiment_failed", lab=lab, expected=str(odd), error=ran.error and ran.error.message)
        why = "The server was too busy to finish this in time, or failed."
        raise JudgeCannotRun(
            why, "The plots are unchanged. Try again in a moment.", headers={"Retry-After": "5"}
        ) from odd


def find(request: Request, course: str, lesson: str, lab: str) -> Experiment:
    """Raises NotFound; a quiz, which shows no lab, has none to run."""
    page = state_of(request).catalog.lesson(course, lesson)[1]
    for block in () if page.is_quiz else page.render().blocks:
        if isinstance(block, LabBlock) and block.lab.name == lab and block.lab.kind.experiment:
            return block.lab.kind.experiment
    raise NotFound("There is no lab of this name that can be run.", "Reload the lesson.")


def read_parameters(experiment: Experiment, given: Mapping[str, str]) -> dict[str, float]:
    """Raises Invalid."""
    known = {one.name: one for one in experiment.parameters}
    for name in given:
        if name not in known:
            raise Invalid(f"There is no parameter `{name[:40]}`.", f"It takes {', '.join(known)}.")
    read: dict[str, float] = {}
    for name, one in known.items():
        values = {str(value): value for value in one.values}
        text = given.get(name, str(one.default))
        if text not in values:
            raise Invalid(f"`{name}` cannot be {text[:40]!r} here.", f"Use {one.choices}.")
        read[name] = values[text]
    return read
