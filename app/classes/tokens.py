"""A Python source as a row of tokens in which what is easily changed is gone: for comparing who wrote what.

Left out: comments, docstrings, white space, line ends, import statements. One token for all: names that the program
gives, numbers, texts. (To change `0.5` to `1/2` or a message takes a second, so neither tells who wrote it.) Kept:
keywords, operators, calls of builtins, and what a library calls its things, however it was imported: `np.exp(x)` and
`e(x)` after `from numpy import exp as e` are the same.

attack: a source on which Python's own `tokenize` takes minutes (it is quadratic in blanks before a sign that it does
not know, such as the letter ℘), while every thread of the server waits; or one that it refuses. defence: one pattern of
our own, which never looks at a character twice and takes whatever comes; the first `MAX_TOKENS` are read. A test holds
it to what `tokenize` finds.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_TOKENS = 6000

_TOKEN = re.compile(
    r"""
      (?P<blank> [ \t\f]++ | \\\n | \#[^\n]*+ )
    | (?P<end> \n )
    | (?P<string> (?:[rRbBuUfF]{1,2})?
          (?: \"{3} (?: [^"\\] | \\. | "(?!"") )*+ (?:\"{3})?
            | '{3}  (?: [^'\\] | \\. | '(?!'') )*+ (?:'{3})?
            | "     (?: [^"\\\n] | \\. )*+ "?
            | '     (?: [^'\\\n] | \\. )*+ '? ) )
    | (?P<numeral> 0[xXbBoO][\da-fA-F_]++ | (?: \d[\d_]*+ \.? [\d_]*+ | \.\d[\d_]*+ ) (?:[eE][+-]?\d[\d_]*+)? [jJ]? )
    | (?P<name> \w++ )
    | (?P<sign> \*\*=? | //=? | >>=? | <<=? | \.\.\. | -> | := | [-+*/%@&|^=<>!]= | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE_ENDS = re.compile(r"\r\n?")
_ASSIGNS = frozenset({"=", ":=", *(f"{sign}=" for sign in ("+", "-", "*", "/", "//", "%", "@", "&", "|", "^", "**"))})
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_KEYWORDS, _BUILTINS = frozenset(keyword.kwlist), frozenset(dir(builtins))
# By what names libraries go where a piece of code says no import.
_LIBRARIES = frozenset({"np", "numpy", "jnp", "jax", "torch", "math", "nn", "F"})
NAME, NUMBER, TEXT = "n", "0", "s"


class Token(NamedTuple):
    """`kind`: text, number, name or sign. `line`: the first is 1."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class _Names:
    """What the program's own names are, and what it calls those of libraries."""

    modules: set[str] = field(default_factory=set)
    members: dict[str, str] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)


def normalised(source: str) -> list[tuple[str, int]]:
    """The tokens that are compared, each with its line."""
    names = _Names(set(_LIBRARIES))
    kept: list[list[Token]] = []
    for statement in _statements(scan(source)):
        if statement[0].text in ("import", "from"):
            _read_import(statement, names)
        elif any(token.kind != "string" for token in statement):  # a mere text is a docstring
            kept.append(statement)
            names.own.update(_given(statement))
    return [found for statement in kept for found in _normalised(statement, names)]


def scan(source: str) -> Iterator[Token]:
    """All but blanks and comments; line ends as signs. At most MAX_TOKENS."""
    line, count = 1, 0
    for match in _TOKEN.finditer(_LINE_ENDS.sub("\n", source)):
        kind, text = match.lastgroup or "sign", match[0]
        if kind != "blank":
            yield Token("sign" if kind == "end" else kind, text, line)
            count += 1
            if count >= MAX_TOKENS:
                return
        if kind in ("blank", "end", "string"):
            line += text.count("\n")


def _statements(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Without the line ends and semicolons between them."""
    depth, statement = 0, list[Token]()
    for token in tokens:
        if token.kind == "sign":
            depth = max(0, depth + (token.text in _OPENS) - (token.text in _CLOSES))
            if token.text == "\n" or (token.text == ";" and not depth):
                if statement and not depth:
                    yield statement
                    statement = []
                continue
        statement.append(token)
    if statement:
        yield statement


def _read_import(statement: list[Token], names: _Names) -> None:
    words = [token.text for token in statement if token.text not in ("(", ")")]
    is_from = words[0] == "from"
    begin = words.index("import") + 1 if "import" in words else len(words)
    each: list[list[str]] = [[]]
    for word in words[begin:]:
        if word == ",":
            each.append([])
        else:
            each[-1].append(word)
    for one in each:
        if not one:
            continue
        alias = one[-1] if "as" in one else one[0]
        if is_from and one[0] not in _LIBRARIES:  # `from torch import nn` is a module
            names.members[alias] = one[0]
        else:
            names.modules.add(alias)


def _given(statement: list[Token]) -> Iterator[str]:
    """Names that it gives: to a function, a class, an attribute, or a variable that would be taken for a builtin."""
    depth = 0
    for place, token in enumerate(statement):
        depth += (token.text in _OPENS) - (token.text in _CLOSES) if token.kind == "sign" else 0
        if token.kind != "name":
            continue
        before = statement[place - 1].text if place else ""
        after = statement[place + 1].text if place + 1 < len(statement) else ""
        if before in ("def", "class") or (depth == 0 and after in _ASSIGNS):
            yield token.text


def _normalised(statement: list[Token], names: _Names) -> Iterator[tuple[str, int]]:
    is_member = False  # of a module, whose name was left out
    for place, token in enumerate(statement):
        text, line = token.text, token.line
        before = statement[place - 1].text if place else ""
        after = statement[place + 1].text if place + 1 < len(statement) else ""
        if token.kind == "sign":
            if text == "." and (is_member or (after.isidentifier() and after not in _KEYWORDS)):
                continue  # said with the name after it
            yield text, line
        elif token.kind == "numeral":
            yield NUMBER, line
        elif token.kind == "string":
            yield TEXT, line
        elif before == "." and place:
            is_member = False
            yield (NAME if text in names.own else f".{text}"), line
        elif text in _KEYWORDS:
            yield text, line
        elif text in names.modules and text not in names.own and after == ".":
            is_member = True
        elif text in names.members and text not in names.own:
            yield f".{names.members[text]}", line
        elif text in _BUILTINS and after == "(" and text not in names.own:
            yield text, line
        else:
            yield NAME, line
