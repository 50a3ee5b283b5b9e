"""Search by stems and names, and the words that a typing error is compared with. The next start writes them all."""

import sqlalchemy as sa
from alembic import op

revision = "202611230930"
down_revision = "202611230910"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_vocabulary",
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_search_vocabulary_snapshot_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("snapshot_id", name=op.f("pk_search_vocabulary")),
    )
    _forget_entries()
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_words")
        # a sign before a term keeps stems and names apart from words (app/reading/search_terms.py)
        op.execute(
            "CREATE VIRTUAL TABLE search_words USING fts5(title, heading, words, around, names,"
            " tokenize=\"unicode61 remove_diacritics 0 tokenchars '_=@%#$'\", prefix='2 3 4')"
        )


def downgrade() -> None:
    _forget_entries()
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_words")
        op.execute(
            "CREATE VIRTUAL TABLE search_words USING fts5(title, heading, words, around,"
            " tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\", prefix='2 3')"
        )
    op.drop_table("search_vocabulary")


def _forget_entries() -> None:
    """What another edition wrote is of no use; the content itself is in the snapshots' files."""
    op.execute("DELETE FROM search_entry")
