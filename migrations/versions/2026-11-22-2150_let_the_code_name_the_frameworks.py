"""The frameworks are named in one table of the code, which a submission's row is checked against as it is written.

A check in the database named them once more, so that each new one would have needed a migration of its own.
"""

import sqlalchemy as sa
from alembic import op

revision = "202611222150"
down_revision = "202611221740"
branch_labels = None
depends_on = None

NAMED = "framework IN ('numpy', 'jax', 'torch')"


def upgrade() -> None:
    # SQLite cannot change a check: the table is copied, its rows with it (app/db.py: without foreign keys meanwhile)
    with op.batch_alter_table("submission", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint(op.f("ck_submission_framework"), type_="check")
    _index_runs_last()


def downgrade() -> None:
    with op.batch_alter_table("submission", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.create_check_constraint(op.f("ck_submission_framework"), NAMED)
    _index_runs_last()


def _index_runs_last() -> None:
    """Of two indexes that serve a query alike SQLite takes the one made last; the copy of the table made this one
    first, and the other walks all of a person's submissions to find the runs among them."""
    is_run = sa.text("kind <> 'submit'")
    op.drop_index("ix_submission_runs", "submission")
    op.create_index(
        "ix_submission_runs", "submission", ["user_id", "exercise", "id"],
        sqlite_where=is_run, postgresql_where=is_run,
    )  # fmt: skip
