"""The pages of classes in a browser: sound at both widths; and a term begun by keyboard and mouse."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from app.people import accounts
from tests.app.classes import GATHER, QUIZ, SOFTMAX, ClassAtHand, account, close_clients, id_of, make_class
from tests.browser.classes import signed_in
from tests.browser.conftest import LOOKS, Open, box_of
from tests.browser.soundness import assert_sound
from tests.conftest import Running


class Term(NamedTuple):
    made: ClassAtHand
    instructor: str
    student: str
    student_id: int


def stamp(**delta: float) -> str:
    return (datetime.now(UTC) + timedelta(**delta)).isoformat().replace("+00:00", "Z")


@pytest.fixture(scope="module")
def term(site: Running) -> Term:
    """A class with dates of every kind, a student with a long name, and somebody who is expected."""
    instructor, student = "teacher@classes.example", "learner@classes.example"
    ada, eve = account(site, instructor, "instructor"), account(site, student)
    made = make_class(site, ada, "Europe/Berlin", "Positions and attention, spring term 2027")
    made.join(eve)
    made.assign(GATHER, due_at=stamp(days=-2), late={"per_day": 0.1, "grace_minutes": 15}, attempts=5)
    made.assign(SOFTMAX, due_at=stamp(days=3), hidden_until=stamp(days=1))
    made.assign(QUIZ, "quiz", opens_at=stamp(days=1), due_at=stamp(days=9), closes_at=stamp(days=10))
    lines = [
        {"email": student, "name": "Eve Moneypenny-Featherstonehaugh", "section": "Tuesday"},
        {"email": "carla@classes.example", "name": "Carla"},
    ]
    ada.put(f"{made.url}/roster", json=lines).raise_for_status()
    user = id_of(site, student)
    score = {"score": 0.8, "reason": "Explained on Tuesday."}
    ada.put(f"{made.url}/scores/{user}/exercise/{GATHER}", json=score).raise_for_status()
    close_clients()
    return Term(made, instructor, student, user)


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_pages_of_a_class_are_sound(visit: Open, site: Running, term: Term, width: int, theme: str) -> None:
    url = f"/classes/{term.made.id}"
    student = signed_in(visit, site, term.student, url, width, theme)
    expect(student.get_by_role("heading", level=1)).to_have_text("Positions and attention, spring term 2027")
    assert_sound(student, width, theme)
    staff = signed_in(visit, site, term.instructor, url, width, theme)
    one = f"{url}/students/{term.student_id}"
    pages = ["/classes", url, f"{url}/roster", f"{url}/roster/{term.student_id}", f"{url}/schedule", f"{url}/gradebook",
             one, f"{one}/view", f"{url}/settings"]  # fmt: skip
    for path in pages:
        staff.goto(path)
        for folded in staff.locator("main details").all():
            folded.evaluate("(details) => { details.open = true; }")
        assert_sound(staff, width, theme)
    guest = visit(f"/join/{term.made.join_code}", width=width, theme=theme)
    assert_sound(guest, width, theme)


def test_the_students_stay_in_sight_while_scores_are_moved(visit: Open, site: Running, term: Term) -> None:
    page = signed_in(visit, site, term.instructor, f"/classes/{term.made.id}/gradebook", 360)
    name = page.get_by_role("link", name="Eve Moneypenny")
    before = box_of(name)
    page.locator(".book").evaluate("(book) => { book.scrollLeft = 200; }")
    assert page.locator(".book").evaluate("(book) => book.scrollLeft") > 0
    assert box_of(name) == before


def test_an_instructor_sets_a_date_and_a_student_joins_and_reads_it(visit: Open, site: Running) -> None:
    accounts.add_user(site.state.db, "grace@classes.example", "instructor", None)
    accounts.add_user(site.state.db, "new@classes.example", "student", None)
    ada = signed_in(visit, site, "grace@classes.example", "/")
    ada.get_by_role("link", name="Classes").click()
    ada.get_by_label("Title").fill("Autumn term")
    ada.get_by_label("Time zone of its dates").fill("Europe/Berlin")
    ada.get_by_role("button", name="Create the class").click()
    ada.get_by_role("link", name="Assign something").click()
    ada.get_by_label("Exercise or quiz").select_option(f"exercise/{SOFTMAX}")
    ada.get_by_role("button", name="Assign", exact=True).click()
    ada.get_by_label("Due").fill("2031-04-08T18:00")
    ada.get_by_label("% off a day").fill("10")
    ada.get_by_role("button", name="Save the schedule").click()
    expect(ada.get_by_role("status").first).to_contain_text("Saved.")
    ada.get_by_role("link", name="Assignments").click()
    link = ada.locator(".join-url").text_content() or ""
    eve = signed_in(visit, site, "new@classes.example", link)
    eve.get_by_role("button", name="Join").click()
    expect(eve.get_by_text("Due Tue 8 April 2031, 18:00")).to_be_visible()
    expect(eve.get_by_text("10% off for each day late.")).to_be_visible()
