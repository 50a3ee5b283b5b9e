"""Which process runs a grading, and until when it does unless it says so again."""

import sqlalchemy as sa
from alembic import op

revision = "202611230100"
down_revision = "202611222230"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("grading", sa.Column("owner", sa.String(length=32), nullable=True))
    op.add_column("grading", sa.Column("leased_until", sa.DateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("grading", "leased_until")
    op.drop_column("grading", "owner")
