"""Retention finds the submissions that are not erased yet, however many are."""

import sqlalchemy as sa
from alembic import op

revision = "202611240500"
down_revision = "202611240430"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_left = sa.text("erased_at IS NULL")
    op.create_index("ix_submission_unerased", "submission", ["id"], sqlite_where=is_left, postgresql_where=is_left)


def downgrade() -> None:
    op.drop_index("ix_submission_unerased", table_name="submission")
