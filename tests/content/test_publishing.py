"""Only what passed is published: what fails keeps its last good state live, and no fault opens a quiz."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.content.course import read_course
from app.content.lesson import read_lesson
from app.db import Database
from app.people import accounts
from app.reading.admission import Admission
from app.reading.catalog import Catalog
from app.reading.search import search
from app.reading.snapshots import current_id, store
from app.settings import Settings
from graders.boxes.pool import Judge
from graders.exercise.fault import Fault
from graders.proof.admitted import Admitted
from tests.conftest import running
from tests.content.hostile import course, exercise
from tests.graders.conftest import make_exercise
from tests.server_process import DOUBLED, one_exercise
from tests.waiting import until

SECRET = "The answer is seventeen."
QUIZ = f"""::::{{question}} q
:type: count
:answer: 17
How many?
:::{{explain}}
{SECRET}
:::
::::
"""
HEADS = {
    "as it should be": "title: Q\nkind: quiz\nattempts: 1",
    "a colon too many": "title: Q: and more\nkind: quiz\nattempts: 1",
    "a kind that is none": "title: Q\nkind: quizz\nattempts: 1",
    "no kind": "title: Q\nattempts: 1",
    "a number in words": "title: Q\nkind: quiz\nattempts: one",
    "a limit that is none": "title: Q\nkind: quiz\ntime_limit: -1",
}


def read(text: str) -> tuple[bool, str]:
    """Whether its questions can be had outside an attempt, and all that its page holds."""
    lesson = read_lesson(text, course_slug="c", name="01-a.md", path="01-a.md", links=lambda href: href)
    is_open = bool(lesson.questions) and not lesson.is_counted
    return is_open, "".join(block.html for block in lesson.render().blocks if block.kind == "html")


@pytest.mark.parametrize("head", HEADS)
def test_a_quiz_whose_head_is_wrong_is_no_open_lesson(head: str) -> None:
    is_open, html = read(f"---\n{HEADS[head]}\n---\n{QUIZ}")
    assert not is_open
    assert SECRET not in html
    assert ("not shown" in html) == (head != "as it should be")


@pytest.mark.parametrize("before", [" ", "\n", "x\n", "--\n"])
def test_a_head_that_does_not_begin_the_file_opens_nothing_either(before: str) -> None:
    is_open, html = read(f"{before}---\n{HEADS['as it should be']}\n---\n{QUIZ}")
    assert not is_open
    assert "attempts" not in html


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database(sqlite_url)
    yield database
    database.close()


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return Catalog(database)


def publish(catalog: Catalog, tmp_path: Path) -> None:
    catalog.import_folders([tmp_path / "exercises"], [tmp_path / "lessons"])


def body(catalog: Catalog) -> str:
    return catalog.lesson("demo", "a")[1].body


BROKEN = {
    "a link": "First, then [gone](09-gone.md).\n",
    "a formula": "First, then $\\frac{1$.\n",
    "a slip": "First, then\n\n::{note}\nno note\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_course_with_a_fault_keeps_its_last_good_state_and_is_held(
    catalog: Catalog, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = course(tmp_path / "lessons" / "demo", "First.\n")
    publish(catalog, tmp_path)
    assert catalog.held == {}
    lesson = folder / "01-a.md"
    good = lesson.read_text()
    lesson.write_text(good.replace("First.\n", text))
    publish(catalog, tmp_path)
    assert body(catalog).strip() == "First."
    (fault,) = catalog.held["course", "demo"]
    assert (fault.path, bool(fault.line)) == ("01-a.md", True)
    assert "demo/01-a.md" in "".join(capsys.readouterr())  # the log goes where a server of this process sent it
    lesson.write_text(good.replace("First.", "Second."))
    publish(catalog, tmp_path)
    assert body(catalog).strip() == "Second."
    assert catalog.held == {}


def test_a_course_that_never_passed_is_left_out(catalog: Catalog, tmp_path: Path) -> None:
    course(tmp_path / "lessons" / "demo", BROKEN["a link"])
    course(tmp_path / "lessons" / "other", "Fine.\n")
    publish(catalog, tmp_path)
    assert catalog.courses.keys() == {"other"}
    assert catalog.held.keys() == {("course", "demo")}


def test_an_exercise_with_a_fault_keeps_its_last_good_state(catalog: Catalog, tmp_path: Path) -> None:
    folder = exercise(tmp_path / "exercises" / "softmax")
    publish(catalog, tmp_path)
    served = catalog.exercise("softmax").content_hash
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace("minutes", "minuts").replace("difficulty", "dificulty"))
    publish(catalog, tmp_path)
    assert catalog.exercise("softmax").content_hash == served
    assert len(catalog.held["exercise", "softmax"]) == 2
    (folder / "exercise.toml").write_text(toml)
    (folder / "statement.md").write_text(" \n")
    publish(catalog, tmp_path)
    assert catalog.exercise("softmax").content_hash == served
    assert [fault.code for fault in catalog.held["exercise", "softmax"]] == ["no-statement"]


def test_what_was_published_stays_published_when_a_release_finds_more(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    """That its snapshot is served is the record that it passed."""
    folder = course(tmp_path / "lessons" / "demo", BROKEN["a slip"])
    with database.writing() as db:  # as the release before did, which did not look for such a fault
        store(db, "course", {"demo": read_course(folder)})
    publish(catalog, tmp_path)
    assert "::{note}" in body(catalog)
    assert catalog.held == {}


def test_staff_are_told_on_the_page_and_nobody_else_is(tmp_path: Path) -> None:
    lessons = tmp_path / "lessons"
    course(lessons / "demo", "First.\n")
    chosen = Settings(data=tmp_path / "data", exercises=(tmp_path / "none",), lessons=(lessons,), workers=0)
    with running(chosen):
        pass
    (lessons / "demo" / "01-a.md").write_text("---\ntitle: A: B\n---\nSecond, and <b>.\n")
    course(lessons / "new", "[<i>words</i>](09-gone.md)\n")
    with running(chosen) as server:
        accounts.add_user(server.state.db, "ada@example.org", "instructor", None)
        token = accounts.make_token(server.state.db, "ada@example.org")
        with server.client() as client:
            assert "not published" not in client.get("/").text
            assert client.get("/courses/new").status_code == 404
            staff = {"Authorization": f"Bearer {token}"}
            home, shown = client.get("/", headers=staff).text, client.get("/courses/demo", headers=staff).text
    assert "01-a.md:2" in shown
    assert "01-a.md:2" in home
    assert "Not published: new" in home
    assert "<i>" not in home


RAISES = [Fault("error", "reference.py", 3, "broken-exercise", "Raises ValueError.", "Correct that line.")]


def test_an_exercise_that_is_not_admitted_gives_way_to_its_last_proved_state(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "exercises" / "softmax"
    exercise(folder)
    publish(catalog, tmp_path)
    first = catalog.exercises["softmax"]
    catalog.judged(first, [])
    (folder / "statement.md").write_text("Another statement.")
    publish(catalog, tmp_path)
    second = catalog.exercises["softmax"]
    catalog.judged(second, RAISES)
    assert catalog.exercises["softmax"].content_hash == first.content_hash
    assert catalog.held["exercise", "softmax"] == tuple(RAISES)
    with database.reading() as db:
        assert current_id(db, "exercise", "softmax") == catalog.snapshot_ids["softmax"]
    catalog.judged(catalog.exercises["softmax"], RAISES)
    assert catalog.exercises["softmax"].content_hash == first.content_hash  # proved once: the machine is busy
    catalog.judged(second, [])  # as the second then was
    assert catalog.exercises["softmax"] is second
    assert catalog.held == {}
    catalog.judged(first, RAISES)  # late, and of a state that is no longer served
    assert catalog.exercises["softmax"] is second


def test_an_exercise_that_has_changed_stays_as_it_was_until_the_judge_admits_it(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "exercises" / "softmax"
    exercise(folder)
    (folder / "statement.md").write_text("Make them sum to one.")

    def publish_judged() -> None:
        catalog.import_folders([tmp_path / "exercises"], [tmp_path / "lessons"], is_judged=True)

    def found(words: str) -> list[str]:
        with database.reading() as db:
            return [one.url for one in search(db, words, as_typed=True).results]

    publish_judged()
    first = catalog.exercises["softmax"]
    assert catalog.awaited() == [first]  # there is no earlier one to show meanwhile
    catalog.judged(first, [])
    (folder / "statement.md").write_text("Turn scores into weights.")
    for _ in range(2):  # and a restart changes nothing
        publish_judged()
        assert catalog.exercises["softmax"].content_hash == first.content_hash
        assert found("sum to one") == ["/exercises/softmax"]
        assert found("into weights") == []
    served, second = catalog.awaited()
    assert served is catalog.exercises["softmax"]
    catalog.judged(second, [])
    assert catalog.exercises["softmax"] is second
    assert found("into weights") == ["/exercises/softmax"]
    publish_judged()
    assert catalog.exercises["softmax"].content_hash == second.content_hash
    catalog.judged(catalog.exercises["softmax"], [])
    (folder / "statement.md").write_text("Make them sum to one.")
    publish_judged()
    assert catalog.exercises["softmax"].content_hash == first.content_hash, "it was admitted before"


def test_an_exercise_that_was_never_admitted_is_listed_once_it_is(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    exercise(tmp_path / "exercises" / "softmax")
    publish(catalog, tmp_path)
    first = catalog.exercises["softmax"]
    catalog.judged(first, RAISES)
    assert catalog.exercises == {}
    assert catalog.awaited() == [first]
    with database.reading() as db:
        assert search(db, "softmax").results == ()
    assert not catalog.is_proved(first)
    catalog.judged(first, [])
    assert catalog.exercises["softmax"] is first
    assert catalog.held == {}
    assert catalog.is_proved(first)


NOT_ADMITTED = {
    "the reference raises": ("reference.py", "def doubled(x):\n    raise ValueError('ours')\n", "ValueError"),
    "a solution is wrong": ("solutions/torch.py", "def doubled(x):\n    return x\n", "Must be accepted"),
    "the starter is right": ("starter.py", "def doubled(x):\n    return 2 * x\n", "The starter is accepted"),
    "a mistake is right": ("mistakes/twice.py", "Twice.", "Must be judged wrong_answer"),
}


@pytest.mark.parametrize(
    "why", [pytest.param(why, marks=[] if why == "a mistake is right" else pytest.mark.extra) for why in NOT_ADMITTED]
)
def test_a_server_publishes_what_its_judge_admits(tmp_path: Path, why: str) -> None:
    path, text, expected = NOT_ADMITTED[why]
    if path.startswith("mistakes/"):
        text = f'"""{text}"""\ndef doubled(x):\n    return 2 * x\n'
    broken = {**make_exercise().files, path: text.encode()}
    for slug, files in (("broken", broken), ("sound", make_exercise().files)):
        for name, content in files.items():
            file = tmp_path / "exercises" / slug / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    chosen = Settings(data=tmp_path / "data", exercises=(tmp_path / "exercises",), lessons=(), workers=1)
    with running(chosen) as server, server.client() as client:
        accounts.add_user(server.state.db, "ada@example.org", "instructor", None)
        token = accounts.make_token(server.state.db, "ada@example.org")

        def slugs() -> list[str]:
            return [exercise["slug"] for exercise in client.get("/api/v1/exercises").json()]

        until(lambda: "broken" not in slugs(), slugs)
        assert slugs() == ["sound"]
        assert client.get("/exercises/broken").status_code == 404
        assert expected in client.get("/", headers={"Authorization": f"Bearer {token}"}).text


def test_what_was_admitted_is_not_judged_again(catalog: Catalog, tmp_path: Path) -> None:
    one_exercise(tmp_path)
    publish(catalog, tmp_path)
    found = catalog.exercises[DOUBLED]
    admitted = Admitted(tmp_path / "admitted")
    assert not admitted.holds(found)
    with Judge(frameworks=["numpy"]) as judge:
        Admission(catalog, judge, admitted)(found)
    assert admitted.holds(found)
    assert catalog.is_proved(found)
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    other.migrate()
    again = Catalog(other)
    publish(again, tmp_path)
    Admission(again, judge, admitted)(again.exercises[DOUBLED])  # it would raise if it asked the judge, who is closed
    assert again.is_proved(again.exercises[DOUBLED])
    other.close()
