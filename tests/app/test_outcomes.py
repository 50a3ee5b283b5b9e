"""What students did, for the authors of an exercise or a course; and a wrong outcome, or answer, gets its sentence."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.content.questions.asking import answer_text
from app.content.questions.question import values_of
from app.people import accounts
from app.practice.outcomes import WrongOutcome
from app.reading.catalog import Catalog
from app.teaching.answers import outcomes_of as answers_of
from app.teaching.answers import with_line
from app.teaching.hints import hint_outcomes
from app.teaching.new_mistakes import mistake_file, remarks_in
from app.teaching.outcomes import Outcomes, outcomes_of
from app.teaching.reports import file_of, place_of
from app.teaching.revisions import begin, content_of, files_of, newest, save
from app.teaching.subjects import Subject
from graders.exercise.reader import exercise_from_files
from graders.grade import Finished, Usage
from graders.verdict import CaseResult, Mismatch, StudentError, SubmissionResult, Verdict
from tests.conftest import Running

GATHER = "learned-absolute-position-embedding"
EXERCISE = Subject("exercise", GATHER)
COURSE = Subject("course", "positions")
PATH = f"/author/exercise/{GATHER}/outcomes"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
ONE, ONE_AGAIN, OTHER = "a" * 16 + "b" * 16, "c" * 16 + "b" * 16, "d" * 16 + "e" * 16
SOURCE = "# by Ada L., group 4\ndef learned_absolute_position_embedding(positions, embedding_table):\n    return 1\n"
WRONG = CaseResult("small", True, Verdict.wrong_answer, mismatch=Mismatch("type", "Expected float32, yours is int."))


@pytest.fixture
def staff(server: Running) -> Iterator[httpx.Client]:
    accounts.add_user(server.state.db, "teacher@example.org", "instructor", "a wide enough password")
    token = accounts.make_token(server.state.db, "teacher@example.org")
    for subject, files in (
        (EXERCISE, server.state.catalog.exercises[GATHER].files),
        (COURSE, server.state.catalog.courses["positions"].files),
    ):
        with server.state.db.writing() as db:
            if content_of(db, subject) is None:
                begin(db, None, subject, files, "From the folder")
    with server.client(Authorization=f"Bearer {token}") as client:
        yield client


def send(
    server: Running,
    client: httpx.Client,
    fingerprint: str | None = None,
    *,
    mistake: str | None = None,
    diagnosis: str | None = None,
    verdict: Verdict = Verdict.wrong_answer,
    score: float = 0.0,
    framework: str = "numpy",
) -> int:
    """A submission, judged so by the way of every submission but the judge."""
    path = f"/api/v1/exercises/{GATHER}/submissions"
    id = int(client.post(path, json={"source": SOURCE, "framework": framework}).raise_for_status().json()["id"])
    job = server.state.jobs.claim(1)
    assert job is not None
    cases = (WRONG,) if verdict == Verdict.wrong_answer else ()
    if verdict == Verdict.runtime_error:
        cases = (CaseResult("small", True, verdict, error=StudentError("ValueError", "no")),)
    result = SubmissionResult(verdict, score, "As it went.", diagnosis, mistake, cases)
    usage = Usage(1.0, 1.0) if verdict == Verdict.accepted else None
    assert server.state.jobs.record(job, Finished(result, usage=usage, fingerprint=fingerprint))
    return id


def found(server: Running) -> Outcomes:
    with server.state.db.reading() as db:
        return outcomes_of(db, server.state.catalog.exercises[GATHER], None)


def newest_files(server: Running, subject: Subject) -> dict[str, bytes]:
    with server.state.db.reading() as db:
        return files_of(db, newest(db, subject).id)


# ---- wrong outcomes -------------------------------------------------------------------------------------------


def test_they_are_clustered_and_counted_by_people(server: Running, staff: httpx.Client) -> None:
    with server.guest() as ada, server.guest() as bob:
        send(server, ada, ONE)
        send(server, ada, ONE)
        newest_id = send(server, bob, ONE_AGAIN, diagnosis="The batch is missing.")
        send(server, bob, verdict=Verdict.accepted, score=1.0)
        send(server, ada, OTHER, verdict=Verdict.runtime_error, framework="torch")
        send(server, bob, OTHER, mistake="scaled")
    outcomes = found(server)
    assert [(one.people, one.submissions, one.solved) for one in outcomes.clusters] == [(2, 3, 1), (1, 1, 0)]
    assert outcomes.clusters[0].example.submission_id == newest_id
    assert [(one.mistake, one.people, one.solved) for one in outcomes.recognised] == [("scaled", 1, 1)]
    page = staff.get(PATH)
    assert page.status_code == 200
    assert "The batch is missing." in page.text
    assert f"{PATH}/{newest_id}/mistake" in page.text


def test_what_was_judged_before_is_grouped_by_what_was_told(server: Running) -> None:
    with server.guest() as ada, server.guest() as bob:
        send(server, ada, diagnosis="Off by one row.")
        send(server, bob, diagnosis="Off by one row.")
        send(server, bob, diagnosis="Transposed.")
    assert [(one.people, one.is_sure) for one in found(server).clusters] == [(2, False), (1, False)]


def test_accepted_by_a_later_grading_it_is_wrong_no_more(server: Running) -> None:
    with server.guest() as ada:
        send(server, ada, ONE)
        send(server, ada, verdict=Verdict.accepted, score=1.0)
    with server.state.db.reading() as db:
        assert db.scalars(select(WrongOutcome.fingerprint)).all() == [ONE]


def test_no_student_is_told(server: Running) -> None:
    with server.guest() as ada:
        id = send(server, ada, ONE)
        shown = [ada.get(path) for path in (f"/api/v1/submissions/{id}", f"/submissions/{id}", "/me/export")]
        for path in (PATH, f"{PATH}/{id}/mistake", "/author/course/positions/outcomes"):
            assert ada.get(path).status_code == 404
            with server.client() as nobody:
                assert nobody.get(path).status_code in (401, 404)
        posted = ada.post(f"{PATH}/{id}/mistake", data={"name": "mine", "sentence": "Mine.", "code": "x = 1"})
    assert posted.status_code == 404
    assert shown[0].status_code == shown[1].status_code == 200
    for answer in shown:
        assert ONE[:16] not in answer.text
        assert ONE[16:] not in answer.text


# ---- a mistake made of one ------------------------------------------------------------------------------------


def test_it_becomes_a_mistake_and_is_named(server: Running, staff: httpx.Client) -> None:
    with server.guest() as ada:
        id = send(server, ada, ONE, framework="torch")
        send(server, ada, OTHER)
    form = staff.get(f"{PATH}/{id}/mistake")
    assert "# framework: torch" in form.text
    assert "# by Ada L., group 4" in re.findall(r"<ol class=\"remarks\".*?</ol>", form.text, re.DOTALL)[0]
    code = SOURCE.partition("\n")[2]
    sent = {"name": "one-alone", "sentence": 'You return "1". Take the rows\\columns.', "code": code}
    answer = staff.post(f"{PATH}/{id}/mistake", data=sent)
    assert answer.status_code == 303, answer.text
    files = newest_files(server, EXERCISE)
    text = files["mistakes/one-alone.py"].decode()
    assert text.startswith("# framework: torch\n")
    assert "Ada" not in text
    exercise = exercise_from_files(GATHER, files)  # as the judge reads it
    mistake = next(one for one in exercise.mistakes if one.name == "one-alone")
    assert (mistake.feedback, mistake.source.framework) == (sent["sentence"], "torch")
    outcomes = found(server)
    assert [one.named for one in outcomes.named] == ["one-alone"]
    assert len(outcomes.clusters) == 1
    assert "one-alone" in staff.get(PATH).text

    again = staff.post(f"{PATH}/{id}/mistake", data=sent)
    assert again.status_code == 409
    assert "Take the rows" in again.text  # nothing typed is lost
    with server.state.db.writing() as db:
        save(db, None, EXERCISE, newest(db, EXERCISE).content_hash, {"mistakes/one-alone.py": None}, "")
    assert len(found(server).clusters) == 2


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"name": "../x"}, "cannot name a mistake"),
        ({"sentence": " "}, "should read"),
        ({"code": "def f(:"}, "line 1"),
    ],
)
def test_what_cannot_be_a_mistake_is_shown_again(
    server: Running, staff: httpx.Client, changed: dict[str, str], says: str
) -> None:
    with server.guest() as ada:
        id = send(server, ada, ONE)
    before = newest_files(server, EXERCISE)
    sent = {"name": "one-alone", "sentence": "A sentence to keep.", "code": "x = 12345\n", **changed}
    answer = staff.post(f"{PATH}/{id}/mistake", data=sent)
    assert answer.status_code == 422
    assert says in answer.text
    assert changed.get("sentence", "A sentence to keep.") in answer.text
    assert newest_files(server, EXERCISE) == before


def test_another_exercises_submission_is_no_example(server: Running, staff: httpx.Client) -> None:
    with server.guest() as ada:
        id = send(server, ada, ONE)
    assert staff.get(f"/author/exercise/softmax-rows/outcomes/{id}/mistake").status_code == 404
    assert staff.get(f"{PATH}/{10**12}/mistake").status_code == 404


@pytest.mark.parametrize("sentence", ['Ends with "this"', 'Three """ in it', "A \\n that is no line", "long " * 60])
def test_every_sentence_is_read_back(sentence: str) -> None:
    files = {name: text.encode() for name, text in BARE.items()}
    files["mistakes/m.py"] = mistake_file("", sentence, "def one(x):\n    return 2\n").encode()
    assert exercise_from_files("one", files).mistakes[0].feedback == " ".join(sentence.split())


BARE = {
    "exercise.toml": 'title = "One"\nentry = "one"\nframeworks = ["numpy"]\n[signature]\nx = "int"\nreturns = "int"\n',
    "statement.md": "One.",
    "starter.py": "def one(x):\n    return None\n",
    "reference.py": "def one(x):\n    return 1\n",
    "cases.py": 'def sample_cases(rng):\n    yield "a", {"x": 1}\n\ndef hidden_cases(rng):\n    yield "b", {"x": 2}\n',
}


def test_what_speaks_to_a_person_is_shown() -> None:
    code = '"""By Ada."""\nx = 1  # mail me\ndef f():\n    "Eve\'s own."\n    return "# no comment"\n'
    assert [(one.line, one.text) for one in remarks_in(code)] == [
        (1, '"""By Ada."""'), (2, "# mail me"), (4, '"""Eve\'s own."""'),
    ]  # fmt: skip


# ---- questions ------------------------------------------------------------------------------------------------


def a_count(catalog: Catalog) -> str:
    """A question that asks everybody in other numbers."""
    lessons = (lesson for lesson in catalog.courses["positions"].lessons if not lesson.is_quiz)
    asked = (question for lesson in lessons for question in lesson.questions.values())
    return next(one.id for one in asked if one.type == "count" and one.given and "*" in one.answer)


def ask(client: httpx.Client, id: str) -> dict[str, Any]:
    course, lesson, _ = id.split(".")
    shown: list[dict[str, Any]] = client.get(f"/api/v1/lessons/{course}/{lesson}/questions").json()
    return next(one for one in shown if one["id"] == id)


def test_one_slip_is_one_group_in_whatever_numbers(server: Running, staff: httpx.Client) -> None:
    id = a_count(server.state.catalog)
    question = server.state.catalog.question(id)
    typed: list[str] = []
    while len(set(typed)) < 2:  # the numbers are drawn for each person
        with server.guest() as client:
            shown = ask(client, id)
            right = int(answer_text(question, values_of(question, int(shown["variant"]))))
            body = {"variant": shown["variant"], "answer": str(right * 10)}
            client.post(f"/api/v1/questions/{id}/answers", json=body).raise_for_status()
            typed.append(body["answer"])
    with server.state.db.reading() as db:
        (group,) = answers_of(db, question).groups
    assert (group.people, group.is_formula) == (len(typed), True)
    assert {one.answer for one in group.examples} == set(typed)
    course, lesson, slug = id.split(".")
    page = staff.get(f"/author/course/{course}/outcomes")
    own = f"/author/course/{course}/outcomes/{lesson}/{slug}"
    assert own in page.text
    form = staff.get(own, params={"answer": group.expression})
    assert form.status_code == 200
    assert str(server.state.settings.lessons[0]) not in form.text
    sent = {"answer": group.expression, "sentence": "Check the powers of ten."}
    answer = staff.post(own, data=sent)
    assert answer.status_code == 303, answer.text
    lesson_text = newest_files(server, COURSE)[file_of(question)].decode()
    assert lesson_text.count(f":mistake: {group.expression} -> Check the powers of ten.\n") == 1
    refused = staff.post(own, data={"answer": question.answer, "sentence": "Right, this is."})
    assert refused.status_code == 422
    assert "equals the right answer" in refused.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (":::{question} q\n:type: count\n:answer: 4\nHow many?\n:::\n", ":answer: 4\nNEW\nHow many?"),
        (":::{question} q\n:answer: 4\n:mistake: 3 -> No.\n:points: 2\nHow?\n:::\n", "No.\nNEW\n:points: 2"),
        ("::::{question} q\n[[g]]\n:::{gap} g\n:type: text\n:answer: a\n:::\n::::\n", ":answer: a\nNEW\n:::"),
        (":::{question} q\n:answer: 1\n  2\nPrints?\n:::\n", "  2\nNEW\nPrints?"),
        (":::{question} other\n:answer: 4\n:::\n", None),
    ],
)
def test_a_line_is_written_where_the_others_are(before: str, after: str | None) -> None:
    changed = with_line(before, "q", "g" if "{gap}" in before else "", "NEW")
    assert changed is None if after is None else after in str(changed)
    assert changed is None or changed.replace("NEW\n", "") == before


# ---- hints and reports ----------------------------------------------------------------------------------------


def test_a_hint_is_counted_by_what_came_next(server: Running) -> None:
    with server.guest() as ada, server.guest() as bob, server.guest() as eve:
        for client in (ada, bob):
            send(server, client, ONE, score=0.2)
        for client in (ada, bob, eve):
            client.post(f"/api/v1/exercises/{GATHER}/hints", json={}).raise_for_status()
        send(server, ada, verdict=Verdict.accepted, score=1.0)
        send(server, bob, ONE, score=0.2)
    with server.state.db.reading() as db:
        first, second = hint_outcomes(db, GATHER, 2)
    assert (first.opened, first.went_on, first.better, first.accepted) == (3, 2, 1, 1)
    assert (second.opened, second.went_on) == (0, 0)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("It says `table[:T]`, which is wrong", ("statement.md", 3)),
        ("the statement says “the first T rows”", ("statement.md", 3)),
        ("Hint 2 has a typo", ("hints.md", 3)),
        ("The solution is wrong", ("solution.md", None)),
        ("the statement and the solution differ", None),
        ("it quotes `rows`, which stands in two lines", None),
        ("help", None),
    ],
)
def test_a_report_is_placed_where_that_can_be_told(text: str, place: tuple[str, int | None] | None) -> None:
    files = {
        "statement.md": b"Some rows.\n\nTake **the first** $T$ rows: `table[:T]`.\n",
        "hints.md": b"1. Look.\n\n2. Take them.\n",
        "solution.md": b"So.\n",
    }
    found = place_of(text, files)
    assert (found and (found.path, found.line)) == place


def test_reports_stand_beside_their_line(server: Running, staff: httpx.Client) -> None:
    exercise = server.state.catalog.exercises[GATHER]
    plain = (line for line in exercise.statement.splitlines() if len(line) > 40 and not re.search(r"[`$*_\\]", line))
    line = next(plain)
    quoted = " ".join(line.split()[:6])
    with server.guest() as ada:
        path = f"/discussions/exercise/{GATHER}/mistakes"
        answer = ada.post(path, data={"text": f"I read “{quoted}”, which I doubt"})
        assert answer.status_code == 303, answer.text
    page = staff.get(PATH).text
    number = exercise.statement.splitlines().index(line) + 1
    assert f"statement.md, line {number}" in page
    assert "which I doubt" in page
