"""A draft counts its revisions, so that one tab does not overwrite what another one saved."""

import sqlalchemy as sa
from alembic import op

revision = "202611211601"
down_revision = "202611211600"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("draft", sa.Column("revision", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("draft", "revision")
