"""The schemas of exercise.toml and course.toml: they take what the readers take, and know the same keys."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app.content.course import course_from_files, find_course_faults
from app.content.schema import KINDS, Course, Exercise, schema_text
from graders.exercise.definition import BrokenExercise
from graders.exercise.reader import exercise_from_files
from tests.graders.conftest import DOUBLED_FILES

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [*sorted((ROOT / "exercises").glob("*/exercise.toml")), ROOT / "scaffolds" / "exercise" / "exercise.toml"]
WHOLE = """
title = "All of it"
entry = ["BankAccount", "helper"]
difficulty = "hard"
minutes = 5
tags = ["a"]
frameworks = ["numpy", "torch"]
related = ["softmax-rows"]
discussions = false
credit = "cases"
raises = ["ValueError"]
messages = true
seed = true
returns_any_framework = true
[signature]
x = "float32[N, T] | None"
causal = "bool = False"
returns = "float32[...]"
[source]
requires = ["class LayerNorm(nn.Module)"]
[source.forbids]
"torch.softmax" = "Write it yourself."
[tolerance]
rtol = 0
atol = 1e-6
[tolerance.outputs]
"0" = {rtol = 1e-3}
[limits]
wall_seconds = 5
memory_mb = 64
[variants]
window = [3, 5, 7]
base = [0.5, "ten"]
[warm]
jax = []
"""


def keys_that_are_read(section: str = "") -> set[str]:
    """As the reader lists them, for an author who wrote another one."""
    toml = DOUBLED_FILES["exercise.toml"].replace("[limits]", "[tolerance]\nrtol = 0\n[limits]")
    toml = re.sub(rf"(\[{section}\])", r"\1\nunknown_key = 1", toml) if section else f"unknown_key = 1\n{toml}"
    files = {**DOUBLED_FILES, "exercise.toml": toml}
    with pytest.raises(BrokenExercise) as broken:
        exercise_from_files("doubled", {name: text.encode() for name, text in files.items()})
    return set(broken.value.hint.removeprefix("use one of ").split(", "))


def test_what_ships_is_valid() -> None:
    faults = []
    for path in SHIPPED:
        try:
            Exercise.model_validate(tomllib.loads(path.read_text().replace('"ENTRY"', '"entry"')))
        except (ValidationError, tomllib.TOMLDecodeError) as error:
            faults.append(f"{path.relative_to(ROOT)}: {error}")
    assert not faults, "\n".join(faults)


def test_a_course_that_ships_is_valid() -> None:
    Course.model_validate(tomllib.loads((ROOT / "lessons" / "positions" / "course.toml").read_text()))


def test_every_key_of_the_format_is_known() -> None:
    Exercise.model_validate(tomllib.loads(WHOLE))
    assert Exercise.model_fields.keys() == tomllib.loads(WHOLE).keys()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('title = "All of it"', ""), ('title = "All of it"', 'titel = "All of it"'), ('"hard"', '"very hard"'),
        ("minutes = 5", "minutes = 0"), ("minutes = 5", 'minutes = "5"'), ('"torch"]', '"tensorflow"]'),
        ('["a"]', '"a"'), ("seed = true", "seed = 1"), ("rtol = 0", "rtol = -1"), ("{rtol = 1e-3}", "{rtol = -1}"),
        ("[3, 5, 7]", "[3]"), ("[3, 5, 7]", "3"), ("[3, 5, 7]", "[3, true]"),
        ("memory_mb = 64", "memory_mb = 0.5"),
        ("wall_seconds = 5", "seconds = 5"), ("[limits]", "[limit]"), ('"softmax-rows"', '"Softmax rows"'),
        ("jax = []", "torch = []"), ('causal = "bool = False"', "causal = true"),
        ('["BankAccount", "helper"]', "[]"),
    ],
)  # fmt: skip
def test_a_broken_one_is_not(right: str, wrong: str) -> None:
    assert right in WHOLE
    with pytest.raises(ValidationError):
        Exercise.model_validate(tomllib.loads(WHOLE.replace(right, wrong)))


def test_the_schema_has_the_keys_that_the_reader_reads() -> None:
    assert keys_that_are_read() == Exercise.model_fields.keys()


@pytest.mark.parametrize("section", ["limits", "tolerance"])
def test_a_section_has_the_keys_that_the_reader_reads(section: str) -> None:
    schema = Exercise.model_json_schema()
    assert set(schema["$defs"][section.capitalize()]["properties"]) == keys_that_are_read(section)


def test_the_cover_of_a_course_has_the_keys_that_its_reader_reads() -> None:
    cover = b'title = "A"\nblurb = "B"\nunknown_key = 1\n'
    course = course_from_files("demo", {"course.toml": cover, "01-a.md": b"---\ntitle: A\n---\nText.\n"})
    (fault,) = [fault for fault in find_course_faults(course) if "unknown_key" in fault.message]
    assert fault.hint == f"Known: {', '.join(Course.model_fields)}."


@pytest.mark.parametrize(
    ("key", "is_open"), [("", True), ("discussions = true\n", True), ("discussions = false\n", False)]
)
def test_a_cover_opens_or_closes_discussions(key: str, is_open: bool) -> None:
    cover = f'title = "A"\nblurb = "B"\n{key}'.encode()
    course = course_from_files("demo", {"course.toml": cover, "01-a.md": b"---\ntitle: A\n---\nText.\n"})
    assert (course.discussions, find_course_faults(course)) == (is_open, [])


def test_discussions_are_open_or_closed_and_nothing_else() -> None:
    cover = b'title = "A"\nblurb = "B"\ndiscussions = "no"\n'
    course = course_from_files("demo", {"course.toml": cover, "01-a.md": b"---\ntitle: A\n---\nText.\n"})
    (fault,) = find_course_faults(course)
    assert (fault.line, fault.message) == (3, "`discussions` is not true or false.")
    assert fault.hint == "Write `discussions = false`."
    files = {**DOUBLED_FILES, "exercise.toml": "discussions = 0\n" + DOUBLED_FILES["exercise.toml"]}
    with pytest.raises(BrokenExercise, match="discussions must be true or false"):
        exercise_from_files("doubled", {name: text.encode() for name, text in files.items()})


@pytest.mark.parametrize(("kind", "folder"), [("exercise", "exercises"), ("course", "lessons")])
def test_the_committed_schema_is_the_one_that_is_printed(kind: str, folder: str) -> None:
    path = ROOT / folder / f"{kind}.schema.json"
    assert path.read_text() == schema_text(kind), f"run ./lectern schema {kind} > {path.relative_to(ROOT)}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_names_only_what_it_defines(kind: str) -> None:
    found: Any = re.findall(r'"\$ref": "([^"]*)"', schema_text(kind))
    assert all(re.fullmatch(r"#/definitions/\w+", reference) for reference in found)
    assert all(f'"{reference.rpartition("/")[2]}": {{' in schema_text(kind) for reference in found)
