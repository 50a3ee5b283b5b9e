"""Of two drafts that meet when a guest signs in, the one that gives way."""

import sqlalchemy as sa
from alembic import op

revision = "202611261600"
down_revision = "202611251100"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("draft", sa.Column("aside", sa.LargeBinary()))


def downgrade() -> None:
    op.drop_column("draft", "aside")
