"""Letters: an outbox, who wants which, links to confirm an address, invitations to classes, calendar feeds; and
webhooks of classes with what is on its way to them. And sign-ins by a provider, with the accounts they lead to.

An account that an operator made counts as confirmed: the audit log knows them, and staff are theirs in any case.
"""

import sqlalchemy as sa
from alembic import op

revision = "202611250400"
down_revision = "202611250200"
branch_labels = None
depends_on = None

WAITING = sa.text("sent_at IS NULL AND given_up_at IS NULL")
ON_ITS_WAY = sa.text("delivered_at IS NULL AND given_up_at IS NULL")


def upgrade() -> None:
    with op.batch_alter_table("user_account") as batch:
        batch.add_column(sa.Column("verified_at", sa.DateTime()))
    op.execute("""
        UPDATE user_account SET verified_at = created_at
        WHERE role IN ('instructor', 'admin') OR id IN (
            SELECT CAST(slug AS INTEGER) FROM audit_entry
            WHERE kind = 'person' AND action = 'account added' AND via = 'command line'
        )
    """)
    op.create_table(
        "outgoing_letter",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_person("outgoing_letter", nullable=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("to", sa.String(254), nullable=False),
        sa.Column("subject", sa.String(300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("path", sa.String(500)),
        sa.Column("about", sa.String(40), nullable=False, server_default=""),
        sa.Column("dedupe", sa.String(300), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("sent_at", sa.DateTime()),
        sa.Column("given_up_at", sa.DateTime()),
        sa.Column("last_error", sa.String(120), nullable=False, server_default=""),
        sa.Column("stop_hash", sa.LargeBinary(32)),
        sa.UniqueConstraint("dedupe", name="uq_outgoing_letter_dedupe"),
        sa.UniqueConstraint("stop_hash", name="uq_outgoing_letter_stop_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_outgoing_letter_due_at", "outgoing_letter", ["due_at"], sqlite_where=WAITING, postgresql_where=WAITING
    )
    op.create_index("ix_outgoing_letter_user_id", "outgoing_letter", ["user_id"])
    op.create_index("ix_outgoing_letter_created_at", "outgoing_letter", ["created_at"])
    op.create_table(
        "letter_choice",
        _of_person("letter_choice", primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("off_since", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "verification",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        _of_person("verification", nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_verification_user_id", "verification", ["user_id"])
    op.create_table(
        "invitation",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id", "email"],
            ["expected_person.class_id", "expected_person.email"],
            name="fk_invitation_class_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_invitation_class_id_email", "invitation", ["class_id", "email"])
    op.create_table(
        "calendar_feed",
        _of_person("calendar_feed", primary_key=True),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, server_default=""),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("token_hash", name="uq_calendar_feed_token_hash"),
    )
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "class_id",
            sa.Integer(),
            sa.ForeignKey("class.id", ondelete="CASCADE", name="fk_webhook_class_id"),
            nullable=False,
        ),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("events", sa.String(300), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("disabled_at", sa.DateTime()),
        sa.Column("failures", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("failing_since", sa.DateTime()),
        sa.Column("retry_at", sa.DateTime()),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_webhook_class_id", "webhook", ["class_id"])
    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "webhook_id",
            sa.Integer(),
            sa.ForeignKey("webhook.id", ondelete="CASCADE", name="fk_webhook_delivery_webhook_id"),
            nullable=False,
        ),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("delivered_at", sa.DateTime()),
        sa.Column("given_up_at", sa.DateTime()),
        sa.Column("status", sa.Integer()),
        sa.Column("last_error", sa.String(120), nullable=False, server_default=""),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_webhook_delivery_webhook_id", "webhook_delivery", ["webhook_id", "id"])
    op.create_index(
        "ix_webhook_delivery_due_at",
        "webhook_delivery",
        ["due_at"],
        sqlite_where=ON_ITS_WAY,
        postgresql_where=ON_ITS_WAY,
    )
    op.create_index("ix_webhook_delivery_created_at", "webhook_delivery", ["created_at"])
    op.create_table(
        "oidc_sign_in",
        sa.Column("state_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("browser_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("verifier", sa.String(128), nullable=False),
        sa.Column("back", sa.String(500), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_oidc_sign_in_expires_at", "oidc_sign_in", ["expires_at"])
    op.create_table(
        "oidc_identity",
        sa.Column("issuer", sa.String(255), primary_key=True),
        sa.Column("subject", sa.String(255), primary_key=True),
        _of_person("oidc_identity", nullable=False),
        sa.Column("linked_at", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("user_id", "issuer", name="uq_oidc_identity_user_id_issuer"),
    )


def downgrade() -> None:
    for table in (
        "oidc_identity",
        "oidc_sign_in",
        "webhook_delivery",
        "webhook",
        "calendar_feed",
        "invitation",
        "verification",
        "letter_choice",
        "outgoing_letter",
    ):
        op.drop_table(table)
    with op.batch_alter_table("user_account") as batch:
        batch.drop_column("verified_at")


def _of_person(table: str, **more: bool) -> sa.Column[int]:
    key = sa.ForeignKey("user_account.id", ondelete="CASCADE", name=f"fk_{table}_user_id")
    return sa.Column("user_id", sa.Integer(), key, **more)
