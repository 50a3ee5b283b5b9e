"""Questions that come back, whose days they are reckoned by, and indexes for progress over many answers."""

import sqlalchemy as sa
from alembic import op

revision = "202611212000"
down_revision = "202611211900"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user_account", sa.Column("utc_offset_minutes", sa.Integer(), nullable=True))
    op.create_table(
        "review_card",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=300), nullable=False),
        sa.Column("question_hash", sa.String(length=64), nullable=False),
        sa.Column("stability", sa.Double(), nullable=False),
        sa.Column("difficulty", sa.Double(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.Column("last_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("reviews >= 0", name=op.f("ck_review_card_reviews")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_review_card_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "question", name=op.f("pk_review_card")),
    )
    op.create_index("ix_review_card_user_id_due_at", "review_card", ["user_id", "due_at"])
    op.drop_index("ix_answer_user_id_question", "answer")
    covering = ["user_id", "question", "question_hash", "correct", "score", "created_at"]
    op.create_index("ix_answer_user_id_question", "answer", covering)
    op.create_index("ix_answer_user_id_created_at", "answer", ["user_id", "created_at"])
    op.create_index("ix_submission_user_id_created_at", "submission", ["user_id", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_submission_user_id_created_at", "submission")
    op.drop_index("ix_answer_user_id_created_at", "answer")
    op.drop_index("ix_answer_user_id_question", "answer")
    op.create_index("ix_answer_user_id_question", "answer", ["user_id", "question"])
    op.drop_table("review_card")
    with op.batch_alter_table("user_account") as table:
        table.drop_column("utc_offset_minutes")
