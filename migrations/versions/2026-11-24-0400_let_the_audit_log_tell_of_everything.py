"""The audit log tells of people and of the installation, too; and the database lets nobody change an entry."""

import sqlalchemy as sa
from alembic import op

revision = "202611240400"
down_revision = "202611240330"
branch_labels = None
depends_on = None

KEPT = "id, at, via, kind, slug, action, detail"
REFUSAL = "an entry of the audit log is never changed"


def upgrade() -> None:
    op.add_column("audit_entry", sa.Column("via", sa.String(length=16), nullable=False, server_default="web"))
    op.execute("UPDATE audit_entry SET via = 'server' WHERE actor_id IS NULL")
    op.create_index("ix_audit_entry_action", "audit_entry", ["action", "id"])
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"])
    # Its actor is forgotten with the account (ON DELETE SET NULL), and is never another one.
    other_actor = "NEW.actor_id IS NOT NULL"
    if op.get_bind().dialect.name == "sqlite":
        refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        op.execute(f"CREATE TRIGGER audit_entry_is_kept BEFORE UPDATE OF {KEPT} ON audit_entry {refuse}")
        op.execute(
            "CREATE TRIGGER audit_entry_keeps_its_actor BEFORE UPDATE OF actor_id ON audit_entry "
            f"WHEN {other_actor} {refuse}"
        )
        return
    op.execute(
        "CREATE FUNCTION refuse_change_of_audit_entry() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    run = "FOR EACH ROW {} EXECUTE FUNCTION refuse_change_of_audit_entry()"
    op.execute(f"CREATE TRIGGER audit_entry_is_kept BEFORE UPDATE OF {KEPT} ON audit_entry {run.format('')}")
    op.execute(
        "CREATE TRIGGER audit_entry_keeps_its_actor BEFORE UPDATE OF actor_id ON audit_entry "
        f"{run.format(f'WHEN ({other_actor})')}"
    )


def downgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for trigger in ("audit_entry_keeps_its_actor", "audit_entry_is_kept"):
        op.execute(f"DROP TRIGGER {trigger}" + ("" if is_sqlite else " ON audit_entry"))
    if not is_sqlite:
        op.execute("DROP FUNCTION refuse_change_of_audit_entry()")
    op.drop_index("ix_audit_entry_at", table_name="audit_entry")
    op.drop_index("ix_audit_entry_action", table_name="audit_entry")
    with op.batch_alter_table("audit_entry") as table:
        table.drop_column("via")
