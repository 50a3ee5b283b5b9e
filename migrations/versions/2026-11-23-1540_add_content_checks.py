"""What the gate found about each state of an exercise or a course."""

import sqlalchemy as sa
from alembic import op

revision = "202611231540"
down_revision = "202611231530"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "content_check",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("edition", sa.String(length=64), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'course')", name=op.f("ck_content_check_kind")),
        sa.PrimaryKeyConstraint("kind", "slug", "content_hash", name=op.f("pk_content_check")),
    )
    op.create_index("ix_content_check_kind_slug_finished_at", "content_check", ["kind", "slug", "finished_at"])


def downgrade() -> None:
    op.drop_index("ix_content_check_kind_slug_finished_at", table_name="content_check")
    op.drop_table("content_check")
