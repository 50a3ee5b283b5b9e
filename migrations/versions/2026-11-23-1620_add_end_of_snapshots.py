"""Until when each state was served: those who began with it are judged by it for a day."""

import sqlalchemy as sa
from alembic import op

revision = "202611231620"
down_revision = "202611231610"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("snapshot", sa.Column("served_until", sa.DateTime(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("snapshot") as table:
        table.drop_column("served_until")
