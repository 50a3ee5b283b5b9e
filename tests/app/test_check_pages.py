"""The page of a check: live while the gate works, for those who may author the subject, with what an author can use."""

import html
import re
from collections.abc import Iterator

import httpx
import pytest

from app.people import accounts
from app.settings import Settings
from tests.app.thresholds import CASES, thresholds
from tests.conftest import Running, require_boxes, running
from tests.waiting import LIMIT_SECONDS

PARTIAL = {"Lectern-Partial": "1"}
SLUG = "thresholds"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("check-pages")
    with running(Settings(workers=1, data=folder, exercises=(folder / "none",), lessons=(folder / "none",))) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


@pytest.fixture(scope="module")
def teacher(server: Running) -> Iterator[httpx.Client]:
    accounts.add_user(server.state.db, "teacher@example.org", "instructor", None)
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, 'teacher@example.org')}") as client:
        yield client


def save(teacher: httpx.Client, base: str | None, files: dict[str, bytes]) -> str:
    texts = {path: content.decode() for path, content in files.items()}
    sent = {"base": base, "files": texts, "message": "A test."}
    return str(teacher.post(f"/api/v1/exercises/{SLUG}/revisions", json=sent).raise_for_status().json()["revision"])


def panels(teacher: httpx.Client, address: str) -> Iterator[str]:
    """Each that the stream brings, until it ends."""
    lines: list[str] = []
    with teacher.stream("GET", f"{address}/events", timeout=LIMIT_SECONDS) as stream:
        assert stream.status_code == 200
        for line in stream.iter_lines():
            if line.startswith("data:"):
                lines.append(line.removeprefix("data:").removeprefix(" "))
            elif lines and not line:
                yield "\n".join(lines)
                lines = []


@pytest.fixture(scope="module")
def first(teacher: httpx.Client) -> str:
    return save(teacher, None, thresholds())


@pytest.fixture(scope="module")
def watched(teacher: httpx.Client, first: str) -> list[str]:
    """The panels of the first revision's check, from its queue to its end."""
    address = f"/author/exercise/{SLUG}/checks/{first}"
    beginning = teacher.get(address, headers=PARTIAL).raise_for_status().text
    assert f'data-events="{address}/events"' in beginning
    return [beginning, *panels(teacher, address)]


def test_the_panel_comes_step_by_step_and_ends_with_what_to_correct(watched: list[str]) -> None:
    assert any("Makes the cases" in panel and 'data-state="running"' in panel for panel in watched)
    last = watched[-1]
    assert "data-events" not in last
    assert 'data-state="finished" data-ok="no"' in last
    assert 'data-code="mistake-verdict" data-severity="error" data-path="mistakes/keeps-equal.py" data-line=""' in last
    assert 'data-code="mutant-lives" data-severity="warning" data-path="reference.py" data-line="5"' in last
    assert "You keep everything: nothing is replaced by 0." in last


def test_the_case_on_the_page_makes_it_ready(teacher: httpx.Client, first: str, watched: list[str]) -> None:
    found = re.search(r"<pre[^>]* data-snippet>(.*?)</pre>", watched[-1], re.S)
    assert found is not None
    files = thresholds(cases_py=CASES + html.unescape(found[1]))
    revision = save(teacher, first, files)
    address = f"/author/exercise/{SLUG}/checks/{revision}"
    teacher.get(address).raise_for_status()
    assert 'data-ok="yes"' in [*panels(teacher, address)][-1]
    check = teacher.get(f"/api/v1/exercises/{SLUG}/revisions/{revision}").raise_for_status().json()["check"]
    assert check.keys() == {"state", "ok", "faults", "mutants", "killed", "equivalent"}
    assert (check["state"], check["ok"], check["killed"]) == ("finished", True, check["mutants"])


def test_a_case_and_a_mutant_have_heat_maps(teacher: httpx.Client, first: str, watched: list[str]) -> None:
    address = f"/author/exercise/{SLUG}/checks/{first}"
    for place in ("cases/1", "mutants/1"):
        assert "<svg" in teacher.get(f"{address}/{place}", headers=PARTIAL).raise_for_status().text
        assert "As NumPy prints it" in teacher.get(f"{address}/{place}").raise_for_status().text
    for place in ("cases/0", "cases/99", "mutants/2"):
        assert teacher.get(f"{address}/{place}").status_code == 404


def test_an_older_revision_is_checked_only_when_it_is_asked_for(teacher: httpx.Client, watched: list[str]) -> None:
    newest = teacher.get(f"/api/v1/exercises/{SLUG}/files").json()["revision"]
    older = save(teacher, newest, thresholds(hints_md="1. Never looked at.\n"))
    save(teacher, older, thresholds(hints_md="1. Newer.\n"))
    address = f"/author/exercise/{SLUG}/checks/{older}"
    assert 'data-state="none"' in teacher.get(address, headers=PARTIAL).text
    again = teacher.post(f"/author/exercise/{SLUG}/checks", data={"revision": older}, headers={"Origin": ""})
    assert (again.status_code, again.headers["Location"]) == (303, address)
    assert 'data-state="finished"' in [*panels(teacher, address)][-1]


def test_nobody_else_sees_it(server: Running, first: str) -> None:
    accounts.add_user(server.state.db, "student@example.org", "student", None)
    token = accounts.make_token(server.state.db, "student@example.org")
    address = f"/author/exercise/{SLUG}/checks/{first}"
    with server.client(Authorization=f"Bearer {token}") as student, server.client() as nobody:
        for place in ("", "/events", "/cases/1", "/mutants/1"):
            assert student.get(address + place).status_code == 404
            assert nobody.get(address + place).status_code == 401
        assert student.post(f"/author/exercise/{SLUG}/checks", data={"revision": first}).status_code == 404
