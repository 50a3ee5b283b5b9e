"""E-mail addresses in the one spelling that they are looked up by: compatible forms of letters are no difference."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "202611221740"
down_revision = "202611221730"
branch_labels = None
depends_on = None

user_account = sa.table("user_account", sa.column("id", sa.Integer), sa.column("email", sa.String))


def upgrade() -> None:
    """Where two accounts would get the same address, each keeps what it has: nobody gets into another's."""
    connection = op.get_bind()
    stored = connection.execute(sa.select(user_account).where(user_account.c.email.is_not(None))).all()
    taken = {email for _, email in stored}
    for id, email in stored:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", email).casefold())
        if folded not in taken:
            taken.add(folded)
            connection.execute(user_account.update().where(user_account.c.id == id).values(email=folded))


def downgrade() -> None:
    """Nothing to undo: the older release reads these addresses as they are."""
