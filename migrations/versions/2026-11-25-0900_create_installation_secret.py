"""A secret of this installation for each purpose that needs one: the first draws students' variants of exercises."""

import sqlalchemy as sa
from alembic import op

revision = "202611250900"
down_revision = "202611250600"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "installation_secret",
        sa.Column("purpose", sa.String(32), primary_key=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("installation_secret")
