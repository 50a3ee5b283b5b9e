"""Work that can wait leaves a box for the next submission, and gives way before each question."""

import time
from collections.abc import Callable

import pytest

from graders.boxes.patience import PATIENCE_SECONDS, PatientJudge, Stale
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.exercise.definition import Exercise
from graders.exercise.runs import load


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
        assert waited(patient, lambda: ask(box, doubled)) >= PATIENCE_SECONDS
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


def test_what_is_urgent_does_not_wait(judge: Judge, doubled: Exercise) -> None:
    urgent: list[bool] = []
    patient = PatientJudge(judge, lambda: False, lambda: bool(urgent), spare=False)
    box = patient.take("numpy")
    submission = judge.take("numpy")
    try:
        assert waited(patient, lambda: ask(box, doubled)) >= PATIENCE_SECONDS
        urgent.append(True)
        # of several, since this machine may stand still during one
        assert min(waited(patient, lambda: ask(box, doubled)) for _ in range(5)) < PATIENCE_SECONDS
    finally:
        submission.close()
        box.close()


def test_patient_work_does_not_wait_for_patient_work(judge: Judge, doubled: Exercise) -> None:
    first, second = (PatientJudge(judge, lambda: False) for _ in range(2))
    others, box = first.take("numpy"), second.take("numpy")
    try:
        assert min(waited(second, lambda: ask(box, doubled)) for _ in range(5)) < PATIENCE_SECONDS
    finally:
        others.close()
        box.close()
    assert not judge.patient


def waited(patient: PatientJudge, act: Callable[[], None]) -> float:
    """For others, in seconds: what `clock` leaves out."""
    began, counted = time.monotonic(), patient.clock()
    act()
    return time.monotonic() - began - (patient.clock() - counted)
