"""Cells of lessons over HTTP: shown with the author's output, run as a reader changed them, stored nowhere."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from app.people.users import User
from app.reading.cells import LessonCells
from app.settings import Settings
from app.web.errors import RateLimited
from app.web.limits import AT_ONCE, PERSON, RateLimits
from tests.conftest import BACKENDS, Running, require_boxes, running, scratch_postgres
from tests.waiting import until

LESSON = """---
title: Cells
---

:::{code-cell} python
:name: made
:caption: A range
import numpy as np
print("made", "by the author")
np.arange(4.0).reshape(2, 2)
:::

:::{code-cell}
:name: next
:continues:
np.abs(-3)
:::

:::{code-cell}
:name: third
:continues:
2 * np.ones(1)
:::

:::{code-cell}
:name: drawn
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
None
:::

:::{code-cell}
:name: read
:run: false
never_run()
:::
"""
PAGE = "/courses/cells/cells"
RUNS = f"{PAGE}/cells/made/runs"


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "cells").mkdir()
    (folder / "cells" / "course.toml").write_text('title = "Cells"\nblurb = "Code to run"\n')
    (folder / "cells" / "01-cells.md").write_text(LESSON)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, lessons: Path) -> Iterator[Running]:
    """A server with a judge, which has made the author's outputs."""
    data = tmp_path_factory.mktemp("data")
    settings = Settings(data=data, workers=2, lessons=(lessons,), exercises=(data / "none",), rate_limits="off")
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        cells = list(server.state.catalog.cells())
        until(lambda: all(map(server.state.cells.output, cells)), "the author's outputs were never made")
        yield server


@pytest.fixture
def browser(site: Running) -> Iterator[httpx.Client]:
    """As a browser without scripts, on this site's pages."""
    with site.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        yield client


def test_a_lesson_shows_what_its_cells_give_before_anybody_runs_them(browser: httpx.Client) -> None:
    page = browser.get(PAGE).text
    assert "made by the author" in page
    assert "float64[2, 2]" in page
    assert "[[0. 1.]\n [2. 3.]]" in page
    assert "Runs after the cell above<span data-unscripted>, in the author’s version</span>" in page
    assert "never_run" in page
    assert "/cells/read/runs" not in page, "a listing has no button"


def test_an_authors_picture_comes_by_itself_when_it_is_scrolled_to(browser: httpx.Client) -> None:
    page = browser.get(PAGE).text
    assert "data:image" not in page
    found = re.search(rf'src="({PAGE}/cells/drawn/figures/1\?v=\w+)" loading="lazy"', page)
    assert found
    picture = browser.get(found[1])
    assert picture.headers["content-type"] == "image/png"
    assert "immutable" in picture.headers["cache-control"]
    assert picture.content.startswith(b"\x89PNG")
    assert browser.get(found[1].split("?")[0]).headers["cache-control"] == "no-cache"
    for nothing in ("drawn/figures/0", "drawn/figures/2", "made/figures/1", "none/figures/1"):
        assert browser.get(f"{PAGE}/cells/{nothing}").status_code == 404


def test_an_authors_output_is_kept_for_the_next_start(site: Running) -> None:
    again = LessonCells(None, site.state.settings.cache_folder / "cells", 1)
    for cell in site.state.catalog.cells():
        kept = again.output(cell)
        assert kept is not None
        assert kept == site.state.cells.output(cell)


def test_without_scripts_the_page_shows_what_the_readers_code_gave(browser: httpx.Client) -> None:
    answer = browser.post(RUNS, data={"source": "print('\\x1b[31m<b>mine</b>')\r\n6 * 7"})
    assert answer.status_code == 200
    assert "\n&lt;b&gt;mine&lt;/b&gt;" in answer.text, "colours are for terminals"
    assert "<b>mine</b>" not in answer.text
    assert ">\n42</pre>" in answer.text
    assert "Ran in" in answer.text
    assert "by the author" in answer.text, "to reset it"


def test_a_part_of_the_page_is_the_output_alone(browser: httpx.Client) -> None:
    part = browser.post(RUNS, data={"source": "1 / 0"}, headers={"Lectern-Partial": "1"})
    assert part.status_code == 200
    assert "<html" not in part.text
    assert 'data-error-line="1"' in part.text
    assert "divided by zero" in part.text


def test_the_api_gives_it_as_json_after_the_cells_it_continues(site: Running) -> None:
    with site.guest() as guest:
        answer = guest.post(f"/api/v1{PAGE}/cells/next/runs", json={"source": "np.ones(2)"})
        assert answer.status_code == 200, answer.text
        said = answer.json()
        assert said["value"] == {"type": "ndarray", "text": "[1. 1.]", "shape": [2], "dtype": "float64"}
        assert (said["stdout"], said["error"], said["figures"]) == ("", None, [])
        raised = guest.post(f"/api/v1{PAGE}/cells/next/runs", json={"source": "\nnothing"}).json()["error"]
        assert (raised["type"], raised["line"], raised["cell"]) == ("NameError", 2, None)


def test_a_cell_runs_after_the_edited_text_of_those_above_it(site: Running, browser: httpx.Client) -> None:
    """The third after the reader's first and the author's second; then after the reader's both."""
    first, second = "import numpy as np\r\nbase = 10", "base = base * 2"
    own = {"source": "print(base, __name__)", "edited-made": first}
    part = browser.post(f"{PAGE}/cells/third/runs", data=own, headers={"Lectern-Partial": "1"})
    assert "\n10 __main__</pre>" in part.text
    part = browser.post(
        f"{PAGE}/cells/third/runs", data={**own, "edited-next": second}, headers={"Lectern-Partial": "1"}
    )
    assert "\n20 __main__</pre>" in part.text
    with site.guest() as guest:
        runs = f"/api/v1{PAGE}/cells/third/runs"
        answer = guest.post(runs, json={"source": "base", "edited": {"made": "base = 7", "next": second}})
        assert answer.json()["value"]["text"] == "14"
        error = guest.post(runs, json={"source": "base", "edited": {"made": "base = 1 / 0"}}).json()["error"]
        assert (error["type"], error["cell"]) == ("ZeroDivisionError", "made")
        unknown = guest.post(runs, json={"source": "1", "edited": {"third": "2"}})
        assert unknown.status_code == 422
        assert "does not run before this one" in unknown.text
        assert "made, next" in unknown.text
        long = guest.post(runs, json={"source": "1", "edited": {"made": "#" * (65 << 10)}})
        assert (long.status_code, "at most 64 KB" in long.text) == (422, True)


def test_a_run_makes_no_guest_and_is_stored_nowhere(site: Running, browser: httpx.Client) -> None:
    def people() -> int:
        with site.state.db.reading() as db:
            return db.query(User).count()

    before = people()
    answer = browser.post(RUNS, data={"source": "1"})
    assert answer.status_code == 200
    assert not answer.cookies
    assert people() == before


def test_another_site_cannot_have_a_visitor_run_anything(site: Running) -> None:
    with site.client(**{"Sec-Fetch-Site": "cross-site"}) as client:
        assert client.post(RUNS, data={"source": "1"}).status_code == 403


def test_what_is_not_there_or_too_long_is_said(browser: httpx.Client) -> None:
    assert browser.post(f"{PAGE}/cells/none/runs", data={"source": "1"}).status_code == 404
    assert browser.post(f"{PAGE}/cells/read/runs", data={"source": "1"}).status_code == 404
    long = browser.post(RUNS, data={"source": "#" * (65 << 10)})
    assert long.status_code == 422
    assert "at most 64 KB" in long.text


@pytest.fixture(scope="module", params=BACKENDS)
def unjudged_site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, lessons: Path
) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("unjudged")
    with ExitStack() as opened:
        url = opened.enter_context(scratch_postgres()) if request.param == "postgresql" else ""
        settings = Settings(data=data, cache=data / "cache", database_url=url, workers=0, lessons=(lessons,))
        yield opened.enter_context(running(settings))


@pytest.fixture
def unjudged(unjudged_site: Running) -> Running:
    """A server that runs nothing, and has not seen anybody yet today."""
    unjudged_site.app.state.limits = RateLimits()
    return unjudged_site


def newest_person(server: Running) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(func.max(User.id))).one()


def test_one_person_runs_only_so_many_at_once(unjudged: Running) -> None:
    with unjudged.guest() as guest:
        assert guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "1"}).status_code == 503, "no judge here"
        person = newest_person(unjudged)
        for _ in range(10):  # what a machine that stood still has let grow back is spent again
            for _ in range(PERSON["cell"].burst):
                with suppress(RateLimited):
                    unjudged.state.limits.spend("cell", person=person)
            answer = guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "1"})
            if answer.status_code == 429:
                break
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_one_person_never_holds_all_the_places_where_cells_run(unjudged: Running) -> None:
    run = {"source": "while True: pass"}
    with unjudged.guest() as guest, ExitStack() as running_cells:
        person = newest_person(unjudged)
        other = running_cells.enter_context(unjudged.guest())
        assert guest.post(f"/api/v1{PAGE}/cells/made/runs", json=run).status_code == 503, "no judge here"
        for _ in range(AT_ONCE["cell"][0]):
            held = unjudged.state.limits.holding("cell", person=person, address="192.0.2.1")
            running_cells.enter_context(held)
        answer = guest.post(f"/api/v1{PAGE}/cells/made/runs", json=run)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
        assert "Wait until one has finished" in answer.text
        assert other.post(f"/api/v1{PAGE}/cells/made/runs", json=run).status_code == 503, "another may"
        running_cells.close()
        assert guest.post(f"/api/v1{PAGE}/cells/made/runs", json=run).status_code == 503, "and so may they again"
    assert not unjudged.state.limits._held, "nobody is remembered"


def test_one_address_never_holds_them_all_either(unjudged: Running) -> None:
    with unjudged.guest() as guest, ExitStack() as running_cells:
        for number in range(AT_ONCE["cell"][1]):
            running_cells.enter_context(unjudged.state.limits.holding("cell", person=-number, address="127.0.0.1"))
        answer = guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "1"})
    assert answer.status_code == 429


def test_where_nothing_can_be_run_the_typed_code_is_kept(unjudged: Running) -> None:
    with unjudged.client(**{"Sec-Fetch-Site": "same-origin"}) as browser:
        assert "Run it to see the output." in browser.get(PAGE).text
        answer = browser.post(RUNS, data={"source": "my_own = 'code'"})
    assert answer.status_code == 503
    assert "my_own = &#39;code&#39;" in answer.text
    assert "cannot run code right now" in answer.text
    with unjudged.guest() as guest:
        api = guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "1"})
    assert api.json()["error"]["code"] == "judge_unavailable"


@contextmanager
def every_turn_taken(site: Running) -> Iterator[None]:
    """As many cells run and wait as may."""
    cells = site.state.cells._cells
    assert cells is not None
    taken = 0
    while cells._present.acquire(blocking=False):
        taken += 1
    try:
        yield
    finally:
        for _ in range(taken):
            cells._present.release()


def test_when_too_many_wait_a_newcomer_is_told_so_and_keeps_the_typed_code(
    site: Running, browser: httpx.Client
) -> None:
    typed = {"source": "my_own = '<code>'\n6 * 7"}
    with every_turn_taken(site), site.guest() as guest:
        page = browser.post(RUNS, data=typed)
        part = browser.post(RUNS, data=typed, headers={"Lectern-Partial": "1"})
        api = guest.post(f"/api/v1{PAGE}/cells/made/runs", json=typed)
    assert {page.status_code, part.status_code, api.status_code} == {503}
    assert {answer.headers["Retry-After"] for answer in (part, api)} == {"5"}
    assert "my_own = &#39;&lt;code&gt;&#39;\n6 * 7" in page.text
    for answer in (page, part, api):
        assert "The server is busy, and your code did not get a turn." in answer.text
        assert "Your code is still here: run it again in a moment." in answer.text
    assert api.json()["error"]["code"] == "judge_unavailable"
    again = browser.post(RUNS, data=typed)
    assert again.status_code == 200
    assert ">\n42</pre>" in again.text
