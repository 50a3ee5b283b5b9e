"""Runs of a lab's experiment: a reader's numbers go in, the frames for its figure come out. Nobody keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from app.content.labs.kind import Experiment
from app.content.lesson import LabBlock
from app.people.identity import Caller
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Invalid, JudgeCannotRun, NotFound
from app.web.limits import neighbourhood

log = structlog.get_logger("lectern.labs")


@dataclass(frozen=True)
class ExperimentRun:
    """The parameters that it ran with, and its frames, as the lab's kind reads them."""

    parameters: dict[str, float]
    frames: list[Any]


def run(
    state: AppState, caller: Caller, course: str, lesson: str, lab: str, parameters: Mapping[str, str]
) -> ExperimentRun:
    """Raises NotFound, Invalid, RateLimited and JudgeCannotRun."""
    return run_experiment(state, caller, lab, find(state.catalog, course, lesson, lab), parameters)


def run_experiment(
    state: AppState, caller: Caller, lab: str, experiment: Experiment, parameters: Mapping[str, str]
) -> ExperimentRun:
    """Raises Invalid, RateLimited and JudgeCannotRun.

    attack: code where a number belongs; a table of a million rows; answers that are no numbers, from a box that was
            broken out of, to every reader's page.
    defence: a parameter is one of the values that its slider stops at, or nothing runs; what came back is read number
             by number before it is passed on.
    """
    values = read_parameters(experiment, parameters)
    with state.db.reading() as db:
        viewer = caller.viewer(db)
    # it takes a box as a cell does, and counts as one
    person, address = viewer.id if viewer else None, caller.address
    state.limits.spend("cell", person=person, address=address)
    with state.limits.holding("cell", person=person, address=address):
        ran = state.cells.experiment(experiment.source, values, neighbourhood(address))
    try:
        if ran.error:
            raise ValueError(f"no {ran.error.type}")
        return ExperimentRun(values, experiment.read(ran.result, values))
    except ValueError as odd:
        log.warning("experiment_failed", lab=lab, expected=str(odd), error=ran.error and ran.error.message)
        why = "The server was too busy to finish this in time, or failed."
        raise JudgeCannotRun(
            why, "The plots are unchanged. Try again in a moment.", headers={"Retry-After": "5"}
        ) from odd


def find(catalog: Catalog, course: str, lesson: str, lab: str) -> Experiment:
    """Raises NotFound; a quiz, which shows no lab, has none to run."""
    page = catalog.lesson(course, lesson)[1]
    for block in () if page.is_quiz else page.render().blocks:
        if isinstance(block, LabBlock) and block.lab.name == lab and block.lab.kind.experiment:
            return block.lab.kind.experiment
    raise NotFound("There is no lab of this name that can be run.", "Reload the lesson.")


def read_parameters(experiment: Experiment, texts: Mapping[str, str]) -> dict[str, float]:
    """Raises Invalid."""
    known = {parameter.name: parameter for parameter in experiment.parameters}
    for name in texts:
        if name not in known:
            raise Invalid(f"There is no parameter `{name[:40]}`.", f"It takes {', '.join(known)}.")
    read: dict[str, float] = {}
    for name, parameter in known.items():
        values = {str(value): value for value in parameter.values}
        text = texts.get(name, str(parameter.default))
        if text not in values:
            raise Invalid(f"`{name}` cannot be {text[:40]!r} here.", f"Use {parameter.choices}.")
        read[name] = values[text]
    return read
