"""Statements that are made for good: the driver is asked directly, with the same rows and the same errors."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Column,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from app.db import Database, Moment, Statement, as_loaded, now
from app.people.users import User
from tests.waiting import LIMIT_SECONDS

THING = Table(
    "thing",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", String(20), unique=True, nullable=False),
    Column("numbers", JSON(none_as_null=True)),
    Column("at", Moment, default=now),
    Column("times", Integer),
)
ADD = Statement(insert(THING), ("name", "numbers", "at", "times"))
COUNT = Statement(
    update(THING)
    .where(THING.c.name == bindparam("called"))
    .values(times=THING.c.times + 1, numbers=bindparam("more", type_=JSON))
    .returning(THING.c.id, THING.c.times)
)
FIND = Statement(select(THING.c.id).where(THING.c.times > bindparam("least")).order_by(THING.c.id).limit(2))
ALL = Statement(select(THING.c.name, THING.c.numbers, THING.c.at).order_by(THING.c.id))
FORGET = Statement(delete(THING).where(THING.c.name == bindparam("called")))


@pytest.fixture(params=["alone", "listened to"])
def database(request: pytest.FixtureRequest, database_url: str) -> Iterator[Database]:
    """Both ways: who listens hears of each statement."""
    database = Database(database_url)
    THING.metadata.create_all(database.engine)
    heard: list[Any] = []
    if request.param == "listened to":
        event.listen(database.engine, "before_cursor_execute", lambda *call: heard.append(call[2]))
        with database.changing() as db:
            FORGET.run(db, {"called": "nobody"})
        assert any(statement.startswith("DELETE FROM thing") for statement in heard)
    yield database
    THING.metadata.drop_all(database.engine)
    database.close()


def thing(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "numbers": [1.5, None], "at": datetime(2026, 1, 2, 3, tzinfo=UTC), "times": 0, **more}


def test_rows_are_added_changed_found_and_deleted(database: Database) -> None:
    with database.changing() as db:
        keys = [ADD.run(db, thing(name)).key for name in ("a", "b", "c")]
        assert all(type(key) is int for key in keys)
        changed = COUNT.run(db, {"called": "b", "more": {"x": [2]}})
        assert [tuple(row) for row in changed.rows] == [(keys[1], 1)]
        assert COUNT.run(db, {"called": "nobody", "more": None}).rows == []
        assert [tuple(row) for row in FIND.run(db, {"least": -1}).rows] == [(keys[0],), (keys[1],)]
        assert FORGET.run(db, {"called": "a"}).count == 1
        assert FORGET.run(db, {"called": "a"}).count == 0
    with database.writing() as db:
        assert FIND.run(db, {"least": 0}).rows[0][0] == keys[1]
        row = db.execute(select(THING).where(THING.c.name == "b")).one()
        assert (row.numbers, row.at, row.times) == ({"x": [2]}, datetime(2026, 1, 2, 3, tzinfo=UTC), 1)


def test_what_a_session_holds_is_there_before(database: Database) -> None:
    of_name = Statement(select(User.id).where(User.email == bindparam("email")))
    with database.writing() as db:
        db.add(person := User(email="ada@example.org", role="student"))
        rows = of_name.run(db, {"email": "ada@example.org"}).rows
        assert [tuple(row) for row in rows] == [(person.id,)]


def test_a_select_gives_values_as_python_has_them(database: Database) -> None:
    with database.changing() as db:
        ADD.run(db, thing("a"))
        ADD.run(db, thing("b", numbers=None, at=None))
    with database.reading() as session:
        rows = ALL.run(session, {}).rows
    assert [tuple(row) for row in rows] == [("a", [1.5, None], thing("a")["at"]), ("b", None, None)]


def test_a_row_that_was_read_is_an_object_of_the_session(database: Database) -> None:
    columns = tuple(column.name for column in User.__table__.columns)
    of_id = Statement(select(*User.__table__.columns).where(User.id == bindparam("number")))

    def read(db: Session, number: int) -> User:
        (row,) = of_id.run(db, {"number": number}).rows
        return as_loaded(db, User, dict(zip(columns, row, strict=True)))

    with database.writing() as db:
        db.add(added := User(email="ada@example.org", role="student"))
        db.flush()
        assert read(db, added.id) is added, "one person is one object"
    with database.writing() as db:
        person = read(db, added.id)
        assert {name: getattr(person, name) for name in columns} == {name: getattr(added, name) for name in columns}
        assert not db.dirty
        person.utc_offset_minutes = 60
    assert person.email == "ada@example.org", "it is still to be read when its transaction is over"
    with database.reading() as db:
        assert db.get_one(User, added.id).utc_offset_minutes == 60


def test_what_is_refused_raises_as_everywhere_and_tells_no_value(database: Database) -> None:
    def add_twice() -> None:
        with database.changing() as db:
            ADD.run(db, thing("same"))
            ADD.run(db, thing("same", numbers=["a secret of theirs"]))

    with pytest.raises(IntegrityError) as raised:
        add_twice()
    assert "secret" not in str(raised.value)
    with database.reading() as db:
        assert FIND.run(db, {"least": -1}).rows == [], "nothing of the transaction is kept"


def test_a_database_in_trouble_raises_what_the_queue_tries_again(database: Database) -> None:
    if not database.is_sqlite:
        pytest.skip("about SQLite")
    with database.changing() as db:
        THING.drop(db)
    with pytest.raises(OperationalError, match="no such table"), database.changing() as db:
        FORGET.run(db, {"called": "a"})
    THING.metadata.create_all(database.engine)


def open_files(folder: Path) -> list[str]:
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # it was there for the list alone
            found.append(str(descriptor.readlink()))
    return [path for path in found if path.startswith(str(folder))]


def test_all_threads_write_to_a_file_one_after_the_other_and_it_is_closed_at_the_end(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/one.sqlite3")
    THING.metadata.create_all(database.engine)
    has_begun, may_end = threading.Event(), threading.Event()

    def write(name: str) -> None:
        with database.changing(durable=False) as db:
            ADD.run(db, thing(name))
        with database.writing() as session:
            ADD.run(session, thing(f"{name} again"))

    def write_slowly() -> None:
        with database.changing() as db:
            has_begun.set()
            may_end.wait(LIMIT_SECONDS)
            ADD.run(db, thing("slowly"))

    def write_what_is_refused() -> None:
        with database.changing() as db:
            ADD.run(db, thing("a"))
            ADD.run(db, thing("a"))

    with pytest.raises(IntegrityError):
        write_what_is_refused()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, "abcdefgh"))
        slow = threads.submit(write_slowly)
        assert has_begun.wait(LIMIT_SECONDS)
        database.close()
        assert open_files(tmp_path), "the thread that writes goes on"
        may_end.set()
        slow.result()
    assert open_files(tmp_path) == []
    database = Database(f"sqlite:///{tmp_path}/one.sqlite3")
    with database.reading() as session:
        assert len(ALL.run(session, {}).rows) == 17
    database.close()
    assert open_files(tmp_path) == []


def test_a_default_that_python_makes_must_be_named(database: Database) -> None:
    if database.engine.dispatch.before_cursor_execute:
        pytest.skip("there SQLAlchemy makes it")
    with pytest.raises(TypeError, match="name the column"), database.changing() as db:
        Statement(insert(THING), ("name",)).run(db, {"name": "a"})


def test_a_lost_connection_is_given_up(database: Database) -> None:
    if database.is_sqlite:
        pytest.skip("about PostgreSQL")

    def forget_after_a_break() -> None:
        with database.changing() as db, database.changing() as other:
            process = db.scalar(text("SELECT pg_backend_pid()"))
            assert other.scalar(select(func.pg_terminate_backend(process)))
            FORGET.run(db, {"called": "a"})

    with pytest.raises(OperationalError) as raised:
        forget_after_a_break()
    assert raised.value.connection_invalidated, "the queue tries such a write again"
    with database.changing() as db:
        assert FORGET.run(db, {"called": "a"}).count == 0
