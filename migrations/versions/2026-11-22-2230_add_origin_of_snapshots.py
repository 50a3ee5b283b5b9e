"""A snapshot says where it came from: a folder that is gone retires what came from folders, and nothing else."""

import sqlalchemy as sa
from alembic import op

revision = "202611222230"
down_revision = "202611222150"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("snapshot") as table:
        table.add_column(sa.Column("origin", sa.String(length=8), nullable=False, server_default="folder"))
        table.create_check_constraint(op.f("ck_snapshot_origin"), "origin IN ('folder', 'browser', 'import')")


def downgrade() -> None:
    with op.batch_alter_table("snapshot") as table:
        table.drop_constraint(op.f("ck_snapshot_origin"), type_="check")
        table.drop_column("origin")
