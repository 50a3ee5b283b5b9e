"""Where a waiting grading was sent from, and how many bytes are kept of each person."""

import sqlalchemy as sa
from alembic import op

revision = "202611221730"
down_revision = "202611221700"
branch_labels = None
depends_on = None

COUNTED = """
    UPDATE user_account SET stored_bytes = coalesce((
        SELECT sum(length(source) + coalesce(length(CAST(inputs AS TEXT)), 0))
        FROM submission WHERE submission.user_id = user_account.id
    ), 0) + coalesce((
        SELECT sum(length(CAST(cases AS TEXT)) + coalesce(length(CAST(trace AS TEXT)), 0))
        FROM grading JOIN submission ON submission.id = grading.submission_id
        WHERE submission.user_id = user_account.id AND grading.state = 'finished'
    ), 0) + coalesce((
        SELECT sum(length(CAST(given AS TEXT))) FROM answer WHERE answer.user_id = user_account.id
    ), 0)
"""


def upgrade() -> None:
    op.add_column("grading", sa.Column("neighbourhood", sa.String(length=64), nullable=True))
    op.add_column("user_account", sa.Column("stored_bytes", sa.BigInteger(), server_default="0", nullable=False))
    is_run = sa.text("kind <> 'submit'")
    op.create_index(
        "ix_submission_runs", "submission", ["user_id", "exercise", "id"],
        sqlite_where=is_run, postgresql_where=is_run,
    )  # fmt: skip
    op.execute(COUNTED)


def downgrade() -> None:
    op.drop_index("ix_submission_runs", "submission")
    op.drop_column("user_account", "stored_bytes")
    op.drop_column("grading", "neighbourhood")
