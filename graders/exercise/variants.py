"""Variants: constants of an exercise that differ from student to student, so that a shared file shows.

`[variants]` in exercise.toml names each constant and its values. `{{window}}` is replaced by the value in every .md and
.py file and in exercise.toml itself, before anything of them is parsed. Only declared names are replaced: `f"{{x}}"` of
other code stays as it is. Every combination of values is a variant, and has a number; 0 has the first value of each.

What is stored of a variant is what its author wrote, and for all but the first a file `.variant` with its number: so
the files alone say which variant they are, wherever they go.

attack: somebody who writes an exercise puts a `.variant` into it, so that one variant is served as all. defence: hidden
files are read from no folder (`folder.py`) and taken from no author (`app/teaching/files.py`).
"""

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from graders.exercise.definition import MAX_NAMES, MAX_VALUES, BrokenExercise, Exercise, Variants, VariantValue
from graders.exercise.folder import TEXTS
from graders.exercise.toml import line_of, read_toml

MARKER = ".variant"
MAX_VARIANTS = 16  # each of them is proved and prepared as an exercise is
EXAMPLE = "window = [3, 5, 7]"
SAME_IN_ALL = ("title", "difficulty", "minutes", "tags", "frameworks", "related", "discussions", "credit")

_TOML = "exercise.toml"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TEXT = re.compile(r"[\w.+-](?:[\w .+-]{0,38}[\w.+-])?")
_USE = re.compile(rb"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}")
_HEADER = rb"^[ \t]*\[[ \t]*variants[ \t]*\][ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)"
_SECTION = re.compile(_HEADER + rb"(?:(?![ \t]*\[)[^\n]*\n)*(?:(?![ \t]*\[)[^\n]+\Z)?", re.MULTILINE)
_NEARLY = 0.75


def read_variants(files: Mapping[str, bytes]) -> Variants:
    """What exercise.toml declares, without names where it declares nothing. Raises BrokenExercise, with all faults of
    the section as its `more`."""
    toml = files[_TOML]
    section = _SECTION.search(toml)
    if section is None:
        return Variants()
    # with the lines before it, so that faults name the lines of the file
    before = toml.count(b"\n", 0, section.start())
    text = "\n" * before + section[0].decode("utf-8", "replace")
    read = read_toml(text)
    if read.faults:
        raise _together([BrokenExercise(_TOML, one.message, one.hint, one.line) for one in read.faults])
    declared = read.table.get("variants", {})
    if faults := list(_declared_wrongly(declared, text)):
        raise _together(faults)
    variants = Variants(tuple((name, tuple(values)) for name, values in declared.items()))
    if faults := [*_used_wrongly(variants, files, text), *_misspelt(variants, files)]:
        raise _together(faults)
    return variants


def number_marked(files: Mapping[str, bytes], variants: Variants) -> int:
    """Which variant these stored files are. Raises BrokenExercise for a mark that means none."""
    if MARKER not in files:
        return 0
    mark = files[MARKER]
    number = int(mark) if re.fullmatch(rb"[1-9][0-9]?", mark) else 0
    if not 0 < number < variants.count:
        raise BrokenExercise(MARKER, "names no variant of this exercise", "remove it")
    return number


def marked(files: Mapping[str, bytes], number: int) -> dict[str, bytes]:
    """What is stored of this variant."""
    own = {path: content for path, content in files.items() if path != MARKER}
    return {MARKER: str(number).encode(), **own} if number else own


def substituted(files: Mapping[str, bytes], variants: Variants, number: int) -> Mapping[str, bytes]:
    """The files as a student of this variant has them. Raises BrokenExercise for a text that becomes too large."""
    if not variants.names:
        return files
    values = {name.encode(): _written(value).encode() for name, value in variants.values_of(number).items()}

    def value_of(use: re.Match[bytes]) -> bytes:
        return values.get(use[1], use[0])

    found = {}
    for path, content in files.items():
        if path == MARKER:
            continue
        found[path] = b"".join(
            part if is_section else _USE.sub(value_of, part) for part, is_section in _parts(path, content)
        )
        _require_small(path, found[path])
    return found


def require_alike(variants: Iterable[Exercise], toml: str) -> None:
    """Raises BrokenExercise where they differ in what lists and pages for everybody show."""
    first, *others = variants
    for key in SAME_IN_ALL:
        if any(getattr(one, key) != getattr(first, key) for one in others):
            hint = "write the same for all students: lists show one exercise"
            raise BrokenExercise(_TOML, "is not the same in every variant", hint, line_of(toml, key), key)


def with_values(broken: BrokenExercise, variants: Variants, number: int) -> BrokenExercise:
    """The fault of one variant, which says which."""
    fault = BrokenExercise(
        broken.path, f"{broken.about_it}, with {variants.words_of(number)}", broken.hint, broken.line, broken.subject
    )
    fault.more = tuple(with_values(one, variants, number) for one in broken.more)
    return fault


def counterpart(exercise: Exercise, current: Exercise) -> Exercise:
    """The variant of `current` that somebody has who has `exercise`, another state of it: the one with the same values;
    where there is none, the one with the same number, counted from the start again where there are fewer now.
    `current` is the first variant, which knows the others."""
    number = current.variants.number_of(exercise.variants.values_of(exercise.variant))
    return current.in_variant(exercise.variant % current.variants.count if number is None else number)


# ---- faults ---------------------------------------------------------------------------------------------------


def _declared_wrongly(declared: Mapping[str, Any], text: str) -> Iterator[BrokenExercise]:
    def fault(key: str, message: str, hint: str) -> BrokenExercise:
        key = f"variants.{key}" if key else "variants"
        return BrokenExercise(_TOML, message, hint, line_of(text, key), key)

    if not declared or len(declared) > MAX_NAMES:
        yield fault("", f"must have 1 to {MAX_NAMES} names", f"write a line such as {EXAMPLE}")
        return
    for name, values in declared.items():
        if not _NAME.fullmatch(name):
            yield fault(name, "is not a name in lower case", f"use letters, digits and underscores: {EXAMPLE}")
        elif not isinstance(values, list) or not 2 <= len(values) <= MAX_VALUES:
            yield fault(name, f"must be a list of 2 to {MAX_VALUES} values", f"write {name} = [3, 5, 7]")
        elif (bad := next((value for value in values if not _is_value(value)), None)) is not None:
            hint = "use numbers, or texts of up to 40 letters, digits, spaces and . + - _"
            yield fault(name, f"has the value {bad!r}", hint)
        elif len({_written(value) for value in values}) < len(values) or len(set(values)) < len(values):
            yield fault(name, "has two values that are equal", "let all of them differ")
    if all(isinstance(values, list) for values in declared.values()):
        count = math.prod(len(values) for values in declared.values())
        if count > MAX_VARIANTS:
            message = f"makes {count} variants; {MAX_VARIANTS} are allowed"
            yield fault("", message, "give fewer names or values: each variant is proved by itself")


def _is_value(value: object) -> bool:
    if isinstance(value, str):
        return bool(_TEXT.fullmatch(value))
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _used_wrongly(variants: Variants, files: Mapping[str, bytes], text: str) -> Iterator[BrokenExercise]:
    used = {path: {use[1].decode() for use in _uses(path, content)} for path, content in files.items()}
    everywhere = set().union(*used.values())
    judged = set().union(*(names for path, names in used.items() if _is_judged(path)))
    for name, _ in variants.names:
        key = f"variants.{name}"
        if name not in everywhere:
            hint = f"write {{{{{name}}}}} where the value belongs, or remove the name"
            yield BrokenExercise(_TOML, "is used nowhere", hint, line_of(text, key), key)
        elif name not in judged:
            hint = f"write {{{{{name}}}}} in reference.py or cases.py too, or all students can share one answer"
            yield BrokenExercise(_TOML, "changes nothing that is judged", hint, line_of(text, key), key)


def _is_judged(path: str) -> bool:
    return path in ("reference.py", "cases.py", "checker.py", _TOML) or path.startswith(("provided/", "data/"))


def _misspelt(variants: Variants, files: Mapping[str, bytes]) -> Iterator[BrokenExercise]:
    names = [name for name, _ in variants.names]
    for path, content in files.items():
        for use in _uses(path, content):
            written = use[1].decode()
            if written not in names and (meant := difflib.get_close_matches(written, names, 1, _NEARLY)):
                line = content.count(b"\n", 0, use.start()) + 1
                hint = f"write {{{{{meant[0]}}}}}, or declare {written} in [variants]"
                yield BrokenExercise(path, f"has {{{{{written}}}}}, which [variants] does not declare", hint, line)


def _together(faults: list[BrokenExercise]) -> BrokenExercise:
    first = faults[0].again()
    first.more = tuple(faults[1:])
    return first


# ---- texts ----------------------------------------------------------------------------------------------------


def _uses(path: str, content: bytes) -> Iterator[re.Match[bytes]]:
    """Each `{{name}}` of a file, in its place."""
    section = _SECTION.search(content) if path == _TOML else None
    if _has_uses(path):
        for use in _USE.finditer(content):
            if section is None or not section.start() <= use.start() < section.end():
                yield use


def _has_uses(path: str) -> bool:
    return path == _TOML or path.endswith((".md", ".py"))


def _parts(path: str, content: bytes) -> Iterator[tuple[bytes, bool]]:
    """A file in parts, and whether each stays as it is."""
    section = _SECTION.search(content) if path == _TOML else None
    if not _has_uses(path):
        yield content, True
    elif section is None:
        yield content, False
    else:
        yield content[: section.start()], False
        yield section[0], True
        yield content[section.end() :], False


def _require_small(path: str, content: bytes) -> None:
    """attack: a name of a letter whose value has forty, a hundred thousand times in a text. defence: a text with its
    values may be as large as any other."""
    most = TEXTS.get(PurePosixPath(path).suffix)
    if most is not None and len(content) > most:
        raise BrokenExercise(path, f"is larger than {most >> 10} KiB with its values", "make it smaller")


def _written(value: VariantValue) -> str:
    return value if isinstance(value, str) else repr(value)
