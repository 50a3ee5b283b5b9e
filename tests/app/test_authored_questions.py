"""A question's own page and the gallery: judged as for students, edited as form or text, and no answer is kept."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from app.content.course import find_course_faults
from app.content.exercise_faults import find_exercise_faults
from app.content.questions.asking import present, right_answer
from app.content.questions.place import place_of, places_in, text_at
from app.content.questions.table import KINDS, kind_of
from app.people import accounts
from app.people.users import User
from app.quizzes.answers import Answer
from app.settings import Settings
from app.teaching import gallery
from tests.conftest import Running, running

COURSE = {path: content.decode() for path, content in gallery.gallery_course().files.items()}
# From the text: to render it starts the typesetter's thread, and tests are collected before workers are forked.
QUESTIONS = [
    (Path(path).stem.partition("-")[2], place.slug)
    for path, text in COURSE.items()
    if path.endswith(".md")
    for place in places_in(text)
]
COUNT = "/author/course/examples/questions/questions/numbers-in-a-table"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("authored") / "var"
    with running(Settings(data=data, workers=0, rate_limits="off")) as server:
        yield server


@pytest.fixture(scope="module")
def author(site: Running) -> Iterator[httpx.Client]:
    """An instructor, with a course of their own that has one question of each type."""
    accounts.add_user(site.state.db, "author@example.org", "instructor", None)
    token = accounts.make_token(site.state.db, "author@example.org")
    with site.client(Authorization=f"Bearer {token}", **{"Sec-Fetch-Site": "same-origin"}) as client:
        sent = {"base": None, "files": COURSE, "message": "Begun"}
        client.post("/api/v1/courses/examples/revisions", json=sent).raise_for_status()
        yield client


def files_of(author: httpx.Client) -> dict[str, str]:
    files: dict[str, str] = author.get("/api/v1/courses/examples/files").raise_for_status().json()["files"]
    return files


class Fields(HTMLParser):
    """What a browser would send of the form that stands in the editor."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self.is_inside = False
        self.area = self.menu = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.is_inside |= tag == "form" and found.get("action", "").endswith("/edits#editor")
        if not self.is_inside:
            return
        if tag == "input":
            self.sent[found["name"]] = found["value"]
        elif tag == "textarea":
            self.area, self.sent[found["name"]] = found["name"], ""
        elif tag == "select":
            self.menu = found["name"]
        elif tag == "option" and "selected" in found:
            self.sent[self.menu] = found["value"]

    def handle_data(self, data: str) -> None:
        if self.area:
            self.sent[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self.area:
            self.sent[self.area] = self.sent[self.area].removeprefix("\n").replace("\n", "\r\n")  # as browsers do
        self.area = "" if tag == "textarea" else self.area
        self.is_inside &= tag != "form"


def test_everything_that_can_be_written_has_an_example() -> None:
    assert gallery.missing() == []
    exercises = gallery.gallery_exercises()
    assert find_course_faults(gallery.gallery_course(), exercises) == []
    for slug, found in exercises.items():
        assert find_exercise_faults(found.exercise, slug) == []


def test_the_gallery_is_for_authors_and_in_no_list_of_students(site: Running, author: httpx.Client) -> None:
    pages = [gallery.URL, *(one.url for one in gallery.gallery_lessons().values())]
    pages += [one.url for one in gallery.gallery_exercises().values()]
    for page in pages:
        answer = author.get(page)
        assert answer.status_code == 200, page
        assert "/courses/living-examples" not in answer.text
    with site.guest() as student:
        assert {student.get(page).status_code for page in pages} == {404}
        assert "living-examples" not in student.get("/").text + student.get("/exercises").text
    assert author.get(f"{gallery.URL}/figures/hands.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(("lesson", "slug"), QUESTIONS)
def test_an_example_is_judged_as_a_students_answer_and_nothing_is_kept(
    site: Running, author: httpx.Client, lesson: str, slug: str
) -> None:
    question = gallery.gallery_question(f"living-examples.{lesson}.{slug}")
    trial = next(kind_of(question).tries(question, {**dict(_values(question))}), None)
    if trial is None:
        return  # a person grades it
    form: list[tuple[str, str]] = [("variant", "0")]
    if isinstance(trial.answer, dict):
        form += [(f"match-{left}", right) for left, right in trial.answer.items()]
    elif question.gaps:
        form += [(f"gap-{place}", typed) for place, typed in enumerate(trial.answer, 1)]
    elif question.type == "order":
        form += [(f"rank-{key}", str(place)) for place, key in enumerate(trial.answer, 1)]
    else:
        form += [("answer", one) for one in ([trial.answer] if isinstance(trial.answer, str) else trial.answer)]
    answer = author.post(
        f"{gallery.URL}/questions/{question.id}/answers",
        content=urlencode(form),
        headers={"Lectern-Partial": "1", "Content-Type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 200, answer.text
    assert "<b>Right</b>" in answer.text
    with site.state.db.reading() as db:
        assert db.query(Answer).count() == 0
        assert db.query(User).count() == 1 + db.query(User).filter(User.email.is_(None)).count()
    assert present(question, 0)
    assert right_answer(question, 0)


def _values(question: object) -> Iterator[tuple[str, str]]:
    from app.content.questions.question import Question, values_of

    assert isinstance(question, Question)
    yield from values_of(question, 0).items()


@pytest.mark.parametrize(("lesson", "slug"), QUESTIONS)
def test_the_form_of_each_type_is_sent_back_as_the_text_it_came_from(
    author: httpx.Client, lesson: str, slug: str
) -> None:
    at = f"/author/course/examples/questions/{lesson}/{slug}"
    page = author.get(at).raise_for_status().text
    assert "No faults." in page
    sent = Fields(page).sent
    mirrored = author.post(f"{at}/edits", data={**sent, "do": "form"}, headers={"Lectern-Partial": "1"})
    assert mirrored.status_code == 200, mirrored.text
    again = Fields(mirrored.text).sent
    assert again == sent
    path = next(path for path in COURSE if path.endswith(f"-{lesson}.md"))
    stored = text_at(COURSE[path], place_of(COURSE[path], slug))
    assert sent["text"].replace("\r\n", "\n") == stored
    as_text = author.post(f"{at}/edits", data={**sent, "do": "text"}, headers={"Lectern-Partial": "1"})
    assert Fields(as_text.text).sent == sent


def test_each_type_has_been_looked_at() -> None:
    assert {gallery.gallery_question(f"living-examples.{lesson}.{slug}").type for lesson, slug in QUESTIONS} == {*KINDS}


def test_typed_answers_are_told_what_students_are_told(author: httpx.Client) -> None:
    page = author.get(COUNT).text
    assert "4 sets of values" in page
    assert page.count('aria-label="Variant') == 4
    typed = "512 * 768\n0.39M\n1280\nmany\n3,932,160"
    told = author.post(f"{COUNT}/tries", data={"variant": "0", "answers": typed}, headers={"Lectern-Partial": "1"}).text
    rows = told.split('class="typed-answer"')[1:]
    assert len(rows) == 5
    assert "<b>Right</b>" in rows[0]
    assert "512 × 768 = 393,216" in rows[0]
    assert "Yes, about 393216." in rows[0]
    assert "<b>Right</b>" in rows[1]
    assert "multiply" in rows[2]
    assert "<b>Unreadable</b>" in rows[3]
    assert "<b>Wrong</b>" in rows[4]
    assert "ten" in rows[4], "a slip that no author listed"


def test_what_is_saved_is_a_revision_in_which_those_lines_alone_have_changed(author: httpx.Client) -> None:
    sent = Fields(author.get(COUNT).text).sent
    before = files_of(author)
    changes = {"mistake-2-answer": "max_len", "mistake-2-feedback": "That is the rows alone -> each has numbers."}
    done = author.post(f"{COUNT}/edits", data={**sent, **changes, "do": "save-form"})
    assert done.status_code == 303, done.text
    after = files_of(author)
    assert {path for path in before if before[path] != after[path]} == {"03-questions.md"}
    old, new = before["03-questions.md"].split("\n"), after["03-questions.md"].split("\n")
    assert [line for line in new if line not in old] == [
        ":mistake: max_len -> That is the rows alone -> each has numbers."
    ]
    assert [line for line in new if line in old] == old

    late = author.post(f"{COUNT}/edits", data={**sent, "points": "3", "do": "save-form"})
    assert late.status_code == 409
    assert ":points: 3" in Fields(late.text).sent["text"], "what was typed is still there"
    assert files_of(author) == after


def test_a_field_that_cannot_be_written_is_named_and_nothing_is_saved(author: httpx.Client) -> None:
    sent, before = Fields(author.get(COUNT).text).sent, files_of(author)
    for changes, words in (
        ({"explain": "::::\n:::::\n"}, None),
        ({"prompt": ":points: 7\nHow many are `{{max_len}}` by `{{d_model}}`?"}, "<code>prompt</code>"),
        ({"slug": "trained-or-computed"}, "Another question"),
    ):
        answer = author.post(f"{COUNT}/edits", data={**sent, **changes, "do": "form"})
        if words is None:
            assert answer.status_code == 200, "a longer fence is put around it"
            continue
        done = author.post(f"{COUNT}/edits", data={**sent, **changes, "do": "save-form"})
        assert done.status_code == 422
        assert words in done.text
    broken = author.post(f"{COUNT}/edits", data={**sent, "text": "::::{question} x\nno end", "do": "save-text"})
    assert broken.status_code == 422
    assert "no end" in Fields(broken.text).sent["text"]
    assert files_of(author) == before


def test_a_question_that_cannot_be_asked_is_shown_with_its_faults_and_can_be_mended(author: httpx.Client) -> None:
    at = "/author/course/examples/questions/questions/scale-of-a-score"
    sent = Fields(author.get(at).text).sent
    saved = author.post(f"{at}/edits", data={**sent, "answer": "1 / sqrt(d_q)", "do": "save-form"})
    assert saved.status_code == 303
    page = author.get(at).text
    assert "d_q" in page.split("What is wrong in it")[1].split("</ul>")[0]
    sent = Fields(page).sent
    assert author.post(f"{at}/edits", data={**sent, "answer": "1 / sqrt(d_k)", "do": "save-form"}).status_code == 303
    assert "No faults." in author.get(at).text


def test_nobody_else_reads_or_edits_a_question_here(site: Running, author: httpx.Client) -> None:
    lessons = author.get("/author/course/examples/questions").text
    assert all(slug in lessons for _, slug in QUESTIONS)
    assert next(place.slug for place in places_in(COURSE["04-quiz.md"])) in lessons
    with site.guest() as student:
        student.headers["Sec-Fetch-Site"] = "same-origin"
        for answer in (
            student.get(COUNT),
            student.get("/author/course/examples/questions"),
            student.post(f"{COUNT}/tries", data={"variant": "0", "answers": "1"}),
            student.post(f"{COUNT}/edits", data={"do": "save-text", "text": "x"}),
        ):
            assert answer.status_code == 404
