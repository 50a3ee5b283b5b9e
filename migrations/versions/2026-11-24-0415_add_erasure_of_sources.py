"""A submission says when its source was erased, where retention has a limit for sources."""

import sqlalchemy as sa
from alembic import op

revision = "202611240415"
down_revision = "202611240400"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("erased_at", sa.DateTime(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("submission") as table:
        table.drop_column("erased_at")
