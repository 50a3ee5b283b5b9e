"""A submission through HTTP to a true verdict: the real judge, real boxes, real rows."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.models import course
from app.routes.api.submissions import SubmissionAnswer
from app.settings import Settings
from graders.cases import SampleCase, sample_cases
from graders.exercise import Exercise
from graders.pool import Judge
from tests.conftest import BACKENDS, Running, running

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
    return client.post(path, params={"wait": wait}, content=json.dumps({"source": source, **more}), headers=JSON)


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_a_right_answer_is_accepted(judging: Running, framework: str) -> None:
    with judging.guest() as client:
        answer = submit(client, RIGHT[framework], framework=framework)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        SubmissionAnswer.model_validate(body, strict=False)
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
    last = SubmissionAnswer.model_validate_json(lines[-1])
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
    deadline = time.monotonic() + 60
    with judging.client() as client:
        while (answer := client.get("/readyz")).status_code != 200:
            assert answer.json()["error"]["code"] == "judge_unavailable"
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_broken_exercise_is_our_failure_on_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(judge: Judge, exercise: Exercise) -> list[SampleCase]:
        asked.append(exercise.slug)
        return sample_cases(judge, exercise)

    monkeypatch.setattr(course, "sample_cases", counted)
    shutil.copytree(EXERCISES / GATHER, tmp_path / "exercises" / GATHER)
    raises = RIGHT["numpy"].replace("    return ", "    raise RuntimeError('the secret of the house')\n    return ")
    (tmp_path / "exercises" / GATHER / "reference.py").write_text(raises)
    settings = Settings(data=tmp_path / "var", exercises=tmp_path / "exercises", workers=1)
    with running(settings) as server, server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        body = submit(client, RIGHT["numpy"]).json()
        assert (body["verdict"], body["score"], body["cases"]) == ("internal_error", 0.0, [])
        page = client.get(f"/submissions/{body['id']}").text
        assert "Our failure, not yours" in page
        assert "does not count against you" in page
        while client.get("/readyz").status_code != 200:
            time.sleep(0.05)
        for _ in range(5):
            desk = client.get(f"/exercises/{GATHER}").text
            assert "cannot be shown just now" in desk
        assert client.get(f"/api/v1/exercises/{GATHER}").json()["sample_cases"] == []
        assert asked == [GATHER]  # not a box a page view
        assert "the secret" not in page + desk
        assert client.get("/api/v1/me/progress").json()["exercises_solved"] == []
