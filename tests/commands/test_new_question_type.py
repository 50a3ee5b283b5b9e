"""A ninth type of question: one file, its part of a template, and one line in the table; and then it is asked, answered
and sat like the others, by a server that was started from these files."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from benchmarks.processes import free_port
from tests.commands.server import start, wait_until_it_answers
from tests.waiting import LIMIT_SECONDS, exit_code

from .conftest import ROOT

TYPE = '''"""`yes-no`: a statement is true, or it is not."""

from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from graders.exercise.fault import Fault
from app.content.questions import typed
from app.content.questions.kind import Fields, Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values

NAME = "yes-no"
WRITTEN = Written("answer")
REMEDY = typed.REMEDY


def _reply(question: Question, fields: Fields) -> str:
    return dict(fields).get("answer", "")


WIDGET = Widget("quizzes/questions/_yes_no.html", "quizzes/questions/_typed.review.html", "text", _reply)


def placeholder(question: Question) -> str:
    return ""


def read(question: Question, values: Values, answer: str) -> Reading:
    word = answer.strip().lower()
    if word not in ("yes", "no"):
        raise UnreadableAnswer(f"`{word}` is neither.", "Answer yes or no.")
    return Reading(word, word.upper())


def judge(question: Question, values: Values, value: str) -> Outcome:
    return Outcome(1.0) if value == question.answer else typed.missed(question, lambda mistake: mistake == value)


def answer_text(question: Question, values: Values) -> str:
    return question.answer


shown_answer = answer_text


def faults(question: Question) -> Iterator[Fault]:
    if question.answer not in ("yes", "no"):
        yield question.fault(question.line, f"`{question.answer}` is neither yes nor no.", "Write one of the two.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    return typed.tries(question, [question.answer, question.answer.upper()], lambda mistake: [mistake])
'''
WIDGET = """<fieldset class="yes-no" aria-labelledby="{{ name }}-prompt">
  {% for word in ("yes", "no") %}
  <label><input type="radio" name="{{ prefix }}answer" value="{{ word }}"{% if answered and answered.typed == word %} checked{% endif %}> {{ word }}</label>
  {% endfor %}
</fieldset>
"""  # noqa: E501
QUESTION = """::::{question} rows
:type: yes-no
:answer: no
:mistake: yes -> A column is not a row.
Is a row a column?
:::{explain}
The answer is {{answer}}: secret-explanation.
:::
::::
"""
SLUG = "asked.lesson.rows"
LESSON = f"---\ntitle: A lesson\n---\n{QUESTION}"
QUIZ = f"---\ntitle: A quiz\nkind: quiz\nattempts: 2\n---\n{QUESTION}"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lectern's files with the type in them, and a course that asks it."""
    tree = tmp_path_factory.mktemp("nine")
    for name in ("app", "graders", "templates", "migrations"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    questions = tree / "app" / "content" / "questions"
    (questions / "yes_no.py").write_text(TYPE)
    (tree / "templates" / "quizzes" / "questions" / "_yes_no.html").write_text(WIDGET)
    table = (questions / "table.py").read_text()
    listed = table.replace("import choice,", "import yes_no, choice,").replace(
        "    predict,\n", "    predict,\n    yes_no,\n"
    )
    assert len(listed.splitlines()) == len(table.splitlines()) + 1
    (questions / "table.py").write_text(listed)
    write_course(tree / "lessons", LESSON, QUIZ)
    (tree / "exercises").mkdir()
    return tree


def write_course(lessons: Path, lesson: str, quiz: str = QUIZ) -> Path:
    course = lessons / "asked"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Asked"\nblurb = "In a new way."\n')
    (course / "01-lesson.md").write_text(lesson)
    (course / "02-quiz.md").write_text(quiz)
    return course


def environment(tree: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(tree), "LECTERN_ROOT": str(tree), "LECTERN_DATA": str(tree / "var")}
    content = {"LECTERN_EXERCISES": str(tree / "exercises"), "LECTERN_LESSONS": str(tree / "lessons")}
    return {**os.environ, **own, **content, "LECTERN_WORKERS": "0", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def student(tree: Path) -> Iterator[httpx.Client]:
    """A guest at a server of these files."""
    port, log = free_port(), tree / "log"
    server = start([sys.executable, "-P", "-m", "app", "serve", "--port", str(port)], environment(tree), log)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(f"{url}/api/v1/lessons/asked/lesson/questions", server, log)
        token = httpx.post(f"{url}/api/v1/sessions", json={}, timeout=LIMIT_SECONDS).raise_for_status().json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "same-origin"}
        with httpx.Client(base_url=url, headers=headers, timeout=LIMIT_SECONDS) as client:
            yield client
    finally:
        server.terminate()
        exit_code(server)


def test_a_lesson_asks_it_and_judges_what_is_answered(student: httpx.Client) -> None:
    asked = student.get("/api/v1/lessons/asked/lesson/questions").json()
    assert [(question["id"], question["type"], question["options"]) for question in asked] == [(SLUG, "yes-no", [])]
    page = student.get("/courses/asked/lesson").text
    assert 'class="yes-no"' in page
    assert "secret-explanation" not in page
    readings = f"/api/v1/questions/{SLUG}/readings"
    assert student.post(readings, json={"variant": 0, "answer": " No "}).json()["read_as"] == "NO"
    unread = student.post(readings, json={"variant": 0, "answer": "perhaps"}).json()["problem"]
    assert unread == {"message": "`perhaps` is neither.", "hint": "Answer yes or no."}
    answers = f"/api/v1/questions/{SLUG}/answers"
    wrong = student.post(answers, json={"variant": 0, "answer": "yes"}).json()
    assert (wrong["correct"], wrong["feedback"]) == (False, "<p>A column is not a row.</p>\n")
    assert "The answer is no" in wrong["explanation"]
    assert student.post(answers, json={"variant": 0, "answer": "perhaps"}).status_code == 422
    shown = student.post(f"/questions/{SLUG}/answers", data={"variant": "0", "answer": "no"}).text
    assert re.search(r'value="no" checked', shown)
    assert "read as <code>NO</code>" in shown
    progress = student.get("/api/v1/me/progress").json()
    assert [answer["question"] for answer in progress["questions_right"]] == [SLUG]
    assert [review["id"] for review in student.get("/api/v1/me/reviews").json()] in ([], [SLUG])


def test_a_quiz_with_it_is_sat_to_its_review(student: httpx.Client) -> None:
    scores = []
    for word in ("yes", "no"):
        sitting = student.post("/api/v1/quizzes/asked/quiz/sittings").json()
        address = f"/sittings/{sitting['id']}"
        page = student.get(f"{address}/questions/1").text
        assert 'class="yes-no"' in page
        assert "secret-explanation" not in page
        for revision, typed in enumerate(("perhaps", word)):
            form = {"answer": typed, "revision": str(revision), "base": "", "go": "stay"}
            assert student.post(f"{address}/questions/1", data=form).status_code == 303
            page = student.get(f"{address}/questions/1").text
            assert (f'value="{word}" checked' in page, "is neither" in page) == (typed == word, typed != word)
        assert f"We read this as <code>{word.upper()}</code>" in page
        scores.append(student.post(f"/api/v1/sittings/{sitting['id']}/submission").json()["score"])
        review = student.get(address).text
        assert f"Your answer: <code>{word}</code>" in review
        assert ("Right answer: <code>no</code>" in review) == (word == "yes")
        assert "secret-explanation" in review
    assert scores == [0.0, 1.0]


@pytest.mark.usefixtures("walls")
@pytest.mark.parametrize(
    ("piece", "instead", "sentence"),
    [
        ("", "", None),
        (":answer: no", ":answer: perhaps", "`perhaps` is neither yes nor no."),
        (":mistake: yes", ":mistake: maybe", "No student ever sees the text of the mistake `maybe`"),
        (":answer: no", ":answer: no\n:rtol: 0.1", "`:rtol: 0.1` has no meaning here."),
        ("Is a row", "Is {{answer}} a row", "`{{answer}}` would be read before answering."),
    ],
)
def test_check_proves_it(tree: Path, tmp_path: Path, piece: str, instead: str, sentence: str | None) -> None:
    course = write_course(tmp_path, LESSON.replace(piece, instead))
    command = [sys.executable, "-P", "-m", "app", "check", str(course)]
    done = subprocess.run(
        command, env=environment(tree), capture_output=True, text=True, cwd=tmp_path, timeout=LIMIT_SECONDS
    )
    assert (done.returncode == 0) == (sentence is None), done.stdout + done.stderr
    assert sentence is None or sentence in done.stdout + done.stderr
