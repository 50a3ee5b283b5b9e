"""Content in several folders: all of it is served, and a name that two of them have is nobody's by chance."""

from pathlib import Path

import pytest

from app.db import Database
from app.reading.catalog import Catalog
from app.settings import Settings
from tests.server_process import DOUBLED, one_exercise


@pytest.fixture
def database(sqlite_url: str) -> Database:
    return Database(sqlite_url)


def course(folder: Path) -> Path:
    (folder / "01-shapes").mkdir(parents=True)
    (folder / "01-shapes" / "course.toml").write_text('title = "Shapes"\nblurb = "Of arrays."\n')
    (folder / "01-shapes" / "01-rows.md").write_text("---\ntitle: Rows\n---\nText.\n")
    return folder


def test_every_folder_is_served(database: Database, tmp_path: Path) -> None:
    ours, theirs = one_exercise(tmp_path / "ours"), one_exercise(tmp_path / "theirs")
    (theirs / DOUBLED).rename(theirs / "twice")
    catalog = Catalog(database)
    catalog.import_folders([ours, theirs, tmp_path / "missing"], [course(tmp_path / "a"), tmp_path / "b"])
    assert sorted(catalog.exercises) == [DOUBLED, "twice"]
    assert list(catalog.courses) == ["shapes"]


def test_a_name_of_two_folders_stays_what_it_was(database: Database, tmp_path: Path) -> None:
    ours, theirs = one_exercise(tmp_path / "ours"), one_exercise(tmp_path / "theirs")
    (theirs / DOUBLED / "statement.md").write_text("Another one.\n")
    catalog = Catalog(database)
    catalog.import_folders([ours], [course(tmp_path / "a")])
    before = catalog.exercises[DOUBLED].content_hash
    course(tmp_path / "b")
    for order in ([ours, theirs], [theirs, ours]):
        catalog.import_folders(order, [tmp_path / "a", tmp_path / "b"])
        assert catalog.exercises[DOUBLED].content_hash == before
        assert list(catalog.courses) == ["shapes"]


def test_a_new_name_of_two_folders_is_left_out(database: Database, tmp_path: Path) -> None:
    catalog = Catalog(database)
    catalog.import_folders([one_exercise(tmp_path / "ours"), one_exercise(tmp_path / "theirs")], [])
    assert catalog.exercises == {}


def test_folders_are_written_as_a_path_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LECTERN_EXERCISES", f"{tmp_path}/a:{tmp_path}/b:{tmp_path}/a:")
    assert Settings().exercises == (tmp_path / "a", tmp_path / "b")
    assert Settings(lessons=(tmp_path,)).lessons == (tmp_path,)
    monkeypatch.setenv("LECTERN_EXERCISES", "")
    assert [path.name for path in Settings().exercises] == ["exercises"]
