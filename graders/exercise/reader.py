"""Reads an exercise folder into an `Exercise`. Every fault names the file, the line if there is one, and the remedy.

The folder (docs/authoring.md walks through one):

    exercise.toml  statement.md  starter.py  reference.py  cases.py  hints.md  solution.md
    starters/<framework>.py   a starter for one framework, where a common one does not fit
    solutions/*.py            other right answers          mistakes/*.py   known wrong ones, and what to tell
    data/*                    files to read                provided/*.py   modules to import

A first line `# framework: torch` says which framework a file is for; without it, the file's name does if it starts or
ends with one (`solutions/torch.py`, `mistakes/one-row-late-jax.py`). `reference.py` and all others use `frameworks[0]`.
Nothing here executes what the files say: Python files are only parsed.
"""

import ast
import difflib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graders.boxes.warmth import DeclaredCall, read_calls
from graders.exercise.collected import with_every_fault
from graders.exercise.definition import JUDGE_VERSION, BrokenExercise, Exercise, KnownMistake, Source, Variants
from graders.exercise.folder import FolderUnreadable, hash_files, read_files
from graders.exercise.limits import CEILINGS, MAX_THREADS, Limits, Tolerance
from graders.exercise.materials import judged as judged_materials
from graders.exercise.materials import provided_in, require_usable
from graders.exercise.signature import ANY, Signature, arrays_in, parse_parameter
from graders.exercise.source_rules import BadPattern, SourceRule, read_rules
from graders.exercise.toml import line_of
from graders.exercise.variants import (
    EXAMPLE,
    marked,
    number_marked,
    read_variants,
    require_alike,
    substituted,
    with_values,
)
from graders.frameworks import BY_NAME, FRAMEWORKS
from graders.text import escaped
from graders.verdict import Verdict

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_FILE_BYTES = 1 << 20
MAX_SLUG_CHARACTERS = 120
MAX_ENTRIES = 50
MAX_TYPE_CHARACTERS = 200  # types are parsed as Python, which may nest


def read_exercise(folder: Path) -> Exercise:
    """Read `folder`, whose name is the slug. Raises BrokenExercise."""
    if not folder.is_dir():
        raise BrokenExercise(str(folder), "there is no such folder", "name a folder that contains an exercise.toml")
    return exercise_from_files(folder.resolve().name, files_of(folder))


def require_ceilings(exercise: Exercise, ceilings: Limits = CEILINGS) -> None:
    """Raises BrokenExercise for an exercise that grants more than this server's operator does, in any of its variants.

    attack: `wall_seconds = 1000000` and an endless reference block every worker that meets it for good.
    """
    for variant in exercise.others:
        try:
            require_ceilings(variant, ceilings)
        except BrokenExercise as broken:
            raise with_values(broken, variant.variants, variant.variant) from None
    for name in ("wall_seconds", "cpu_seconds", "total_seconds", "memory_mb", "output_kb"):
        granted, most = getattr(exercise.limits, name), getattr(ceilings, name)
        if granted > most:
            raise BrokenExercise(
                "exercise.toml",
                f"is {granted:g}, but this server allows at most {most:g}",
                f"lower it, or ask the operator to raise LECTERN_MAX_{name.upper()}",
                line_of(exercise.files["exercise.toml"].decode(), f"limits.{name}"),
                name,
            )


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of an exercise, by path within the folder, without caches and hidden files."""
    try:
        files = read_files(folder, MAX_FILE_BYTES)
    except FolderUnreadable as error:
        raise BrokenExercise(error.path or escaped(folder.name), error.message, error.hint) from None
    if files.links:
        # attack: a link to the server's own files, imported into a snapshot and shown back
        raise BrokenExercise(files.links[0], "is a symbolic link", "put the file itself here")
    return files.contents


def exercise_from_files(slug: str, files: Mapping[str, bytes]) -> Exercise:
    """An exercise from its files, from a folder or a snapshot. Raises BrokenExercise.

    Of an exercise with variants it is the first one, with the others; or the one that its snapshot is marked as, alone.
    """
    if not SLUG.fullmatch(slug):
        raise BrokenExercise(escaped(slug), "is not a valid folder name", "use lower case, and join words with hyphens")
    if len(slug) > MAX_SLUG_CHARACTERS:
        message = f"has a name of {len(slug)} characters; {MAX_SLUG_CHARACTERS} are allowed"
        raise BrokenExercise(slug, message, "give the folder a shorter name")
    for name in ("exercise.toml", "statement.md", "starter.py", "reference.py", "cases.py"):
        if name not in files:
            raise BrokenExercise(
                name, "is missing", f"every exercise needs one; docs/authoring.md says what goes into {name}"
            )
    variants = read_variants(files)
    number = number_marked(files, variants)
    first = _variant(slug, files, variants, number)
    if number or not variants.names:
        return first
    others = []
    for other in range(1, variants.count):
        try:
            others.append(_variant(slug, marked(files, other), variants, other))
        except BrokenExercise as broken:
            raise with_values(broken, variants, other) from None
    require_alike((first, *others), first.files["exercise.toml"].decode("utf-8-sig"))
    return replace(first, others=tuple(others))


def _variant(slug: str, stored: Mapping[str, bytes], variants: Variants, number: int) -> Exercise:
    files = substituted(stored, variants, number)
    texts = {name: _text(name, data) for name, data in files.items() if name.endswith((".py", ".md", ".toml"))}
    named = re.search(r"^(?:def|class) (\w+)", texts["reference.py"], re.MULTILINE)
    stand_ins = {"title": slug, "entry": named[1] if named else "solve"}
    toml = texts["exercise.toml"]

    def read(data: dict[str, Any]) -> Exercise:
        table = _Table(data, toml)
        if table.get("variants", None) is not None and not variants.names:
            hint = f"write [variants] on a line of its own, and below it {EXAMPLE}"
            raise table.fault("variants", "must be a section", hint)
        exercise = _exercise(slug, files, texts, table)
        stored_hash = exercise.content_hash if stored is files else hash_files(stored)
        return replace(exercise, stored=stored, content_hash=stored_hash, variants=variants, variant=number)

    return with_every_fault(toml, stand_ins, read)


def _exercise(slug: str, files: Mapping[str, bytes], texts: Mapping[str, str], table: "_Table") -> Exercise:
    frameworks = table.strings("frameworks", ("numpy",))
    for framework in frameworks:
        if framework not in FRAMEWORKS:
            raise table.fault(
                "frameworks", f"has the unknown framework {framework!r}", f"use one or more of {', '.join(FRAMEWORKS)}"
            )
    if not frameworks:
        raise table.fault("frameworks", "is empty", f"list at least one of {', '.join(FRAMEWORKS)}")
    entries, is_scripted = _entries(table)
    entry = entries[0]
    signature = _no_signature(table) if is_scripted else _signature(table)
    raises, messages = table.strings("raises", ()), table.flag("messages")
    if not all(name.isidentifier() for name in raises):
        raise table.fault("raises", "must be names of exceptions", 'write raises = ["ValueError"]')
    _require_no_arrays(table, signature, frameworks)
    tolerance = _tolerance(table)
    limits = _limits(table)
    reference = _source("reference.py", texts["reference.py"], frameworks[0])
    for name in entries:
        _require_defined(reference, name, is_scripted)
    mistakes = tuple(
        _mistake(name, text, frameworks)
        for name, text in texts.items()
        if name.startswith("mistakes/") and name.endswith(".py")
    )
    solutions = tuple(
        _source(name, text, frameworks[0], frameworks)
        for name, text in texts.items()
        if name.startswith("solutions/") and name.endswith(".py")
    )
    require_usable(files)
    for name, text in provided_in(files).items():
        _source(name, text, frameworks[0])
    warm = _warm(table, signature, frameworks)
    source_rules = _source_rules(table, frameworks)
    is_seeded, returns_any_framework = table.flag("seed"), table.flag("returns_any_framework")
    difficulty = table.choice("difficulty", ("easy", "medium", "hard"), "medium")
    credit = table.choice("credit", ("all", "cases"), "all")
    minutes, discussions = table.whole("minutes", 15), table.flag("discussions", default=True)
    title, tags, related = table.string("title"), table.strings("tags", ()), table.strings("related", ())
    table.refuse_unknown()

    checker = _source("checker.py", texts["checker.py"], "numpy") if "checker.py" in texts else None
    if checker is not None:
        _require_checkable(checker, is_scripted)
    judged = {
        "judge": JUDGE_VERSION, "slug": slug, "entry": entry, "frameworks": repr(frameworks), "credit": credit,
        "signature": signature.text(entry), "tolerance": repr(tolerance), "limits": repr(limits),
        "cases.py": texts["cases.py"], "reference.py": texts["reference.py"],
        **{mistake.source.path: mistake.source.text for mistake in mistakes},
        **({"source": repr(source_rules)} if source_rules else {}), **({"seed": "true"} if is_seeded else {}),
        **({"returns_any_framework": "true"} if returns_any_framework else {}),
        **({"entries": repr(entries)} if is_scripted else {}),
        **({"raises": repr((raises, messages))} if raises else {}),
        **({"checker.py": checker.text} if checker is not None else {}),
    }  # fmt: skip
    judging_files = {**{name: text.encode() for name, text in judged.items()}, **judged_materials(files)}
    return Exercise(
        slug=slug, title=title, entry=entry, entries=entries, is_scripted=is_scripted,
        difficulty=difficulty, minutes=minutes, tags=tags,
        frameworks=frameworks, related=related, discussions=discussions, credit=credit, signature=signature,
        tolerance=tolerance, limits=limits, warm=warm, source_rules=source_rules, raises=raises,
        messages=messages, is_seeded=is_seeded, returns_any_framework=returns_any_framework,
        statement=texts["statement.md"], hints=texts.get("hints.md", ""), solution=texts.get("solution.md", ""),
        cases=_source("cases.py", texts["cases.py"], "numpy"),
        reference=reference, solutions=solutions, mistakes=mistakes, checker=checker,
        files=files, stored=files, content_hash=hash_files(files), judging_hash=hash_files(judging_files),
    )  # fmt: skip


def framework_mark(text: str) -> str | None:
    """The framework of a first line `# framework: torch`, or None."""
    mark = re.match(r"#\s*framework:\s*(\w+)\s*$", text.split("\n", 1)[0])
    return mark[1] if mark else None


def framework_named(path: str, frameworks: tuple[str, ...]) -> str | None:
    """The one framework that a file's name is, or starts or ends with: `torch.py`, `torch-by-hand.py`, `slow-torch.py`.

    A name that is nothing else may be any framework's, so that one which the exercise does not list becomes a fault.
    """
    words = Path(path).stem.split("-")
    named = {word for word in (words[0], words[-1]) if word in (FRAMEWORKS if len(words) == 1 else frameworks)}
    return named.pop() if len(named) == 1 else None


def _text(name: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BrokenExercise(name, "is not UTF-8", "save it as UTF-8", line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BrokenExercise(name, "contains a NUL character", "remove it, or save the file as UTF-8", line)
    return text


class _Table:
    """`exercise.toml`, read key by key. Each fault names its line, and unknown keys are refused at the end."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        self.data, self.text, self.keys_read = data, text, set[str]()

    def fault(self, key: str, message: str, hint: str) -> BrokenExercise:
        return BrokenExercise("exercise.toml", message, hint, line_of(self.text, key), key)

    def get(self, key: str, default: Any) -> Any:
        self.keys_read.add(key)
        return self.data.get(key, default)

    def string(self, key: str) -> str:
        value = self.get(key, None)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, "is missing" if value is None else "must be a string", f'write {key} = "…"')
        return value.strip()

    def strings(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(key, "must be a list of strings", f'write {key} = ["…", "…"]')
        return tuple(value)

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.get(key, default)
        if value not in allowed:
            raise self.fault(key, f"is {value!r}", f"use one of {', '.join(allowed)}")
        return str(value)

    def whole(self, key: str, default: int) -> int:
        value = self.get(key, default)
        if type(value) is not int or value < 1:
            raise self.fault(key, "must be a whole number of at least 1", f"write {key} = {default}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.fault(key, "must be true or false", f"write {key} = {'false' if default else 'true'}")
        return value

    def section(self, key: str) -> dict[str, Any]:
        value = self.get(key, {})
        if not isinstance(value, dict):
            raise self.fault(key, "must be a section", f"write [{key}] on a line of its own")
        return value

    def refuse_unknown(self) -> None:
        for key in self.data.keys() - self.keys_read:
            meant = difflib.get_close_matches(key, self.keys_read, 1)
            known = f"use one of {', '.join(sorted(self.keys_read))}"
            raise self.fault(key, "is not a key of exercise.toml", f"write {meant[0]}" if meant else known)


def _entries(table: _Table) -> tuple[tuple[str, ...], bool]:
    """The names that students write, and whether scripts use them: where `entry` is a list."""
    value = table.get("entry", None)
    names = table.strings("entry", ()) if isinstance(value, list) else (table.string("entry"),)
    for name in names:
        if not name.isidentifier():
            message = f"{name!r} is not a valid {'name' if isinstance(value, list) else 'function name'}"
            raise table.fault("entry", message, "name the function or class that students write")
    if not names or len(names) > MAX_ENTRIES or len(set(names)) < len(names):
        raise table.fault("entry", f"must have 1 to {MAX_ENTRIES} different names", 'write entry = ["BankAccount"]')
    return names, isinstance(value, list)


def _no_signature(table: _Table) -> Signature:
    if table.section("signature"):
        hint = 'delete [signature], or name one function: entry = "…"'
        raise table.fault("signature", "is for one function, and `entry` is a list of names that scripts use", hint)
    return Signature((), "any", ANY)


def _signature(table: _Table) -> Signature:
    section = table.section("signature")
    if "returns" not in section:
        raise table.fault(
            "signature", "has no returns", 'write returns = "float32[N]" (its dtype and shape) in [signature]'
        )
    parameters, order = {}, list(section)
    for name, type_ in section.items():
        if not isinstance(type_, str):
            raise table.fault(f"signature.{name}", "must be a string", f'write {name} = "float32[N, T]"')
        if len(type_) > MAX_TYPE_CHARACTERS:
            message = f"has a type of {len(type_)} characters; {MAX_TYPE_CHARACTERS} are allowed"
            raise table.fault(f"signature.{name}", message, "nest it less, or use shorter names")
        try:
            parameters[name] = parse_parameter(name, type_)
        except (ValueError, RecursionError, MemoryError) as error:
            raise table.fault(f"signature.{name}", str(error), "see docs/authoring.md, Types") from None
        earlier = [other for other in order[: order.index(name)] if parameters[other].has_default]
        if earlier and not parameters[name].has_default and name != "returns":
            message = f"has no default, but {earlier[0]} before it has one"
            raise table.fault(f"signature.{name}", message, "put arguments with defaults last")
    returns = parameters.pop("returns")
    if returns.has_default:
        raise table.fault("signature.returns", "has a default", "write the type only")
    return Signature(tuple(parameters.values()), section["returns"], returns.parsed)


def _require_no_arrays(table: _Table, signature: Signature, frameworks: tuple[str, ...]) -> None:
    """Raises BrokenExercise where an array is declared and one of the frameworks has none."""
    without = next((name for name in frameworks if not BY_NAME[name].has_arrays), None)
    declared = [(parameter.name, parameter.parsed) for parameter in signature.parameters]
    for name, type_ in [*declared, ("returns", signature.parsed_returns)]:
        if without and arrays_in(type_):
            message = f"has an array, and {BY_NAME[without].title} has none"
            raise table.fault(f"signature.{name}", message, f"declare lists, or take {without!r} out of `frameworks`")


def _tolerance(table: _Table) -> Tolerance:
    section = dict(table.section("tolerance"))
    outputs = section.pop("outputs", {})
    if not isinstance(outputs, dict) or not all(isinstance(own, dict) for own in outputs.values()):
        hint = 'write [tolerance.outputs] and below it "0" = {rtol = 1e-3}'
        raise table.fault("tolerance.outputs", "must have a section for each output", hint)
    common = _closeness(table, "tolerance", section, Tolerance())
    own = {name: _closeness(table, "tolerance.outputs", values, common) for name, values in outputs.items()}
    return replace(common, outputs=own)


def _closeness(table: _Table, name: str, section: Mapping[str, Any], default: Tolerance) -> Tolerance:
    for key, value in section.items():
        if key not in ("rtol", "atol"):
            raise table.fault(f"{name}.{key}", "is unknown", "use one of rtol, atol, outputs")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e308:
            raise table.fault(f"{name}.{key}", "must be zero or a positive number", f"write {key} = 1e-6")
    return replace(default, outputs={}, **{key: float(value) for key, value in section.items()})


def _limits(table: _Table) -> Limits:
    section = table.section("limits")
    fields = Limits.__dataclass_fields__
    for key, value in section.items():
        if key not in fields:
            raise table.fault(f"limits.{key}", "is unknown", f"use one of {', '.join(fields)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1_000_000:
            raise table.fault(f"limits.{key}", "must be a positive number", f"write {key} = {fields[key].default}")
        if fields[key].type is int and not isinstance(value, int):
            raise table.fault(f"limits.{key}", "must be a whole number", f"write {key} = {fields[key].default}")
    if section.get("threads", 1) > MAX_THREADS:
        raise table.fault(
            "limits.threads", f"is more than the {MAX_THREADS} threads of a box", f"write at most {MAX_THREADS}"
        )
    wall = float(section.get("wall_seconds", Limits.wall_seconds))
    defaults = {"cpu_seconds": wall, "total_seconds": 3 * wall}
    return Limits(**{**defaults, **section, "wall_seconds": wall})


def _warm(table: _Table, signature: Signature, frameworks: tuple[str, ...]) -> tuple[DeclaredCall, ...]:
    section = table.section("warm")
    for key in section:
        if key != "jax":
            raise table.fault(f"warm.{key}", "is unknown", "only JAX compiles in advance: write jax = [...]")
        if key not in frameworks:
            raise table.fault("warm.jax", "is for exercises in JAX", 'add "jax" to `frameworks`, or delete [warm]')
    texts = section.get("jax", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise table.fault("warm.jax", "must be a list of strings", 'write jax = ["flatten(float32[N, T])"]')
    for text in texts:
        if len(text) > MAX_TYPE_CHARACTERS:
            message = f"has a call of {len(text)} characters; {MAX_TYPE_CHARACTERS} are allowed"
            raise table.fault("warm.jax", message, "write shorter calls")
    try:
        return read_calls(texts, signature)
    except ValueError as error:
        raise table.fault("warm.jax", str(error), "see docs/authoring.md, Warm starts") from None


def _source_rules(table: _Table, frameworks: tuple[str, ...]) -> tuple[SourceRule, ...]:
    try:
        return read_rules(table.section("source"), frameworks)
    except BadPattern as bad:
        fault = table.fault(bad.key, bad.message, bad.hint)
        quoted = (n for n, line in enumerate(table.text.split("\n"), 1) if bad.pattern and f'"{bad.pattern}"' in line)
        raise BrokenExercise(fault.path, bad.message, bad.hint, next(quoted, fault.line), bad.key) from None


def _source(path: str, text: str, default: str, frameworks: tuple[str, ...] | None = None) -> Source:
    named = framework_named(path, frameworks) if frameworks else None
    framework = framework_mark(text) or named or default
    if framework not in (frameworks or FRAMEWORKS):
        offered = ", ".join(frameworks or FRAMEWORKS)
        hint = (
            f"mark it for one of {offered}, or add {framework!r} to `frameworks`" if named else f"use one of {offered}"
        )
        raise BrokenExercise(path, f"is {'named' if named else 'marked'} for {framework!r}", hint, 1)
    try:
        ast.parse(text, path)
    except SyntaxError as error:
        raise BrokenExercise(path, f"does not compile: {error.msg}", "correct that line", error.lineno) from None
    except (RecursionError, MemoryError):
        raise BrokenExercise(path, "is nested too deeply to be parsed", "write it in steps") from None
    except ValueError as error:
        raise BrokenExercise(path, f"does not compile: {error}", "correct the file") from None
    return Source(path, text, framework)


def _require_checkable(checker: Source, is_scripted: bool) -> None:
    if is_scripted:
        hint = "delete it, and let the script compute what must hold"
        raise BrokenExercise(checker.path, "is for values that a function returns; scripts have none", hint)
    _require_defined(checker, "accept", False)


def _require_defined(source: Source, entry: str, may_be_class: bool) -> None:
    kinds = ast.FunctionDef | ast.ClassDef if may_be_class else ast.FunctionDef
    names = [node.name for node in ast.parse(source.text).body if isinstance(node, kinds)]
    names += [
        t.id
        for n in ast.parse(source.text).body
        if isinstance(n, ast.Assign)
        for target in n.targets
        for t in ast.walk(target)
        if isinstance(t, ast.Name)
    ]
    if entry not in names:
        raise BrokenExercise(
            source.path, f"does not define {entry}", "define it, or set entry in exercise.toml to its name"
        )


def _mistake(path: str, text: str, frameworks: tuple[str, ...]) -> KnownMistake:
    source = _source(path, text, frameworks[0], frameworks)
    feedback = ast.get_docstring(ast.parse(text))
    if not feedback:
        raise BrokenExercise(
            path, "has no docstring", "write in it what a student who makes this mistake should read", 1
        )
    declared = re.search(r"^#\s*verdict:\s*(\w+)\s*$", text, re.MULTILINE)
    verdict = declared[1] if declared else Verdict.wrong_answer
    if verdict not in set(Verdict) - {Verdict.accepted, Verdict.internal_error}:
        raise BrokenExercise(
            path,
            f"declares the verdict {verdict!r}",
            "a mistake must be rejected, for example # verdict: runtime_error",
        )
    return KnownMistake(
        path.removeprefix("mistakes/").removesuffix(".py"), source, Verdict(verdict), " ".join(feedback.split())
    )
