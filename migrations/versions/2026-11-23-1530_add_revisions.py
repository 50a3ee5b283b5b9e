"""Revisions: every saved state of an exercise or a course, what is published of it, who may author it, and the log."""

import sqlalchemy as sa
from alembic import op

revision = "202611231530"
down_revision = "202611231210"
branch_labels = None
depends_on = None

KIND = "kind IN ('exercise', 'course')"


def upgrade() -> None:
    op.create_table(
        "file_content",
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("pk_file_content")),
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("author_id", sa.Integer(), nullable=True),
        sa.Column("message", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(KIND, name=op.f("ck_revision_kind")),
        sa.CheckConstraint("origin IN ('folder', 'browser', 'import')", name=op.f("ck_revision_origin")),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["revision.id"], name=op.f("fk_revision_parent_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["user_account.id"], name=op.f("fk_revision_author_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revision")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_revision_kind_slug", "revision", ["kind", "slug", "id"])
    op.create_index("ix_revision_author_id", "revision", ["author_id"])
    op.create_table(
        "revision_file",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_revision_file_revision_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["content_hash"], ["file_content.content_hash"], name=op.f("fk_revision_file_content_hash")
        ),
        sa.PrimaryKeyConstraint("revision_id", "path", name=op.f("pk_revision_file")),
    )
    op.create_table(
        "content",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("newest_id", sa.Integer(), nullable=False),
        sa.Column("published_id", sa.Integer(), nullable=True),
        sa.Column("folder_hash", sa.String(length=64), nullable=True),
        sa.Column("conflict_id", sa.Integer(), nullable=True),
        sa.CheckConstraint(KIND, name=op.f("ck_content_kind")),
        sa.ForeignKeyConstraint(["newest_id"], ["revision.id"], name=op.f("fk_content_newest_id")),
        sa.ForeignKeyConstraint(["published_id"], ["revision.id"], name=op.f("fk_content_published_id")),
        sa.ForeignKeyConstraint(["conflict_id"], ["revision.id"], name=op.f("fk_content_conflict_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content")),
        sa.UniqueConstraint("kind", "slug", name=op.f("uq_content_kind_slug")),
    )
    op.create_table(
        "publication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(KIND, name=op.f("ck_publication_kind")),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_publication_revision_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["user_account.id"], name=op.f("fk_publication_author_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publication")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_publication_kind_slug", "publication", ["kind", "slug", "id"])
    op.create_index("ix_publication_revision_id", "publication", ["revision_id"])
    op.create_index("ix_publication_author_id", "publication", ["author_id"])
    op.create_table(
        "content_author",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.CheckConstraint(KIND, name=op.f("ck_content_author_kind")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_content_author_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("kind", "slug", "user_id", name=op.f("pk_content_author")),
    )
    op.create_index("ix_content_author_user_id", "content_author", ["user_id"])
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["user_account.id"], name=op.f("fk_audit_entry_actor_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_entry_kind_slug", "audit_entry", ["kind", "slug", "id"])
    op.create_index("ix_audit_entry_actor_id", "audit_entry", ["actor_id"])


def downgrade() -> None:
    for table in (
        "audit_entry",
        "content_author",
        "publication",
        "content",
        "revision_file",
        "revision",
        "file_content",
    ):
        op.drop_table(table)
