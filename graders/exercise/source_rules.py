"""`[source]` of exercise.toml: what a submission must use, and what it must not.

    [source]
    requires = ["class LayerNorm(nn.Module)"]
    forbids  = ["for", "torch.softmax"]

    [source.forbids]                       # the same, with a sentence for the student
    "torch.softmax" = "Write softmax yourself."

A pattern is read here, when the exercise is read, and held against the syntax tree in the box, before anything runs
(graders/inside/source_rules.py). ` | ` stands between alternatives.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.frameworks import BY_NAME

MAX_RULES = 50
MAX_PATTERN_CHARACTERS = 200  # patterns are parsed as Python, which may nest

Form = list[Any]  # plain JSON for the box: a kind, and what belongs to it

KEYWORDS = {
    "for": ("For", "AsyncFor", "comprehension"), "while": ("While",), "if": ("If", "IfExp"), "lambda": ("Lambda",),
    "import": ("Import", "ImportFrom"), "try": ("Try", "TryStar"), "with": ("With", "AsyncWith"),
    "class": ("ClassDef",), "def": ("FunctionDef", "AsyncFunctionDef"), "return": ("Return",),
    "yield": ("Yield", "YieldFrom"), "await": ("Await",), "raise": ("Raise",), "assert": ("Assert",),
    "del": ("Delete",), "global": ("Global",), "nonlocal": ("Nonlocal",), "match": ("Match",), "break": ("Break",),
    "continue": ("Continue",), "pass": ("Pass",),
}  # fmt: skip
OPERATORS = {
    "@": ("MatMult",), "**": ("Pow",), "//": ("FloorDiv",), "%": ("Mod",), "+": ("Add",), "-": ("Sub",), "*": ("Mult",),
    "/": ("Div",), "&": ("BitAnd",), "|": ("BitOr",), "^": ("BitXor",), "~": ("Invert",), "<<": ("LShift",),
    ">>": ("RShift",), "==": ("Eq",), "!=": ("NotEq",), "<": ("Lt",), "<=": ("LtE",), ">": ("Gt",), ">=": ("GtE",),
    "and": ("And",), "or": ("Or",), "not": ("Not",), "in": ("In", "NotIn"), "is": ("Is", "IsNot"),
}  # fmt: skip
ALIASES = {"np": "numpy", "jnp": "jax.numpy", "F": "torch.nn.functional"}
PATTERNS = (
    "a keyword such as for, an operator such as @, a name such as torch.softmax, import scipy, class A(B) or def f(x)"
)
_NAME = r"[^\W\d]\w*"


@dataclass(frozen=True)
class SourceRule:
    """One pattern, required or forbidden. `sentence`: what a student whose source breaks it is told."""

    pattern: str
    required: bool
    forms: tuple[Form, ...]
    sentence: str

    def json(self) -> dict[str, Any]:
        return {"required": self.required, "forms": [*self.forms], "sentence": self.sentence}


class BadPattern(ValueError):
    """A pattern that cannot be read, and what to do. `key` is its place in exercise.toml."""

    def __init__(self, key: str, message: str, hint: str, pattern: str = "") -> None:
        super().__init__(message)
        self.key, self.message, self.hint, self.pattern = key, message, hint, pattern


def read_rules(section: Mapping[str, Any], frameworks: Sequence[str]) -> tuple[SourceRule, ...]:
    """Read `[source]`. Raises BadPattern."""
    for key in section.keys() - {"requires", "forbids"}:
        raise BadPattern(f"source.{key}", "is unknown", "use requires or forbids")
    rules = [
        _rule(key, pattern, sentence, frameworks)
        for key in ("requires", "forbids")
        for pattern, sentence in _patterns(key, section.get(key, []))
    ]
    if len(rules) > MAX_RULES:
        raise BadPattern("source", f"has {len(rules)} patterns; {MAX_RULES} are allowed", "name what matters most")
    return tuple(rules)


def _patterns(key: str, written: Any) -> Iterator[tuple[str, str]]:
    """Each pattern, and the author's sentence, "" where there is none."""
    if isinstance(written, dict) and all(isinstance(value, str) and value.strip() for value in written.values()):
        yield from ((pattern, sentence.strip()) for pattern, sentence in written.items())
    elif isinstance(written, list) and all(isinstance(item, str) for item in written):
        yield from ((pattern, "") for pattern in written)
    else:
        hint = f'write {key} = ["for"], or [source.{key}] with lines such as "for" = "Your sentence."'
        raise BadPattern(f"source.{key}", "must be a list of patterns, or a section with a sentence for each", hint)


def _rule(key: str, pattern: str, sentence: str, frameworks: Sequence[str]) -> SourceRule:
    required = key == "requires"
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        message = f"has a pattern of {len(pattern)} characters; {MAX_PATTERN_CHARACTERS} are allowed"
        raise BadPattern(f"source.{key}", message, "write shorter ones", pattern)
    alternatives = [pattern.strip()] if pattern.strip() in OPERATORS else re.split(r"\s\|\s", pattern.strip())
    try:
        forms = tuple(form for alternative in alternatives for form in _forms(alternative.strip(), frameworks))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        message = f"has the pattern {pattern!r}, which cannot be read"
        raise BadPattern(f"source.{key}", message, f"use {PATTERNS}", pattern) from None
    return SourceRule(pattern, required, forms, sentence or _sentence(pattern, required))


def _sentence(pattern: str, required: bool) -> str:
    quoted = " or ".join(f"`{' '.join(part.split())}`" for part in re.split(r"\s\|\s", pattern.strip()))
    return f"Use {quoted}: this exercise asks for it." if required else f"Do without {quoted} in this exercise."


def _forms(pattern: str, frameworks: Sequence[str]) -> list[Form]:
    """The forms that a pattern stands for. Raises ValueError and SyntaxError."""
    if pattern in KEYWORDS:
        return [["node", *KEYWORDS[pattern]]]
    if pattern in OPERATORS:
        return [["operator", *OPERATORS[pattern]]]
    if match := re.fullmatch(rf"(?:class|def)\s+{_NAME}(\s*\(.*\))?", pattern, re.DOTALL):
        return [_definition(pattern, bool(match[1]), frameworks)]
    if match := re.fullmatch(rf"import\s+({_NAME}(?:\.{_NAME})*)", pattern):
        return [["import", match[1]]]
    if match := re.fullmatch(rf"from\s+({_NAME}(?:\.{_NAME})*)\s+import\s+({_NAME})", pattern):
        return [["import", f"{match[1]}.{match[2]}"]]
    if match := re.fullmatch(rf"\.({_NAME})", pattern):
        return [["method", match[1]]]
    if re.fullmatch(rf"{_NAME}(\.{_NAME})*", pattern):
        return _uses(pattern, frameworks)
    raise ValueError(pattern)


def _uses(name: str, frameworks: Sequence[str]) -> list[Form]:
    """A name is used; that of a framework's function also as a method: `x.softmax()` is torch's softmax."""
    forms: list[Form] = [["name", full] for full in _full_names(name, frameworks)]
    is_of_framework = any(full.partition(".")[0] in BY_NAME for full in _full_names(name, frameworks))
    last = name.rpartition(".")[2]
    return [*forms, ["method", last]] if is_of_framework and "." in name and last.islower() else forms


def _full_names(name: str, frameworks: Sequence[str]) -> list[str]:
    """What an author's `np.sum` and `nn.Module` stand for: `nn` is the module of layers of each framework."""
    first, dot, rest = name.partition(".")
    roots = [ALIASES.get(first, first)]
    if first == "nn":
        roots = [BY_NAME[framework].nn for framework in frameworks]
    return [f"{root}{dot}{rest}" for root in dict.fromkeys(roots)]


def _definition(pattern: str, is_called: bool, frameworks: Sequence[str]) -> Form:
    """`class A(B)` or `def f(x, y)`, with or without the parentheses."""
    head = pattern if is_called or pattern.startswith("class") else f"{pattern}()"
    (node,) = ast.parse(f"{head}: pass").body
    if isinstance(node, ast.ClassDef):
        if not all(re.fullmatch(rf"{_NAME}(\.{_NAME})*", ast.unparse(base)) for base in node.bases):
            raise ValueError(pattern)
        return ["class", node.name, [_full_names(ast.unparse(base), frameworks) for base in node.bases]]
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(pattern)
    return ["def", node.name, _parameters(node.args) if is_called else None]


def _parameters(arguments: ast.arguments) -> list[str]:
    """The names of the parameters as graders/inside/source_rules.py lists a student's, without defaults."""
    named = [*arguments.posonlyargs, *arguments.args]
    starred = [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    doubly_starred = [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return [*(a.arg for a in named), *starred, *(a.arg for a in arguments.kwonlyargs), *doubly_starred]
