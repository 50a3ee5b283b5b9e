"""Discussions below exercises and questions: threads, topics, posts and names; reports of posts and of mistakes."""

import sqlalchemy as sa
from alembic import op

revision = "202611231200"
down_revision = "202611230930"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "discussion_name",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=160), nullable=False),
        _person("discussion_name"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_discussion_name")),
        sa.UniqueConstraint("folded", name=op.f("uq_discussion_name_folded")),
    )
    op.create_table(
        "discussion_thread",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=320), nullable=False),
        sa.Column("is_locked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discussion_thread")),
        sa.UniqueConstraint("subject", name=op.f("uq_discussion_thread_subject")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "discussion_topic",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread_id", sa.Integer(), nullable=False),
        _of("discussion_topic", "thread_id", "discussion_thread"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discussion_topic")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_discussion_topic_thread_id", "discussion_topic", ["thread_id", "id"])
    _create_posts()
    _create_post_reports()
    _create_mistake_reports()


def _create_posts() -> None:
    op.create_table(
        "discussion_post",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread_id", sa.Integer(), nullable=False),
        sa.Column("topic_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("is_spoiler", sa.Boolean(), nullable=False),
        sa.Column("is_answer", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("edited_at", sa.DateTime(), nullable=True),
        sa.Column("hidden_at", sa.DateTime(), nullable=True),
        sa.Column("hidden_why", sa.String(length=500), nullable=True),
        _of("discussion_post", "thread_id", "discussion_thread"),
        _of("discussion_post", "topic_id", "discussion_topic"),
        _person("discussion_post"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discussion_post")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_discussion_post_thread_id", "discussion_post", ["thread_id", "hidden_at"])
    op.create_index("ix_discussion_post_topic_id", "discussion_post", ["topic_id"])
    op.create_index("ix_discussion_post_user_id", "discussion_post", ["user_id"])


def _create_post_reports() -> None:
    op.create_table(
        "post_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("resolved_at", sa.DateTime(), nullable=True),
        sa.Column("resolution", sa.String(length=600), nullable=True),
        _of("post_report", "post_id", "discussion_post"),
        _person("post_report"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_post_report")),
        sa.UniqueConstraint("post_id", "user_id", name=op.f("uq_post_report_post_id_user_id")),
    )
    op.create_index("ix_post_report_user_id", "post_report", ["user_id"])
    _index_open("post_report")


def _create_mistake_reports() -> None:
    op.create_table(
        "mistake_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=320), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=True),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("resolved_at", sa.DateTime(), nullable=True),
        sa.Column("resolution", sa.String(length=500), nullable=True),
        _person("mistake_report"),
        _of("mistake_report", "submission_id", "submission", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mistake_report")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mistake_report_user_id_created_at", "mistake_report", ["user_id", "created_at"])
    op.create_index("ix_mistake_report_submission_id", "mistake_report", ["submission_id"])
    _index_open("mistake_report")


def downgrade() -> None:
    for table in (
        "mistake_report", "post_report", "discussion_post", "discussion_topic", "discussion_thread", "discussion_name"
    ):  # fmt: skip
        op.drop_table(table)


def _person(table: str) -> sa.ForeignKeyConstraint:
    return _of(table, "user_id", "user_account")


def _of(table: str, column: str, other: str, then: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=then)


def _index_open(table: str) -> None:
    still_open = sa.text("resolved_at IS NULL")
    op.create_index(
        f"ix_{table}_open", table, ["created_at"], sqlite_where=still_open, postgresql_where=still_open
    )  # fmt: skip
