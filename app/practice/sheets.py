"""What a grading's row leaves out of its cases because it is the exercise's: their names, and what the samples show of
inputs and expected values. It is the same for everybody, and a sheet holds it once.

A sheet is kept by its content, not by the exercise: what was judged is shown as it was judged, whatever has become of
the exercise, and without a judge that makes its cases again. A case that was not judged shows nothing, so an exercise
has a sheet for each place where a submission can break off, and no more: nothing on it comes from a student.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, String, bindparam, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base
from graders.verdict import CaseResult, Verdict

Row = dict[str, Any]
OF_THE_EXERCISE = ("name", "sample", "expected", "inputs")
NESTED = ("error", "mismatch")  # in which nothing is kept of what is None, either


class CaseSheet(Base):
    __tablename__ = "case_sheet"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    cases: Mapped[list[Row]] = mapped_column(JSON)


@dataclass(frozen=True)
class KeptCases:
    """The results of cases in two parts: `rows` are the submission's own, `sheet` is the exercise's (None: nothing is,
    and the rows have it all)."""

    rows: list[Row]
    sheet: list[Row] | None

    @property
    def digest(self) -> str | None:
        return hashlib.sha256(json.dumps(self.sheet).encode()).hexdigest() if self.sheet else None


def whole_rows(cases: Sequence[CaseResult]) -> list[Row]:
    """Rows that need no sheet. What is None is left out, and so is the verdict `accepted`: most cases are right."""
    return [_short(case.row()) for case in cases]


def kept_cases(cases: Sequence[CaseResult], *, has_own_input: bool) -> KeptCases:
    """`has_own_input`: the one case is the student's, whose input is on no sheet."""
    rows = whole_rows(cases)
    if has_own_input or not rows:
        return KeptCases(rows, None)
    sheet = [{name: row.pop(name) for name in OF_THE_EXERCISE if name in row} for row in rows]
    return KeptCases(rows, sheet)


def read_cases(rows: Sequence[Mapping[str, Any]], sheet: Sequence[Mapping[str, Any]] | None) -> tuple[CaseResult, ...]:
    """The way back."""
    theirs = sheet or [{}] * len(rows)
    together = ({"verdict": Verdict.accepted, **of_all, **own} for of_all, own in zip(theirs, rows, strict=True))
    return tuple(CaseResult.from_row(row) for row in together)


def store_sheet(db: Session | Connection, kept: KeptCases) -> None:
    """Stored once, however many write it at the same time."""
    db.execute(_STORE, {"digest": kept.digest, "cases": kept.sheet})


_STORE = text("INSERT INTO case_sheet (digest, cases) VALUES (:digest, :cases) ON CONFLICT (digest) DO NOTHING")
_STORE = _STORE.bindparams(bindparam("digest"), bindparam("cases", type_=JSON))


def sheets_of(db: Session, sheet_ids: Collection[int | None]) -> dict[int | None, list[Row] | None]:
    """By id, in one question; of None, None."""
    ids = {id for id in sheet_ids if id is not None}
    found = db.execute(select(CaseSheet.id, CaseSheet.cases).where(CaseSheet.id.in_(ids))).all() if ids else ()
    return {None: None, **{row.id: row.cases for row in found}}


def _short(row: Row) -> Row:
    short = {name: value for name, value in row.items() if value is not None}
    for name in NESTED:
        if name in short:
            short[name] = {key: value for key, value in short[name].items() if value is not None}
    if row["verdict"] is None:
        return {**short, "verdict": None}
    if row["verdict"] == Verdict.accepted:
        del short["verdict"]
    return short
