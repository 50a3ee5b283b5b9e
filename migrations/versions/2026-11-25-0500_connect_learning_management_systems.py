"""Learning management systems: platforms, our keys, launches, accounts, connected courses, and scores on their way."""

import sqlalchemy as sa
from alembic import op

revision = "202611250500"
down_revision = "202611250400"
branch_labels = None
depends_on = None

TABLES = (
    "lti_score", "lti_line_item", "lti_context", "lti_account", "lti_launch", "lti_login", "lti_invitation",
    "lti_platform", "lti_key",
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "lti_key",
        sa.Column("kid", sa.String(32), primary_key=True),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("replaced_at", sa.DateTime()),
    )
    op.create_table(
        "lti_platform",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("issuer", sa.String(255), nullable=False),
        sa.Column("client_id", sa.String(255), nullable=False),
        sa.Column("auth_url", sa.String(2000), nullable=False),
        sa.Column("token_url", sa.String(2000), nullable=False),
        sa.Column("token_audience", sa.String(2000), nullable=False, server_default=""),
        sa.Column("jwks_url", sa.String(2000), nullable=False),
        sa.Column("deployments", sa.JSON(), nullable=False),
        sa.Column("frames", sa.JSON(), nullable=False),
        sa.Column("trusts_email", sa.Boolean(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("registered_at", sa.DateTime(), nullable=False),
        _other("lti_platform", "registered_by_id", "SET NULL", nullable=True),
        sa.UniqueConstraint("issuer", "client_id", name="uq_lti_platform_issuer_client_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_lti_platform_registered_by_id", "lti_platform", ["registered_by_id"])
    op.create_table(
        "lti_invitation",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        _other("lti_invitation", "made_by_id", "CASCADE"),
        sa.Column("what_for", sa.String(120), nullable=False, server_default=""),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime()),
    )
    op.create_index("ix_lti_invitation_made_by_id", "lti_invitation", ["made_by_id"])
    op.create_index("ix_lti_invitation_expires_at", "lti_invitation", ["expires_at"])
    op.create_table(
        "lti_login",
        sa.Column("state_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("nonce_hash", sa.LargeBinary(32), nullable=False),
        _of_platform("lti_login"),
        sa.Column("target", sa.String(500), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_lti_login_platform_id", "lti_login", ["platform_id"])
    op.create_index("ix_lti_login_expires_at", "lti_login", ["expires_at"])
    op.create_table(
        "lti_launch",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        _of_platform("lti_launch"),
        sa.Column("said", sa.JSON(), nullable=False),
        _other("lti_launch", "holder_id", "CASCADE", nullable=True),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("token_hash", name="uq_lti_launch_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_lti_launch_platform_id", "lti_launch", ["platform_id"])
    op.create_index("ix_lti_launch_holder_id", "lti_launch", ["holder_id"])
    op.create_index("ix_lti_launch_expires_at", "lti_launch", ["expires_at"])
    op.create_table(
        "lti_account",
        _of_platform("lti_account", primary_key=True),
        sa.Column("subject", sa.String(255), primary_key=True),
        _other("lti_account", "user_id", "CASCADE"),
        sa.Column("linked_at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_lti_account_user_id", "lti_account", ["user_id"])
    op.create_table(
        "lti_context",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_platform("lti_context"),
        sa.Column("deployment", sa.String(255), nullable=False),
        sa.Column("context", sa.String(255), nullable=False),
        sa.Column("title", sa.String(200), nullable=False, server_default=""),
        sa.Column(
            "class_id",
            sa.Integer(),
            sa.ForeignKey("class.id", ondelete="CASCADE", name="fk_lti_context_class_id"),
            nullable=False,
        ),
        sa.Column("line_items_url", sa.String(2000), nullable=False, server_default=""),
        sa.Column("memberships_url", sa.String(2000), nullable=False, server_default=""),
        _other("lti_context", "connected_by_id", "SET NULL", nullable=True),
        sa.Column("connected_at", sa.DateTime(), nullable=False),
        sa.Column("members_at", sa.DateTime()),
        sa.Column("swept_at", sa.DateTime()),
        sa.UniqueConstraint(
            "platform_id", "deployment", "context", name="uq_lti_context_platform_id_deployment_context"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_lti_context_class_id", "lti_context", ["class_id"])
    op.create_index("ix_lti_context_connected_by_id", "lti_context", ["connected_by_id"])
    op.create_table(
        "lti_line_item",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "context_id",
            sa.Integer(),
            sa.ForeignKey("lti_context.id", ondelete="CASCADE", name="fk_lti_line_item_context_id"),
            nullable=False,
        ),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("slug", sa.String(120), nullable=False),
        sa.Column("url", sa.String(2000), nullable=False, server_default=""),
        *_turns(),
        sa.CheckConstraint("kind IN ('exercise', 'quiz')", name="kind"),
        sa.UniqueConstraint("context_id", "kind", "slug", name="uq_lti_line_item_context_id_kind_slug"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "lti_score",
        sa.Column(
            "line_item_id",
            sa.Integer(),
            sa.ForeignKey("lti_line_item.id", ondelete="CASCADE", name="fk_lti_score_line_item_id"),
            primary_key=True,
        ),
        _other("lti_score", "user_id", "CASCADE", primary_key=True),
        sa.Column("score", sa.Double()),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("sent_score", sa.Double()),
        sa.Column("sent_at", sa.DateTime()),
        sa.Column("timed_at", sa.DateTime()),
        *_turns(),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'failed')", name="state"),
    )
    op.create_index("ix_lti_score_user_id", "lti_score", ["user_id"])
    op.create_index("ix_lti_score_state_next_at", "lti_score", ["state", "next_at"])


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)


def _of_platform(table: str, *, primary_key: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey("lti_platform.id", ondelete="CASCADE", name=f"fk_{table}_platform_id")
    return sa.Column("platform_id", sa.Integer(), key, primary_key=primary_key, nullable=False)


def _other(
    table: str, column: str, ondelete: str, *, nullable: bool = False, primary_key: bool = False
) -> sa.Column[int]:
    key = sa.ForeignKey("user_account.id", ondelete=ondelete, name=f"fk_{table}_{column}")
    return sa.Column(column, sa.Integer(), key, nullable=nullable, primary_key=primary_key)


def _turns() -> list[sa.Column[object]]:
    """When it is tried next, who is trying it, and why it did not work."""
    return [
        sa.Column("fault", sa.String(300), nullable=False, server_default=""),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(), nullable=False),
        sa.Column("claim", sa.String(32), nullable=False, server_default=""),
        sa.Column("claimed_until", sa.DateTime()),
    ]
