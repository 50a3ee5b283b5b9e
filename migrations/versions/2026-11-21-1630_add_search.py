"""What can be searched: entries, and beside them the words in each database's own full-text index."""

import sqlalchemy as sa
from alembic import op

revision = "202611211630"
down_revision = "202611211610"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("course", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_search_entry_snapshot_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_entry")),
        sa.UniqueConstraint("snapshot_id", "place", name=op.f("uq_search_entry_snapshot_id_place")),
    )
    op.create_index("ix_search_entry_edition", "search_entry", ["edition"])
    if op.get_bind().dialect.name == "sqlite":
        # the words come folded and cut: FTS5 need only take them apart at the spaces
        op.execute(
            "CREATE VIRTUAL TABLE search_words USING fts5(title, heading, words, around,"
            " tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\", prefix='2 3')"
        )
    else:
        op.execute(
            "CREATE TABLE search_words (entry_id INTEGER PRIMARY KEY REFERENCES search_entry (id) ON DELETE CASCADE,"
            " words TSVECTOR NOT NULL)"
        )
        op.execute("CREATE INDEX ix_search_words_words ON search_words USING gin (words)")


def downgrade() -> None:
    op.drop_table("search_words")
    op.drop_table("search_entry")
