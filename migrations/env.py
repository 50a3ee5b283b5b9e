"""Runs the migrations on the connection that the server opened, so that both see the same database the same way."""

from alembic import context

from app import tables  # makes every table known  # noqa: F401
from app.db import Base, Database
from app.reading.search import is_beside_the_models
from app.settings import Settings


def run() -> None:
    connection = context.config.attributes.get("connection")
    if connection is not None:
        _run_on(connection)
        return
    # called by Alembic's own command line, say for --autogenerate
    with Database(Settings().database).engine.execution_options(lectern_writes="FULL").begin() as own:
        _run_on(own)


def _run_on(connection: object) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        compare_type=True,
        include_name=lambda name, kind, parents: kind != "table" or not is_beside_the_models(name),
        transaction_per_migration=False,
    )
    with context.begin_transaction():
        context.run_migrations()


run()
