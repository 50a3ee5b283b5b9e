"""An exercise in parts, as a format finds them, written as the files of a folder (docs/authoring.md)."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAX_CASES = 100
MAX_NAME = 80
STATEMENT_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class ScriptCase:
    """A case: its name, the script that it runs, and whether students see it."""

    name: str
    script: str
    sample: bool = True


@dataclass(frozen=True)
class Draft:
    """`entry`: the names that students define. `raises`: the exceptions that count as answers."""

    title: str
    entry: Sequence[str]
    statement: str
    starter: str
    reference: str
    cases: Sequence[ScriptCase]
    framework: str = "numpy"
    difficulty: str = "medium"
    tags: Sequence[str] = ()
    solution: str = ""
    raises: Sequence[str] = ()
    messages: bool = False
    atol: float | None = None
    provided: Mapping[str, bytes] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        texts = {
            "exercise.toml": self._toml(),
            "statement.md": _text(self.statement),
            "starter.py": _text(self.starter),
            "reference.py": _text(self.reference),
            "cases.py": _cases(self.cases),
        }
        if self.solution.strip():
            texts["solution.md"] = _text(self.solution)
        return {**{name: text.encode() for name, text in texts.items()}, **self.provided}

    def _toml(self) -> str:
        lines = [
            f"title      = {_string(self.title)}",
            f"entry      = {_strings(self.entry)}",
            f"difficulty = {_string(self.difficulty)}",
            f"tags       = {_strings(self.tags)}",
            f"frameworks = {_strings([self.framework])}",
        ]
        if self.raises:
            lines.append(f"raises     = {_strings(self.raises)}")
        if self.messages:
            lines.append("messages   = true")
        if self.atol is not None:
            lines += ["", "[tolerance]", f"atol = {self.atol:g}"]
        return "\n".join(lines) + "\n"


def halved(scripts: Sequence[tuple[str, str]]) -> list[ScriptCase]:
    """The first half as samples, the rest hidden; one alone is a sample. At most MAX_CASES, evenly chosen."""
    kept = [scripts[n * len(scripts) // MAX_CASES] for n in range(MAX_CASES)] if len(scripts) > MAX_CASES else scripts
    samples = (len(kept) + 1) // 2
    return [ScriptCase(name, script, n < samples) for n, (name, script) in enumerate(named_apart(kept))]


def named_apart(scripts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same scripts, with names that differ."""
    seen: dict[str, int] = {}
    apart = []
    for name, script in scripts:
        seen[name] = seen.get(name, 0) + 1
        apart.append((f"{name} ({seen[name]})" if seen[name] > 1 else name, script))
    return apart


def slug_of(text: str) -> str:
    """`Matrix–Vector Dot` is `matrix-vector-dot`; "" where nothing is left."""
    letters = (letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter))
    return "-".join(re.findall(r"[a-z0-9]+", "".join(letters).replace("'", "")))[:MAX_NAME].strip("-")


def _cases(cases: Sequence[ScriptCase]) -> str:
    samples = [case for case in cases if case.sample]
    hidden = [case for case in cases if not case.sample]
    return f"{_generator('sample_cases', samples)}\n\n{_generator('hidden_cases', hidden)}"


def _generator(name: str, cases: Sequence[ScriptCase]) -> str:
    if not cases:
        return f"def {name}(rng):\n    return ()\n"
    lines = [f"    yield {_string(case.name)}, script({_literal(case.script)})" for case in cases]
    return f"def {name}(rng):\n" + "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """A Python literal of a script, with its lines as they are where that is possible."""
    is_plain = all(character.isprintable() for character in text.replace("\n", ""))
    if "\n" not in text or not is_plain or '"""' in text or text.endswith(('"', "\\")):
        return _string(text)
    return f'r"""{text}"""' if "\\" in text else f'"""{text}"""'


def _string(text: str) -> str:
    """A string that TOML and Python read alike."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_string, texts))}]"


def _text(text: str) -> str:
    return STATEMENT_LINES.sub("\n\n\n", text.strip("\n")).rstrip() + "\n"
