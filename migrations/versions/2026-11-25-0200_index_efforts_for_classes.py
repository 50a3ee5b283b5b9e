"""Index efforts for a class's evidence

Revision ID: 202611250200
Revises: 202611250100
"""

from alembic import op

revision = "202611250200"
down_revision = "202611250110"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_effort_user_id_exercise_solved_at", "effort", ["user_id", "exercise", "solved_at"])


def downgrade() -> None:
    op.drop_index("ix_effort_user_id_exercise_solved_at", "effort")
