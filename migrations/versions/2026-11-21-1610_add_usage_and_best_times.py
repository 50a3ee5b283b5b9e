"""What a grading's calls took in time and memory, and each person's best time."""

import sqlalchemy as sa
from alembic import op

revision = "202611211610"
down_revision = "202611211601"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("grading", sa.Column("wall_ms", sa.Double(), nullable=True))
    op.add_column("grading", sa.Column("peak_mb", sa.Double(), nullable=True))
    op.create_table(
        "best_time",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("judging_hash", sa.String(length=64), nullable=False),
        sa.Column("wall_ms", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_best_time_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "exercise", "framework", name=op.f("pk_best_time")),
    )
    op.create_index(
        "ix_best_time_standing", "best_time", ["exercise", "framework", "judging_hash", "wall_ms", "user_id"]
    )


def downgrade() -> None:
    op.drop_table("best_time")
    op.drop_column("grading", "peak_mb")
    op.drop_column("grading", "wall_ms")
