"""Wrong outcomes in a narrow table of their own, and the indexes by which authors see what students did.

Of submissions from before, which have no fingerprint, the row says that they are wrong, and what was recognised.
"""

import sqlalchemy as sa
from alembic import op

revision = "202611231600"
down_revision = "202611231540"
branch_labels = None
depends_on = None

FALSE = sa.text("correct = false")


def upgrade() -> None:
    op.create_table(
        "wrong_outcome",
        sa.Column("submission_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("fingerprint", sa.String(length=32), nullable=True),
        sa.Column("mistake", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_wrong_outcome_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_wrong_outcome")),
    )
    op.execute(
        """
        INSERT INTO wrong_outcome (submission_id, exercise, mistake)
        SELECT submission.id, submission.exercise, grading.mistake
        FROM submission JOIN grading ON grading.submission_id = submission.id
        WHERE submission.kind = 'submit'
        AND grading.verdict IN ('wrong_answer', 'runtime_error', 'time_limit', 'memory_limit', 'output_limit')
        AND grading.id = (SELECT max(newest.id) FROM grading AS newest WHERE newest.submission_id = submission.id)
        """
    )
    op.create_table(
        "named_outcome",
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("outcome", sa.String(length=64), nullable=False),
        sa.Column("mistake", sa.String(length=200), nullable=False),
        sa.Column("named_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("exercise", "outcome", name=op.f("pk_named_outcome")),
    )
    op.create_index("ix_wrong_outcome_exercise_submission_id", "wrong_outcome", ["exercise", "submission_id"])
    op.create_index("ix_hint_opened_exercise_opened_at", "hint_opened", ["exercise", "opened_at"])
    op.create_index("ix_mistake_report_subject_id", "mistake_report", ["subject", "id"])
    op.create_index(
        "ix_answer_wrong", "answer", ["question", "question_hash", "id", "user_id"],
        sqlite_where=FALSE, postgresql_where=FALSE,
    )  # fmt: skip


def downgrade() -> None:
    op.drop_index("ix_answer_wrong", table_name="answer")
    op.drop_index("ix_mistake_report_subject_id", table_name="mistake_report")
    op.drop_index("ix_hint_opened_exercise_opened_at", table_name="hint_opened")
    op.drop_table("named_outcome")
    op.drop_table("wrong_outcome")
