"""Exercises: public, to read and to filter."""

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict

from app.content.exercise import page
from app.people import identity
from app.practice.api.hints import HintAnswer
from app.practice.hints import hints_of
from app.state import AppState, state_of
from graders.exercise.definition import Exercise
from graders.frameworks import FRAMEWORKS

router = APIRouter(tags=["exercises"])

Difficulty = Literal["easy", "medium", "hard"]
if TYPE_CHECKING:
    FrameworkName = str
else:
    FrameworkName = Literal[FRAMEWORKS]


class ExerciseLine(BaseModel):
    slug: str
    title: str
    difficulty: Difficulty
    minutes: int
    tags: list[str]
    frameworks: list[FrameworkName]
    content_hash: str


class ParameterAnswer(BaseModel):
    name: str
    type: str


class SignatureAnswer(BaseModel):
    parameters: list[ParameterAnswer]
    returns: str
    text: str


class ArrayAnswer(BaseModel):
    """A value, printed."""

    model_config = ConfigDict(from_attributes=True)

    shape: list[int] | None
    dtype: str
    text: str


class SampleCaseAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    inputs: dict[str, ArrayAnswer]
    expected: ArrayAnswer


class LimitsAnswer(BaseModel):
    wall_seconds: float
    cpu_seconds: float
    total_seconds: float
    memory_mb: int
    output_kb: int
    threads: int


class ToleranceAnswer(BaseModel):
    rtol: float
    atol: float


class HintsAnswer(BaseModel):
    """How many there are, and those that the caller has opened: POST …/hints opens the next."""

    of: int
    opened: list[HintAnswer]


class ExerciseAnswer(ExerciseLine):
    """`statement` is Markdown. `sample_cases` is empty while the judge, which makes them, warms up."""

    entry: str
    related: list[str]
    statement: str
    statement_html: str
    starter: dict[FrameworkName, str]
    signature: SignatureAnswer
    sample_cases: list[SampleCaseAnswer]
    limits: LimitsAnswer
    tolerance: ToleranceAnswer
    hints: HintsAnswer


@router.get("/exercises")
def index(
    request: Request,
    difficulty: Difficulty | None = None,
    framework: FrameworkName | None = None,
    tag: str | None = None,
    q: Annotated[str | None, Query(description="A word from the title.")] = None,
) -> list[ExerciseLine]:
    """All, or those that match every filter."""
    found = chosen(state_of(request), difficulty=difficulty, framework=framework, tag=tag, q=q)
    return [ExerciseLine.model_validate(_line(exercise)) for exercise in found]


@router.get("/exercises/{slug}")
def show(request: Request, slug: str) -> ExerciseAnswer:
    state = state_of(request)
    exercise = state.catalog.exercise(slug)
    with state.db.reading() as db:
        hints = hints_of(db, identity.viewer(db, request), slug, page(exercise).hints_html)
    return ExerciseAnswer.model_validate(
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
                SampleCaseAnswer.model_validate(sample) for sample in state.catalog.samples(exercise, state.judge)
            ],
            "limits": vars(exercise.limits),
            "tolerance": vars(exercise.tolerance),
            "hints": {
                "of": hints.of,
                "opened": [
                    {"number": number, "of": hints.of, "html": html} for number, html in enumerate(hints.opened, 1)
                ],
            },
        }
    )


def chosen(
    state: AppState,
    *,
    difficulty: str | None = None,
    framework: str | None = None,
    tag: str | None = None,
    q: str | None = None,
) -> list[Exercise]:
    """The exercises that match every filter given, easy ones first."""
    order = ("easy", "medium", "hard")
    matching = (
        exercise
        for exercise in state.catalog.exercises.values()
        if (not difficulty or exercise.difficulty == difficulty)
        and (not framework or framework in exercise.frameworks)
        and (not tag or tag in exercise.tags)
        and (not q or q.casefold() in exercise.title.casefold())
    )
    return sorted(matching, key=lambda exercise: (order.index(exercise.difficulty), exercise.title))


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
