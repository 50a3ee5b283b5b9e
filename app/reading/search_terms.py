"""What the full-text index is asked: an expression of terms, written for each database.

The index holds, beside each word, its stem; and of each name all of its words in one, so that a name or its beginning
is one term, however it is cut into words (`LayerNorm`, `layer_norm`, `layer norm`). A sign that no word has stands
before these, and keeps them apart from the words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from app.content.stems import stem
from app.content.words import Asked, parts, words


class Sign(StrEnum):
    """What a term of the index is, if it is not a word."""

    stem = "="
    name = "@"
    in_name = "%"
    heading = "#"
    in_heading = "$"


TOKEN_SIGNS = "".join(Sign)
MAX_NAME_WORDS = 12
MAX_KEY_CHARACTERS = 120
MIN_PART_CHARACTERS = 3  # of a name: less is the beginning of too many


@dataclass(frozen=True)
class Phrase:
    """Terms that stand together; the last may be only the beginning of one."""

    terms: tuple[str, ...]
    is_unfinished: bool = False


@dataclass(frozen=True)
class All:
    """Each of these."""

    wanted: tuple["Wanted", ...]


@dataclass(frozen=True)
class Any:
    """At least one of these."""

    wanted: tuple["Wanted", ...]


Wanted: TypeAlias = Phrase | All | Any


def wanted(asked: Asked, *, every: bool) -> Wanted:
    """What a text must have to be a result: every phrase, or what means the same as it; or at least one of them.
    Or it has a name that begins with what was typed, or just this heading."""
    named = wanted_names(asked, Sign.name, Sign.in_name, is_part=True)
    headed = wanted_names(asked, Sign.heading, is_part=False)
    return Any(((All if every else Any)(_clauses(asked)), *named.wanted, *headed.wanted))


def _clauses(asked: Asked) -> tuple[Wanted, ...]:
    same = {one.first: one for one in asked.same_meanings}
    found: list[Wanted] = []
    number = 0
    while number < len(asked.phrases):
        if number in same:
            own = All(tuple(_clause(asked, each) for each in range(number, same[number].end)))
            found.append(Any((own, *(Phrase(_marked(Sign.stem, term)) for term in same[number].others))))
            number = same[number].end
        else:
            found.append(_clause(asked, number))
            number += 1
    return tuple(found)


def _clause(asked: Asked, number: int) -> Wanted:
    """The phrase as it is typed, or with other endings, or in the pieces that it is made of."""
    phrase = asked.phrases[number]
    ways: list[Wanted] = [
        Phrase(phrase, is_unfinished=number == len(asked.phrases) - 1),
        Phrase(_marked(Sign.stem, map(stem, phrase))),
    ]
    if asked.pieces and (pieces := asked.pieces[number]):
        ways.append(All(tuple(Phrase((f"{Sign.stem}{stem(piece)}",)) for piece in pieces)))
    return Any(tuple(ways))


def _marked(sign: Sign, terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{sign}{term}" for term in terms)


def wanted_names(asked: Asked, *signs: Sign, is_part: bool) -> Any:
    """Names that are what was typed, or begin with it. Empty where too little was typed for a part."""
    keys = [key for key in _keys(asked.typed) if not is_part or len(key) >= MIN_PART_CHARACTERS]
    return Any(tuple(Phrase((f"{sign}{key}",), is_unfinished=is_part) for key in keys for sign in signs))


def _keys(typed: Sequence[str]) -> tuple[str, ...]:
    """All words in one: as they are, and their stems."""
    both = ("".join(typed), "".join(map(stem, typed)))
    return tuple(dict.fromkeys(key[:MAX_KEY_CHARACTERS] for key in both))


def name_terms(names: Iterable[str], whole: Sign, inside: Sign) -> list[str]:
    """What the index holds of these names: each from its first word on, and from each later one.

    But `LearnedPositions` is not found first by `position` alone, as a title is that ends with the word.
    """
    found: dict[str, None] = {}
    for name in names:
        in_name = [
            piece
            for word in words(name)
            for piece in parts(name[word.start : word.end]) or (word.text,)
        ][:MAX_NAME_WORDS]  # fmt: skip
        is_title = " " in name.strip()
        for start in range(len(in_name) if is_title else max(1, len(in_name) - 1)):
            found |= dict.fromkeys(f"{inside if start else whole}{key}" for key in _keys(in_name[start:]))
    return list(found)


def fts5(wanted: Wanted) -> str:
    """attack: `NEAR(`, `*`, a quote, which FTS5 would obey or fail on. defence: words of ours, which hold none."""
    if isinstance(wanted, Phrase):
        return f'"{" ".join(wanted.terms)}"{" *" if wanted.is_unfinished else ""}'
    return f"({(' AND ' if isinstance(wanted, All) else ' OR ').join(map(fts5, wanted.wanted))})"


def tsquery(wanted: Wanted) -> str:
    """As `fts5`, in PostgreSQL's language."""
    if isinstance(wanted, Phrase):
        terms = "<->".join(f"'{term}'" for term in wanted.terms)
        return f"({terms}{':*' if wanted.is_unfinished else ''})"
    return f"({(' & ' if isinstance(wanted, All) else ' | ').join(map(tsquery, wanted.wanted))})"


def stem_terms(text: str) -> list[str]:
    """The stems of a text's words, in order, as the index holds them."""
    return [f"{Sign.stem}{stem(word.text)}" for word in words(text)]


def piece_terms(text: str) -> list[str]:
    """The pieces of the names in a text and their stems, as the index holds them."""
    pieces = [piece for word in words(text) for piece in parts(text[word.start : word.end])]
    return [term for piece in pieces for term in (piece, f"{Sign.stem}{stem(piece)}")]
