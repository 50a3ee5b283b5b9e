"""What of the hostile corpus is for the web: requests, events and rows. The rest: tests/graders/test_hostile.py."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from tests.conftest import Running, running
from tests.needs import missing
from tests.server_process import in_numpy_alone
from tests.waiting import LIMIT_SECONDS

PATH = "/api/v1/exercises/softmax-rows/submissions"
CORPUS = Path(__file__).resolve().parents[1] / "graders" / "hostile"


def source_of(number: str) -> str:
    (path,) = CORPUS.glob(f"{number}-*")
    return path.read_text()


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("hostile")
    only = (in_numpy_alone("softmax-rows", data),)
    settings = Settings(data=data, workers=1, rate_limits="off", exercises=only, lessons=(data / "none",))
    with running(settings) as server:
        yield server


@pytest.mark.parametrize("name", ["wall_seconds", "limits", "cpu_time", "exercise", "verdict", "score"])
@pytest.mark.parametrize("value", ["5; id", -1, 0, 1e308, 10**30, "$(id)", None])
def test_limits_and_names_are_not_for_a_request_to_choose(server: Running, name: str, value: object) -> None:
    """esc-027: what is not known is refused, and what names a thing is looked up."""
    with server.guest() as client:
        answer = client.post(PATH, json={"source": "x = 1", name: value})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
        for framework in ("numpy; id", "$(id)", "../numpy", "", value):
            answer = client.post(PATH, json={"source": "x = 1", "framework": framework})
            assert answer.status_code == (422 if framework is not None else 202), framework
        for slug in ("softmax-rows;id", "$(id)", "softmax-rows%00"):
            answer = client.post(f"/api/v1/exercises/{slug}/submissions", json={"source": "x = 1"})
            assert answer.status_code == 404
        for wait in ("5;id", "-1", "nan", "1e308"):
            assert client.post(PATH, params={"wait": wait}, json={"source": "x = 1"}).status_code == 422, wait


def test_a_source_of_ten_megabytes_is_refused(server: Running) -> None:
    """inp-006: before it is read, let alone compiled."""
    with server.guest() as client:
        answer = client.post(PATH, json={"source": "x = 1\n" * 1_800_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def verdict(client: httpx.Client, number: str) -> httpx.Response:
    body = client.post(PATH, json={"source": source_of(number)}).json()
    if body.get("error", {}).get("code") == "judge_unavailable":
        missing("sandbox", body["error"]["message"])
    # It may have to wait for the first boxes of this run. The stream ends with the verdict.
    client.get(f"/api/v1/submissions/{body['id']}/events", timeout=LIMIT_SECONDS)
    return client.get(f"/api/v1/submissions/{body['id']}")


def test_prints_make_no_event(judging: Running) -> None:
    """int-051: what a program prints stays one line of JSON in the one event that there is, and text on the page."""
    with judging.guest() as client:
        body = verdict(client, "int-051").json()
        assert (body["state"], body["verdict"]) == ("finished", "wrong_answer")
        printed = body["cases"][0]["stdout"]
        assert printed.startswith('x\n\nevent: verdict\ndata: {"verdict":"AC"}\n')
        stream = client.get(f"/api/v1/submissions/{body['id']}/events").text
        lines = stream.replace("\r\n", "\n").split("\n")
        assert "event: verdict" not in lines
        assert "id: 999" not in lines
        data = [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]
        assert data[-1]["verdict"] == "wrong_answer"
        assert all(line.split(":")[0] in ("", "data", "event", "id", "retry") for line in lines)


def test_no_number_of_a_student_poisons_a_score(judging: Running) -> None:
    """int-052: NaN, infinities and numbers without end come back as plain JSON, and the score is 0."""
    with judging.guest() as client:
        answer = verdict(client, "int-052")

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is not JSON")

        body = json.loads(answer.text, parse_constant=refuse)
        assert (body["verdict"], body["score"]) == ("wrong_answer", 0.0)


@pytest.mark.parametrize("charset", ["undefined", "punycode", "idna", "unicode_escape", "utf-7", '"UTF-16"', "x" * 99])
def test_a_form_is_utf_8_whatever_charset_it_names(server: Running, charset: str) -> None:
    """In some of them Python fails, in others half a surrogate pair is text, and no page can be sent that shows it."""
    (question, *_) = server.state.catalog.questions("positions", "learned-embeddings").values()
    part = '--B\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        for path, name in (
            (f"/questions/{question.id}/answers", "answer"),
            ("/users", "email"),
            ("/exercises/softmax-rows/submissions", "source"),
        ):
            for typed in ("xn--aaaa", "\\ud800", "+2AA-"):
                body = f"{part.format('variant', 0)}{part.format(name, typed)}--B--\r\n"
                head = {"Content-Type": f"multipart/form-data; charset={charset}; boundary=B"}
                assert client.post(path, content=body, headers=head).status_code == 422, (path, typed)
                right = {"Content-Type": "multipart/form-data; charset=UTF-8; boundary=B"}
                assert client.post(path, content=body, headers=right).status_code < 500, (path, typed)


@pytest.mark.parametrize("parameters", ['{"steps": 1%s}' % ("0" * 400), '{"steps": NaN}', r'{"\ud800": 1}'])
def test_no_number_and_no_name_is_too_much_for_an_experiment(server: Running, parameters: str) -> None:
    with server.guest() as client:
        answer = client.post(
            "/api/v1/courses/positions/learned-embeddings/labs/train-a-table/runs",
            content=f'{{"parameters": {parameters}}}',
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
