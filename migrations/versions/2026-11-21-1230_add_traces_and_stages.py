"""A submission may be a trace of one case; a grading keeps what the trace saw and where its own time went."""

import sqlalchemy as sa
from alembic import op

revision = "202611211230"
down_revision = "202611210930"
branch_labels = None
depends_on = None


KINDS = {True: "kind IN ('submit', 'run', 'trace')", False: "kind IN ('submit', 'run')"}


def upgrade() -> None:
    op.add_column("grading", sa.Column("trace", sa.JSON(), nullable=True))
    op.add_column("grading", sa.Column("stages", sa.JSON(), nullable=True))
    op.add_column("submission", sa.Column("case_name", sa.String(length=200), nullable=True))
    _allow_traces(True)


def downgrade() -> None:
    op.execute("DELETE FROM submission WHERE kind = 'trace'")
    _allow_traces(False)
    op.drop_column("submission", "case_name")
    op.drop_column("grading", "stages")
    op.drop_column("grading", "trace")


def _allow_traces(allowed: bool) -> None:
    # SQLite cannot change a check: the table is copied, its rows with it (app/db.py: without foreign keys meanwhile)
    with op.batch_alter_table("submission", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint(op.f("ck_submission_kind"), type_="check")
        table.create_check_constraint(op.f("ck_submission_kind"), KINDS[allowed])
