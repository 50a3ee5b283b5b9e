"""An account can be disabled. And the staff, who are few, are found without a walk over everybody."""

import sqlalchemy as sa
from alembic import op

revision = "202611240330"
down_revision = "202611232340"
branch_labels = None
depends_on = None

STAFF = sa.text("role IN ('instructor', 'admin')")


def upgrade() -> None:
    op.add_column("user_account", sa.Column("disabled_at", sa.DateTime(), nullable=True))
    op.create_index("ix_user_account_staff", "user_account", ["role"], sqlite_where=STAFF, postgresql_where=STAFF)


def downgrade() -> None:
    op.drop_index("ix_user_account_staff", table_name="user_account")
    with op.batch_alter_table("user_account") as table:
        table.drop_column("disabled_at")
