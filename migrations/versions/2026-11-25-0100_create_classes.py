"""Classes, who is in them, their assignments and extensions, gradebooks, and efforts: a row a person and exercise.

Efforts are counted from what is there: one walk over the submissions for credit.
"""

import sqlalchemy as sa
from alembic import op

revision = "202611250100"
down_revision = "202611240500"
branch_labels = None
depends_on = None

ROLES = "role IN ('student', 'assistant', 'instructor')"


def upgrade() -> None:
    op.create_table(
        "class",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("course", sa.String(120), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("timezone", sa.String(64), nullable=False),
        sa.Column("joining", sa.String(16), nullable=False),
        sa.Column("join_code", sa.String(16), nullable=False),
        sa.Column("drop_lowest", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("archived_at", sa.DateTime()),
        sa.Column(
            "copied_from_id",
            sa.Integer(),
            sa.ForeignKey("class.id", ondelete="SET NULL", name="fk_class_copied_from_id"),
        ),
        sa.CheckConstraint("joining IN ('code', 'invitation')", name="joining"),
        sa.CheckConstraint("drop_lowest >= 0", name="drop_lowest"),
        sa.UniqueConstraint("join_code", name="uq_class_join_code"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "enrolment",
        _of_class("enrolment"),
        _of_person("enrolment"),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("name", sa.String(200), nullable=False, server_default=""),
        sa.Column("section", sa.String(80), nullable=False, server_default=""),
        sa.Column("joined_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(ROLES, name="role"),
    )
    op.create_index("ix_enrolment_user_id", "enrolment", ["user_id"])
    op.create_table(
        "expected_person",
        _of_class("expected_person"),
        sa.Column("email", sa.String(254), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("name", sa.String(200), nullable=False, server_default=""),
        sa.Column("section", sa.String(80), nullable=False, server_default=""),
        sa.Column("expected_at", sa.DateTime(), nullable=False),
        sa.Column("invited_at", sa.DateTime()),
        sa.CheckConstraint(ROLES, name="role"),
    )
    op.create_index("ix_expected_person_email", "expected_person", ["email"])
    op.create_table(
        "assignment",
        _of_class("assignment"),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("slug", sa.String(120), primary_key=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("opens_at", sa.DateTime()),
        sa.Column("due_at", sa.DateTime()),
        sa.Column("closes_at", sa.DateTime()),
        sa.Column("hidden_until", sa.DateTime()),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("late_per_day", sa.Double(), nullable=False),
        sa.Column("grace_minutes", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer()),
        sa.Column("access_code", sa.String(80)),
        sa.Column("answers_shown", sa.String(16), nullable=False, server_default="submitted"),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.CheckConstraint("weight >= 0", name="weight"),
        sa.CheckConstraint("late_per_day >= 0 AND late_per_day <= 1", name="late_per_day"),
        sa.CheckConstraint("grace_minutes >= 0", name="grace_minutes"),
        sa.CheckConstraint("attempts >= 1", name="attempts"),
        sa.CheckConstraint("answers_shown IN ('submitted', 'due', 'closed')", name="answers_shown"),
    )
    op.create_index("ix_assignment_kind_slug", "assignment", ["kind", "slug"])
    op.create_index("ix_assignment_due_at", "assignment", ["due_at"])
    op.create_table(
        "extension",
        _of_class("extension"),
        _of_person("extension"),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("slug", sa.String(120), primary_key=True),
        sa.Column("due_at", sa.DateTime()),
        sa.Column("attempts", sa.Integer()),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(500), nullable=False, server_default=""),
        sa.Column("given_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.CheckConstraint("attempts >= 1", name="attempts"),
    )
    op.create_index("ix_extension_user_id", "extension", ["user_id"])
    op.create_table(
        "effort",
        _of_person("effort"),
        sa.Column("exercise", sa.String(120), primary_key=True),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("best_score", sa.Double(), nullable=False),
        sa.Column("first_at", sa.DateTime(), nullable=False),
        sa.Column("last_at", sa.DateTime(), nullable=False),
        sa.Column("solved_at", sa.DateTime()),
        sa.Column("until_solved", sa.Integer()),
    )
    op.create_index("ix_effort_exercise_user_id", "effort", ["exercise", "user_id"])
    op.create_table(
        "gradebook_cell",
        _of_class("gradebook_cell"),
        _of_person("gradebook_cell"),
        sa.Column("slug", sa.String(120), primary_key=True),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("terms", sa.String(32), nullable=False),
        sa.Column("score", sa.Double()),
        sa.Column("raw", sa.Double()),
        sa.Column("late_days", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer()),
    )
    op.create_index("ix_gradebook_cell_user_id", "gradebook_cell", ["user_id"])
    op.create_table(
        "score_override",
        _of_class("score_override"),
        _of_person("score_override"),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("slug", sa.String(120), primary_key=True),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.Column(
            "by_id", sa.Integer(), sa.ForeignKey("user_account.id", ondelete="SET NULL", name="fk_score_override_by_id")
        ),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.CheckConstraint("score >= 0 AND score <= 1", name="score"),
    )
    op.create_index("ix_score_override_user_id", "score_override", ["user_id"])
    op.create_index("ix_score_override_by_id", "score_override", ["by_id"])
    _count_efforts()


def downgrade() -> None:
    for table in (
        "score_override",
        "gradebook_cell",
        "effort",
        "extension",
        "assignment",
        "expected_person",
        "enrolment",
    ):
        op.drop_table(table)
    op.drop_table("class")


def _of_class(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("class.id", ondelete="CASCADE", name=f"fk_{table}_class_id")
    return sa.Column("class_id", sa.Integer(), key, primary_key=True)


def _of_person(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("user_account.id", ondelete="CASCADE", name=f"fk_{table}_user_id")
    return sa.Column("user_id", sa.Integer(), key, primary_key=True)


def _count_efforts() -> None:
    op.execute("""
        INSERT INTO effort (user_id, exercise, changes, attempts, wrong, best_score, first_at, last_at, solved_at,
                            until_solved)
        SELECT user_id, exercise, count(*), count(*), sum(CASE WHEN verdict = 'accepted' THEN 0 ELSE 1 END), max(score),
               min(created_at), max(created_at), min(CASE WHEN verdict = 'accepted' THEN created_at END),
               min(CASE WHEN verdict = 'accepted' THEN place END)
        FROM (
            SELECT submission.user_id, submission.exercise, submission.created_at, grading.verdict, grading.score,
                   row_number() OVER (PARTITION BY submission.user_id, submission.exercise ORDER BY submission.id)
                       AS place
            FROM submission JOIN grading ON grading.submission_id = submission.id
            WHERE submission.kind = 'submit' AND grading.verdict IS NOT NULL
              AND grading.verdict NOT IN ('internal_error', 'invalid_submission')
              AND grading.id = (SELECT max(g.id) FROM grading AS g WHERE g.submission_id = submission.id)
        ) AS judged
        GROUP BY user_id, exercise
    """)
