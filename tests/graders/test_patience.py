"""Work that can wait leaves a box for the next submission, and gives way before each question."""

from collections.abc import Callable

import pytest

from graders.boxes import patience
from graders.boxes.patience import PATIENCE_SECONDS, PatientJudge, Stale
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.exercise.definition import Exercise
from graders.exercise.runs import load

from .conftest import StoppedClock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    """What passes is what a patient judge waits, which costs no time here."""
    monkeypatch.setattr(patience, "time", clock := StoppedClock())
    return clock


def ask(box: Box, exercise: Exercise) -> None:
    load(box, exercise.reference.text, exercise.entries, exercise, "numpy")


def test_a_box_stays_parked_for_the_next_submission(judge: Judge, clock: StoppedClock) -> None:
    patient = PatientJudge(judge, lambda: False, clock=clock.monotonic)
    boxes = []
    try:
        for _ in range(4):
            boxes.append(patient.take("numpy"))
            assert judge.parked()["numpy"] >= 1
    finally:
        for box in boxes:
            box.close()
    assert judge.is_idle()


def test_it_waits_for_others_and_the_wait_is_no_authors_time(
    judge: Judge, doubled: Exercise, clock: StoppedClock
) -> None:
    patient = PatientJudge(judge, lambda: False, clock=clock.monotonic)
    box = patient.take("numpy")
    submission = judge.take("numpy")
    try:
        assert waited(clock, patient, lambda: ask(box, doubled)) == pytest.approx(PATIENCE_SECONDS, abs=0.01)
    finally:
        submission.close()
        box.close()


def test_what_nobody_wants_ends_before_its_next_question(judge: Judge, doubled: Exercise, clock: StoppedClock) -> None:
    stale: list[bool] = []
    patient = PatientJudge(judge, lambda: bool(stale), clock=clock.monotonic)
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


def test_what_is_urgent_does_not_wait(judge: Judge, doubled: Exercise, clock: StoppedClock) -> None:
    urgent: list[bool] = []
    patient = PatientJudge(judge, lambda: False, lambda: bool(urgent), spare=False, clock=clock.monotonic)
    box = patient.take("numpy")
    submission = judge.take("numpy")
    try:
        assert waited(clock, patient, lambda: ask(box, doubled)) == pytest.approx(PATIENCE_SECONDS, abs=0.01)
        urgent.append(True)
        assert waited(clock, patient, lambda: ask(box, doubled)) == 0
    finally:
        submission.close()
        box.close()


def test_patient_work_does_not_wait_for_patient_work(judge: Judge, doubled: Exercise, clock: StoppedClock) -> None:
    first, second = (PatientJudge(judge, lambda: False, clock=clock.monotonic) for _ in range(2))
    others, box = first.take("numpy"), second.take("numpy")
    try:
        assert waited(clock, second, lambda: ask(box, doubled)) == 0
    finally:
        others.close()
        box.close()
    assert not judge.patient


def waited(clock: StoppedClock, patient: PatientJudge, act: Callable[[], None]) -> float:
    """For others, in seconds: what `patient.clock` leaves out."""
    began, counted = clock.now, patient.clock()
    act()
    assert patient.clock() == pytest.approx(counted), "no author is charged with it"
    return clock.now - began
