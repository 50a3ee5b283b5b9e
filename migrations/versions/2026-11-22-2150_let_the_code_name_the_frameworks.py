"""The frameworks are named in one table of the code, which a submission's row is checked against as it is written.

A check in the database named them once more, so that each new one would have needed a migration of its own.
"""

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


def downgrade() -> None:
    with op.batch_alter_table("submission", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.create_check_constraint(op.f("ck_submission_framework"), NAMED)
