"""Create users, sessions, snapshots, submissions, gradings, answers and what was read."""

import sqlalchemy as sa
from alembic import op

revision = "202611210930"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("imported_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'course')", name=op.f("ck_snapshot_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
        sa.UniqueConstraint("kind", "slug", "content_hash", name=op.f("uq_snapshot_kind_slug_content_hash")),
    )
    op.create_index("ix_snapshot_kind_is_current", "snapshot", ["kind", "is_current"])
    op.create_table(
        "user_account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254)),
        sa.Column("password_hash", sa.String(length=255)),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("(role = 'guest') = (email IS NULL)", name=op.f("ck_user_account_guest_has_no_email")),
        sa.CheckConstraint("role IN ('guest', 'student', 'instructor', 'admin')", name=op.f("ck_user_account_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
        sa.UniqueConstraint("email", name=op.f("uq_user_account_email")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=300), nullable=False),
        sa.Column("variant", sa.Integer(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("score >= 0 AND score <= 1", name=op.f("ck_answer_score")),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_answer_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer")),
    )
    op.create_index("ix_answer_user_id_question", "answer", ["user_id", "question"])
    op.create_table(
        "draft",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_draft_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "exercise", "framework", name=op.f("pk_draft")),
    )
    op.create_table(
        "lesson_read",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("course", sa.String(length=120), nullable=False),
        sa.Column("lesson", sa.String(length=120), nullable=False),
        sa.Column("read_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_lesson_read_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "course", "lesson", name=op.f("pk_lesson_read")),
    )
    op.create_table(
        "login",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_login_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_login")),
    )
    op.create_index("ix_login_user_id", "login", ["user_id"])
    op.create_table(
        "snapshot_file",
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_snapshot_file_snapshot_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("snapshot_id", "path", name=op.f("pk_snapshot_file")),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=120), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("inputs", sa.JSON(none_as_null=True)),
        sa.Column("idempotency_key", sa.String(length=200)),
        sa.Column("body_hash", sa.String(length=64)),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("framework IN ('numpy', 'jax', 'torch')", name=op.f("ck_submission_framework")),
        sa.CheckConstraint("kind IN ('submit', 'run')", name=op.f("ck_submission_kind")),
        sa.CheckConstraint(
            "(idempotency_key IS NULL) = (body_hash IS NULL)", name=op.f("ck_submission_key_has_body_hash")
        ),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name=op.f("fk_submission_snapshot_id")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_submission_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("user_id", "idempotency_key", name=op.f("uq_submission_user_id_idempotency_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_submission_user_id_exercise", "submission", ["user_id", "exercise", "id"])
    op.create_index("ix_submission_user_id_id", "submission", ["user_id", "id"])
    op.create_table(
        "grading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=32)),
        sa.Column("score", sa.Double()),
        sa.Column("summary", sa.Text()),
        sa.Column("diagnosis", sa.Text()),
        sa.Column("mistake", sa.String(length=200)),
        sa.Column("cases", sa.JSON(), nullable=False),
        sa.Column("queued_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime()),
        sa.Column("finished_at", sa.DateTime()),
        sa.CheckConstraint(
            "(state = 'finished') = (verdict IS NOT NULL)", name=op.f("ck_grading_finished_has_verdict")
        ),
        sa.CheckConstraint("state IN ('queued', 'running', 'finished')", name=op.f("ck_grading_state")),
        sa.CheckConstraint(
            "verdict IN ('accepted', 'wrong_answer', 'runtime_error', 'time_limit', 'memory_limit', "
            "'output_limit', 'invalid_submission', 'internal_error')",
            name=op.f("ck_grading_verdict"),
        ),
        sa.CheckConstraint("attempt >= 0", name=op.f("ck_grading_attempt")),
        sa.CheckConstraint("score >= 0 AND score <= 1", name=op.f("ck_grading_score")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_grading_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grading")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_grading_submission_id", "grading", ["submission_id"])
    op.create_index(
        "ix_grading_unfinished",
        "grading",
        ["id"],
        sqlite_where=sa.text("state <> 'finished'"),
        postgresql_where=sa.text("state <> 'finished'"),
    )


def downgrade() -> None:
    for table in (
        "grading",
        "submission",
        "snapshot_file",
        "login",
        "lesson_read",
        "draft",
        "answer",
        "user_account",
        "snapshot",
    ):
        op.drop_table(table)
