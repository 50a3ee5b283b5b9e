"""A quiz attempt is called a sitting, in its tables as everywhere: the rows, their ids and every constraint stay.

PostgreSQL gives each thing its new name. SQLite cannot rename a constraint: there the rows move to tables that are made
with the new names.
"""

from dataclasses import dataclass

import sqlalchemy as sa
from alembic import op

revision = "202611230130"
down_revision = "202611230100"
branch_labels = None
depends_on = None


@dataclass(frozen=True)
class Names:
    """Of the table of sittings, of the table of their answers, and of the columns by which that one and `answer` name a
    sitting."""

    sitting: str
    response: str
    response_key: str
    answer_key: str


OLD = Names("quiz_attempt", "quiz_response", "attempt_id", "quiz_attempt_id")
NEW = Names("sitting", "sitting_response", "sitting_id", "sitting_id")
SITTING = (
    "id", "user_id", "course", "lesson", "snapshot_id", "number", "time_limit_seconds", "started_at", "deadline_at",
    "submitted_at", "questions", "score",
)  # fmt: skip
RESPONSE = ("place", "slug", "variant", "given", "flagged", "revision", "seconds", "saved_at", "correct", "score")


def upgrade() -> None:
    _rename(OLD, NEW)


def downgrade() -> None:
    _rename(NEW, OLD)


def _rename(old: Names, new: Names) -> None:
    if op.get_bind().dialect.name == "sqlite":
        _move_rows(old, new)
    else:
        _rename_each(old, new)


def _rename_each(old: Names, new: Names) -> None:
    op.rename_table(old.sitting, new.sitting)
    op.rename_table(old.response, new.response)
    op.execute(f"ALTER SEQUENCE {old.sitting}_id_seq RENAME TO {new.sitting}_id_seq")
    op.alter_column(new.response, old.response_key, new_column_name=new.response_key)
    op.alter_column("answer", old.answer_key, new_column_name=new.answer_key)
    for before, after in zip(_indexes(old), _indexes(new), strict=True):
        op.execute(f"ALTER INDEX {before} RENAME TO {after}")
    for (_, before), (table, after) in zip(_constraints(old), _constraints(new), strict=True):
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {before} TO {after}")


def _indexes(names: Names) -> list[str]:
    return [f"ix_{names.sitting}_open", f"ix_{names.sitting}_due", f"ix_answer_{names.answer_key}"]


def _constraints(names: Names) -> list[tuple[str, str]]:
    """(the table, its constraint)"""
    sitting, response, key = names.sitting, names.response, names.response_key
    return [
        (sitting, f"pk_{sitting}"),
        (sitting, f"uq_{sitting}_user_id_course_lesson_number"),
        (sitting, f"fk_{sitting}_user_id"),
        (sitting, f"fk_{sitting}_snapshot_id"),
        (sitting, f"ck_{sitting}_scored"),
        (sitting, f"ck_{sitting}_score"),
        (response, f"pk_{response}"),
        (response, f"uq_{response}_{key}_slug"),
        (response, f"fk_{response}_{key}"),
        ("answer", f"fk_answer_{names.answer_key}"),
    ]


def _move_rows(old: Names, new: Names) -> None:
    _create(new)
    _copy(old.sitting, SITTING, new.sitting, SITTING)
    # an id once given is never given again, also where its row is gone
    given = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
    op.execute(given.delete().where(given.c.name == new.sitting))
    op.execute(given.update().where(given.c.name == old.sitting).values(name=new.sitting))
    _copy(old.response, (old.response_key, *RESPONSE), new.response, (new.response_key, *RESPONSE))
    op.execute(f"ALTER TABLE answer RENAME COLUMN {old.answer_key} TO {new.answer_key}")
    with op.batch_alter_table("answer") as table:
        table.drop_index(f"ix_answer_{old.answer_key}")
        table.drop_constraint(f"fk_answer_{old.answer_key}", type_="foreignkey")
        table.create_foreign_key(
            op.f(f"fk_answer_{new.answer_key}"), new.sitting, [new.answer_key], ["id"], ondelete="SET NULL"
        )
        table.create_index(f"ix_answer_{new.answer_key}", [new.answer_key])
    op.drop_table(old.response)
    op.drop_table(old.sitting)


def _copy(old: str, old_columns: tuple[str, ...], new: str, new_columns: tuple[str, ...]) -> None:
    source = sa.table(old, *map(sa.column, old_columns))
    target = sa.table(new, *map(sa.column, new_columns))
    op.execute(target.insert().from_select(list(new_columns), sa.select(source)))


def _create(names: Names) -> None:
    table = names.sitting
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("course", sa.String(length=120), nullable=False),
        sa.Column("lesson", sa.String(length=120), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("time_limit_seconds", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(), nullable=True),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.CheckConstraint("(submitted_at IS NULL) = (score IS NULL)", name=op.f(f"ck_{table}_scored")),
        sa.CheckConstraint("score >= 0 AND score <= questions", name=op.f(f"ck_{table}_score")),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f(f"fk_{table}_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name=op.f(f"fk_{table}_snapshot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint(
            "user_id", "course", "lesson", "number", name=op.f(f"uq_{table}_user_id_course_lesson_number")
        ),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("submitted_at IS NULL")
    op.create_index(f"ix_{table}_open", table, ["user_id", "course", "lesson"], unique=True, sqlite_where=is_open)
    op.create_index(f"ix_{table}_due", table, ["deadline_at"], sqlite_where=is_open)
    response, key = names.response, names.response_key
    op.create_table(
        response,
        sa.Column(key, sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("variant", sa.Integer(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("saved_at", sa.DateTime(), nullable=True),
        sa.Column("correct", sa.Boolean(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint([key], [f"{table}.id"], name=op.f(f"fk_{response}_{key}"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint(key, "place", name=op.f(f"pk_{response}")),
        sa.UniqueConstraint(key, "slug", name=op.f(f"uq_{response}_{key}_slug")),
    )
