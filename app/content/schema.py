"""JSON Schemas of exercise.toml and course.toml, by which editors complete and check what an author writes.

What has a single source is taken from it: the frameworks, and the keys and defaults of `[limits]` and `[tolerance]`. A
test holds the rest against the readers, which name the keys that they know. The readers decide; a schema promises less:
it does not read types, patterns or calls.
"""

import json
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from graders.exercise.definition import MAX_NAMES, MAX_VALUES
from graders.exercise.limits import MAX_THREADS, Limits, Tolerance
from graders.frameworks import FRAMEWORKS

DIALECT = "http://json-schema.org/draft-07/schema#"  # which editors know best; nothing here is newer
Text = Annotated[str, Field(min_length=1)]
Word = Annotated[str, Field(pattern=r"^[^\s\d]\S*$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Rules = list[Text] | dict[str, Text]
VariantValues = Annotated[list[int | float | str], Field(min_length=2, max_length=MAX_VALUES)]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _numbers_of(record: type, name: str, **bounds: Any) -> Any:
    """A section with a number for each field of a record that is one, whose defaults are the record's."""
    found: dict[str, Any] = {}
    for field in [field for field in fields(record) if field.type in (int, float)]:
        own: dict[str, Any] = {**bounds, "le": MAX_THREADS} if field.name == "threads" else bounds
        found[field.name] = Annotated[field.type, Field(**own)], field.default
    return create_model(name, __base__=Section, **found)


_Closeness = _numbers_of(Tolerance, "Closeness", ge=0)
_Tolerance = create_model(
    "Tolerance",
    __base__=_Closeness,
    outputs=(dict[str, _Closeness], Field(default_factory=dict, description='Of single outputs: "0", or a key.')),  # type: ignore[valid-type]
)


class SourceRules(Section):
    """What a submission must use, and what it must not. As a table: with a sentence for each."""

    requires: Rules = Field([], description='Patterns such as "class LayerNorm(nn.Module)".')
    forbids: Rules = Field([], description='Patterns such as "for" or "torch.softmax".')


class Warm(Section):
    """What JAX compiles before a submission comes."""

    jax: list[Text] = Field([], description='Calls such as "normal(float32[32, d_model])".')


class Exercise(BaseModel):
    """exercise.toml: docs/authoring.md says more about each key."""

    model_config = ConfigDict(extra="forbid", strict=True, title="exercise.toml")

    title: Text
    entry: Word | Annotated[list[Word], Field(min_length=1)] = Field(
        description="The function that students write; or a list of functions and classes, for cases that are scripts."
    )
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    minutes: int = Field(15, ge=1)
    tags: list[str] = []
    frameworks: Annotated[list[Literal[FRAMEWORKS]], Field(min_length=1)] = Field(  # type: ignore[valid-type]
        ["numpy"], description="What students may choose from. The first is that of reference.py."
    )
    related: list[Slug] = Field([], description="Other exercises, by the names of their folders.")
    discussions: bool = Field(True, description="Whether people may ask and answer below the exercise.")
    credit: Literal["all", "cases"] = Field("all", description="All or nothing, or the share of cases that are right.")
    signature: dict[str, str] = Field(
        default_factory=dict,
        description='The arguments in their order, and `returns`, each with its type: x = "float32[N, C]".',
        json_schema_extra={"additionalProperties": {"type": "string", "minLength": 1, "maxLength": 200}},
    )
    raises: list[Word] = Field([], description="Exceptions of the reference that are the expected answer.")
    messages: bool = Field(False, description="Whether the text of such an exception is compared too.")
    returns_any_framework: bool = Field(
        False, description="Whether an array of another framework than the submission's is right too."
    )
    seed: bool = Field(False, description="Whether random, np.random and torch are seeded before each call.")
    source: SourceRules = Field(default_factory=SourceRules.model_construct)
    tolerance: _Tolerance = Field(default_factory=dict)  # type: ignore[valid-type]
    limits: _numbers_of(Limits, "Limits", gt=0) = Field(default_factory=dict)  # type: ignore[valid-type]
    variants: Annotated[dict[str, VariantValues], Field(min_length=1, max_length=MAX_NAMES)] = Field(
        default_factory=dict,
        description="Constants that differ from student to student, each with its values: window = [3, 5, 7].",
    )
    warm: Warm = Field(default_factory=Warm.model_construct)


class Course(BaseModel):
    """course.toml: the cover of a course."""

    model_config = ConfigDict(extra="forbid", strict=True, title="course.toml")

    title: Text
    blurb: Text = Field(description="One sentence for the list of courses.")
    authors: list[str] = []
    prerequisites: list[str] = Field([], description="In words, or course:SLUG for a course to take before.")
    picture: str = Field("", description="A file in figures/, shown with the course: figures/cover.svg.")
    picture_alt: str = Field("", description="What the picture shows.")
    discussions: bool = Field(True, description="Whether people may ask and answer in this course.")
    renamed: dict[str, str] = Field({}, description="Names that lessons had, each with the lesson it leads to now.")


KINDS: dict[str, type[BaseModel]] = {"exercise": Exercise, "course": Course}


def schema_text(kind: str) -> str:
    schema = {"$schema": DIALECT, **KINDS[kind].model_json_schema(ref_template="#/definitions/{model}")}
    if "$defs" in schema:  # the name of Draft 7
        schema["definitions"] = schema.pop("$defs")
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
