"""Every failure has the one shape, and every answer the same armour."""

import logging
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest

from app.reading.catalog import Catalog
from app.web.errors import ErrorOut, RateLimited
from app.web.limits import ADDRESS, PERSON, Rate, RateLimits, neighbourhood
from tests.conftest import Running, Serve
from tests.waiting import until, until_ended

GATHER = "learned-absolute-position-embedding"


def problem(answer: httpx.Response) -> tuple[int, str]:
    body = ErrorOut.model_validate(answer.json())
    assert set(answer.json()) == {"error"}
    assert body.error.message
    return answer.status_code, body.error.code


def test_each_failure_has_its_code(server: Running) -> None:
    with server.client() as client:
        assert problem(client.get("/api/v1/nope")) == (404, "not_found")
        assert problem(client.get("/api")) == (404, "not_found")
        assert problem(client.get("/api/v1/exercises/nope")) == (404, "not_found")
        assert problem(client.put("/api/v1/exercises")) == (405, "invalid")
        assert problem(client.get("/api/v1/me/progress")) == (401, "unauthenticated")
        assert problem(client.get("/api/v1/exercises", params={"difficulty": "absurd"})) == (422, "invalid")
        assert problem(client.get("/api/v1/lessons/nope/nope/questions")) == (404, "not_found")
        assert client.put("/api/v1/exercises").headers["allow"] == "GET, HEAD"


def test_a_page_that_is_not_there_is_a_page(server: Running) -> None:
    leads_to = {
        "/nope": '<a href="/">Go to the courses</a>',
        "/exercises/nope": '<a href="/exercises">Go to the exercises</a>',
    }
    with server.client() as client:
        for path, link in leads_to.items():
            answer = client.get(path)
            assert answer.status_code == 404
            assert answer.headers["content-type"].startswith("text/html")
            assert link in answer.text


def test_our_own_fault_is_told_without_its_insides(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(catalog: Catalog, slug: str) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(Catalog, "exercise", broken)
    with server.client() as client:
        for path in (f"/api/v1/exercises/{GATHER}", f"/exercises/{GATHER}"):
            answer = client.get(path)
            assert answer.status_code == 500
            assert "secret" not in answer.text
            assert "content-security-policy" in answer.headers
        assert problem(client.get(f"/api/v1/exercises/{GATHER}")) == (500, "internal")


def test_the_log_holds_no_token(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    server = serve()

    def broken(catalog: Catalog, slug: str) -> None:
        raise RuntimeError("a fault of ours")

    with server.guest() as client:
        monkeypatch.setattr(Catalog, "exercise", broken)
        client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "my private source"})
        token = client.headers["Authorization"].removeprefix("Bearer ")
    logging.shutdown()
    said = capfd.readouterr().err
    assert "a fault of ours" in said
    assert token not in said
    assert "private" not in said


@pytest.mark.parametrize("path", ["/", "/api/v1/exercises", "/nope", "/api/v1/nope", "/healthz"])
def test_every_answer_wears_its_headers(server: Running, path: str) -> None:
    with server.client() as client:
        headers = client.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "strict-transport-security" not in headers  # plain http


def test_the_api_describes_itself(server: Running) -> None:
    with server.client() as client:
        described = client.get("/api/v1/openapi.json").json()
    calls = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    assert calls >= {
        "POST /api/v1/sessions",
        "DELETE /api/v1/sessions/current",
        "POST /api/v1/users",
        "GET /api/v1/exercises",
        "GET /api/v1/exercises/{slug}",
        "POST /api/v1/exercises/{slug}/submissions",
        "GET /api/v1/submissions/{id}",
        "GET /api/v1/submissions/{id}/events",
        "GET /api/v1/lessons/{course}/{lesson}/questions",
        "POST /api/v1/questions/{id}/answers",
        "GET /api/v1/me/progress",
    }
    assert not any(call.split()[1].startswith("/exercises") for call in calls)  # pages are not the API
    submit = described["paths"]["/api/v1/exercises/{slug}/submissions"]["post"]["responses"]
    for status in ("200", "202"):
        schema = submit[status]["content"]["application/json"]["schema"]
        assert schema["$ref"].endswith("SubmissionOut")
    assert "TracedOut" in described["components"]["schemas"]
    assert submit["422"]["content"]["application/json"]["schema"]["$ref"].endswith("ErrorOut")


def test_a_locked_database_is_waited_for(serve: Serve, database_url: str) -> None:
    if not database_url.startswith("sqlite"):
        pytest.skip("about SQLite's lock")
    server = serve()
    with server.guest() as client:
        other, impatient = (
            sqlite3.connect(database_url.removeprefix("sqlite+pysqlite:///"), isolation_level=None) for _ in range(2)
        )
        impatient.execute("PRAGMA busy_timeout = 200")
        other.execute("BEGIN EXCLUSIVE")
        assert client.get("/api/v1/exercises").status_code == 200  # readers are not held up
        answers: list[httpx.Response] = []

        def submit() -> None:
            answers.append(client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"}))

        submitting = threading.Thread(target=submit)
        submitting.start()
        until(lambda: server.state.db._turn.locked() or answers, "nobody begins to write")
        with pytest.raises(sqlite3.OperationalError, match="locked"):  # who waits for less long has given up
            impatient.execute("BEGIN IMMEDIATE")
        assert not answers
        other.execute("ROLLBACK")
        until_ended(submitting)
        for connection in other, impatient:
            connection.close()
    assert answers[0].status_code == 202


def test_a_broken_exercise_is_left_out_and_stops_nobody(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "exercises"
    source = Path(__file__).resolve().parents[2] / "exercises" / GATHER
    for slug in ("good", "broken"):
        for file in source.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                copy = folder / slug / file.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes())
    (folder / "broken" / "exercise.toml").write_text("title = ")
    server = serve(exercises=folder)
    with server.client() as client:
        assert [one["slug"] for one in client.get("/api/v1/exercises").json()] == ["good"]
        assert client.get("/api/v1/exercises/broken").status_code == 404


def test_an_edited_exercise_is_another_snapshot_and_an_old_one_comes_back(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "exercises" / GATHER
    source = Path(__file__).resolve().parents[2] / "exercises" / GATHER
    for file in source.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            copy = folder / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    server = serve(exercises=tmp_path / "exercises")
    with server.guest() as client:
        first = client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"}).json()
        statement = (folder / "statement.md").read_text()
        hashes, ids = [], []
        for text in (statement + "\nMore.\n", statement):
            (folder / "statement.md").write_text(text)
            server.state.catalog.import_folders([tmp_path / "exercises"], [tmp_path / "lessons"])
            hashes.append(client.get(f"/api/v1/exercises/{GATHER}").json()["content_hash"])
            ids.append(server.state.catalog.snapshot_ids[GATHER])
        assert hashes[0] != hashes[1] == first["exercise_hash"]
        assert ids[0] != ids[1]
        assert client.get(f"/api/v1/submissions/{first['id']}").json()["exercise_hash"] == first["exercise_hash"]


def test_limits_open_again_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    limits = RateLimits(clock=lambda: clock[0])
    monkeypatch.setitem(PERSON, "answer", Rate(3, 0.5))

    waits = []

    def allowed(person: int = 1) -> bool:
        try:
            limits.spend("answer", person=person)
        except RateLimited as refused:
            waits.append(refused.headers["Retry-After"])
            return False
        return True

    assert [allowed() for _ in range(5)] == [True, True, True, False, False]
    assert waits == ["2", "2"]
    assert allowed(person=2)
    clock[0] += 2
    assert [allowed(), allowed()] == [True, False]


def test_forty_at_one_address_are_no_attack() -> None:
    for what, rate in PERSON.items():
        if what not in ("sign_in", "mistake_letter"):  # the person is an address that is tried, or nobody
            assert ADDRESS[what].burst >= 10 * rate.burst
    assert ADDRESS["sign_in"].burst >= 2 * 40
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff") != neighbourhood("2001:db8:0:1::1")
    assert neighbourhood("192.0.2.1") != neighbourhood("192.0.2.2")


def test_what_is_refused_costs_nothing_and_a_name_is_not_kept_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ADDRESS, "sign_in", Rate(2, 0.001))
    limits = RateLimits()
    for number in range(5):
        try:
            limits.spend("sign_in", person=f"{number}{'x' * 1_000_000}", address="192.0.2.1")
        except RateLimited:
            pass
    assert len(limits._full_at) == 3  # the address and the two who came in
    assert len(str(limits._full_at)) < 1000


def test_head_answers_as_get_does_without_the_body(server: Running) -> None:
    with server.guest() as client:
        sent = client.post("/api/v1/exercises/softmax-rows/submissions", json={"source": "x = 1"}).json()["id"]
        for path in (
            "/", "/exercises/softmax-rows", f"/submissions/{sent}", f"/api/v1/submissions/{sent}", "/api/v1/me/export",
            "/healthz", "/nothing", "/api/v1/nothing", "/static/x/nothing.css",
        ):  # fmt: skip
            head, got = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (got.status_code, b""), path
            varying = {"date", "content-length", "transfer-encoding"}  # a page may say how long ago something was
            assert dict(head.headers).keys() - varying == dict(got.headers).keys() - varying, path
            assert head.headers["content-type"] == got.headers["content-type"]
        assert client.head(f"/api/v1/submissions/{sent}/events").status_code == 405
        assert client.head("/api/v1/sessions").status_code == 405
        assert client.get(f"/api/v1/submissions/{sent}").json()["state"] == "queued"  # the connection is whole
