"""Quizzes taken in sittings, the answers saved in each, and the time that a person has."""

import sqlalchemy as sa
from alembic import op

revision = "202611212010"
down_revision = "202611212000"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # As a statement: Alembic would copy the table to give a column its check, and lose SQLite's AUTOINCREMENT.
    op.execute(
        f"ALTER TABLE user_account ADD COLUMN time_multiplier {_double()} DEFAULT 1 NOT NULL"
        " CONSTRAINT ck_user_account_time_multiplier CHECK (time_multiplier >= 1 AND time_multiplier <= 10)"
    )
    op.create_table(
        "quiz_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("course", sa.String(length=120), nullable=False),
        sa.Column("lesson", sa.String(length=120), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("time_limit_seconds", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(), nullable=True),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.CheckConstraint("(submitted_at IS NULL) = (score IS NULL)", name=op.f("ck_quiz_attempt_scored")),
        sa.CheckConstraint("score >= 0 AND score <= questions", name=op.f("ck_quiz_attempt_score")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_quiz_attempt_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name=op.f("fk_quiz_attempt_snapshot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quiz_attempt")),
        sa.UniqueConstraint(
            "user_id", "course", "lesson", "number", name=op.f("uq_quiz_attempt_user_id_course_lesson_number")
        ),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("submitted_at IS NULL")
    op.create_index(
        "ix_quiz_attempt_open", "quiz_attempt", ["user_id", "course", "lesson"], unique=True,
        sqlite_where=is_open, postgresql_where=is_open,
    )  # fmt: skip
    op.create_index(
        "ix_quiz_attempt_due", "quiz_attempt", ["deadline_at"], sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_table(
        "quiz_response",
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("variant", sa.Integer(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("saved_at", sa.DateTime(), nullable=True),
        sa.Column("correct", sa.Boolean(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["quiz_attempt.id"], name=op.f("fk_quiz_response_attempt_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "place", name=op.f("pk_quiz_response")),
        sa.UniqueConstraint("attempt_id", "slug", name=op.f("uq_quiz_response_attempt_id_slug")),
    )
    with op.batch_alter_table("answer") as table:
        table.add_column(sa.Column("quiz_attempt_id", sa.Integer(), nullable=True))
        table.create_foreign_key(
            op.f("fk_answer_quiz_attempt_id"), "quiz_attempt", ["quiz_attempt_id"], ["id"], ondelete="SET NULL"
        )
        table.create_index("ix_answer_quiz_attempt_id", ["quiz_attempt_id"])


def downgrade() -> None:
    with op.batch_alter_table("answer") as table:
        table.drop_index("ix_answer_quiz_attempt_id")
        table.drop_constraint(op.f("fk_answer_quiz_attempt_id"), type_="foreignkey")
        table.drop_column("quiz_attempt_id")
    op.drop_table("quiz_response")
    op.drop_table("quiz_attempt")
    with op.batch_alter_table("user_account", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint("time_multiplier", type_="check")
        table.drop_column("time_multiplier")


def _double() -> str:
    return "DOUBLE" if op.get_bind().dialect.name == "sqlite" else "DOUBLE PRECISION"
