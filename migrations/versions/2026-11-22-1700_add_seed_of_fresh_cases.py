"""The seed of the fresh cases that a grading met, so that its verdict can be made again."""

import sqlalchemy as sa
from alembic import op

revision = "202611221700"
down_revision = "202611212010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("grading", sa.Column("seed", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("grading", "seed")
