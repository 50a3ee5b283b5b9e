"""Where the numbers come from: rows picked by a rule, an input left in the answer, and when neither is said."""

import re

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.verdict import SubmissionResult, Verdict

from .conftest import EXERCISES
from .conftest import judged_by_numbers as judged
from .small_exercises import exercise, program

PICK = "def f(ids, rows):\n    return rows[ids]\n"
LOOKUP = exercise(
    'ids = "int64[N, T]"\nrows = "float32[M, D]"', "float32[N, T, D]", PICK,
    ["ids=np.array([[2, 0, 4], [5, 2, 3]]), rows=x(6, 4)", "ids=np.array([[3, 1, 1, 4], [0, 4, 2, 5]]), rows=x(6, 5)"],
    ["ids=np.array([[5, 3, 1]]), rows=x(7, 2)"],
)  # fmt: skip
LONG = exercise(
    'ids = "int64[N]"\nrows = "float32[M, D]"', "float32[N, D]", PICK,
    ["ids=np.array([2, 0, 1]), rows=x(300, 3)", "ids=np.array([2, 130, 299, 260, 255]), rows=x(300, 3)"],
    ["ids=np.array([290, 17, 200, 128]), rows=x(300, 2)"],
)  # fmt: skip
SCALED = exercise('x = "float32[N, C]"\nby = "float32[C]"', "float32[N, C]", "def f(x, by):\n    return x * x * by\n",
                  ["x=x(3, 4), by=x(4)", "x=x(4, 5), by=x(5)"], ["x=x(2, 6), by=x(6)"])  # fmt: skip
PICKED = [
    (LOOKUP, "    return rows[np.sort(ids, axis=1)]\n", "Your rows of `rows` are sorted along T"),
    (LOOKUP, "    return rows[-np.sort(-ids, axis=1)]\n", "sorted backwards along T"),
    (LOOKUP, "    return rows[np.unique(ids, return_inverse=True)[1].reshape(ids.shape)]\n", "You renumber `ids`"),
    (LOOKUP, "    return rows[ids - 1]\n", "the row before the right one, every time: the index is 1 too low"),
    (LOOKUP, "    return rows[np.minimum(ids + 1, len(rows) - 1)]\n", "the index is 1 too high"),
    (LOOKUP, "    return rows[(ids + 2) % len(rows)]\n", "the index is 2 too high"),
    (LOOKUP, "    return rows[ids - ids[:, :1]]\n", "as far from row 0 as `ids` are from their first along T"),
    (LOOKUP, "    return rows[np.minimum(ids, ids.shape[1] - 1)]\n", "Where `ids` reach T or more, you take row T - 1"),
    (LOOKUP, "    return rows[ids % ids.shape[1]]\n", "at `ids` modulo T"),
    (LOOKUP, "    return rows[len(rows) - 1 - ids]\n", "from its end"),
    (LOOKUP, "    return rows[np.minimum(ids[:, :1] + np.arange(ids.shape[1]), len(rows) - 1)]\n",
     "that follow one another, from the first on"),
    (LOOKUP, "    return rows[-ids]\n", "picked with a minus sign"),
    (LOOKUP, "    return rows[np.minimum(ids, len(rows) - 2)]\n", "You never take the last row of `rows`"),
    (LOOKUP, "    return rows[np.maximum(ids, 1)]\n", "You never take row 0 of `rows`"),
    (LOOKUP, "    return rows[np.arange(ids.size).reshape(ids.shape) % 6]\n", None),
    (LOOKUP, "    return rows[np.arange(ids.shape[1]) + 0 * ids]\n", "Along T you take rows 0, 1, 2, … of `rows`"),
    (LOOKUP, "    return rows[np.arange(ids.shape[1]) + 1 + 0 * ids]\n", "rows 1, 2, 3, … of `rows`, whatever `ids`"),
    (LOOKUP, "    return rows[-ids.shape[1]:][None].repeat(len(ids), 0)\n", "the last rows of `rows`"),
    (LOOKUP, "    return rows[len(rows) - 1 + 0 * ids]\n", "All your rows are the last row of `rows`"),
    (LOOKUP, "    return rows.T[(ids % rows.shape[1])]\n", "Yours are columns of `rows`"),
    (LOOKUP, "    return rows[ids] ** 2 + 1\n", "None of your rows is a row of `rows`"),
    (LONG, "    return rows[ids.astype(np.int8)]\n", "int8 ends at 127"),
    (LONG, "    return rows[ids.astype(np.uint8)]\n", "uint8 ends at 255"),
    # near misses: no rule makes yours of the expected rows
    (LOOKUP, "    return rows[np.where(ids % 2, ids - 1, ids)]\n", None),
    (LOOKUP, "    return rows[np.concatenate([ids[:, :1] - 1, ids[:, 1:] - 2], 1)]\n", None),
    (LOOKUP, "    return rows[np.sort(ids, axis=1)] if len(ids) > 1 else rows[ids - 1]\n", None),
    (LOOKUP, "    out = rows[ids] ** 2\n    out[0, 0] = rows[ids[0, 0]]\n    return out\n", None),
    (LONG, "    return rows[np.where(ids > 200, ids - 200, ids)]\n", None),
    (LONG, "    return rows[np.minimum(ids, 250)]\n", None),
]  # fmt: skip


def told(result: SubmissionResult) -> set[str]:
    """What is told of sample cases."""
    assert result.verdict == Verdict.wrong_answer, result
    return {case.diagnosis for case in result.cases if case.sample and case.diagnosis}


def numberless(result: SubmissionResult) -> bool:
    """Whether no sentence of a hidden case has a number but those of the sentence itself."""
    texts = [case.diagnosis for case in result.cases if not case.sample and case.diagnosis]
    fixed = r"\d, \d, \d, …|row -?\d|T - 1|is \d too|u?int8|\b(127|255)\b"
    return not any(re.search(r"\d", re.sub(fixed, "", text)) for text in texts)


@pytest.mark.parametrize(("made", "lines", "says"), PICKED)
def test_rows_from_other_places_are_named_by_their_rule(
    judge: Judge, made: Exercise, lines: str, says: str | None
) -> None:
    result = judged(judge, made, program(made, lines), "numpy")
    if says is not None:
        assert len(told(result)) == 1, told(result)
        assert all(says in sentence for sentence in told(result))
    else:
        assert not any("`rows`" in sentence for sentence in told(result)), told(result)
    assert numberless(result)


def test_two_rules_that_fit_are_silent_until_a_case_decides(judge: Judge) -> None:
    both = "ids=np.array([[3, 2, 1, 0]]), rows=x(4, 3)"  # sorted, counted, numbered anew, from the end
    one = "ids=np.array([[4, 2, 1, 0], [5, 4, 3, 1]]), rows=x(6, 3)"
    counted = "    return rows[np.arange(ids.shape[1]) + 0 * ids]\n"
    for samples, says in (([both], None), ([both, one], "Along T you take rows 0, 1, 2, …")):
        made = exercise('ids = "int64[N, T]"\nrows = "float32[M, D]"', "float32[N, T, D]", PICK, samples, [])
        sentences = told(judged(judge, made, program(made, counted), "numpy"))
        assert all("run backwards" in sentence for sentence in sentences) if says is None else says in str(sentences)


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        ("ids = np.minimum(positions, positions.shape[1] - 1).astype(int)", "Where `positions` reach T or more"),
        ("ids = np.sort(positions, axis=-1).astype(int)", "sorted along T"),
        ("ids = positions.astype(np.int8)", "int8 ends at 127"),
        ("ids = positions.astype(np.uint8)", "uint8 ends at 255"),
        ("ids = (positions // 2).astype(int)", None),
    ],
)
def test_a_shipped_exercise_is_told_too(judge: Judge, gather: Exercise, cut: str, says: str | None) -> None:
    source = f"import numpy as np\n\ndef {gather.entry}(positions, embedding_table):\n    {cut}\n"
    result = judged(judge, gather, f"{source}    return embedding_table[ids]\n", "numpy")
    assert (says in str(result.diagnosis)) if says else "`embedding_table`" not in str(result.diagnosis)


LEFT_OVER = [
    ("    return x * x * by + by\n", "plus `by`"),
    ("    return x * x * by - x\n", "minus `x`"),
    ("    return x * x * by * by\n", "times `by`"),
    ("    return x * by\n", "divided by `x`"),
    ("    return x * x * by + 2 * by\n", None),
    ("    return x * x * by + (by if len(x) > 3 else x)\n", None),
    ("    return (x * x * by + by) * np.float32(1.01)\n", None),
]


@pytest.mark.parametrize(("lines", "says"), LEFT_OVER)
def test_an_input_that_is_left_in_the_answer_is_named(judge: Judge, lines: str, says: str | None) -> None:
    result = judged(judge, SCALED, program(SCALED, lines), "numpy")
    if says is None:
        assert not any("the expected one" in sentence and "`" in sentence for sentence in told(result))
    else:
        assert len(told(result)) == 1
        assert all(f"the expected one {says}" in sentence for sentence in told(result))


def test_an_id_that_is_added_to_its_row_is_named(judge: Judge) -> None:
    made = read_exercise(EXERCISES / "learned-absolute-position-embedding")
    source = "import numpy as np\n\ndef learned_absolute_position_embedding(positions, embedding_table):\n"
    lines = "    return embedding_table[positions.astype(int)] + positions[..., None]\n"
    assert "the expected one plus `positions`" in str(judged(judge, made, source + lines, "numpy").diagnosis)
