"""Everything wrong in one exercise.toml, at once: each fault with its line, and none that follows from another."""

import pytest

from graders.exercise.definition import BrokenExercise
from graders.exercise.toml import line_of, read_toml

from .conftest import make_exercise

RIGHT = """title = "Doubled"
entry = "doubled"
difficulty = "easy"
minutes = 5
tags = ["a"]
frameworks = ["numpy"]

[signature]
x = "float32[N]"
returns = "float32[N]"

[limits]
wall_seconds = 5
"""


def told(text: str) -> list[tuple[int | None, str]]:
    try:
        make_exercise(exercise_toml=text)
    except BrokenExercise as broken:
        return [(fault.line, fault.message) for fault in (broken, *broken.more)]
    return []


def test_the_right_one_has_none() -> None:
    assert told(RIGHT) == []


ALL = (
    RIGHT.replace('"Doubled"', "Doubled").replace('"easy"', '"hrad"').replace("= 5\ntags", "= 0\ntags")
    .replace("tags = ", "tgas = ").replace('x = "float32[N]"', 'x = "float33[N]"')
    .replace("wall_seconds = 5", "wall_second = 5\nthreads = 99")
)  # fmt: skip


def test_faults_of_every_sort_are_told_together_by_line() -> None:
    found = told(ALL)
    assert [line for line, _ in found] == [1, 3, 4, 5, 9, 13, 14]
    for (_, message), said in zip(
        found, ("not TOML", "'hrad'", "at least 1", "tgas is not a key", "float33", "wall_second is unknown", "64"),
        strict=True,
    ):  # fmt: skip
        assert said in message


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ('title = "Doubled"', 'titel = "Doubled"', [1]),  # not: title is missing
        ("[signature]", "[signatures]", [8]),  # not: signature has no returns
        ("[signature]", "[signature", [8]),
        ('title = "Doubled"', 'title = "Doubled', [1]),
        ('tags = ["a"]', 'tags = ["a"', [5]),  # not the line below, where it is noticed
        ('tags = ["a"]', 'tags = """a', [5]),
        ('entry = "doubled"', "entry = doubled", [2]),
        ('returns = "float32[N]"', "returns = float32[N]", [10]),
        ('returns = "float32[N]"', "", [8]),
        ("[limits]", "[signature]", [12]),
        ("minutes = 5", "minutes = 5\nminutes = 6", [5]),
        ("minutes = 5", "minutes 5", [4]),
        ('frameworks = ["numpy"]', 'frameworks = ["nunpy"]', [6]),
        ('x = "float32[N]"', 'x = 3\ny = 4', [9, 10]),
        ("minutes = 5", 'minutes = "5"\n\nx = \\d\ny = oops', [4, 6, 7]),
    ],
)  # fmt: skip
def test_one_fault_is_one_message(old: str, new: str, lines: list[int | None]) -> None:
    assert [line for line, _ in told(RIGHT.replace(old, new, 1))] == lines


def test_what_rests_on_a_wrong_signature_is_not_told() -> None:
    text = RIGHT.replace('["numpy"]', '["jax"]') + '[warm]\njax = ["flatten(float32[N])"]\n'
    assert [line for line, _ in told(text.replace('x = "float32[N]"', 'x = "float33[N]"'))] == [9]


def test_a_text_without_quotes_is_told_how_it_is_written() -> None:
    (fault,) = read_toml("a = 1\ntitle = Softmax over rows\nb = 2").faults
    assert fault.line == 2
    assert fault.hint == 'put text in quotes: title = "Softmax over rows"'


def test_a_typo_is_told_the_name_that_was_meant() -> None:
    with pytest.raises(BrokenExercise) as broken:
        make_exercise(exercise_toml=RIGHT.replace("minutes =", "minuts ="))
    assert broken.value.hint == "write minutes"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ('title = "x"\n[limits]\ntitle = 3\n', "title", 1),
        ('x = "x"\n[signature]\ny = 1\nx = "int"\n', "signature.x", 4),
        ("limits.x = 1", "limits.x", 1),
        ("a = 1\nlimits = {x = 1}", "limits.x", 2),
        ("[limits]  # all\nx = 1", "limits", 1),
        ("[limits]\nx = 1", "limits.y", None),
    ],
)
def test_the_line_of_a_key_is_the_one_in_its_own_section(text: str, key: str, line: int | None) -> None:
    assert line_of(text, key) == line
