"""Accepted submissions that their authors let others see."""

import sqlalchemy as sa
from alembic import op

revision = "202611211640"
down_revision = "202611211630"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_solution",
        sa.Column("submission_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("judging_hash", sa.String(length=64), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("wall_ms", sa.Double(), nullable=True),
        sa.Column("shared_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_shared_solution_submission_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_shared_solution_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_shared_solution")),
    )
    where = ["exercise", "framework", "judging_hash"]
    op.create_index("ix_shared_solution_fastest", "shared_solution", [*where, "wall_ms"])
    op.create_index("ix_shared_solution_shortest", "shared_solution", [*where, "tokens"])
    op.create_index("ix_shared_solution_user_id", "shared_solution", ["user_id"])


def downgrade() -> None:
    op.drop_table("shared_solution")
