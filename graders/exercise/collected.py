"""Every fault of an exercise.toml at once: what is wrong is put right for a moment, and the file is read again.

The reader raises at the first fault, and names the key. Here that key is taken out, or gets a value that does for the
time being, until nothing is left to find. What follows from another fault is left out: correcting that one
corrected both.
"""

import copy
import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from graders.exercise.definition import BrokenExercise
from graders.exercise.toml import ReadToml, read_toml

T = TypeVar("T")
MAX_FAULTS = 20
_MISSING = ("is missing", "has no ")
_UNKNOWN = "is not a key"
_RESTS_ON = {"warm": ("signature", "frameworks")}


def with_every_fault(text: str, stand_ins: Mapping[str, Any], read: Callable[[dict[str, Any]], T]) -> T:
    """What `read` makes of the file's table. `stand_ins`: by key, a value to read on with where there is none.

    Raises BrokenExercise, with all the other faults of the file as its `more`.
    """
    toml = read_toml(text)
    found = [BrokenExercise("exercise.toml", fault.message, fault.hint, fault.line) for fault in toml.faults]
    table = copy.deepcopy(toml.table)
    keys: set[str] = set()
    while toml.is_whole and len(found) < MAX_FAULTS:
        try:
            made = read(table)
        except BrokenExercise as broken:
            if broken.path == "exercise.toml" and broken.subject and broken.subject not in keys:
                found.append(broken)
                keys.add(broken.subject)
                _excuse(table, broken.subject, stand_ins)
                continue
            if not found:
                raise
        else:
            if not found:
                return made
        break
    raise _together(list(_causes(found, toml)))


def _excuse(table: dict[str, Any], key: str, stand_ins: Mapping[str, Any]) -> None:
    section, _, name = key.rpartition(".")
    holder = table.get(section) if section else table
    if key == "signature":
        declared = table.get("signature")
        table["signature"] = {**(declared if isinstance(declared, dict) else {}), "returns": "int"}
    elif section == "signature" and isinstance(holder, dict):
        holder[name] = "int"
    elif key in stand_ins:
        table[key] = stand_ins[key]
    elif isinstance(holder, dict):
        holder.pop(name, None)


def _causes(found: list[BrokenExercise], toml: ReadToml) -> Iterable[BrokenExercise]:
    """The faults that follow from no other, by line."""
    unknown = [fault.subject for fault in found if fault.about_it.startswith(_UNKNOWN)]
    keys = {fault.subject.partition(".")[0] for fault in found} | toml.lost
    for fault in sorted(found, key=lambda fault: fault.line or 1 << 30):
        is_missing = fault.about_it.startswith(_MISSING)
        if is_missing and (fault.subject in toml.lost or difflib.get_close_matches(fault.subject, unknown)):
            continue
        if any(key in keys for key in _RESTS_ON.get(fault.subject.partition(".")[0], ())):
            continue
        yield fault


def _together(faults: list[BrokenExercise]) -> BrokenExercise:
    first = faults[0].again()
    first.more = tuple(faults[1:])
    return first
