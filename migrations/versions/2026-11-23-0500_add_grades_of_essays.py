"""An answer may wait for a person's grade: points, which are its score, and a comment."""

import sqlalchemy as sa
from alembic import op

revision = "202611230500"
down_revision = "202611230430"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sitting_response", sa.Column("comment", sa.Text(), nullable=True))
    op.add_column("sitting_response", sa.Column("graded_at", sa.DateTime(), nullable=True))
    op.add_column("sitting", sa.Column("waiting", sa.Integer(), nullable=False, server_default="0"))
    is_waiting = sa.text("waiting > 0")
    op.create_index(
        "ix_sitting_waiting", "sitting", ["submitted_at"], sqlite_where=is_waiting, postgresql_where=is_waiting
    )


def downgrade() -> None:
    op.drop_index("ix_sitting_waiting", "sitting")
    op.drop_column("sitting", "waiting")
    op.drop_column("sitting_response", "graded_at")
    op.drop_column("sitting_response", "comment")
