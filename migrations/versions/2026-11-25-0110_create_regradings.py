"""Regradings: dry runs, what they found, and what takes them back. A grading says by which state of the exercise it was
made where that is another than its submission's, and which grading counts in its place."""

import sqlalchemy as sa
from alembic import op

revision = "202611250110"
down_revision = "202611250100"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # in SQLite too without a copy of the table, which is the largest of all
    op.execute(
        "ALTER TABLE grading ADD COLUMN snapshot_id INTEGER CONSTRAINT fk_grading_snapshot_id REFERENCES snapshot (id)"
    )
    op.execute(
        "ALTER TABLE grading ADD COLUMN replaced_by_id INTEGER "
        "CONSTRAINT fk_grading_replaced_by_id REFERENCES grading (id)"
    )
    op.add_column("grading", sa.Column("note", sa.String(500)))
    is_replaced = sa.text("replaced_by_id IS NOT NULL")
    op.create_index(
        "ix_grading_replaced_by_id", "grading", ["replaced_by_id"], sqlite_where=is_replaced,
        postgresql_where=is_replaced,
    )  # fmt: skip
    op.create_table(
        "regrading",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("class_id", sa.Integer(), _key("regrading", "class_id", "class.id", "CASCADE"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("slug", sa.String(120), nullable=False),
        sa.Column("revision", sa.String(64)),
        sa.Column("snapshot_id", sa.Integer(), _key("regrading", "snapshot_id", "snapshot.id", None)),
        sa.Column("ruling", sa.JSON(none_as_null=True)),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.String(500), nullable=False, server_default=""),
        sa.Column("message", sa.String(500), nullable=False, server_default=""),
        sa.Column("keep", sa.String(8)),
        sa.Column("created_by_id", sa.Integer(), _key("regrading", "created_by_id", "user_account.id", "SET NULL")),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("applied_at", sa.DateTime()),
        sa.Column("owner", sa.String(32)),
        sa.Column("leased_until", sa.DateTime()),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.CheckConstraint("state IN ('queued', 'running', 'finished', 'failed', 'applied')", name="state"),
        sa.CheckConstraint("keep IN ('better', 'new')", name="keep"),
        sqlite_autoincrement=True,
    )
    is_unfinished = sa.text("state IN ('queued', 'running')")
    op.create_index("ix_regrading_class_id", "regrading", ["class_id", "id"])
    op.create_index(
        "ix_regrading_unfinished", "regrading", ["id"], sqlite_where=is_unfinished, postgresql_where=is_unfinished
    )
    op.create_index("ix_regrading_created_by_id", "regrading", ["created_by_id"])
    op.create_table(
        "regrading_item",
        sa.Column(
            "regrading_id", sa.Integer(), _key("regrading_item", "regrading_id", "regrading.id", "CASCADE"),
            primary_key=True,
        ),
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column(
            "user_id", sa.Integer(), _key("regrading_item", "user_id", "user_account.id", "CASCADE"), nullable=False
        ),
        sa.Column("submission_id", sa.Integer(), _key("regrading_item", "submission_id", "submission.id", "CASCADE")),
        sa.Column("sitting_id", sa.Integer(), _key("regrading_item", "sitting_id", "sitting.id", "CASCADE")),
        sa.Column("before_id", sa.Integer()),
        sa.Column("before_verdict", sa.String(32)),
        sa.Column("before_score", sa.Double(), nullable=False),
        sa.Column("after_verdict", sa.String(32)),
        sa.Column("after_score", sa.Double()),
        sa.Column("result", sa.JSON(none_as_null=True)),
        sa.Column("undo", sa.JSON(none_as_null=True)),
    )  # fmt: skip
    is_left = sa.text("result IS NULL")
    op.create_index("ix_regrading_item_user_id", "regrading_item", ["user_id"])
    op.create_index("ix_regrading_item_submission_id", "regrading_item", ["submission_id"])
    op.create_index("ix_regrading_item_sitting_id", "regrading_item", ["sitting_id"])
    op.create_index(
        "ix_regrading_item_left", "regrading_item", ["regrading_id", "id"], sqlite_where=is_left,
        postgresql_where=is_left,
    )  # fmt: skip


def downgrade() -> None:
    op.drop_table("regrading_item")
    op.drop_table("regrading")
    op.drop_index("ix_grading_replaced_by_id", table_name="grading")
    op.drop_column("grading", "note")
    op.drop_column("grading", "replaced_by_id")
    op.drop_column("grading", "snapshot_id")


def _key(table: str, column: str, to: str, on_delete: str | None) -> sa.ForeignKey:
    return sa.ForeignKey(to, ondelete=on_delete, name=f"fk_{table}_{column}")
