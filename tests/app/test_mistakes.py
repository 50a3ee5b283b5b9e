"""Every mistake, sent as a student sends it: the page says the mistake's own sentence. With LECTERN_EXERCISES=exercises
that is done for all that ships, which takes a quarter of an hour."""

import html
import itertools
import re
from collections.abc import Iterator

import httpx
import pytest

from app.settings import Settings
from app.web.filters import ticks
from graders.exercise.definition import Exercise, KnownMistake
from graders.exercise.reader import read_exercise
from graders.verdict import Verdict
from tests.conftest import Running, running
from tests.waiting import until

SHIPPED = [
    read_exercise(path.parent) for folder in Settings().exercises for path in sorted(folder.glob("*/exercise.toml"))
]


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = Settings(data=tmp_path_factory.mktemp("mistakes"), workers=2, rate_limits="off")
    with running(settings) as server:
        with server.client() as client:
            until(lambda: client.get("/readyz").status_code == 200, "the judge is not warm", look_seconds=0.1)
        yield server


DEAR = ("flax-learned-pos", "learned-absolute-position-embedding")  # whose mistakes take longest


def _of(exercise: Exercise) -> object:
    return pytest.param(exercise, id=exercise.slug, marks=[pytest.mark.extra] if exercise.slug in DEAR else [])


@pytest.mark.parametrize("exercise", [_of(exercise) for exercise in SHIPPED])
def test_a_student_who_makes_a_known_mistake_reads_its_own_sentence(judging: Running, exercise: Exercise) -> None:
    own = {"Sec-Fetch-Site": "same-origin"}
    with judging.client(**own) as one, judging.client(**own) as other:  # two, who are judged side by side
        # What a rule about the source refuses is told in the rule's words.
        judged = [mistake for mistake in exercise.mistakes if mistake.verdict != Verdict.invalid_submission]
        sent = [(student, mistake.name, submit(student, exercise, mistake))
                for student, mistake in zip(itertools.cycle([one, other]), judged)]  # fmt: skip
        pages = {name: finished(student, address) for student, name, address in sent}
    told = {mistake.name: mistake.feedback for mistake in judged}
    assert pages.keys() == told.keys()
    for name, page in pages.items():
        assert in_words(str(ticks(told[name]))) in in_words(page), f"{name}: {in_words(page)}"
        others = {text for text in told.values() if in_words(str(ticks(text))) in in_words(page)} - {told[name]}
        assert not others, (name, others)


def submit(student: httpx.Client, exercise: Exercise, mistake: KnownMistake) -> str:
    """The address of the submission's page. The docstring, which the page would quote as source, is left out."""
    source = re.sub(rf'r?"""{re.escape(docstring(mistake))}"""', "", mistake.source.text)
    assert mistake.feedback not in " ".join(source.split())
    form = {"source": source, "framework": mistake.source.framework, "kind": "submit"}
    sent = student.post(f"/exercises/{exercise.slug}/submissions", data=form)
    assert sent.status_code == 303, sent.text
    return sent.headers["location"]


def finished(student: httpx.Client, address: str) -> str:
    """The page, once the verdict is on it."""

    def page() -> str:
        text = student.get(address).raise_for_status().text
        return text if 'data-state="finished"' in text else ""

    return until(page, address, look_seconds=0.05)


def docstring(mistake: KnownMistake) -> str:
    found = re.search(r'"""(.*?)"""', mistake.source.text, re.DOTALL)
    assert found
    return found[1]


def in_words(page: str) -> str:
    return " ".join(html.unescape(page).split())
