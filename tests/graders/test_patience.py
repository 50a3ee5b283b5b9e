"""Work that can wait leaves a box for the next submission, and gives way before each question."""

import time

import pytest

from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.exercise.definition import Exercise
from graders.exercise.runs import load
from graders.proof.patience import PATIENCE_SECONDS, PatientJudge, Stale


def ask(box: Box, exercise: Exercise) -> None:
    load(box, exercise.reference.text, exercise.entries, exercise, "numpy")


def test_a_box_stays_parked_for_the_next_submission(judge: Judge) -> None:
    patient = PatientJudge(judge, lambda: False)
    boxes = []
    try:
        for _ in range(4):
            boxes.append(patient.take("numpy"))
            assert judge.parked()["numpy"] >= 1
    finally:
        for box in boxes:
            box.close()
    assert judge.is_idle()


def test_it_waits_for_others_and_the_wait_is_no_authors_time(judge: Judge, doubled: Exercise) -> None:
    patient = PatientJudge(judge, lambda: False)
    box = patient.take("numpy")
    submission = judge.take("numpy")
    try:
        began, counted = time.monotonic(), patient.clock()
        ask(box, doubled)
        waited = time.monotonic() - began - (patient.clock() - counted)
        assert waited >= PATIENCE_SECONDS
    finally:
        submission.close()
        box.close()


def test_what_nobody_wants_ends_before_its_next_question(judge: Judge, doubled: Exercise) -> None:
    stale: list[bool] = []
    patient = PatientJudge(judge, lambda: bool(stale))
    box = patient.take("numpy")
    try:
        ask(box, doubled)
        stale.append(True)
        with pytest.raises(Stale):
            ask(box, doubled)
        with pytest.raises(Stale):
            patient.take("numpy")
    finally:
        box.close()
