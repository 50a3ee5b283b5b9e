"""Notes on lessons: what each is about, as a quotation with what stands around it, and what its owner wrote."""

import sqlalchemy as sa
from alembic import op

revision = "202611231210"
down_revision = "202611231200"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("course", sa.String(length=120), nullable=False),
        sa.Column("lesson", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        sa.Column("section", sa.String(length=200), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=False),
        sa.Column("after", sa.String(length=64), nullable=False),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_note_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
        sa.UniqueConstraint("user_id", "key", name=op.f("uq_note_user_id_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_note_user_id_course_lesson", "note", ["user_id", "course", "lesson"])


def downgrade() -> None:
    op.drop_index("ix_note_user_id_course_lesson", table_name="note")
    op.drop_table("note")
