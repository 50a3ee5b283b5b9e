"""A lab's experiment over HTTP: a reader's numbers within their bounds, our code in a box, frames that were checked."""

import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from app.content.labs import train_a_table
from app.content.labs.training import train
from app.people.users import User
from app.settings import Settings
from app.web.errors import RateLimited
from app.web.limits import PERSON
from graders.cell import RESULT_BYTES
from tests.conftest import Running, Serve, require_boxes, running

PAGE = "/courses/labs/table"
RUNS = f"{PAGE}/labs/train-a-table/runs"
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "labs").mkdir()
    (folder / "labs" / "course.toml").write_text('title = "Labs"\nblurb = "Figures to move"\n')
    (folder / "labs" / "01-table.md").write_text(
        "---\ntitle: Table\n---\n:::{lab} train-a-table\nA table.\n:::\n\n:::{lab} rotation\nTwo arrows.\n:::\n"
    )
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, lessons: Path) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("data")
    settings = Settings(data=data, workers=1, lessons=(lessons,), exercises=(data / "none",), rate_limits="off")
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


@pytest.fixture
def browser(site: Running) -> Iterator[httpx.Client]:
    with site.client(**SAME_ORIGIN) as client:
        yield client


def test_a_training_in_a_box_gives_what_the_same_code_gives_here(browser: httpx.Client) -> None:
    answer = browser.post(RUNS, data={"seed": "3", "max_len": "16", "d_model": "4", "steps": "120", "rate": "0.3"})
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert said["parameters"] == {"seed": 3, "max_len": 16, "d_model": 4, "steps": 120, "rate": 0.3}
    for (step, loss, table), (its_step, its_loss, its_table) in zip(
        said["frames"], train(3, 16, 4, 120, 0.3), strict=True
    ):
        assert step == its_step
        assert loss == pytest.approx(its_loss, abs=1e-4)
        assert np.array(table) == pytest.approx(its_table, abs=1e-4)
    assert not answer.cookies, "nothing is kept of it, and so it makes no guest"


def test_the_largest_training_fits_into_an_answer_and_is_finite_at_the_highest_rate(browser: httpx.Client) -> None:
    largest = {one.name: str(one.values[-1]) for one in train_a_table.PARAMETERS}
    assert largest["rate"] == "1"
    answer = browser.post(RUNS, data=largest)
    assert answer.status_code == 200, answer.text
    assert len(answer.content) < RESULT_BYTES
    assert len(answer.json()["frames"]) == 25


def test_the_api_fills_in_what_is_not_given(site: Running) -> None:
    with site.guest() as guest:
        said = guest.post(f"/api/v1{RUNS}", json={"parameters": {"steps": 120.0}}).json()
        assert said["parameters"] == {"seed": 0, "max_len": 24, "d_model": 8, "steps": 120, "rate": 0.1}
        for wrong in ({"steps": True}, {"steps": "120"}, {"seed": 0.5}, {"rate": 1e300}):
            answer = guest.post(f"/api/v1{RUNS}", json={"parameters": wrong})
            assert answer.status_code == 422, answer.text
            assert answer.json()["error"]["code"] == "invalid"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seed": "100"}, "a whole number from 0 to 99"),
        ({"seed": "-1"}, "a whole number from 0 to 99"),
        ({"max_len": "1000000"}, "from 16 to 48 in steps of 8"),
        ({"steps": "121"}, "from 120 to 480 in steps of 60"),
        ({"d_model": "3"}, "one of 2, 4, 8, 16"),
        ({"rate": "nan"}, "one of 0.03, 0.1, 0.3, 1"),
        ({"seed": "__import__('os')"}, "a whole number"),
        ({"source": "print(1)"}, "seed, max_len, d_model, steps, rate"),
    ],
)
def test_what_is_out_of_bounds_is_said_in_words(browser: httpx.Client, given: dict[str, str], words: str) -> None:
    answer = browser.post(RUNS, data=given)
    assert answer.status_code == 422
    assert words in answer.json()["error"]["hint"]


def test_what_has_no_experiment_is_not_there(browser: httpx.Client) -> None:
    for lab in ("rotation", "alibi-slopes", "none"):
        assert browser.post(f"{PAGE}/labs/{lab}/runs").status_code == 404
    assert browser.post("/courses/labs/none/labs/train-a-table/runs").status_code == 404


def test_another_site_cannot_have_a_visitor_train_anything(site: Running) -> None:
    with site.client(**{"Sec-Fetch-Site": "cross-site"}) as client:
        assert client.post(RUNS).status_code == 403


def test_one_person_trains_only_so_often(serve: Serve, lessons: Path) -> None:
    server = serve(lessons=lessons)
    with server.guest() as guest:
        with server.state.db.reading() as db:
            person = db.query(User).one().id
        for _ in range(10):  # what a machine that stood still has let grow back is spent again
            for _ in range(PERSON["cell"].burst + 1):
                with suppress(RateLimited):
                    server.state.limits.spend("cell", person=person)
            answer = guest.post(RUNS)
            if answer.status_code == 429:
                break
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_where_nothing_can_be_run_the_committed_frames_are_there_and_it_is_said(serve: Serve, lessons: Path) -> None:
    server = serve(lessons=lessons)
    with server.client(**SAME_ORIGIN) as browser:
        assert "data-frames" in browser.get(PAGE).text
        answer = browser.post(RUNS)
    assert answer.status_code == 503
    error = answer.json()["error"]
    assert error["code"] == "judge_unavailable"
    assert "The plots are unchanged" in error["hint"]


@pytest.mark.parametrize(
    "spoilt",
    [
        None,
        {},
        [],
        lambda frames: frames[:-1],
        lambda frames: [[0, 3.1, []], *frames[1:]],
        lambda frames: [[0.0, *frames[0][1:]], *frames[1:]],
        lambda frames: [[0, math.nan, frames[0][2]], *frames[1:]],
        lambda frames: [[0, None, frames[0][2]], *frames[1:]],
        lambda frames: [[0, 3.1, [[None, *frames[0][2][0][1:]], *frames[0][2][1:]]], *frames[1:]],
        lambda frames: [[0, 3.1, [["<b>", *frames[0][2][0][1:]], *frames[0][2][1:]]], *frames[1:]],
        lambda frames: [[0, 3.1, frames[0][2][1:]], *frames[1:]],
    ],
)
def test_what_a_box_gives_is_passed_on_only_as_the_frames_that_were_asked_for(spoilt: Any) -> None:
    asked = {one.name: one.default for one in train_a_table.PARAMETERS}
    frames = [[step, loss, table.tolist()] for step, loss, table in train(0)]
    assert train_a_table.read(frames, asked) == frames
    with pytest.raises(ValueError, match="frame"):
        train_a_table.read(spoilt(frames) if callable(spoilt) else spoilt, asked)
