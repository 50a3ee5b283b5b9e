"""An instructor's term: a class, its roster and schedule, a student who is stuck, a key that is broken and found by its
evidence, a dry run, applied, told to those it concerns, and the gradebook taken along."""

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import expect
from sqlalchemy import select

from app.people.outbox import OutgoingLetter
from tests.app.classes import GATHER, QUIZ, account, again, close_clients
from tests.app.student import right_answer
from tests.browser.classes import signed_in
from tests.browser.conftest import Open
from tests.conftest import Running

COLLEAGUE, STUDENTS = "grace@journey.example", 12
QUESTION = "berts-positions"
ROLLED = "def learned_absolute_position_embedding(positions, table):\n    return table[positions.astype(int)][::-1]\n"


def sit(site: Running, client: httpx.Client, answers: dict[str, Any]) -> None:
    """A quiz attempt that is right in all but what `answers` says otherwise."""
    begun = client.post(f"/api/v1/quizzes/positions/{QUIZ}/sittings").raise_for_status().json()
    for question in begun["questions"]:
        shown = {"id": f"positions.{QUIZ}.{question['slug']}", **question}
        answer = answers.get(question["slug"]) or right_answer(site, shown)
        body = {"answer": answer, "revision": question["revision"]}
        client.put(f"/api/v1/sittings/{begun['id']}/answers/{question['slug']}", json=body).raise_for_status()
    client.post(f"/api/v1/sittings/{begun['id']}/submission").raise_for_status()


def test_a_term_of_an_instructor(visit: Open, site: Running, tmp_path: Path) -> None:
    account(site, COLLEAGUE, "instructor")
    emails = [f"s{number}@journey.example" for number in range(STUDENTS)]
    for email in emails:
        account(site, email)
    page = signed_in(visit, site, COLLEAGUE, "/classes")

    # a class
    page.get_by_label("Title").fill("Positions, spring 2027")
    page.get_by_label("Course").select_option("positions")
    page.get_by_label("Time zone of its dates").fill("Europe/Berlin")
    page.get_by_role("button", name="Create the class").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Positions, spring 2027")
    class_url = page.url.removeprefix(site.url).partition("?")[0]

    # its roster
    roster = tmp_path / "roster.csv"
    roster.write_text("email,name,section\n" + "".join(f"{email},Student {email[1:3]},A\n" for email in emails))
    page.get_by_role("link", name="People").click()
    page.locator("input[type=file]").set_input_files(roster)
    page.get_by_role("button", name="See what changes").click()
    expect(page.get_by_text("Student 0").first).to_be_visible()
    page.get_by_role("button", name="Replace the roster").click()
    expect(page.get_by_text("s0@journey.example").first).to_be_visible()

    # its schedule, as a file
    due = (datetime.now(UTC) + timedelta(days=7)).strftime("%Y-%m-%dT18:00:00")
    schedule = tmp_path / "schedule.toml"
    lines = ["[[assignment]]", f'exercise = "{GATHER}"', f"due = {due}", 'late = "-10%/day"']
    lines += ["[[assignment]]", f'quiz = "{QUIZ}"', f"due = {due}"]
    schedule.write_text("\n".join(lines) + "\n")
    page.get_by_role("link", name="Schedule").click()
    page.locator("input[type=file]").set_input_files(schedule)
    page.get_by_role("button", name="See what changes").click()
    page.get_by_role("button", name="Replace the schedule").click()
    page.goto(class_url)
    expect(page.get_by_text("10% off for each day late").first).to_be_visible()

    # somebody is stuck, and a key is broken
    with again(site, emails[0]) as stuck:
        for number in range(6):
            body = {"source": f"{ROLLED}# {number}\n"}
            stuck.post(f"/api/v1/exercises/{GATHER}/submissions?wait=30", json=body).raise_for_status()
    wrong: dict[str, Any] = {}
    for email in emails:
        with again(site, email) as student:
            if not wrong:
                shown = site.state.catalog.question(f"positions.{QUIZ}.{QUESTION}")
                wrong = {QUESTION: next(choice.key for choice in shown.choices if not choice.right)}
            sit(site, student, wrong)
    page.get_by_role("link", name="Evidence").click()
    expect(page.get_by_text("failed submissions in half an hour").first).to_be_visible()
    expect(page.get_by_text("check the key").first).to_be_visible()
    page.get_by_role("link", name=QUESTION).first.click()
    expect(page.get_by_role("heading", level=2).first).to_be_visible()

    # set right: first on paper
    page.get_by_role("link", name="Regrading").click()
    page.get_by_label("Quiz", exact=True).select_option(QUIZ)
    page.get_by_role("button", name="Choose a question").click()
    page.get_by_label("Question", exact=True).select_option(QUESTION)
    page.get_by_label("Accept this answer too").check()
    page.get_by_label("The answer to accept").fill(wrong[QUESTION])
    page.get_by_role("button", name="See what it would change").click()
    expect(page.get_by_text(f"{STUDENTS} attempts would gain, 0 would lose").first).to_be_visible()
    page.get_by_label("What those are told").fill("The key of the question about BERT was wrong.")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("Applied", exact=False).first).to_be_visible()
    with site.state.db.reading() as db:
        told = set(db.scalars(select(OutgoingLetter.to).where(OutgoingLetter.kind == "regraded")))
    assert set(emails) <= told

    # and taken along
    page.get_by_role("link", name="Gradebook").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="for Canvas").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert rows[0][0] == "Student"
    quiz = next(place for place, title in enumerate(rows[0]) if title.startswith("Test your"))
    assert {row[quiz] for row in rows[2:]} == {"100.0"}
    close_clients()
