"""Your rows are rows of an input, but at other places: which, and by which rule.

Where each expected row is a row of one input (its *table*), the expected answer is a map of row numbers. If each of
your rows is one of the table's too, yours is another such map. A rule is said if it turns the expected map into yours
in every wrong case, and leaves it as it is in every right case. Two rules that fit are silent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.reasons.compared import Compared, Comparisons, Found, Input

MAX_PRODUCTS = 1 << 18  # numbers compared to find rows in a table
ABSENT = -1  # in a map: no row of the table
ENOUGH = 2  # wrong rows, in all wrong cases together


@dataclass(frozen=True)
class Maps:
    """The row numbers of one case. `expected` and `yours` have the axes `names`; `yours` may hold ABSENT.

    `ids` is the name of the argument that holds the expected row numbers, "" where there is none.
    """

    compared: Compared
    table: Input
    names: tuple[str, ...]
    expected: Any
    yours: Any
    ids: str

    @property
    def rows(self) -> int:
        return int(self.table.array.shape[0])

    @property
    def them(self) -> str:
        return f"`{self.ids}`" if self.ids else "the row numbers"

    def sizes(self) -> Iterator[tuple[str, int]]:
        """The dimensions by which ids are wrongly cut: all but that of the table's rows."""
        for name, size in self.compared.case.dims.items():
            if name != self.table.dims[0] and size > 0 and name not in self.compared.case.inputs:
                yield name, size


@dataclass(frozen=True)
class Rule:
    """A map that a known slip would make of the expected one, and the sentence about it."""

    key: str
    rows: Any
    text: str


def origins(comparisons: Comparisons) -> Iterator[Found]:
    """The rule by which your rows are picked, or that none of them is a row of the table."""
    if not comparisons.wrong[0].same_shape:
        yield from _columns(comparisons)
        return
    if not comparisons.same_shape:
        return
    tables = [maps for each in comparisons.wrong[0].inputs if (maps := _maps(comparisons, each.name))]
    if len(tables) != 1:
        return
    (maps,) = tables
    wrong = [each for each in maps if each.compared.is_wrong]
    if sum(int((each.expected != each.yours).sum()) for each in wrong) < ENOUGH:
        return
    fitting = _common_rules(maps)
    if len(fitting) == 1:
        ((key, texts),) = fitting.items()
        sentences = {each.compared.number: each.compared.sentence(texts[each.compared.number]) for each in wrong}
        yield Found("rows_picked", key, sentences)
    elif not fitting and not comparisons.right and all(bool((each.yours == ABSENT).all()) for each in wrong):
        yield from _from_elsewhere(wrong)
    yield from _columns(comparisons)


def _common_rules(maps: Sequence[Maps]) -> dict[str, dict[int, str]]:
    """The keys of the rules that fit every case, each with its text for every case, by the case's number."""
    texts: dict[str, dict[int, str]] = {}
    for place, each in enumerate(maps):
        fitting = {key: rule.text for key, rule in _rules_by_key(each).items() if _fits(each, rule)}
        keys = [key for key in fitting if place == 0 or key in texts]
        texts = {key: {**texts.get(key, {}), each.compared.number: fitting[key]} for key in keys}
        if not texts:
            break
    return {key: found for key, found in texts.items() if not any(other in texts for other in _said_by(key))}


def _said_by(key: str) -> Iterator[str]:
    """The rules that say more than this one where both fit."""
    name = key.rpartition(" ")[2]
    if key.startswith("following"):
        yield f"counted {name}"
    if key.startswith("following the lowest"):
        yield f"following the first {name}"


def _fits(maps: Maps, rule: Rule) -> bool:
    return np.array_equal(rule.rows, maps.yours)


def _from_elsewhere(wrong: Sequence[Maps]) -> Iterator[Found]:
    """None of your rows is in the table. A constant row or a few rows would be an accident."""
    if sum(each.yours.size for each in wrong) < 3 or any(each.table.array.ndim < 2 for each in wrong):
        return
    name = wrong[0].table.name
    text = (
        f"None of your rows is a row of `{name}`, and every expected row is one: `{name}` is not used, or its rows are "
        "changed on the way."
    )
    yield Found("rows_from_elsewhere", name, {each.compared.number: each.compared.sentence(text) for each in wrong})


# ------------------------------------------------------------------ maps


def _maps(comparisons: Comparisons, name: str) -> list[Maps] | None:
    """The maps of all cases into the argument `name`; None where an expected row is not exactly one of its rows."""
    ids = [each.name for each in comparisons.wrong[0].inputs if each.name != name]
    found: list[Maps] = []
    for compared in comparisons.every:
        maps = _map_of(compared, name)
        if maps is None:
            if compared.is_wrong:
                return None
            continue
        ids = [each for each in ids if _holds(compared.input(each), maps.expected)]
        found.append(maps)
    source = ids[0] if len(ids) == 1 else ""
    return [Maps(each.compared, each.table, each.names, each.expected, each.yours, source) for each in found]


def _holds(ids: Input | None, rows: Any) -> bool:
    return ids is not None and np.array_equal(ids.array, rows)


def _map_of(compared: Compared, name: str) -> Maps | None:
    table = compared.input(name)
    if table is None or table.array.ndim not in (1, 2) or table.array.shape[0] < 2 or table.array.dtype.kind == "b":
        return None
    width = table.array.shape[1] if table.array.ndim == 2 else 1
    places = compared.names[:-1] if table.array.ndim == 2 else compared.names
    if table.array.ndim == 2 and (compared.e.ndim < 2 or compared.e.shape[-1] != width):
        return None
    shape = compared.e.shape[: len(places)]
    rows = table.array.astype(np.float64).reshape(-1, width)
    expected = _rows_in(rows, compared.e.reshape(-1, width), compared)
    if expected is None or bool((expected == ABSENT).any()):
        return None
    yours = _rows_in(rows, compared.a.reshape(-1, width), compared)
    return None if yours is None else Maps(compared, table, places, expected.reshape(shape), yours.reshape(shape), "")


def _rows_in(table: Any, rows: Any, compared: Compared) -> Any | None:
    """The number of each of `rows` (R, K) in `table` (M, K), or ABSENT; None where two rows of the table would fit."""
    if rows.size * table.shape[0] > MAX_PRODUCTS:
        return None
    tolerance = compared.case.tolerance(compared.exercise)
    with np.errstate(all="ignore"):
        allowed = tolerance.atol + tolerance.rtol * np.abs(table)
        close = (np.abs(rows[:, None, :] - table[None]) <= allowed).all(axis=2)
    hits = close.sum(axis=1)
    return None if bool((hits > 1).any()) else np.where(hits == 1, close.argmax(axis=1), ABSENT)


# ------------------------------------------------------------------ rules


def _rules_by_key(maps: Maps) -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    for make in (_ordered, _shifted, _cut, _wrapped, _counted, _fixed):
        for rule in make(maps):
            rules.setdefault(rule.key, rule)
    return rules


def _ordered(maps: Maps) -> Iterator[Rule]:
    """Sorted, numbered by rank, or counted from the first."""
    e, table, them = maps.expected, f"`{maps.table.name}`", maps.them
    for axis, name in enumerate(maps.names):
        sorted_ = np.sort(e, axis)
        text = f"Your rows of {table} are sorted along {name}: {them} must keep their order."
        yield Rule(f"ascending {name}", sorted_, text)
        yield Rule(f"descending {name}", np.flip(sorted_, axis), text.replace("sorted", "sorted backwards", 1))
        text = (
            f"Each row of {table} is as far from row 0 as {them} are from their first along {name}: use them as they "
            "are, and subtract nothing."
        )
        yield Rule(f"from the first {name}", (e - np.take(e, [0], axis)) % maps.rows, text)
    _, ranks = np.unique(e, return_inverse=True)
    text = (
        f"You renumber {them}: the smallest takes row 0 of {table}, the next one row 1, and so on. Index with them "
        "as they are, since there can be gaps."
    )
    yield Rule("ranks", ranks.reshape(e.shape), text)


def _shifted(maps: Maps) -> Iterator[Rule]:
    """The neighbour of each row. What lies beyond the ends wraps round, stays at the end, or is no row at all."""
    table, last = f"`{maps.table.name}`", maps.rows - 1
    for step, words in ((1, "the row after the right one"), (-1, "the row before the right one"),
                        (2, "two rows after the right one"), (-2, "two rows before the right one")):  # fmt: skip
        text = f"In {table} you take {words}, every time: the index is {abs(step)} too {'high' if step > 0 else 'low'}."
        moved = maps.expected + step
        ends = (moved % maps.rows, np.clip(moved, 0, last), _within(moved, maps.rows))
        rows = next((rows for rows in ends if np.array_equal(rows, maps.yours)), ends[0])
        yield Rule(f"shifted {step}", rows, text)


def _within(rows: Any, count: int) -> Any:
    return np.where((rows >= 0) & (rows < count), rows, ABSENT)


def _cut(maps: Maps) -> Iterator[Rule]:
    """Cut to a size that is not the table's, or taken modulo it."""
    e, table, them = maps.expected, f"`{maps.table.name}`", maps.them
    for name, size in maps.sizes():
        text = f"Where {them} reach {name} or more, you take row {name} - 1 of {table}: {name} is no limit for them."
        yield Rule(f"cut to {name}", np.minimum(e, size - 1), text)
        text = f"You take the rows of {table} at {them} modulo {name}: {name} is no limit for them."
        yield Rule(f"modulo {name}", e % size, text)
    text = f"You never take the last row of {table}: where it belongs, yours is the row before it."
    yield Rule("cut before the last", np.minimum(e, maps.rows - 2), text)
    text = f"You never take row 0 of {table}: where it belongs, yours is row 1."
    yield Rule("cut after the first", np.maximum(e, 1), text)
    text = f"You count the rows of {table} from its end: its last row is where row 0 should be."
    yield Rule("from the end", maps.rows - 1 - e, text)
    text = f"The rows of {table} are picked with a minus sign: row -1 is the last row."
    yield Rule("negated", (-e) % maps.rows, text)


def _wrapped(maps: Maps) -> Iterator[Rule]:
    """Whole numbers of eight bits."""
    table, them = f"`{maps.table.name}`", maps.them
    signed = (maps.expected + 128) % 256 - 128
    rows = np.where(signed < 0, signed + maps.rows, signed)
    text = (
        f"Where {them} are above {{}}, you take a wrong row of {table}: {{}} ends at {{}}, and a larger number starts "
        "again below. Use a wider integer dtype."
    )
    yield Rule("int8", np.where(rows < 0, ABSENT, rows), text.format(127, "int8", 127))
    yield Rule("int8 at row 0", np.maximum(signed, 0), text.format(127, "int8", 127))
    yield Rule("int8 cut", np.minimum(maps.expected, 127), text.format(127, "int8", 127))
    yield Rule("uint8", maps.expected % 256, text.format(255, "uint8", 255))


def _counted(maps: Maps) -> Iterator[Rule]:
    """Rows in the order of the table, whatever is asked for."""
    e, table = maps.expected, f"`{maps.table.name}`"
    whatever = f", whatever `{maps.ids}` holds" if maps.ids else ""
    for axis, name in enumerate(maps.names):
        shape = [1] * e.ndim
        shape[axis] = e.shape[axis]
        count = np.broadcast_to(np.arange(e.shape[axis]).reshape(shape), e.shape)
        text = f"Along {name} you take rows 0, 1, 2, … of {table}{whatever}."
        yield Rule(f"counted {name}", count, text)
        text = f"Along {name} you take rows 1, 2, 3, … of {table}{whatever}."
        yield Rule(f"counted {name} from 1", count + 1, text)
        text = f"Along {name} you take the last rows of {table} in their order{whatever}."
        yield Rule(f"the last {name}", count + maps.rows - e.shape[axis], text)
        text = (
            f"Along {name} you take rows of {table} that follow one another, from {{}} on: look each one up, since "
            f"{maps.them} need not count up by one."
        )
        for first, words in ((np.take(e, [0], axis), "the first"), (e.min(axis=axis, keepdims=True), "the lowest")):
            following = first + count
            ends = (np.minimum(following, maps.rows - 1), _within(following, maps.rows))
            rows = next((rows for rows in ends if np.array_equal(rows, maps.yours)), ends[0])
            yield Rule(f"following {words} {name}", rows, text.format(words))
    if e.ndim > 1:
        text = f"You take the rows of {table} one after the other, through all of the output{whatever}."
        yield Rule("counted through", np.arange(e.size).reshape(e.shape), text)


def _fixed(maps: Maps) -> Iterator[Rule]:
    """One row for all."""
    table, like = f"`{maps.table.name}`", maps.expected
    text = f"All your rows are the {{}} row of {table}: the index is fixed."
    yield Rule("always the first", np.zeros_like(like), text.format("first"))
    yield Rule("always the last", np.full_like(like, maps.rows - 1), text.format("last"))


# ------------------------------------------------------------------ columns


def _columns(comparisons: Comparisons) -> Iterator[Found]:
    """Columns of a table where its rows are expected."""
    tables = {each.name for each in comparisons.wrong[0].inputs if each.array.ndim == 2}
    names = [name for name in sorted(tables) if all(_has_columns(each, name) for each in comparisons.wrong)]
    if len(names) == 1:
        text = f"Yours are columns of `{names[0]}`, and rows are expected: index its first axis."
        yield Found("rows_picked", "columns", {each.number: each.sentence(text) for each in comparisons.wrong})


def _has_columns(compared: Compared, name: str) -> bool:
    """Whether yours is made of columns of a table, and what is expected is made of its rows."""
    table = compared.input(name)
    if table is None or table.array.ndim != 2 or min(table.array.shape) < 2 or compared.actual.ndim < 2:
        return False
    rows = table.array.astype(np.float64)
    yours = compared.actual.astype(np.float64)
    if yours.shape[-1] != rows.shape[0] or compared.e.shape[-1] != rows.shape[1]:
        return False
    expected = _rows_in(rows, compared.e.reshape(-1, rows.shape[1]), compared)
    in_columns = _rows_in(rows.T, yours.reshape(-1, rows.shape[0]), compared)
    if expected is None or in_columns is None:
        return False
    return bool((expected != ABSENT).all() and (in_columns != ABSENT).all())
