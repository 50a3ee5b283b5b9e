"""A key of our own for each platform that registers itself; which classes' terms a quiz attempt met when it began; and
places on rosters that are offered, and not given."""

import sqlalchemy as sa
from alembic import op

revision = "202611251100"
down_revision = "202611251000"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lti_key", sa.Column("name", sa.String(32), nullable=False, server_default=""))
    op.add_column("lti_platform", sa.Column("key_name", sa.String(32), nullable=False, server_default=""))
    op.add_column("expected_person", sa.Column("is_offer", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("sitting", sa.Column("met", sa.Text()))


def downgrade() -> None:
    op.drop_column("sitting", "met")
    op.drop_column("expected_person", "is_offer")
    op.drop_column("lti_platform", "key_name")
    op.drop_column("lti_key", "name")
