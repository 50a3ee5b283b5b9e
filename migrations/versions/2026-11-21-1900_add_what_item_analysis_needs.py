"""Of each answer: which content it was for, how it was read, how long it took, and where it was given."""

import sqlalchemy as sa
from alembic import op

revision = "202611211900"
down_revision = "202611211640"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("answer") as table:
        table.add_column(sa.Column("question_hash", sa.String(length=64), nullable=True))
        table.add_column(sa.Column("attempt", sa.Integer(), nullable=False, server_default="1"))
        table.add_column(sa.Column("occasion", sa.String(length=16), nullable=False, server_default="lesson"))
        table.add_column(sa.Column("read_as", sa.String(length=500), nullable=True))
        table.add_column(sa.Column("seconds", sa.Double(), nullable=True))
        table.create_check_constraint("occasion", "occasion IN ('lesson', 'sitting', 'review')")
        table.create_check_constraint("seconds", "seconds >= 0")
        table.create_index("ix_answer_question_question_hash", ["question", "question_hash"])
    op.execute(
        "UPDATE answer SET attempt = (SELECT count(*) FROM answer AS earlier"
        " WHERE earlier.user_id = answer.user_id AND earlier.question = answer.question AND earlier.id <= answer.id)"
    )
    with op.batch_alter_table("answer") as table:
        table.alter_column("attempt", server_default=None)
        table.alter_column("occasion", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("answer") as table:
        table.drop_index("ix_answer_question_question_hash")
        table.drop_constraint("seconds", type_="check")
        table.drop_constraint("occasion", type_="check")
        for name in ("seconds", "read_as", "occasion", "attempt", "question_hash"):
            table.drop_column(name)
