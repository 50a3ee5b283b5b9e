"""Reports of whose submissions to an exercise with variants fit the variant of somebody else in the class."""

import sqlalchemy as sa
from alembic import op

revision = "202611251000"
down_revision = "202611250900"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "variant_report",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("class_id", sa.Integer(), _key("variant_report", "class_id", "class.id", "CASCADE"), nullable=False),
        sa.Column("slug", sa.String(120), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), _key("variant_report", "snapshot_id", "snapshot.id"), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.String(500), nullable=False, server_default=""),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("finished_at", sa.DateTime()),
        sa.Column("owner", sa.String(32)),
        sa.Column("leased_until", sa.DateTime()),
        sa.CheckConstraint("state IN ('queued', 'running', 'finished', 'failed')", name="state"),
        sqlite_autoincrement=True,
    )
    is_unfinished = sa.text("state IN ('queued', 'running')")
    op.create_index("ix_variant_report_class_id", "variant_report", ["class_id", "slug"], unique=True)
    op.create_index(
        "ix_variant_report_unfinished", "variant_report", ["id"], sqlite_where=is_unfinished,
        postgresql_where=is_unfinished,
    )  # fmt: skip
    op.create_table(
        "variant_report_item",
        sa.Column(
            "report_id", sa.Integer(), _key("variant_report_item", "report_id", "variant_report.id", "CASCADE"),
            primary_key=True,
        ),
        sa.Column(
            "submission_id", sa.Integer(),
            _key("variant_report_item", "submission_id", "submission.id", "CASCADE"), primary_key=True,
        ),
        sa.Column(
            "user_id", sa.Integer(), _key("variant_report_item", "user_id", "user_account.id", "CASCADE"),
            nullable=False,
        ),
        sa.Column("is_accepted", sa.Boolean(), nullable=False),
        sa.Column("judged_in", sa.String(400), nullable=False),
        sa.Column("own", sa.String(400), nullable=False),
        sa.Column("fits", sa.JSON(none_as_null=True)),
        sa.Column("failed", sa.Integer(), nullable=False, server_default="0"),
    )  # fmt: skip
    is_left = sa.text("fits IS NULL")
    op.create_index("ix_variant_report_item_submission_id", "variant_report_item", ["submission_id"])
    op.create_index("ix_variant_report_item_user_id", "variant_report_item", ["user_id"])
    op.create_index(
        "ix_variant_report_item_left", "variant_report_item", ["report_id", "submission_id"], sqlite_where=is_left,
        postgresql_where=is_left,
    )  # fmt: skip


def downgrade() -> None:
    op.drop_table("variant_report_item")
    op.drop_table("variant_report")


def _key(table: str, column: str, to: str, on_delete: str | None = None) -> sa.ForeignKey:
    return sa.ForeignKey(to, ondelete=on_delete, name=f"fk_{table}_{column}")
