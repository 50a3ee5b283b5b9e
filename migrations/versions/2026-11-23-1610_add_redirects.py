"""New names of exercises, courses and lessons; and texts that authors have typed and not saved as a revision."""

import sqlalchemy as sa
from alembic import op

revision = "202611231610"
down_revision = "202611231600"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "redirect",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("old", sa.String(length=241), nullable=False),
        sa.Column("new", sa.String(length=241), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=True),
        sa.CheckConstraint("kind IN ('exercise', 'course', 'lesson')", name=op.f("ck_redirect_kind")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["user_account.id"], name=op.f("fk_redirect_author_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_redirect")),
        sa.UniqueConstraint("kind", "old", name="uq_redirect_kind_old"),
    )
    op.create_index("ix_redirect_kind_new", "redirect", ["kind", "new"])
    op.create_index("ix_redirect_author_id", "redirect", ["author_id"])
    op.create_table(
        "unsaved_text",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("base", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'course')", name=op.f("ck_unsaved_text_kind")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_unsaved_text_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", "slug", "path", name=op.f("pk_unsaved_text")),
    )
    op.create_index("ix_unsaved_text_kind_slug", "unsaved_text", ["kind", "slug"])


def downgrade() -> None:
    op.drop_table("unsaved_text")
    op.drop_table("redirect")
