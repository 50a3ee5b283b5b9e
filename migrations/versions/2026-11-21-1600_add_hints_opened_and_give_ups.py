"""Which hints someone opened, and which exercises they gave up to read the worked solution."""

import sqlalchemy as sa
from alembic import op

revision = "202611211600"
down_revision = "202611211230"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hint_opened",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_hint_opened_number")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_hint_opened_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "exercise", "number", name=op.f("pk_hint_opened")),
    )
    op.create_table(
        "give_up",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("given_up_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_give_up_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "exercise", name=op.f("pk_give_up")),
    )


def downgrade() -> None:
    op.drop_table("give_up")
    op.drop_table("hint_opened")
