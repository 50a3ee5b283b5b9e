"""When the judge could make an exercise's cases: a later state that cannot be judged gives way to that one."""

import sqlalchemy as sa
from alembic import op

revision = "202611230600"
down_revision = "202611230500"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("snapshot", sa.Column("proved_at", sa.DateTime(), nullable=True))
    # what is served now has been judged by
    op.execute(sa.text("UPDATE snapshot SET proved_at = imported_at WHERE kind = 'exercise' AND is_current"))


def downgrade() -> None:
    op.drop_column("snapshot", "proved_at")
