"""A course of one lesson and one real exercise, to be searched."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.db import Database
from app.reading.catalog import Catalog
from app.reading.search import Found, search
from app.settings import ROOT
from tests.conftest import scratch_postgres


def write_zoo(folder: Path, lesson: str) -> Path:
    """The two folders of content; returns `folder`."""
    course = folder / "lessons" / "zoo"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "The zoo"\nblurb = "Tables."\n')
    (course / "01-rotary-tables.md").write_text(lesson)
    shutil.copytree(ROOT / "exercises" / "softmax-rows", folder / "exercises" / "softmax-rows")
    return folder


@contextmanager
def imported(url: str, folder: Path) -> Iterator[Database]:
    """A database with that content."""
    database = Database(url)
    database.migrate()
    import_again(database, folder)
    yield database
    database.close()


@contextmanager
def imported_once(backend: str, folder: Path) -> Iterator[Database]:
    """The same in a database of its own, for many tests that only ask."""
    with ExitStack() as stack:
        url = f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}"
        if backend == "postgresql":
            url = stack.enter_context(scratch_postgres()).replace("postgresql://", "postgresql+psycopg://")
        yield stack.enter_context(imported(url, folder))


def import_again(database: Database, folder: Path) -> None:
    Catalog(database).import_folders([folder / "exercises"], [folder / "lessons"])


def find(database: Database, asked: str, *, as_typed: bool = False) -> Found:
    with database.reading() as db:
        return search(db, asked, as_typed=as_typed)
