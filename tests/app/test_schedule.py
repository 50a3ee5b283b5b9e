"""The schedule of a class as a file: read, written, and put in place whole or not at all."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import httpx
import pytest

from app.classes.classes import Class
from app.classes.schedule import FaultySchedule, Planned, read_schedule, write_schedule
from app.classes.walltime import comes_twice, moment_at, read_wall_field, wall_field
from app.web.errors import Invalid
from tests.app.classes import COURSE, GATHER, QUIZ, SOFTMAX, ClassAtHand, account, make_class
from tests.conftest import Running

BERLIN = ZoneInfo("Europe/Berlin")
WHOLE = f"""
timezone = "Europe/Berlin"

[[assignment]]
exercise = "{GATHER}"
opens = 2027-04-01T08:00:00
due = 2027-04-08T18:00:00
closes = "2027-04-15 18:00"
hidden_until = 2027-03-01T00:00:00+00:00
weight = 2
late = "-10%/day"
grace = "15m"
attempts = 5

[[assignment]]
quiz = "{COURSE}.{QUIZ}"
access_code = "open \\"sesame\\""
answers_shown = "due"
"""


def read(server: Running, text: str) -> list[Planned]:
    class_ = Class(course=COURSE, title="T", timezone="Europe/Berlin")
    return read_schedule(text.encode(), server.state.catalog, class_)


def faults(server: Running, text: str) -> tuple[str, ...]:
    with pytest.raises(FaultySchedule) as found:
        read(server, text)
    return found.value.faults


def test_wall_times_policies_and_lengths_of_time_are_understood(server: Running) -> None:
    exercise, quiz = read(server, WHOLE)
    assert (exercise.key, quiz.key) == (("exercise", GATHER), ("quiz", QUIZ))
    assert exercise.schedule.due_at == datetime(2027, 4, 8, 16, tzinfo=UTC)
    assert exercise.schedule.closes_at == datetime(2027, 4, 15, 16, tzinfo=UTC)
    assert exercise.schedule.hidden_until == datetime(2027, 3, 1, tzinfo=UTC)
    found = exercise.schedule
    assert (found.weight, found.late_per_day, found.grace_minutes, found.attempts) == (2.0, 0.1, 15, 5)
    assert (quiz.schedule.access_code, quiz.schedule.answers_shown) == ('open "sesame"', "due")


FAULTS = [
    ('exercise = "nothing"', 2, "no exercise called"),
    (f'exercise = "{GATHER}"\nquiz = "{QUIZ}"', 1, "either an exercise or a quiz"),
    (f'exercise = "{GATHER}"\nweight = "two"', 3, "weight: this is no number"),
    (f'exercise = "{GATHER}"\nweight = nan', 3, "weight: this is no number"),
    (f'exercise = "{GATHER}"\n\ndew = 2027-04-08T18:00:00', 4, "dew: this key is unknown"),
    (f'exercise = "{GATHER}"\ndue = 2027-04-08', 3, "has no time"),
    (f'exercise = "{GATHER}"\ndue = "next week"', 3, "Write it as 2027-04-08T18:00:00"),
    (f'exercise = "{GATHER}"\nlate = "10 points"', 3, '"-10%/day"'),
    (f'exercise = "{GATHER}"\nlate = "-110%/day"', 3, '"-10%/day"'),
    (f'exercise = "{GATHER}"\ngrace = "8d"', 3, "longer than a week"),
    (f'exercise = "{GATHER}"\nattempts = 0', 3, "attempts: this is not a number from 1"),
    (f'exercise = "{GATHER}"\nopens = 2027-04-09T18:00:00\ndue = 2027-04-08T18:00:00', 4, "before opens"),
    (f'exercise = "{GATHER}"\ndue = 2027-03-28T02:30:00', 3, "does not exist in Europe/Berlin"),
    (f'exercise = "{GATHER}"\ndue = 2027-10-31T02:30:00', 3, "comes twice in Europe/Berlin"),
    (f'exercise = "{GATHER}"\n[[assignment]]\nexercise = "{GATHER}"', 4, "is assigned twice"),
]


def test_a_fault_names_its_line_its_key_and_a_remedy(server: Running) -> None:
    for lines, line, words in FAULTS:
        (fault,) = faults(server, f"[[assignment]]\n{lines}\n")
        assert fault.startswith(f"Line {line}: "), lines
        assert words in fault


def test_all_faults_are_told_at_once_and_what_is_no_file_is_told_too(server: Running) -> None:
    two = faults(server, 'timezone = "UTC"\n[[assignment]]\nexercise = "a"\n[[assignment]]\ngrace = "x"\nquiz = "b"\n')
    assert len(two) == 4
    assert "line 2" in faults(server, "a = 1\nb = = 2\n")[0]
    assert "no list of tables" in faults(server, "assignment = 3")[0]
    assert "Assignment 1: exercise:" in faults(server, "assignment = [{exercise = 'a'}]")[0]


def test_what_is_written_is_read_as_the_same(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada, "Europe/Berlin", 'A "title"\twith signs')
    made.assign(due_at="2027-10-31T00:30:00Z", late={"per_day": 0.125, "grace_minutes": 90}, weight=0.3, attempts=2)
    made.assign(SOFTMAX, due_at="2027-04-08T16:00:59Z", hidden_until="2027-01-01T00:00:00Z")
    made.assign(QUIZ, "quiz", access_code='"\\\n\x7f', answers_shown="closed", closes_at="2028-01-01T00:00:00Z")
    text = ada.get(f"/classes/{made.id}/schedule.toml").text
    assert "due = 2027-10-31T02:30:00+02:00" in text, "it comes twice: only its offset says which"
    assert "due = 2027-04-08T18:00:59\n" in text
    shown = upload(made, text)
    assert "This file changes nothing" in shown.text
    assert write_schedule(server.state.catalog, Class(title="T", timezone="UTC", course=COURSE), ()).startswith("#")


def upload(made: ClassAtHand, text: str) -> httpx.Response:
    return made.instructor.post(f"/classes/{made.id}/schedule/file", files={"file": ("schedule.toml", text.encode())})


def test_a_file_is_shown_before_it_replaces_the_schedule(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada, "Europe/Berlin")
    made.assign(SOFTMAX)
    made.assign(GATHER, weight=3, due_at="2027-04-08T16:00:00Z")
    shown = upload(made, WHOLE)
    assert shown.status_code == 200
    for words in ("No longer assigned", "Softmax", "Changed", "opens, closes, hidden until, weight, late", "Newly"):
        assert words in shown.text
    assert len(ada.get(f"{made.url}/assignments").json()) == 2, "nothing has changed yet"
    done = ada.post(f"/classes/{made.id}/schedule/replacement", data={"text": WHOLE})
    assert done.status_code == 303
    found = ada.get(f"{made.url}/assignments").json()
    assert [(one["kind"], one["slug"], one["weight"]) for one in found] == [
        ("exercise", GATHER, 2.0),
        ("quiz", QUIZ, 1.0),
    ]


def test_one_fault_and_nothing_is_changed(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    made.assign(SOFTMAX)
    text = f'[[assignment]]\nexercise = "{GATHER}"\n[[assignment]]\nexercise = "{SOFTMAX}"\nlate = "<b>"\n'
    refused = upload(made, text)
    assert refused.status_code == 422
    assert "Line 5: late:" in refused.text
    assert ada.post(f"/classes/{made.id}/schedule/replacement", data={"text": text}).status_code == 422
    assert [one["slug"] for one in ada.get(f"{made.url}/assignments").json()] == [SOFTMAX]


def test_a_field_that_nobody_touched_stays_the_moment_that_it_was() -> None:
    second = datetime(2027, 10, 31, 1, 30, tzinfo=UTC)  # 02:30 for the second time
    assert comes_twice(second, BERLIN)
    assert read_wall_field(wall_field(second, BERLIN), BERLIN, second) == second
    with pytest.raises(Invalid, match="comes twice"):
        read_wall_field("2027-10-31T02:30", BERLIN)
    with pytest.raises(Invalid, match="does not exist"):
        read_wall_field("2027-03-28T02:30", BERLIN)
    assert read_wall_field("", BERLIN, second) is None
    assert moment_at(datetime(2027, 10, 31, 3, 30), BERLIN) == datetime(2027, 10, 31, 2, 30, tzinfo=UTC)


def test_a_file_of_thousands_of_faults_is_not_read_to_its_end(server: Running) -> None:
    """attack: each fault's place is looked for in the whole file, while every other writer waits."""
    keys = "".join(f"k{number} = 1\n" for number in range(4000))
    assert len(faults(server, f"[[assignment]]\nexercise = 'softmax-rows'\n{keys}")) == 20
    assert "larger than 64 KiB" in faults(server, f"# {'x' * (64 << 10)}")[0]
