"""Rate limits that several web processes share; and which hand-out of an attempt a worker has, in the grading's row."""

import sqlalchemy as sa
from alembic import op

revision = "202611240430"
down_revision = "202611240415"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "allowance",
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("full_at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_allowance")),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE allowance SET UNLOGGED")  # each request would wait for the disk; it lasts for minutes
    op.add_column("grading", sa.Column("round", sa.String(8), nullable=True))


def downgrade() -> None:
    # in SQLite too without a copy of the table, which is the largest of all
    op.drop_column("grading", "round")
    op.drop_table("allowance")
