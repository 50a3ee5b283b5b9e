"""The schedule of a class as a file, `schedule.toml`: written from the class, read again, and put in place whole.

A file is the whole schedule: what is not in it is not assigned afterwards. Whatever is wrong with it is told by line,
key and remedy, all at once, and then nothing changes. Wall times without an offset are in the class's time zone.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from app.classes.assignments import (
    MAX_ASSIGNMENTS,
    MAX_GRACE,
    SHOWN,
    Assignment,
    Schedule,
    assignments_of,
    find_assignable,
    put_assignment,
    remove_assignment,
    title_of,
)
from app.classes.classes import Class, Member
from app.classes.walltime import comes_twice, moment_at
from app.people.audit import note
from app.reading.catalog import Catalog
from app.web.errors import Invalid, NotFound

MAX_BYTES = 64 << 10
MAX_FAULTS = 20  # that are told; a file with more is not read further
DATES = {"opens": "opens_at", "due": "due_at", "closes": "closes_at", "hidden_until": "hidden_until"}
KEYS = ("exercise", "quiz", *DATES, "weight", "late", "grace", "attempts", "access_code", "answers_shown")
LATE = re.compile(r"-?\s*(\d{1,3}(?:\.\d+)?)\s*%\s*(?:/|per|a)\s*day")
GRACE = re.compile(r"(?:(\d{1,3})\s*d)?\s*(?:(\d{1,4})\s*h)?\s*(?:(\d{1,5})\s*m(?:in)?)?")
# What a person reads where a field is changed.
WORDS = {
    "opens_at": "opens", "due_at": "due", "closes_at": "closes", "hidden_until": "hidden until", "weight": "weight",
    "late_per_day": "late", "grace_minutes": "grace", "attempts": "attempts", "access_code": "access code",
    "answers_shown": "answers shown",
}  # fmt: skip


class FaultySchedule(Invalid):
    """`faults`: each names its line and key, and a remedy."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        some = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
        some = f"{MAX_FAULTS} faults or more" if len(faults) >= MAX_FAULTS else some
        super().__init__(f"schedule.toml has {some}: {' '.join(faults)}", "Nothing was changed. Correct the file.")


@dataclass(frozen=True)
class Planned:
    """An assignment, as the file has it."""

    kind: str
    slug: str
    schedule: Schedule

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.slug


@dataclass(frozen=True)
class Differences:
    """What putting a file in place changes, by title; `changed` with the words of what is."""

    added: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.removed)


def schedule_of(row: Assignment) -> Schedule:
    return Schedule(**{field.name: getattr(row, field.name) for field in fields(Schedule)})


def changed_fields(before: Schedule, after: Schedule) -> list[str]:
    """In the words of WORDS."""
    return [words for name, words in WORDS.items() if getattr(before, name) != getattr(after, name)]


def differences(db: Session, catalog: Catalog, class_: Class, planned: Sequence[Planned]) -> Differences:
    now = {row.key: schedule_of(row) for row in assignments_of(db, class_)}
    added = [title_of(catalog, class_, *one.key) for one in planned if one.key not in now]
    changed = [
        (title_of(catalog, class_, *one.key), ", ".join(words))
        for one in planned
        if one.key in now and (words := changed_fields(now[one.key], one.schedule))
    ]
    kept = {one.key for one in planned}
    removed = [title_of(catalog, class_, *key) for key in now if key not in kept]
    return Differences(tuple(added), tuple(changed), tuple(removed))


def replace_schedule(db: Session, member: Member, catalog: Catalog, planned: Sequence[Planned]) -> Differences:
    """From now on the class has these assignments, and no others. Raises Invalid, NotFound."""
    found = differences(db, catalog, member.class_, planned)
    now = {row.key: schedule_of(row) for row in assignments_of(db, member.class_)}
    for key in now.keys() - {one.key for one in planned}:
        remove_assignment(db, member, *key)
    for one in planned:
        if now.get(one.key) != one.schedule:
            put_assignment(db, member, catalog, one.kind, one.slug, one.schedule)
    if not found.is_empty:
        counts = {name: len(getattr(found, name)) for name in ("added", "changed", "removed")}
        note(db, member.user, member.class_.as_thing, "schedule replaced", counts)
    return found


# ---- written --------------------------------------------------------------------------------------------------


def write_schedule(catalog: Catalog, class_: Class, rows: Iterable[Assignment]) -> str:
    """Read again, it is the same schedule."""
    parts = [
        f"# The schedule of {_comment(class_.title)}. Times are those in the class's time zone.\n"
        f"timezone = {_quoted(class_.timezone)}\n"
    ]
    for row in rows:
        lines = [f"# {_comment(title_of(catalog, class_, row.kind, row.slug))}", "[[assignment]]"]
        lines.append(f"{row.kind} = {_quoted(row.slug)}")
        for key, name in DATES.items():
            at = getattr(row, name)
            if at is not None:
                lines.append(f"{key} = {_wall(at, class_.zone)}")
        lines.append(f"weight = {row.weight:g}" if row.weight == float(f"{row.weight:g}") else f"weight = {row.weight}")
        if row.late_per_day:
            lines.append(f'late = "-{_plain(100 * row.late_per_day)}%/day"')
        if row.grace_minutes:
            lines.append(f'grace = "{row.grace_minutes}m"')
        if row.attempts is not None:
            lines.append(f"attempts = {row.attempts}")
        if row.access_code is not None:
            lines.append(f"access_code = {_quoted(row.access_code)}")
        if row.answers_shown != "submitted":
            lines.append(f"answers_shown = {_quoted(row.answers_shown)}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _wall(at: datetime, zone: ZoneInfo) -> str:
    """With its offset only where the wall time alone would be two moments."""
    wall = at.astimezone(zone)
    return (wall if comes_twice(at, zone) else wall.replace(tzinfo=None)).isoformat()


def _plain(number: float) -> str:
    return f"{round(number, 8):f}".rstrip("0").rstrip(".")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    """attack: a title with a line of its own in it, which would be read as TOML. defence: one line."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


# ---- read -----------------------------------------------------------------------------------------------------


def read_schedule(data: bytes, catalog: Catalog, class_: Class) -> list[Planned]:
    """Raises FaultySchedule, which names everything that is wrong."""
    if len(data) > MAX_BYTES:
        raise FaultySchedule([f"The file is larger than {MAX_BYTES >> 10} KiB. Leave out what it does not need."])
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        found = tomllib.loads(text)
    except UnicodeDecodeError:
        raise FaultySchedule(["The file is not UTF-8. Save it as UTF-8."]) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FaultySchedule([f"This is not TOML: {error}. Correct it there."]) from None
    return _Reader(text, catalog, class_).read(found)


class _Fault(Exception):
    """Of one key."""


class _Reader:
    """Reads one file, and collects its faults."""

    def __init__(self, text: str, catalog: Catalog, class_: Class) -> None:
        self._catalog, self._class = catalog, class_
        self._lines = text.split("\n")
        heads = [number for number, line in enumerate(self._lines, 1) if re.match(r"\s*\[\[\s*assignment\s*\]\]", line)]
        self._blocks = list(zip(heads, [*heads[1:], len(self._lines) + 1], strict=False))  # none: no end either
        self._faults: list[str] = []

    def read(self, found: Mapping[str, Any]) -> list[Planned]:
        for key in found.keys() - {"timezone", "assignment"}:
            self._fault(None, key, f"{key}: this key is unknown. Use timezone and [[assignment]].")
        zone = found.get("timezone", self._class.timezone)
        if zone != self._class.timezone:
            here = self._class.timezone
            self._fault(
                None, "timezone", f"timezone: the class is in {here}. Write that, or change it in its settings."
            )
        tables = found.get("assignment", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise FaultySchedule(["assignment: this is no list of tables. Begin each with a line [[assignment]]."])
        if len(tables) > MAX_ASSIGNMENTS:
            raise FaultySchedule([f"A class has at most {MAX_ASSIGNMENTS} assignments. Remove some."])
        planned: dict[tuple[str, str], Planned] = {}
        for number, table in enumerate(tables):
            one = self._planned(number, table)
            if one is not None and one.key in planned:
                self._fault(number, one.kind, f"{one.kind}: {one.slug} is assigned twice. Remove one of them.")
            elif one is not None:
                planned[one.key] = one
        if self._faults:
            raise FaultySchedule(self._faults)
        return list(planned.values())

    def _planned(self, number: int, table: Mapping[str, Any]) -> Planned | None:
        faults = len(self._faults)
        for key in table.keys() - set(KEYS):
            self._fault(number, key, f"{key}: this key is unknown. Use one of {', '.join(KEYS)}.")
        named = [kind for kind in ("exercise", "quiz") if kind in table]
        kind, slug = "", ""
        if len(named) != 1:
            self._fault(number, "", "An assignment names either an exercise or a quiz. Write one of the two.")
        else:
            try:
                kind, slug = self._assignable(named[0], table[named[0]])
            except _Fault as fault:
                self._fault(number, named[0], f"{named[0]}: {fault}")
        values: dict[str, Any] = {}
        for key, (name, read) in self._readers().items():
            if key in table:
                try:
                    values[name] = read(table[key])
                except _Fault as fault:
                    self._fault(number, key, f"{key}: {fault}")
        if len(self._faults) > faults:
            return None
        schedule = Schedule(**values)
        try:
            schedule.require_sound()
        except Invalid as fault:
            what, _, why = fault.message.partition(": ")
            key = next((key for key, name in DATES.items() if name == what), what)
            for key_of, name in DATES.items():
                why = why.replace(name, key_of)
            self._fault(number, key, f"{key}: {why} {fault.hint or ''}".rstrip())
            return None
        return Planned(kind, slug, schedule)

    def _readers(self) -> Mapping[str, tuple[str, Any]]:
        """By key: the field of a Schedule, and what reads its value."""
        dates = {key: (name, self._moment) for key, name in DATES.items()}
        return {
            **dates,
            "weight": ("weight", _number),
            "late": ("late_per_day", read_late),
            "grace": ("grace_minutes", read_grace),
            "attempts": ("attempts", _whole),
            "access_code": ("access_code", _text),
            "answers_shown": ("answers_shown", _shown),
        }

    def _assignable(self, kind: str, value: Any) -> tuple[str, str]:
        if not isinstance(value, str):
            raise _Fault("this is no text. Write its address in quotation marks.")
        try:
            return find_assignable(self._catalog, self._class, kind, value)
        except NotFound as missing:
            raise _Fault(f"{missing.message} {missing.hint}") from None

    def _moment(self, value: Any) -> datetime:
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value.strip()) if len(value.strip()) > len("2027-04-08") else None
            except ValueError:
                value = None
        elif isinstance(value, date) and not isinstance(value, datetime):
            raise _Fault(f"this date has no time. Write {value}T18:00:00, say.")
        if not isinstance(value, datetime) or not 1970 <= value.year <= 2999:
            raise _Fault("this is no date and time. Write it as 2027-04-08T18:00:00.")
        try:
            return moment_at(value, self._class.zone)
        except Invalid as fault:
            raise _Fault(f"{fault.message} {fault.hint}") from None

    def _fault(self, number: int | None, key: str, message: str) -> None:
        # attack: ten thousand unknown keys, each of which is looked for in the whole file. defence: so many are enough
        self._faults.append(f"{self._place_of(number, key)}: {message}")
        if len(self._faults) >= MAX_FAULTS:
            raise FaultySchedule(self._faults)

    def _place_of(self, number: int | None, key: str) -> str:
        """Of a key in one assignment, or before all; the assignment's own where the key is written otherwise."""
        if number is not None and number >= len(self._blocks):
            return f"Assignment {number + 1}"
        first, after = (1, len(self._lines) + 1) if number is None else self._blocks[number]
        written = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]|\s*\[+\s*{re.escape(key)}\s*\]")
        lines = range(first, after)
        line = next((line for line in lines if key and written.match(self._lines[line - 1])), first)
        return f"Line {line}"


def read_late(value: Any) -> float:
    """`-10%/day` is 0.1. Raises _Fault."""
    if value == "none":
        return 0.0
    found = LATE.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or float(found[1]) > 100:
        raise _Fault('this is no late policy. Write "-10%/day", or "none".')
    return round(float(found[1]) / 100, 10)


def read_grace(value: Any) -> int:
    """`15m`, `2h`, `1h 30m` and `1d` in minutes. Raises _Fault."""
    found = GRACE.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or not any(found.groups()):
        raise _Fault('this is no length of time. Write "15m", "2h" or "1d".')
    days, hours, minutes = (int(part or 0) for part in found.groups())
    total = 1440 * days + 60 * hours + minutes
    if total > MAX_GRACE:
        raise _Fault("this is longer than a week. Write at most 7d.")
    return total


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise _Fault("this is no number. Write 1, or 2.5.")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Fault("this is no whole number. Write 3, or leave it out for as many as they like.")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Fault("this is no text. Write it in quotation marks, or leave it out.")
    return value.strip()


def _shown(value: Any) -> str:
    if value not in SHOWN:
        raise _Fault(f"this is unknown. Use one of {', '.join(SHOWN)}.")
    return str(value)
