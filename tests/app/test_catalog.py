"""What is served changes while the server runs: by a publication, by a folder, by the judge, by another process."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import text

from app.content.reading import Unsound
from app.db import Database
from app.reading.catalog import Catalog
from app.reading.search import search
from app.reading.snapshots import current_ids, store, take_turn
from app.teaching.folders import FolderTruth, meet
from app.teaching.subjects import subject_of
from graders.exercise.fault import Fault
from graders.exercise.reader import read_exercise
from tests.content.hostile import course, exercise
from tests.graders.conftest import make_exercise
from tests.waiting import until, until_ended

RAISES = [Fault("error", "reference.py", 3, "broken-exercise", "Raises ValueError.", "Correct that line.")]


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def told() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def catalog(database: Database, tmp_path: Path, told: list[tuple[str, str]]) -> Catalog:
    exercise(tmp_path / "exercises" / "softmax")
    course(tmp_path / "lessons" / "demo", "First words.\n")
    return started(database, tmp_path, told)


def started(database: Database, folder: Path, told: list[tuple[str, str]] | None = None) -> Catalog:
    catalog = Catalog(database)
    catalog.import_folders([folder / "exercises"], [folder / "lessons"], is_judged=True)
    if told is not None:
        catalog.on_change.append(lambda kind, slug: told.append((kind, slug)))
    return catalog


def files_saying(words: str) -> dict[str, bytes]:
    return {**make_exercise("softmax").files, "statement.md": words.encode()}


def statement(catalog: Catalog, slug: str = "softmax") -> str:
    return catalog.exercise(slug).statement.strip()


def found(database: Database, words: str) -> list[str]:
    with database.reading() as db:
        return [result.url for result in search(db, words, as_typed=True).results]


def test_what_is_published_with_a_proof_is_served_found_and_told(
    catalog: Catalog, database: Database, told: list[tuple[str, str]]
) -> None:
    id = catalog.publish("exercise", "softmax", files_saying("Cantaloupe."), "browser", is_proved=True)
    assert statement(catalog) == "Cantaloupe."
    assert (catalog.snapshot_ids["softmax"], told) == (id, [("exercise", "softmax")])
    assert catalog.is_proved(catalog.exercise("softmax"))
    assert found(database, "cantaloupe") == ["/exercises/softmax"]
    catalog.retire("exercise", "softmax")
    assert "softmax" not in catalog.exercises
    assert found(database, "cantaloupe") == []
    assert catalog.judged_by(id).statement == "Cantaloupe.", "what was submitted to it is still judged by it"


def test_what_is_published_without_a_proof_waits_and_the_last_proved_state_is_served(catalog: Catalog) -> None:
    for words in ("One.", "Two."):
        catalog.publish("exercise", "softmax", files_saying(words), "browser", is_proved=True)
    catalog.publish("exercise", "softmax", files_saying("One."), "browser", is_proved=False)
    assert statement(catalog) == "One.", "it was proved before"
    catalog.publish("exercise", "softmax", files_saying("Three."), "browser", is_proved=False)
    assert statement(catalog) == "One.", "what is served, and not what was proved last"
    *_, waiting = catalog.awaited()
    catalog.judged(waiting, RAISES)
    assert statement(catalog) == "One."
    assert catalog.held["exercise", "softmax"] == tuple(RAISES)
    catalog.judged(waiting, [])
    assert (statement(catalog), catalog.held) == ("Three.", {})


def test_a_state_that_was_never_admitted_gives_way_to_one_that_waits(catalog: Catalog) -> None:
    """It is served from the start until the judge has said otherwise; the judge will not be asked for it any more."""
    first = catalog.exercise("softmax")
    catalog.publish("exercise", "softmax", files_saying("One."), "browser", is_proved=False)
    assert "softmax" not in catalog.exercises
    catalog.judged(first, [])
    assert "softmax" not in catalog.exercises
    catalog.judged(catalog.awaited()[0], [])
    assert statement(catalog) == "One."


def test_what_has_an_error_is_not_published(catalog: Catalog) -> None:
    files = dict(catalog.courses["demo"].files) | {"01-a.md": b"---\ntitle: A\n---\n[gone](09-gone.md)\n"}
    with pytest.raises(Unsound) as unsound:
        catalog.publish("course", "demo", files, "browser", is_proved=True)
    assert (unsound.value.fault.path, unsound.value.fault.line) == ("01-a.md", 4)
    assert "First words." in catalog.lesson("demo", "a")[1].body


def test_a_folder_is_read_again_alone(
    catalog: Catalog, database: Database, tmp_path: Path, told: list[tuple[str, str]]
) -> None:
    folder = tmp_path / "lessons" / "demo"
    other = course(tmp_path / "lessons" / "other", "Other words.\n")
    (folder / "01-a.md").write_text("---\ntitle: A\n---\nCantaloupe.\n")
    catalog.refresh("course", folder)
    assert "Cantaloupe." in catalog.lesson("demo", "a")[1].body
    assert catalog.courses.keys() == {"demo"}
    (folder / "01-a.md").write_text("---\ntitle: A: B\n---\nThird words.\n")
    catalog.refresh("course", folder)
    assert "Cantaloupe." in catalog.lesson("demo", "a")[1].body
    assert catalog.held["course", "demo"][0].line == 2
    (folder / "01-a.md").write_text("---\ntitle: A\n---\nCantaloupe.\n")
    catalog.refresh("course", folder)
    assert catalog.held == {}
    catalog.refresh("course", other)
    assert catalog.courses.keys() == {"demo", "other"}
    shutil.rmtree(folder)
    catalog.refresh("course", folder)
    assert catalog.courses.keys() == {"other"}
    assert found(database, "cantaloupe") == []
    assert told == [("course", "demo")] * 3 + [("course", "other"), ("course", "demo")]


def test_a_saved_exercise_waits_for_the_judge_unless_its_author_alone_sees_it(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    catalog.judged(catalog.exercise("softmax"), [])
    before = catalog.exercise("softmax")
    authors = Catalog(database, shows_unproved=True)
    authors.import_folders([tmp_path / "exercises"], [], is_judged=True)
    folder = tmp_path / "exercises" / "softmax"
    (folder / "statement.md").write_text("Cantaloupe.")
    with database.reading() as db:
        served = current_ids(db)
    for its in (catalog, authors):
        its.refresh("exercise", folder)
        its.judged(its.awaited()[-1], RAISES)
        with database.reading() as db:
            assert current_ids(db)["exercise", "softmax"] == served["exercise", "softmax"]
    assert catalog.exercise("softmax").content_hash == before.content_hash
    assert statement(authors) == "Cantaloupe."
    assert authors.held["exercise", "softmax"] == tuple(RAISES)
    assert found(database, "cantaloupe") == []
    authors.judged(authors.exercise("softmax"), [])
    catalog.look()
    assert statement(catalog) == "Cantaloupe."


@pytest.mark.parametrize("shows_unproved", [True, False])
@pytest.mark.parametrize("faults", [[], RAISES])
def test_what_the_judge_says_of_an_earlier_save_hides_nothing_that_is_wrong_with_the_last(
    database: Database, tmp_path: Path, shows_unproved: bool, faults: list[Fault]
) -> None:
    """The author saves once more while the judge is still at the save before, and this time it does not compile."""
    folder = exercise(tmp_path / "exercises" / "softmax")
    authors = Catalog(database, shows_unproved=shows_unproved)
    authors.import_folders([tmp_path / "exercises"], [], is_judged=True)
    authors.judged(authors.exercise("softmax"), [])
    cases = (folder / "cases.py").read_text()
    (folder / "statement.md").write_text("Cantaloupe.")
    authors.refresh("exercise", folder)
    *_, waiting = authors.awaited()
    (folder / "cases.py").write_text(cases.replace("def ", "deff ", 1))
    authors.refresh("exercise", folder)
    (broken,) = authors.held["exercise", "softmax"]
    assert broken.path == "cases.py"
    authors.judged(waiting, faults)
    assert authors.held == {("exercise", "softmax"): (broken,)}
    assert (statement(authors) == "Cantaloupe.") == (shows_unproved or not faults)
    (folder / "cases.py").write_text(cases)
    authors.refresh("exercise", folder)
    for exercise_ in authors.awaited():
        authors.judged(exercise_, [])
    assert (statement(authors), authors.held) == ("Cantaloupe.", {})


def test_what_another_process_has_admitted_hides_nothing_that_is_wrong_with_the_last_save(
    catalog: Catalog, database: Database, tmp_path: Path
) -> None:
    catalog.judged(catalog.exercise("softmax"), [])
    folder = tmp_path / "exercises" / "softmax"
    (folder / "statement.md").write_text("Cantaloupe.")
    other = started(database, tmp_path)
    catalog.refresh("exercise", folder)
    (folder / "exercise.toml").write_text("title = [")
    catalog.refresh("exercise", folder)
    broken = catalog.held["exercise", "softmax"]
    other.judged(other.awaited()[-1], [])
    catalog.look()
    assert statement(catalog) == "Cantaloupe."
    assert catalog.held == {("exercise", "softmax"): broken}


class Elsewhere:
    """A truth that holds other files than one folder."""

    def files(self, kind: str, slug: str, folder_files: Mapping[str, bytes]) -> Mapping[str, bytes] | None:
        return {**folder_files, "statement.md": b"Of the browser."} if slug == "softmax" else None


def test_the_truth_is_asked_what_a_folder_stands_for(catalog: Catalog, database: Database, tmp_path: Path) -> None:
    theirs = files_saying("x") | dict(catalog.exercise("softmax").files) | {"statement.md": b"Of the browser."}
    catalog.publish("exercise", "softmax", dict(theirs), "browser", is_proved=True)
    asked = Catalog(database, truth=Elsewhere())
    asked.import_folders([tmp_path / "exercises"], [tmp_path / "lessons"], is_judged=True)
    assert statement(asked) == "Of the browser."
    folder = tmp_path / "exercises" / "softmax"
    (folder / "statement.md").write_text("Of the folder.")
    asked.refresh("exercise", folder)
    assert statement(asked) == "Of the browser."


def test_what_another_process_publishes_and_retires_is_served_here_too(
    catalog: Catalog, database: Database, tmp_path: Path, told: list[tuple[str, str]]
) -> None:
    other = started(database, tmp_path)
    catalog.look()
    assert told == []
    id = other.publish("exercise", "softmax", files_saying("Cantaloupe."), "browser", is_proved=True)
    other.publish("exercise", "second", files_saying("Durian."), "import", is_proved=False)
    catalog.look()
    assert (statement(catalog), catalog.snapshot_ids["softmax"]) == ("Cantaloupe.", id)
    assert "second" not in catalog.exercises, "it is not proved"
    other.judged(other.awaited()[-1], [])
    other.retire("course", "demo")
    catalog.look()
    assert statement(catalog, "second") == "Durian."
    assert catalog.courses == {}
    assert told == [("exercise", "softmax"), ("course", "demo"), ("exercise", "second")]


def test_two_servers_that_start_at_once_on_an_empty_database_store_the_content_once(
    migrated_postgres_copy: str, tmp_path: Path
) -> None:
    """The second waits for the first, and then finds what it would have stored."""
    for name, data in make_exercise().files.items():
        path = tmp_path / "exercises" / "doubled" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    databases = [Database(migrated_postgres_copy) for _ in range(2)]
    second = Catalog(databases[1], truth=FolderTruth(databases[1]))
    folder = tmp_path / "exercises" / "doubled"
    starting = Thread(target=second.import_folders, args=([tmp_path / "exercises"], []))
    with databases[0].writing() as db:
        take_turn(db)
        stored = store(db, "exercise", {"doubled": read_exercise(folder)})
        meet(db, subject_of("exercise", "doubled"), read_exercise(folder).files)
        starting.start()
        waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")

        def is_waiting() -> bool:
            assert starting.is_alive()
            return bool(db.scalar(waits))

        until(is_waiting, "it waits for nobody")
    until_ended(starting)
    assert second.snapshot_ids == stored
    for database in databases:
        database.close()
