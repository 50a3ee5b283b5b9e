"""Python in colour: a student's, a row a line, and an author's listing.

attack: a source that a highlighter's patterns take minutes to give up on; Python's `re` meanwhile holds up every
thread of the server. (Pygments does, on sixty thousand zeros after `"%`.) defence: patterns of our own, which never
look at a character twice: each repetition is possessive, and a string that does not end is one to the end.
An author's listing in another language goes through Pygments, bounded (app/content/renderer.py); the classes are the
same.
"""

import builtins
import keyword
import re
from collections.abc import Iterator
from html import escape

from markupsafe import Markup

SHOWN_CHARACTERS = 64 << 10  # a source that is larger was turned down, unjudged

_TOKEN = re.compile(
    r"""
      (?P<c1> \#[^\n]*+ )
    | (?P<s2> (?:[rRbBuUfF]{1,2})?
          (?: \"{3} (?: [^"\\] | \\. | "(?!"") )*+ (?:\"{3})?
            | '{3}  (?: [^'\\] | \\. | '(?!'') )*+ (?:'{3})?
            | "     (?: [^"\\\n] | \\. )*+ "?
            | '     (?: [^'\\\n] | \\. )*+ '? ) )
    | (?P<mi> 0[xXbBoO][\da-fA-F_]++ | (?: \d[\d_]*+ \.? [\d_]*+ | \.\d[\d_]*+ ) (?:[eE][+-]?\d[\d_]*+)? [jJ]? )
    | (?P<nf> (?<=\bdef\ ) \w++ | (?<=\bclass\ ) \w++ )
    | (?P<nd> ^[ \t]*+ @ [\w.]*+ )
    | (?P<name> \w++ )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LINE_ENDS = re.compile(r"\r\n?")
NEW_LINE = "\n"  # in an empty row, so that it is copied as one
_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))


def numbered(source: str) -> Markup:
    """`#line-7` leads to the line that Python calls 7."""
    numbered = enumerate(rows(source), 1)
    lines = (f'<span class="row" id="line-{number}">{row or NEW_LINE}</span>' for number, row in numbered)
    return Markup(f"<pre><code>{''.join(lines)}</code></pre>")  # noqa: S704 (escaped below, piece by piece)


def coloured(source: str) -> Markup:
    """All of it, as it stands."""
    return Markup("\n").join(rows(source))


def rows(source: str) -> list[Markup]:
    """Each line in colour, the first being what Python calls 1."""
    text = _LINE_ENDS.sub("\n", source).removesuffix("\n")
    rows = _rows(text[:SHOWN_CHARACTERS])
    if len(text) > SHOWN_CHARACTERS:
        rows.append('<span class="c1"># … and so on: the rest is not shown.</span>')
    return [Markup(row) for row in rows]  # noqa: S704 (escaped below, piece by piece)


def listing(source: str) -> str:
    """An author's Python as HTML, whole, with what a listing tells apart and an editor does not: documentation from
    other texts, exceptions from functions, escapes in texts."""
    text = _LINE_ENDS.sub("\n", source).removesuffix("\n") + "\n"
    return "".join(_marked(kind, escape(piece)) for kind, piece in _told_apart(text))


def _marked(kind: str, piece: str) -> str:
    if not kind:
        return piece
    return "\n".join(f'<span class="{kind}">{line}</span>' if line else "" for line in piece.split("\n"))


def _told_apart(text: str) -> Iterator[tuple[str, str]]:
    begins_a_line = True
    for kind, piece in _pieces(text):
        if kind == "s2" and begins_a_line and piece.lstrip("rRuUbB")[:3] in ('"""', "'''"):
            yield "sd", piece
        elif kind == "s2":
            yield from _escapes(piece)
        elif kind:
            yield _SPECIAL.get(piece, kind) if kind == "nb" else kind, piece
        else:
            for word in _WORDS.finditer(piece):
                yield _SPECIAL.get(word[0], "n" if word["name"] else "o" if word["operator"] else ""), word[0]
        if not piece.isspace() or "\n" in piece:
            begins_a_line = not piece.rpartition("\n")[2].strip() and "\n" in piece


def _escapes(text: str) -> Iterator[tuple[str, str]]:
    if "\\" not in text or "r" in text[:2].lower():
        yield "s2", text
        return
    for place, part in enumerate(re.split(r"(\\(?:.|\n))", text)):
        if part:
            yield "se" if place % 2 else "s2", part


_WORDS = re.compile(r"(?P<name>\w++)|(?P<operator>[-+*/%@&|^~<>=!]++)|[^\w\-+*/%@&|^~<>=!]++")
_SPECIAL = {"self": "bp", "cls": "bp"} | {
    name: "ne" for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}


def pieces_by_line(source: str) -> list[list[tuple[str, str]]]:
    """Each line as (the class, or nothing; the text), not escaped; whatever is too long to show in colour, without."""
    text = _LINE_ENDS.sub("\n", source).removesuffix("\n")
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, piece in (*_pieces(text[:SHOWN_CHARACTERS]), ("", text[SHOWN_CHARACTERS:])):
        first, *more = piece.split("\n")
        lines[-1].append((kind, first))
        lines += [[(kind, line)] for line in more]
    return lines


def _rows(text: str) -> list[str]:
    """Its lines as HTML; a token that goes on over several lines is coloured in each."""
    rows = [""]
    for kind, piece in _pieces(text):
        first, *more = (f'<span class="{kind}">{line}</span>' if kind and line else line
                        for line in escape(piece).split("\n"))  # fmt: skip
        rows[-1] += first
        rows += more
    return rows


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """(the class, or nothing; the text), all of it in order."""
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() > end:
            yield "", text[end : token.start()]
        yield _kind(token), token[0]
        end = token.end()
    if end < len(text):
        yield "", text[end:]


def _kind(token: re.Match[str]) -> str:
    if token.lastgroup != "name":
        return token.lastgroup or ""
    word = token[0]
    if word in ("True", "False", "None"):
        return "kc"
    return "k" if keyword.iskeyword(word) else "nb" if word in _BUILTINS else ""
