"""Links with which somebody chooses a new password: the hash of each, whose it is, and until when it works."""

import sqlalchemy as sa
from alembic import op

revision = "202611230910"
down_revision = "202611230600"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "password_reset",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_password_reset_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_password_reset")),
    )
    op.create_index("ix_password_reset_user_id", "password_reset", ["user_id"])


def downgrade() -> None:
    op.drop_index("ix_password_reset_user_id", table_name="password_reset")
    op.drop_table("password_reset")
