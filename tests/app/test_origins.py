"""Where a snapshot came from: a folder that is gone retires what came from folders, and nothing else."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.db import Database
from app.reading.catalog import Catalog
from app.reading.snapshots import Snapshot
from app.settings import ROOT

SLUG = "softmax-rows"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "exercises" / SLUG, tmp_path / "exercises" / SLUG)
    return tmp_path


def imported(database: Database, folder: Path) -> Catalog:
    catalog = Catalog(database)
    catalog.import_folders([folder / "exercises"], [folder / "lessons"])
    return catalog


def written_in_the_browser(database: Database) -> None:
    with database.writing() as db:
        db.execute(update(Snapshot).values(origin="browser"))


def current(database: Database) -> list[tuple[str, str]]:
    with database.reading() as db:
        return [(row.slug, row.origin) for row in db.scalars(select(Snapshot).where(Snapshot.is_current))]


def test_what_came_from_a_folder_goes_with_it(database: Database, folder: Path) -> None:
    assert list(imported(database, folder).exercises) == [SLUG]
    assert current(database) == [(SLUG, "folder")]
    shutil.rmtree(folder / "exercises" / SLUG)
    assert imported(database, folder).exercises == {}
    assert current(database) == []


def test_what_was_written_in_the_browser_stays_and_is_served(database: Database, folder: Path) -> None:
    id = imported(database, folder).snapshot_ids[SLUG]
    written_in_the_browser(database)
    shutil.rmtree(folder / "exercises" / SLUG)
    catalog = imported(database, folder)
    assert catalog.exercises[SLUG].title
    assert catalog.snapshot_ids == {SLUG: id}
    assert current(database) == [(SLUG, "browser")]


def test_a_folder_of_the_same_name_goes_first(database: Database, folder: Path) -> None:
    imported(database, folder)
    written_in_the_browser(database)
    config = folder / "exercises" / SLUG / "exercise.toml"
    config.write_text(config.read_text() + "\n# of the folder\n")
    imported(database, folder)
    assert current(database) == [(SLUG, "folder")]
