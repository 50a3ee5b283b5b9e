"""Made-up people and their work: the same each time, and such that there is something to see in it."""

import ast
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.classes.filling import CURRENT, PAST
from app.classes.made_up import Program, Sent, Window, attempts_of, copies_of, made_up_people, shelf_of
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.verdict import Verdict

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
DUE = datetime(2027, 4, 8, 16, tzinfo=UTC)
WINDOW = Window(DUE - timedelta(days=14), DUE, DUE + timedelta(days=7))


@pytest.fixture(scope="module")
def softmax() -> Exercise:
    return read_exercise(EXERCISES / PAST)


def work(exercise: Exercise, until: datetime) -> list[Sent]:
    chance, shelf = random.Random(1), shelf_of(exercise)
    people = made_up_people(300, "spring")
    return [
        one for place, student in enumerate(people) for one in attempts_of(chance, place, student, shelf, WINDOW, until)
    ]


def test_people_are_the_same_each_time_and_nobody_twice() -> None:
    people = made_up_people(300, "spring")
    assert people == made_up_people(300, "spring")
    assert people != made_up_people(300, "autumn")
    assert len({one.email for one in people}) == 300
    assert all(one.email.isascii() and one.email.endswith("@example.org") for one in people)
    assert all(0 < one.ability < 1 for one in people)


def test_work_bunches_before_the_deadline_and_nobody_goes_on_once_it_is_right(softmax: Exercise) -> None:
    sent = work(softmax, WINDOW.closes_at)
    assert sent == work(softmax, WINDOW.closes_at)
    last_day = [one for one in sent if DUE - timedelta(days=1) <= one.at <= DUE]
    first_week = [one for one in sent if one.at <= DUE - timedelta(days=7)]
    assert len(last_day) > 2 * len(first_week)
    assert [one for one in sent if DUE < one.at <= WINDOW.closes_at], "some are late"
    assert all(WINDOW.opens_at <= one.at <= WINDOW.closes_at for one in sent)
    solved: set[int] = set()
    for one in sent:
        assert one.student not in solved
        solved |= {one.student} if one.program.verdict == Verdict.accepted else set()
    assert 200 < len(solved) < 300


def test_what_has_not_happened_yet_is_not_there(softmax: Exercise) -> None:
    until = DUE - timedelta(days=2)
    assert 0 < len(work(softmax, until)) < len(work(softmax, WINDOW.closes_at))
    assert all(one.at <= until for one in work(softmax, until))


def test_the_programs_are_the_exercises_own_with_the_verdicts_that_it_proves(softmax: Exercise) -> None:
    shelf = shelf_of(softmax)
    verdicts = {mistake.name: mistake.verdict for mistake in softmax.mistakes}
    assert {one.mistake: one.verdict for one in shelf.wrong} == verdicts
    assert {one.source.decode() for one in shelf.right} <= {one.text for one in (softmax.reference, *softmax.solutions)}
    for one in shelf.wrong:
        tree = ast.parse(one.source)
        assert ast.get_docstring(tree) is None, "a student does not write down what is wrong"
        assert any(isinstance(node, ast.FunctionDef) for node in tree.body)


def test_copies_are_one_program_under_five_sets_of_names() -> None:
    copies = copies_of(CURRENT)
    assert len({one.source for one in copies}) == 5
    table, positions = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([[0.0, 3.0, 3.0], [2.0, 1.0, 0.0]])
    for one in copies:
        scope: dict[str, Any] = {}
        exec(one.source, scope)
        assert entries(one) == entries(copies[0])
        assert np.array_equal(scope[CURRENT.replace("-", "_")](positions, table), table[positions.astype(int)])


def entries(program: Program) -> list[str]:
    return [node.name for node in ast.parse(program.source).body if isinstance(node, ast.FunctionDef)]
