"""A grading's row keeps what is its own; what its cases show of the exercise is kept once, on a sheet.

Every finished grading is written again, some hundred at a time, and its author's count of stored bytes with it. Going
back writes each row whole.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "202611232340"
down_revision = "202611231620"
branch_labels = None
depends_on = None

AT_A_TIME = 500
OF_THE_EXERCISE = ("name", "sample", "expected", "inputs")
NAMES = (
    "name", "sample", "verdict", "wall_ms", "diagnosis", "stdout", "error", "mismatch", "expected", "actual", "inputs",
    "arrays",
)  # fmt: skip
NESTED = {
    "error": ("type", "message", "line", "traceback", "plain"),
    "mismatch": ("step", "text", "expected", "actual", "index"),
}

SHEET = sa.table("case_sheet", sa.column("id"), sa.column("digest"), sa.column("cases", sa.JSON))
GRADING = sa.table(
    "grading", sa.column("id"), sa.column("submission_id"), sa.column("state"), sa.column("sheet_id"),
    sa.column("cases", sa.JSON),
)  # fmt: skip
SUBMISSION = sa.table("submission", sa.column("id"), sa.column("user_id"), sa.column("inputs"))
PERSON = sa.table("user_account", sa.column("id"), sa.column("stored_bytes"))

Row = dict[str, Any]


def upgrade() -> None:
    op.create_table(
        "case_sheet",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("cases", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_sheet")),
        sa.UniqueConstraint("digest", name=op.f("uq_case_sheet_digest")),
    )
    # in SQLite too without a copy of the table, which is the largest of all
    op.execute(
        "ALTER TABLE grading ADD COLUMN sheet_id INTEGER CONSTRAINT fk_grading_sheet_id REFERENCES case_sheet (id)"
    )
    ids: dict[str, int] = {}
    for rows in _finished():
        written, saved = [], Counter[int]()
        for row in rows:
            own, sheet = _apart(row.cases, has_own_input=row.has_own_input)
            sheet_id = _sheet_id(ids, sheet) if sheet is not None else None
            written.append({"id_": row.id, "sheet": sheet_id, "own": own})
            saved[row.user_id] += len(json.dumps(own)) - len(json.dumps(row.cases))
        _write(written, saved)


def downgrade() -> None:
    for rows in _finished():
        sheets = dict(
            op.get_bind()
            .execute(sa.select(SHEET.c.id, SHEET.c.cases).where(SHEET.c.id.in_({row.sheet_id for row in rows})))
            .all()
        )
        written, saved = [], Counter[int]()
        for row in rows:
            whole = _together(row.cases, sheets.get(row.sheet_id))
            written.append({"id_": row.id, "sheet": None, "own": whole})
            saved[row.user_id] += len(json.dumps(whole)) - len(json.dumps(row.cases))
        _write(written, saved)
    op.drop_column("grading", "sheet_id")
    op.drop_table("case_sheet")


def _finished() -> Iterator[list[Any]]:
    last = 0
    columns = (GRADING.c.id, GRADING.c.cases, GRADING.c.sheet_id, SUBMISSION.c.user_id)
    own = SUBMISSION.c.inputs.is_not(None).label("has_own_input")
    finished = sa.select(*columns, own).join_from(GRADING, SUBMISSION, SUBMISSION.c.id == GRADING.c.submission_id)
    finished = finished.where(GRADING.c.state == "finished").order_by(GRADING.c.id).limit(AT_A_TIME)
    while rows := list(op.get_bind().execute(finished.where(GRADING.c.id > last)).all()):
        yield rows
        last = rows[-1].id


def _write(written: list[Row], saved: Counter[int]) -> None:
    update = sa.update(GRADING).where(GRADING.c.id == sa.bindparam("id_"))
    update = update.values(cases=sa.bindparam("own", type_=sa.JSON), sheet_id=sa.bindparam("sheet", type_=sa.Integer))
    op.get_bind().execute(update, written)
    count = sa.update(PERSON).where(PERSON.c.id == sa.bindparam("id_"))
    count = count.values(stored_bytes=PERSON.c.stored_bytes + sa.bindparam("more", type_=sa.BigInteger))
    op.get_bind().execute(count, [{"id_": id, "more": more} for id, more in sorted(saved.items())])


def _sheet_id(ids: dict[str, int], sheet: list[Row]) -> int:
    digest = hashlib.sha256(json.dumps(sheet).encode()).hexdigest()
    if digest not in ids:
        made = sa.insert(SHEET).values(digest=digest, cases=sheet).returning(SHEET.c.id)
        ids[digest] = op.get_bind().execute(made).scalar_one()
    return ids[digest]


def _apart(cases: list[Row], *, has_own_input: bool) -> tuple[list[Row], list[Row] | None]:
    rows = [_short(row) for row in cases]
    if has_own_input or not rows:
        return rows, None
    sheet = [{name: row.pop(name) for name in OF_THE_EXERCISE if name in row} for row in rows]
    return rows, sheet


def _short(row: Row) -> Row:
    short = {name: value for name, value in row.items() if value is not None}
    for name in NESTED:
        if name in short:
            short[name] = {key: value for key, value in short[name].items() if value is not None}
    if row.get("verdict") is None:
        return {**short, "verdict": None}
    if row["verdict"] == "accepted":
        del short["verdict"]
    return short


def _together(rows: list[Row], sheet: list[Row] | None) -> list[Row]:
    theirs = sheet or [{}] * len(rows)
    return [_whole({"verdict": "accepted", **of_all, **own}) for of_all, own in zip(theirs, rows, strict=True)]


def _whole(row: Row) -> Row:
    for name, keys in NESTED.items():
        if name in row:
            row[name] = {key: row[name].get(key) for key in keys}
    return {name: row.get(name) for name in NAMES}
