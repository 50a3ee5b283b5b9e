"""Comments on lines of submissions, rubrics and the points given by them, who grades what, and frozen gradebooks; and
whether a quiz attempt was begun by a guest."""

import sqlalchemy as sa
from alembic import op

revision = "202611250600"
down_revision = "202611250500"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sitting", sa.Column("was_guests", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "line_comment",
        sa.Column("id", sa.Integer(), primary_key=True),
        _named("line_comment", "submission_id", "submission", "CASCADE"),
        _named("line_comment", "class_id", "class", "CASCADE"),
        _named("line_comment", "user_id", "user_account", "CASCADE"),
        _named("line_comment", "author_id", "user_account", "SET NULL"),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("edited_at", sa.DateTime()),
        sa.Column("deleted_at", sa.DateTime()),
        sa.CheckConstraint("line >= 1", name="line"),
        sqlite_autoincrement=True,
    )
    for column in ("submission_id", "class_id", "user_id", "author_id"):
        op.create_index(f"ix_line_comment_{column}", "line_comment", [column])
    op.create_table(
        "rubric",
        _named("rubric", "class_id", "class", "CASCADE", is_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("slug", sa.String(120), primary_key=True),
        sa.Column("hand_weight", sa.Double(), nullable=False),
        sa.Column("is_anonymous", sa.Boolean(), nullable=False),
        sa.Column("rows", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.CheckConstraint("hand_weight >= 0 AND hand_weight <= 1", name="hand_weight"),
    )
    op.create_table(
        "hand_grade",
        _named("hand_grade", "class_id", "class", "CASCADE", is_key=True),
        _named("hand_grade", "user_id", "user_account", "CASCADE", is_key=True),
        sa.Column("slug", sa.String(120), primary_key=True),
        _named("hand_grade", "submission_id", "submission", "CASCADE"),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False, server_default=""),
        _named("hand_grade", "by_id", "user_account", "SET NULL"),
        sa.Column("graded_at", sa.DateTime(), nullable=False),
    )
    for column in ("user_id", "submission_id", "by_id"):
        op.create_index(f"ix_hand_grade_{column}", "hand_grade", [column])
    op.create_table(
        "grading_claim",
        sa.Column("item", sa.String(160), primary_key=True),
        _named("grading_claim", "class_id", "class", "CASCADE"),
        _named("grading_claim", "holder_id", "user_account", "CASCADE"),
        sa.Column("until", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_grading_claim_holder_id", "grading_claim", ["holder_id"])
    op.create_index("ix_grading_claim_class_id", "grading_claim", ["class_id"])
    op.create_table(
        "frozen_gradebook",
        sa.Column("id", sa.Integer(), primary_key=True),
        _named("frozen_gradebook", "class_id", "class", "CASCADE"),
        sa.Column("kind", sa.String(16)),
        sa.Column("slug", sa.String(120)),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("occasion", sa.String(200)),
        sa.Column("why", sa.String(500), nullable=False),
        _named("frozen_gradebook", "by_id", "user_account", "SET NULL"),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.CheckConstraint("(kind IS NULL) = (slug IS NULL)", name="one_or_all"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_frozen_gradebook_class_id", "frozen_gradebook", ["class_id", "id"])
    op.create_index("ix_frozen_gradebook_occasion", "frozen_gradebook", ["class_id", "occasion"], unique=True)
    op.create_index("ix_frozen_gradebook_by_id", "frozen_gradebook", ["by_id"])
    op.create_table(
        "frozen_row",
        _named("frozen_row", "frozen_id", "frozen_gradebook", "CASCADE", is_key=True),
        _named("frozen_row", "user_id", "user_account", "CASCADE", is_key=True),
        sa.Column("email", sa.String(254)),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("section", sa.String(80), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("total", sa.Double()),
    )
    op.create_index("ix_frozen_row_user_id", "frozen_row", ["user_id"])


def downgrade() -> None:
    for table in ("frozen_row", "frozen_gradebook", "grading_claim", "hand_grade", "rubric", "line_comment"):
        op.drop_table(table)
    op.drop_column("sitting", "was_guests")


def _named(table: str, column: str, other: str, gone: str, *, is_key: bool = False) -> sa.Column[int]:
    """A column that names a row of another table. `gone`: what becomes of it once that row is deleted."""
    key = sa.ForeignKey(f"{other}.id", ondelete=gone, name=f"fk_{table}_{column}")
    return sa.Column(column, sa.Integer(), key, primary_key=is_key, nullable=gone == "SET NULL")
