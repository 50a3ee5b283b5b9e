"""A submission through HTTP to a true verdict: the real judge, real boxes, real rows."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.people import accounts
from app.practice.api.submissions import SubmissionOut, TracedOut
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.pages.submissions import STAGE_WORDS
from app.settings import Settings
from app.teaching.outcomes import outcomes_of
from tests.conftest import BACKENDS, Running, running
from tests.server_process import DOUBLED, one_exercise
from tests.waiting import until

JSON = {"Content-Type": "application/json"}
GATHER = "learned-absolute-position-embedding"
EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
RIGHT = {
    "numpy": (EXERCISES / GATHER / "reference.py").read_text(),
    **{name: (EXERCISES / GATHER / "solutions" / f"{name}.py").read_text() for name in ("jax", "torch")},
}


@pytest.fixture(scope="module", params=BACKENDS)
def judging(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server with a judge for the whole file: warming it takes seconds."""
    data = tmp_path_factory.mktemp("judged")
    url = ""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres")
    with running(Settings(data=data, database_url=url, workers=2, rate_limits="off")) as server:
        yield server


def submit(client: httpx.Client, source: str, exercise: str = GATHER, wait: float = 30, **more: Any) -> httpx.Response:
    path = f"/api/v1/exercises/{exercise}/submissions"
    sent = client.post(path, params={"wait": wait}, content=json.dumps({"source": source, **more}), headers=JSON)
    if not wait or sent.json().get("state") not in ("queued", "running"):
        return sent
    url = f"/api/v1/submissions/{sent.json()['id']}"
    until(lambda: client.get(url).json()["state"] == "finished", "it is not judged", look_seconds=0.1)
    return client.get(url)


def until_ready(client: httpx.Client) -> None:
    def is_ready() -> bool:
        answer = client.get("/readyz")
        assert answer.status_code == 200 or answer.json()["error"]["code"] == "judge_unavailable"
        return answer.status_code == 200

    until(is_ready, "the judge does not say so", look_seconds=0.1)


# Each row times the mean of the table, added up in another order: in the last digits the two differ.
TIMES_THE_MEAN = (
    "    return t[p.astype(int)] * t.mean(dtype='float32')",
    "    rows = np.take(t, p.astype(np.int64), axis=0)\n"
    "    mean = sum(float(x) for x in t.ravel()) / t.size\n"
    "    return (rows * np.float32(mean)).astype(np.float32)",
)


def test_programs_with_one_outcome_are_one_cluster(judging: Running) -> None:
    """And so is what was sent before a mistake had its name."""
    exercise = judging.state.catalog.exercises[GATHER]
    scaled = next(one for one in exercise.mistakes if one.name == "scaled").source
    sent = [f"import numpy as np\n\n\ndef {exercise.entry}(p, t):\n{body}\n" for body in TIMES_THE_MEAN]
    ids = []
    for source in (*sent, scaled.text):
        with judging.guest() as student:
            body = submit(student, source, framework="numpy").json()
            assert body["verdict"] == "wrong_answer", body
            ids.append(body["id"])
            assert "fingerprint" not in json.dumps(body)
    with judging.state.db.writing() as db:
        kept = [db.get_one(WrongOutcome, id) for id in ids]
        assert [row.mistake for row in kept] == [None, None, "scaled"]
        kept[2].mistake = None
    with judging.state.db.reading() as db:
        outcomes = outcomes_of(db, exercise, judging.state.judge)
    shown = {one.example.submission_id: one for one in (*outcomes.clusters, *outcomes.named)}
    assert (shown[ids[1]].people, shown[ids[1]].named) == (2, None)
    assert shown[ids[2]].named == "scaled"


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_a_right_answer_is_accepted(judging: Running, framework: str) -> None:
    with judging.guest() as client:
        answer = submit(client, RIGHT[framework], framework=framework)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        SubmissionOut.model_validate(body, strict=False)
        assert (body["state"], body["verdict"], body["score"]) == ("finished", "accepted", 1.0)
        assert body["framework"] == framework
        assert body["cases"]
        assert {case["verdict"] for case in body["cases"]} == {"accepted"}
        solved = client.get("/api/v1/me/progress").json()["exercises_solved"]
    assert [one["exercise"] for one in solved] == [GATHER]


def test_flax_is_accepted_too(judging: Running) -> None:
    source = (EXERCISES / "flax-learned-pos" / "reference.py").read_text()
    with judging.guest() as client:
        body = submit(client, source, exercise="flax-learned-pos").json()
    assert (body["framework"], body["verdict"]) == ("jax", "accepted")


def test_a_known_mistake_is_called_by_its_name(judging: Running) -> None:
    with judging.guest() as client:
        for file in (EXERCISES / GATHER / "mistakes").glob("ids-ignored.py"):
            body = submit(client, file.read_text()).json()
            assert body["verdict"] == "wrong_answer"
            assert body["mistake"] == "ids-ignored"
            assert body["diagnosis"]


def test_hidden_cases_keep_their_secrets(judging: Running) -> None:
    source = RIGHT["numpy"].replace("return ", "print('a secret:', 1)\n    return 2 * ")
    with judging.guest() as client:
        body = submit(client, source).json()
    assert body["verdict"] == "wrong_answer"
    hidden = [case for case in body["cases"] if not case["sample"]]
    assert hidden
    for number, case in enumerate(hidden, 1):
        assert case["name"] == f"hidden {number}"
        assert case["stdout"] is None
        if case["mismatch"]:
            assert {key for key, value in case["mismatch"].items() if value} == {"step"}


def test_a_run_judges_the_samples_and_earns_nothing(judging: Running) -> None:
    with judging.guest() as client:
        body = submit(client, RIGHT["numpy"], kind="run").json()
        assert body["kind"] == "run"
        assert body["verdict"] == "accepted"
        assert all(case["sample"] for case in body["cases"])
        assert client.get("/api/v1/me/progress").json()["exercises_solved"] == []


@pytest.mark.parametrize("positions", ["[[0, 1], [1, 0]]", [[0, 1], [1, 0]]])
def test_a_run_takes_an_input_of_ones_own(judging: Running, positions: object) -> None:
    table = [[1.0, 2.0], [3.0, 4.0]]
    with judging.guest() as client:
        exercise = client.get(f"/api/v1/exercises/{GATHER}").json()
        names = [one["name"] for one in exercise["signature"]["parameters"]]
        given = dict(zip(names, (positions, table), strict=True))
        answer = submit(client, RIGHT["numpy"], kind="run", input=given)
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["cases"]) == 1
    assert answer.json()["verdict"] == "accepted"


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("def ", "invalid_submission"),
        ("x = 1", "invalid_submission"),
        ("x = '\ud800'", "invalid_submission"),
        ("x = '\0'", "invalid_submission"),
        ("raise SystemExit(0)", "runtime_error"),
        ("raise ValueError('nul \\0 and half a pair \\ud800')", "runtime_error"),
    ],
)
def test_what_cannot_be_judged_has_a_verdict_too(judging: Running, source: str, verdict: str) -> None:
    with judging.guest() as client:
        answer = submit(client, source)
        assert answer.status_code == 200, answer.text
        assert answer.json()["verdict"] == verdict
        assert answer.json()["summary"]
        assert submit(client, RIGHT["numpy"]).json()["verdict"] == "accepted"


def test_the_events_end_with_the_verdict(judging: Running) -> None:
    with judging.guest() as client:
        id = submit(client, RIGHT["numpy"], wait=0).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = [line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: ")]
    last = SubmissionOut.model_validate_json(lines[-1])
    assert (last.state, last.verdict) == ("finished", "accepted")


def test_the_exercise_shows_its_sample_cases(judging: Running) -> None:
    with judging.guest() as client:
        submit(client, RIGHT["numpy"])
        exercise = client.get(f"/api/v1/exercises/{GATHER}").json()
    names = {one["name"] for one in exercise["signature"]["parameters"]}
    assert len(exercise["sample_cases"]) >= 3
    for case in exercise["sample_cases"]:
        assert set(case["inputs"]) == names
        assert case["expected"]["text"]


def test_the_judge_says_when_every_framework_is_warm(judging: Running) -> None:
    with judging.client() as client:
        until_ready(client)


def test_a_broken_exercise_is_our_failure_on_every_page(tmp_path: Path) -> None:
    shutil.copytree(EXERCISES / GATHER, tmp_path / "exercises" / GATHER)
    raises = RIGHT["numpy"].replace("    return ", "    raise RuntimeError('the secret of the house')\n    return ")
    (tmp_path / "exercises" / GATHER / "reference.py").write_text(raises)
    settings = Settings(data=tmp_path / "var", exercises=(tmp_path / "exercises",), workers=1)
    with running(settings) as server, server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        body = submit(client, RIGHT["numpy"]).json()
        assert (body["verdict"], body["score"], body["cases"]) == ("internal_error", 0.0, [])
        page = client.get(f"/submissions/{body['id']}").text
        assert "Internal error" in page
        assert "does not count against you" in page
        until(lambda: client.get(f"/exercises/{GATHER}").status_code == 404, "the judge admits it", look_seconds=0.05)
        assert client.get(f"/api/v1/exercises/{GATHER}").status_code == 404
        assert submit(client, RIGHT["numpy"]).status_code == 404
        page += client.get(f"/submissions/{body['id']}").text
        assert page.count("does not count against you") == 2, "what was sent before stays"
        assert "the secret" not in page + client.get("/exercises").text
        assert client.get("/api/v1/me/progress").json()["exercises_solved"] == []


def test_the_desk_shows_a_sample_whose_values_are_no_arguments(tmp_path: Path) -> None:
    """A script beside the calls of a function: its inputs are named in no signature."""
    folder = one_exercise(tmp_path) / DOUBLED
    cases = (folder / "cases.py").read_text()
    script = 'script("doubled(table + 1)", table=np.arange(6, dtype=np.float32))'
    head, _, rest = cases.partition("def sample_cases(rng):\n")
    (folder / "cases.py").write_text(f'{head}def sample_cases(rng):\n    yield "the table", {script}\n{rest}')
    settings = Settings(data=tmp_path / "var", exercises=(folder.parent,), lessons=(), workers=1)
    with running(settings) as server, server.client() as client:
        until(lambda: client.get(f"/api/v1/exercises/{DOUBLED}").json()["sample_cases"], look_seconds=0.05)
        page = client.get(f"/exercises/{DOUBLED}")
    assert page.status_code == 200
    assert "doubled(table + 1)" in page.text


@pytest.mark.extra
def test_an_exercise_without_an_end_takes_no_worker_and_no_page(tmp_path: Path) -> None:
    """attack: a reference that never ends, in an exercise that grants itself all the time there is."""
    exercises = tmp_path / "exercises"
    for slug in (GATHER, "endless", "greedy"):
        shutil.copytree(EXERCISES / GATHER, exercises / slug)
    toml = (EXERCISES / GATHER / "exercise.toml").read_text()
    (exercises / "endless" / "exercise.toml").write_text(toml.replace("wall_seconds = 5", "wall_seconds = 600"))
    sleeps = RIGHT["numpy"].replace("    return ", "    import time\n    time.sleep(3600)\n    return ")
    (exercises / "endless" / "reference.py").write_text(sleeps)
    (exercises / "greedy" / "exercise.toml").write_text(toml.replace("wall_seconds = 5", "wall_seconds = 1000000"))
    settings = Settings(
        data=tmp_path / "var", exercises=(exercises,), workers=1, max_wall_seconds=600, max_cpu_seconds=600,
        max_total_seconds=1800, build_seconds=600,
    )  # fmt: skip
    with running(settings) as server, server.guest() as client, server.guest() as other:
        assert client.get("/api/v1/exercises/greedy").status_code == 404, "beyond the operator's ceiling: left out"
        held = submit(client, RIGHT["numpy"], wait=0, exercise="endless").json()
        pages = [client.get("/exercises/endless") for _ in range(45)]
        assert {page.status_code for page in pages} == {200}
        assert "are being generated" in pages[-1].text or "warming up" in pages[-1].text
        honest = submit(other, RIGHT["numpy"]).json()
        assert (honest["state"], honest["verdict"]) == ("finished", "accepted")
        assert client.get(f"/api/v1/submissions/{held['id']}").json()["state"] == "queued"


def test_where_the_time_went_is_told_to_instructors_only(judging: Running) -> None:
    accounts.add_user(judging.state.db, "staff@example.org", "instructor", None)
    token = accounts.make_token(judging.state.db, "staff@example.org")
    with judging.guest() as student, judging.client(Authorization=f"Bearer {token}") as instructor:
        sent = submit(student, RIGHT["numpy"], framework="numpy").json()
        page = f"/submissions/{sent['id']}"
        until(lambda: "Where the time went" in instructor.get(page).text, "it is not told", look_seconds=0.05)
        seen = instructor.get(page).text
        for words in STAGE_WORDS.values():
            assert words in seen
        assert "Where the time went" not in student.get(page).text
        with judging.state.db.reading() as db:
            timed = db.scalars(select(Grading.stages).where(Grading.submission_id == sent["id"])).one()
        assert timed is not None
        assert len(timed["calls"]) == len(sent["cases"])
        assert timed["box"] >= 0 < timed["load"]

        assert instructor.get("/metrics").status_code == 200
        said = instructor.get("/metrics").text
        assert re.search(r'lectern_gradings_total\{framework="numpy",kind="submit",verdict="accepted"\} [1-9]', said)
        assert re.search(r'lectern_grading_stage_seconds_count\{framework="numpy",stage="call"\} [1-9]', said)
        assert re.search(r'lectern_boxes_parked\{framework="torch"\} [0-9]', said)
        assert 'lectern_queue{state="waiting"} 0.0' in said
        assert "lectern_queue_oldest_seconds 0.0" in said
        used = dict(re.findall(r'lectern_thread_cpu_seconds\{thread="([^"]+)"\} (\S+)', said))
        assert float(used["worker"]) > 0
        assert student.get("/metrics").status_code == 403
    with judging.client() as nobody:
        assert nobody.get("/metrics").status_code == 401


def test_a_trace_tells_each_line_and_earns_nothing(judging: Running) -> None:
    with judging.guest() as client:
        body = submit(client, RIGHT["numpy"], kind="trace").json()
        TracedOut.model_validate(body, strict=False)
        assert list(body) == list(TracedOut.model_fields)
        assert (body["kind"], body["verdict"]) == ("trace", "accepted")
        assert [case["sample"] for case in body["cases"]] == [True]
        events = body["trace"]["events"]
        assert events[0]["kind"] == "call"
        assert events[0]["changes"][0]["dims"] == ["N", "T"]
        assert events[-1]["returned"]["shape"] == [body["trace"]["dims"][dim] for dim in ("N", "T", "d_model")]
        assert body["trace"]["cut"] is False
        assert client.get(f"/api/v1/submissions/{body['id']}").json() == body
        assert client.get("/api/v1/me/progress").json()["exercises_solved"] == []
        run = submit(client, RIGHT["numpy"], kind="run").json()
        assert "trace" not in run
        page = client.get("/progress").text
        assert f"/submissions/{body['id']}" not in page


def test_a_trace_follows_the_case_named_or_an_input_of_ones_own(judging: Running) -> None:
    name = "two sentences, the first padded on the left"
    with judging.guest() as client:
        chosen = submit(client, RIGHT["numpy"], kind="trace", case=name).json()
        assert [case["name"] for case in chosen["cases"]] == [name]
        assert chosen["trace"]["dims"]["N"] == 2
        own = {"positions": "[[1, 0]]", "embedding_table": [[1, 2, 3], [4, 5, 6]]}
        body = submit(client, RIGHT["numpy"], kind="trace", input=own).json()
        assert body["cases"][0]["name"] == "your input"
        assert body["trace"]["dims"] == {"N": 1, "T": 2, "max_len": 2, "d_model": 3}
        until_ready(client)  # until then nobody knows the sample cases' names
        for wrong in ("hidden 1", "no such case", "", "\ud800", "nul\0"):
            answer = submit(client, RIGHT["numpy"], kind="trace", case=wrong)
            assert answer.status_code == 422, wrong
            assert answer.json()["error"]["code"] == "invalid"


def test_a_trace_that_fails_ends_at_its_line(judging: Running) -> None:
    source = RIGHT["numpy"].replace("return ", "x = 1 / 0\n    return ")
    with judging.guest() as client:
        body = submit(client, source, kind="trace").json()
    assert body["verdict"] == "runtime_error"
    assert body["trace"]["events"][-1]["raised"] == "ZeroDivisionError"
    assert body["trace"]["events"][-1]["line"] == body["cases"][0]["error"]["line"]


def test_the_trace_of_hostile_code_is_text_on_the_page(judging: Running) -> None:
    source = """
def learned_absolute_position_embedding(positions, table):
    a = "<script>alert(1)</script>\\u202e"
    b = type("<b>x</b>", (), {})()
    return table
"""
    with judging.guest() as client:
        body = submit(client, source, kind="trace").json()
        page = client.get(f"/submissions/{body['id']}").text
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page
    assert "\u202e" not in page.replace("\\u202e", "")


def test_the_page_says_an_error_plainly_and_nothing_of_it_twice(judging: Running) -> None:
    source = RIGHT["numpy"].replace("astype(np.int64)", "long()")
    with judging.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        sent = client.post(f"/exercises/{GATHER}/submissions", data={"source": source, "framework": "numpy"})
        page = client.get(sent.headers["location"])
        while 'data-state="finished"' not in page.text:
            page = client.get(sent.headers["location"])
    assert "A NumPy array has no <code>.long</code>: write <code>x.astype(np.int64)</code>." in page.text
    assert "This name belongs to another framework" in page.text, "a hidden case's sentence is a fixed one"
    assert page.text.count("object has no attribute") == 3, "once for each sample case, and not above them"


def test_one_sentence_about_every_hidden_case_is_said_once(judging: Running) -> None:
    source = (
        "import numpy as np\n\ndef learned_absolute_position_embedding(positions, table):\n"
        "    return np.ones(3) + np.ones(4)\n"
    )
    with judging.guest() as client:
        sent = submit(client, source, framework="numpy").json()
        page = client.get(f"/submissions/{sent['id']}").text
    assert sum(case["verdict"] == "runtime_error" and not case["sample"] for case in sent["cases"]) > 3
    assert re.sub(r"<[^>]*>", "", page).count("The shapes do not fit each other") == 1
    assert page.count("The shapes do not fit each other") == 1, "a hidden case tells no line for the editor to mark"
    assert "Only the first hidden case that fails says why" in page
