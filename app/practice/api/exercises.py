"""Exercises: public, to read and to filter."""

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict

from app.content.exercise import page
from app.people import identity
from app.practice.api.hints import HintOut
from app.practice.exercises import chosen, met
from app.practice.hints import hints_of
from app.state import state_of
from graders.exercise.definition import Exercise
from graders.frameworks import FRAMEWORKS

router = APIRouter(tags=["exercises"])

Difficulty = Literal["easy", "medium", "hard"]
if TYPE_CHECKING:
    FrameworkName = str
else:
    FrameworkName = Literal[FRAMEWORKS]


class ExerciseLineOut(BaseModel):
    slug: str
    title: str
    difficulty: Difficulty
    minutes: int
    tags: list[str]
    frameworks: list[FrameworkName]
    content_hash: str


class ParameterOut(BaseModel):
    name: str
    type: str


class SignatureOut(BaseModel):
    parameters: list[ParameterOut]
    returns: str
    text: str


class ArrayOut(BaseModel):
    """A value, printed."""

    model_config = ConfigDict(from_attributes=True)

    shape: list[int] | None
    dtype: str
    text: str


class SampleCaseOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    inputs: dict[str, ArrayOut]
    expected: ArrayOut


class LimitsOut(BaseModel):
    wall_seconds: float
    cpu_seconds: float
    total_seconds: float
    memory_mb: int
    output_kb: int
    threads: int


class ToleranceOut(BaseModel):
    rtol: float
    atol: float


class HintsOut(BaseModel):
    """How many there are, and those that the caller has opened: POST …/hints opens the next."""

    of: int
    opened: list[HintOut]


class ExerciseOut(ExerciseLineOut):
    """`statement` is Markdown. `sample_cases` is empty while the judge, which makes them, warms up."""

    entry: str
    related: list[str]
    statement: str
    statement_html: str
    starter: dict[FrameworkName, str]
    signature: SignatureOut
    sample_cases: list[SampleCaseOut]
    limits: LimitsOut
    tolerance: ToleranceOut
    hints: HintsOut


@router.get("/exercises")
def index(
    request: Request,
    difficulty: Difficulty | None = None,
    framework: FrameworkName | None = None,
    tag: str | None = None,
    q: Annotated[str | None, Query(description="A word from the title.")] = None,
) -> list[ExerciseLineOut]:
    """All, or those that match every filter."""
    found = chosen(state_of(request).catalog, difficulty=difficulty, framework=framework, tag=tag, q=q)
    return [ExerciseLineOut.model_validate(_line(exercise)) for exercise in found]


@router.get("/exercises/{slug}")
def show(
    request: Request,
    slug: str,
    variant: Annotated[int | None, Query(description="For staff: another variant than the first, from 1 on.")] = None,
) -> ExerciseOut:
    """As the caller meets it: of an exercise with variants, a student's own. `content_hash` names it in submissions."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        exercise = met(state.catalog, viewer, slug, None if variant is None else str(variant))
        hints = hints_of(db, viewer, slug, page(exercise).hints_html)
    return ExerciseOut.model_validate(
        {
            **_line(exercise),
            "entry": exercise.entry,
            "related": [other for other in exercise.related if other in state.catalog.exercises],
            "statement": exercise.statement,
            "statement_html": page(exercise).statement_html,
            "starter": {framework: exercise.starter(framework) for framework in exercise.frameworks},
            "signature": {
                "parameters": [{"name": one.name, "type": one.type} for one in exercise.signature.parameters],
                "returns": exercise.signature.returns,
                "text": exercise.signature.text(exercise.entry),
            },
            "sample_cases": [
                SampleCaseOut.model_validate(sample) for sample in state.catalog.samples(exercise, state.shelf)
            ],
            "limits": vars(exercise.limits),
            "tolerance": {"rtol": exercise.tolerance.rtol, "atol": exercise.tolerance.atol},
            "hints": {
                "of": hints.of,
                "opened": [
                    {"number": number, "of": hints.of, "html": html} for number, html in enumerate(hints.opened, 1)
                ],
            },
        }
    )


def _line(exercise: Exercise) -> dict[str, object]:
    return {
        "slug": exercise.slug,
        "title": exercise.title,
        "difficulty": exercise.difficulty,
        "minutes": exercise.minutes,
        "tags": list(exercise.tags),
        "frameworks": list(exercise.frameworks),
        "content_hash": exercise.content_hash,
    }
