"""A sitting knows the points that it can earn: until now each question counted one."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

revision = "202611230430"
down_revision = "202611230130"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sitting", sa.Column("points", sa.Double(), nullable=True))
    op.execute("UPDATE sitting SET points = questions")
    with _sittings() as table:
        table.alter_column("points", existing_type=sa.Double(), nullable=False)
        _bound_score(table, "points")


def downgrade() -> None:
    # what a question counted is not known any more: the share that was earned stays
    op.execute("UPDATE sitting SET score = score * questions / points WHERE points > 0")
    with _sittings() as table:
        _bound_score(table, "questions")
        table.drop_column("points")


@contextmanager
def _sittings() -> Iterator[BatchOperations]:
    """SQLite cannot change a check: the table is copied, its rows with it (app/db.py: without foreign keys meanwhile).
    An id once given is never given again, also where its row is gone."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    given = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
    of_sittings = given.c.name == "sitting"
    last = op.get_bind().scalar(sa.select(given.c.seq).where(of_sittings)) if is_sqlite else None
    with op.batch_alter_table("sitting", table_kwargs={"sqlite_autoincrement": True}) as table:
        yield table
    if last is not None:
        op.execute(given.delete().where(of_sittings))
        op.execute(given.insert().values(name="sitting", seq=last))


def _bound_score(table: BatchOperations, most: str) -> None:
    table.drop_constraint(op.f("ck_sitting_score"), type_="check")
    table.create_check_constraint(op.f("ck_sitting_score"), f"score >= 0 AND score <= {most}")
