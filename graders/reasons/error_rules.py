"""What a rule about an error is: an exception's type, a pattern for its message, and a sentence in plain words.

A sentence holds for the code at hand. Names that a message gives are quoted only if the source spells one of them:
libraries name functions of their own that a student never wrote. A rule with `tell` looks at the source around the line
(error_site.py) and returns None where it does not show what the sentence would say.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from graders.frameworks import BY_NAME
from graders.frameworks.kind import Framework
from graders.reasons.error_site import Site, site_of

MAX_NAME = 60  # characters of a name quoted from a message


_TYPES = {
    "str": "string", "list_reverseiterator": "reversed list", "builtin_function_or_method": "function",
    "ndarray": "array",
    "method": "function", "ArrayImpl": "JAX array", "Tensor": "tensor", "bool_": "bool",
}  # fmt: skip


def with_article(type_name: str) -> str:
    """A type's name as a noun: “an int”, “a string”, “an array”."""
    name = type_name.rpartition(".")[2]
    noun = _TYPES.get(name, name)
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


@dataclass(frozen=True)
class ErrorContext:
    """An error and its surroundings: the submission's framework, source and own line (may be ""), and the match."""

    framework: str
    source: str
    line: str
    match: re.Match[str]
    number: int | None = None  # of the line in the source

    @property
    def own(self) -> Framework:
        return BY_NAME.get(self.framework, BY_NAME["numpy"])

    @property
    def group(self) -> str:
        return (self.match[1] or "")[:MAX_NAME]

    @property
    def site(self) -> Site:
        return site_of(self.source, self.number)


@dataclass(frozen=True)
class Rule:
    types: str  # the exceptions' names, separated by spaces; "" for any
    pattern: str
    sentence: str  # {0}, … are the pattern's groups, {a0}, … the same as types; the framework gives {short}, {make}, …
    fixed: str = ""  # the same without any part of the message; "" where `sentence` has no gaps
    tell: Callable[[ErrorContext], str | None] | None = None  # makes the sentence; returns None for the next rule

    def sentence_for(self, context: ErrorContext, fixed: bool) -> str | None:
        if self.tell is not None:
            text = self.tell(context)
            return text if text is None or not fixed else self.fixed or None
        text = self.fixed if self.fixed and (fixed or self._quotes_what_is_not_there(context)) else self.sentence
        if fixed and re.search(r"\{a?\d\}", text):
            return None
        groups = [(group or "").strip()[:MAX_NAME] for group in context.match.groups()]
        articles = {f"a{n}": with_article(group) for n, group in enumerate(groups)}
        own = context.own
        return text.format(*groups, **articles, short=own.short, integers=own.integers, make=own.make)

    def _quotes_what_is_not_there(self, context: ErrorContext) -> bool:
        """Whether a name in backticks comes from the message alone."""
        quoted = [context.match[int(n) + 1] or "" for n in re.findall(r"`[\w.]*\{(\d)\}", self.sentence)]
        names = [re.findall(r"[A-Za-z]\w*", text) for text in quoted]
        return bool(context.source) and any(
            words and not any(re.search(rf"\b{word}\b", context.source) for word in words) for words in names
        )
