"""What a submission is, who may see it, and what is turned down."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from app.people import accounts
from app.people.users import User
from app.practice.api.submissions import SubmissionOut
from app.practice.drafts import Draft, newest_source
from app.practice.pages import exercises
from app.practice.submissions import Submission, submissions_of
from app.queue import events
from app.web.limits import PERSON, Rate
from graders.boxes.keeper import JudgeUnavailable
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS

GATHER = "learned-absolute-position-embedding"
PATH = f"/api/v1/exercises/{GATHER}/submissions"


def test_a_submission_has_every_field_at_once(server: Running) -> None:
    with server.guest() as client:
        answer = client.post(PATH, json={"source": "x = 1", "framework": "torch"})
        assert answer.status_code == 202
        body = answer.json()
        assert client.get(answer.headers["location"]).json() == body
    assert list(body) == list(SubmissionOut.model_fields)
    assert body["exercise"] == GATHER
    assert body["exercise_hash"] == server.state.catalog.exercises[GATHER].content_hash
    assert (body["framework"], body["kind"], body["state"]) == ("torch", "submit", "queued")
    assert body["verdict"] is body["score"] is body["summary"] is body["diagnosis"] is body["mistake"] is None
    assert body["queue_position"] == 1
    assert datetime.fromisoformat(body["created_at"]).utcoffset() == timedelta(0)
    assert body["cases"] == []


def test_waiting_ends_with_the_time_given(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LOOK_AGAIN_SECONDS", 3600.0)
    waits: list[float] = []
    within = events._within

    async def noted(event: asyncio.Event, seconds: float) -> None:
        waits.append(seconds)
        await within(event, seconds)

    monkeypatch.setattr(events, "_within", noted)
    with server.guest() as client:
        answer = client.post(PATH, params={"wait": 0.2}, json={"source": "x = 1"})
    assert answer.status_code == 202
    assert waits[0] == 0.2
    assert sum(waits) < 0.3, "what is left of it, where a timer was early"


def test_others_are_told_that_it_is_not_there(server: Running) -> None:
    with server.guest() as client:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
    with server.guest() as other, server.client() as nobody:
        for client in (other, nobody):
            for path in (f"/api/v1/submissions/{id}", f"/api/v1/submissions/{id}/events"):
                answer = client.get(path)
                assert answer.status_code == 404
                assert answer.json()["error"]["code"] == "not_found"
                assert set(answer.json()["error"]) == {"code", "message", "hint"}


@pytest.mark.parametrize("role", ["instructor", "admin"])
def test_staff_may_look(server: Running, role: str) -> None:
    with server.guest() as client:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
    accounts.add_user(server.state.db, "grace@example.org", role, None)
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, 'grace@example.org')}") as client:
        assert client.get(f"/api/v1/submissions/{id}").status_code == 200


@pytest.mark.parametrize("id", ["0", "-1", "x", "1.0", "99999999999999999999999", "1%00", "²", "9" * 18])
def test_what_is_no_id_is_not_found(server: Running, id: str) -> None:
    with server.guest() as client:
        assert client.get(f"/api/v1/submissions/{id}").status_code == 404
        assert client.get(f"/api/v1/submissions/{id}/events").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"source": 1},
        {"source": None},
        {"source": "x", "framework": "tensorflow"},
        {"source": "x", "kind": "regrade"},
        {"source": "x", "sauce": 1},
        {"source": "x", "input": {"positions": "[[0]]"}},
        {"source": "x", "kind": "run", "input": {"positions": "[[0]]"}},
        {"source": "x", "kind": "run", "input": {"positions": "open('/etc/passwd')", "embedding_table": "[[0.0]]"}},
        {"source": "x", "kind": "run", "input": "positions"},
        [],
        "x",
    ],
)
def test_what_is_not_a_submission_is_told_so(server: Running, body: Any) -> None:
    with server.guest() as client:
        answer = client.post(PATH, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "invalid"


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b"[" * 100_000, b'{"source": NaN}'], ids=range(5))
def test_malformed_json_is_told_so(server: Running, body: bytes) -> None:
    with server.guest() as client:
        answer = client.post(PATH, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "invalid"


def test_a_framework_that_the_exercise_does_not_offer(server: Running) -> None:
    with server.guest() as client:
        answer = client.post(
            "/api/v1/exercises/flax-learned-pos/submissions", json={"source": "", "framework": "torch"}
        )
    assert answer.status_code == 422
    assert "jax" in answer.json()["error"]["hint"]


def test_an_exercise_that_is_not_there(server: Running) -> None:
    with server.guest() as client:
        for slug in ("nope", "..", "%00", "a" * 5000):
            assert client.post(f"/api/v1/exercises/{slug}/submissions", json={"source": ""}).status_code == 404, slug


def test_a_source_that_is_too_large_is_judged_at_once(server: Running) -> None:
    with server.guest() as client:
        exact = client.post(PATH, json={"source": "#" * (64 << 10)})
        assert exact.status_code == 202
        answer = client.post(PATH, json={"source": "é" * (32 << 10) + "#"})  # bytes count, not characters
    assert answer.status_code == 200
    assert (answer.json()["state"], answer.json()["verdict"]) == ("finished", "invalid_submission")
    assert answer.json()["score"] == 0
    assert "64 KiB" in answer.json()["summary"]


def chunks() -> Iterator[bytes]:
    yield b'{"source": "'
    for _ in range(40):
        yield b"#" * (32 << 10)
    yield b'"}'


def test_a_body_that_is_too_large_is_refused_declared_or_not(server: Running) -> None:
    with server.guest() as client:
        for content in (b"".join(chunks()), chunks()):
            answer = client.post(PATH, content=content, headers={"Content-Type": "application/json"})
            assert answer.status_code == 413
            assert answer.json()["error"]["code"] == "too_large"
            assert "content-security-policy" in answer.headers
        assert client.post(PATH, json={"source": "x = 1"}).status_code == 202


@pytest.mark.parametrize("wait", ["-1", "31", "nan", "soon"])
def test_a_wait_is_at_most_half_a_minute(server: Running, wait: str) -> None:
    with server.guest() as client:
        assert client.post(PATH, params={"wait": wait}, json={"source": "x = 1"}).status_code == 422


def test_one_key_is_one_submission(server: Running) -> None:
    key = {"Idempotency-Key": "a key"}
    with server.guest() as client:
        first = client.post(PATH, json={"source": "x = 1"}, headers=key)
        again = client.post(PATH, json={"source": "x = 1", "kind": "submit"}, headers=key)
        assert again.status_code == 202
        assert again.json()["id"] == first.json()["id"]
        for other in ({"source": "x = 2"}, {"source": "x = 1", "kind": "run"}, {"source": "x = 1", "framework": "jax"}):
            answer = client.post(PATH, json=other, headers=key)
            assert answer.status_code == 409
            assert answer.json()["error"]["code"] == "conflict"
    with server.guest() as other_person:
        assert other_person.post(PATH, json={"source": "x = 2"}, headers=key).status_code == 202


def test_a_hundred_double_clicks_make_a_hundred_submissions(serve: Serve) -> None:
    server = serve(rate_limits="off")
    with server.guest() as client, ThreadPoolExecutor(16) as pool:
        barrier = threading.Barrier(2, timeout=LIMIT_SECONDS)

        def click(number: int) -> tuple[int, int]:
            barrier.wait()
            answer = client.post(PATH, json={"source": "x = 1"}, headers={"Idempotency-Key": f"key {number // 2}"})
            return answer.status_code, answer.json()["id"]

        answers = []
        for pair in range(100):
            answers += list(pool.map(click, (2 * pair, 2 * pair + 1)))
    assert {status for status, _ in answers} == {202}
    assert set(Counter(id for _, id in answers).values()) == {2}
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(Submission)) == 100


def test_many_at_once_all_come_in(serve: Serve) -> None:
    server = serve(rate_limits="off")
    with server.guest() as client, ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda number: client.post(PATH, json={"source": f"x = {number}"}), range(300)))
    assert Counter(answer.status_code for answer in answers) == {202: 300}
    assert len({answer.json()["id"] for answer in answers}) == 300


class NoJudge:
    """A machine that lacks a wall."""

    cache_folder = None

    def why_not(self) -> JudgeUnavailable:
        return JudgeUnavailable("seccomp is missing", "install libseccomp2")

    def ready(self) -> bool:
        return False

    def close(self) -> None:
        pass


def test_where_nothing_can_be_judged_the_source_is_kept(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app.state, "judge", NoJudge())
    source = "def learned(): return 'never typed twice'"
    with server.guest() as client:
        answer = client.post(PATH, json={"source": source})
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "judge_unavailable"
        assert "seccomp" not in answer.text  # the operator's business
        assert client.get(f"/exercises/{GATHER}").status_code == 200
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["error"]["code"]) == (503, "judge_unavailable")
        assert client.get("/healthz").status_code == 200
    with server.state.db.reading() as db:
        draft = db.scalars(select(Draft)).one()
        user = db.get(User, draft.user_id)
        assert newest_source(db, user, GATHER, "numpy") == source
        assert db.scalar(select(func.count()).select_from(Submission)) == 0


def test_a_page_says_so_keeps_the_source_and_sends_it_later(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {"source": "x = 'never typed twice'", "framework": "torch", "idempotency_key": "a page's"}
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        with monkeypatch.context() as patch:
            patch.setattr(server.app.state, "judge", NoJudge())
            page = client.post(f"/exercises/{GATHER}/submissions", data=form)
            assert (page.status_code, page.headers["retry-after"]) == (503, "60")
            assert "saved as a draft" in page.text
            part = client.post(f"/exercises/{GATHER}/submissions", data=form, headers={"Lectern-Partial": "1"})
            assert part.text.startswith('<div class="notice bad"')
            desk = client.get(f"/exercises/{GATHER}", params={"framework": "torch"})
            assert "never typed twice" in desk.text
        sent = client.post(f"/exercises/{GATHER}/submissions", data=form)
        assert sent.status_code == 303
        assert "never typed twice" in client.get(sent.headers["location"]).text


@pytest.mark.parametrize("value", ["NaN", "[[Infinity]]", "-Infinity"])
def test_what_is_no_json_is_no_input(server: Running, value: str) -> None:
    with server.guest() as client:
        body = '{"source": "x", "kind": "run", "input": {"positions": %s, "embedding_table": "[[1.0]]"}}'
        answer = client.post(PATH, content=body.replace("%s", value), headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")


@pytest.mark.parametrize("said", ["\0", "a\0b", "\U0001f600", "\u202e", "<script>"])
def test_whatever_a_form_says_is_stored_or_refused(server: Running, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "VERDICT_WAIT_SECONDS", 0)
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        for field in ("source", "framework", "kind", "idempotency_key"):
            form = {"source": "#" * 70_000, field: said}  # turned down at once, which saves the wait for a verdict
            answer = client.post(f"/exercises/{GATHER}/submissions", data=form)
            assert answer.status_code in (303, 422)
            if answer.status_code == 303:
                assert client.get(answer.headers["location"]).status_code == 200


def test_lists_are_newest_first_and_go_on(server: Running) -> None:
    with server.guest() as client:
        ids = [client.post(PATH, json={"source": f"x = {number}"}).json()["id"] for number in range(5)]
    with server.guest() as other:
        other.post(PATH, json={"source": "x = 1"})
    with server.state.db.reading() as db:
        user = db.scalars(select(User).join(Submission).where(Submission.id == ids[0])).one()
        first = submissions_of(db, user, limit=3)
        second = submissions_of(db, user, before=first[-1].id, limit=3)
        assert [one.id for one in (*first, *second)] == ids[::-1]
        assert submissions_of(db, user, exercise="another") == []
        assert newest_source(db, user, GATHER, "numpy") == "x = 4"


def test_one_person_is_slowed_down_and_the_classroom_is_not(server: Running) -> None:
    with server.guest() as eager, server.guest() as neighbour:
        answers = [eager.post(PATH, json={"source": "x = 1"}) for _ in range(140)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert 5 < len(refused) < 140
        assert refused[0].json()["error"]["code"] == "rate_limited"
        assert int(refused[0].headers["retry-after"]) >= 1
        assert neighbour.post(PATH, json={"source": "x = 1"}).status_code == 202


def test_a_page_that_is_refused_is_a_page(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PERSON, "submission", Rate(1, 0.01))
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        answers = [client.post(f"/exercises/{GATHER}/submissions", data={"source": "#" * 70_000}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 429]
    assert "Too many requests" in answers[-1].text


def test_sign_ins_for_one_address_are_slowed_down(server: Running) -> None:
    with server.client() as client:
        body = {"email": "ada@example.org", "password": "guess after guess"}
        answers = [client.post("/api/v1/sessions", json=body).status_code for _ in range(14)]
        assert answers.count(429) >= 3
        other: httpx.Response = client.post("/api/v1/sessions", json={**body, "email": "grace@example.org"})
        assert other.status_code == 401


def test_a_trace_waits_with_its_key_null_and_a_key_covers_its_case(server: Running) -> None:
    body = {"source": "x = 1", "kind": "trace", "case": "one sentence of three tokens"}
    key = {"Idempotency-Key": "one"}
    with server.guest() as client:
        first = client.post(PATH, json=body, headers=key).json()
        assert (first["kind"], first["trace"]) == ("trace", None)
        assert client.post(PATH, json=body, headers=key).json()["id"] == first["id"]
        another = "two sentences, the first padded on the left"
        for other in ({**body, "case": another}, {**body, "case": None}, {**body, "kind": "run", "case": None}):
            assert client.post(PATH, json=other, headers=key).status_code == 409
        job = server.state.jobs.claim(0)
    assert job is not None
    assert (job.kind, job.case_name) == ("trace", "one sentence of three tokens")


def test_only_a_trace_takes_a_case_and_no_input_beside_it(server: Running) -> None:
    given = {"positions": "[[0]]", "embedding_table": "[[1.0]]"}
    with server.guest() as client:
        for body in (
            {"case": "one sentence of three tokens"},
            {"kind": "run", "case": "one sentence of three tokens"},
            {"kind": "trace", "case": "one sentence of three tokens", "input": given},
            {"kind": "trace", "case": "x" * 201},
            {"kind": "trace", "case": 1},
            {"kind": "follow"},
        ):
            answer = client.post(PATH, json={"source": "x = 1", **body})
            assert answer.status_code == 422, body


FORM = f"/exercises/{GATHER}/submissions"
OWN = {"own": "run", "input-positions": "[[0, 1]]", "input-embedding_table": "[[0.5], [1.5]]", "source": "x = 1"}
PAGE = {"Sec-Fetch-Site": "same-origin"}


def test_a_form_brings_an_input_of_ones_own(server: Running) -> None:
    with server.guest() as client:
        answer = client.post(FORM, data={**OWN, "case": "one sentence of three tokens"}, headers=PAGE)
        assert answer.status_code == 303
        id = int(answer.headers["location"].rpartition("/")[2])
    with server.state.db.reading() as db:
        sent = db.get_one(Submission, id)
    assert (sent.kind, sent.case_name) == ("run", None)
    assert sent.inputs == {"positions": "[[0, 1]]", "embedding_table": "[[0.5], [1.5]]"}


def test_fields_of_an_input_are_nothing_to_a_plain_submit(server: Running) -> None:
    with server.guest() as client:
        answer = client.post(FORM, data={**OWN, "own": "", "kind": "submit", "input-positions": "["}, headers=PAGE)
    assert answer.status_code == 303


def test_an_input_that_cannot_be_read_comes_back_with_everything_typed_and_nothing_stored(server: Running) -> None:
    typed = {**OWN, "input-positions": '<b>["', "source": "mine = 1"}
    with server.guest() as client:
        page = client.post(FORM, data=typed, headers=PAGE)
        part = client.post(FORM, data=typed, headers={**PAGE, "Lectern-Partial": "1"})
        kept = client.get("/progress").text
    assert page.status_code == part.status_code == 422
    for text in (page.text, part.text):
        assert "&lt;b&gt;[&#34;" in text
        assert "<b>[" not in text
        assert 'aria-invalid="true"' in text
        assert "positions is not a Python literal" in text
        assert "[[0.5], [1.5]]" in text
    assert "mine = 1" in page.text
    assert "sent once" not in kept


def test_the_same_form_with_another_input_is_another_submission(server: Running) -> None:
    with server.guest() as client:
        first, again, other = (
            client.post(FORM, data={**OWN, **more, "idempotency_key": "k"}, headers=PAGE).headers["location"]
            for more in ({}, {}, {"input-positions": "[[1, 1]]"})
        )
    assert first == again != other
