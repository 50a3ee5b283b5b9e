"""Pages stay flat as rows grow: what they ask is answered from an index, whatever the tables hold."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event, text

from app.db import Database
from app.models.answer import attempts
from app.models.progress import progress_of
from app.models.submission import load_submission, newest_source, submissions_of, waiting
from app.models.user import User, add_guest, open_login, user_by_token


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, tuple[object, ...]]]]:
    seen: list[tuple[str, tuple[object, ...]]] = []

    def note(connection: object, cursor: object, statement: str, parameters: tuple[object, ...], *more: object) -> None:
        if statement.startswith("SELECT"):
            seen.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(database.engine, "before_cursor_execute", note)


def test_nothing_walks_a_table(database_url: str) -> None:
    database = Database(database_url)
    if not database.is_sqlite:
        pytest.skip("PostgreSQL's planner rightly walks tables as small as a test's")
    database.migrate()
    with database.writing() as db:
        user = add_guest(db)
        token = open_login(db, user, 1)
        staff = User(role="admin", email="a@example.org")
    with statements(database) as asked, database.reading() as db:
        user_by_token(db, token)
        submissions_of(db, user)
        submissions_of(db, user, exercise="x", before=10)
        newest_source(db, user, "x", "numpy")
        progress_of(db, user)
        attempts(db, user.id, ["a.b.c", "a.b.d"])
        waiting(db)
        for viewer in (user, staff):
            with pytest.raises(Exception, match="no such submission"):
                load_submission(db, 1, viewer)
    assert len(asked) >= 9
    with database.engine.connect() as connection:
        for statement, parameters in asked:
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters).all()
            for step in plan:
                walks = step.detail.startswith("SCAN") and "USING" not in step.detail
                assert not walks, (statement, step.detail)
        assert connection.execute(text("SELECT 1")).scalar() == 1
    database.close()
