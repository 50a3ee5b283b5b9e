"""The words of a text as they are searched for: the same for what is indexed, what is asked and what is marked.

A word is a run of letters, digits and underscores without case and accents, so that `d_model`, `jnp.take` and
`pos_embed[:T]` are found as they are written. A plural loses its s. Everything else only separates words, which is
why nothing that anybody types can mean something to a database's own query language.

A word is also found by its stem (`app.content.stems`), and by what means the same (`app.content.synonyms`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from app.content.stems import stem
from app.content.synonyms import Term, terms_in
from graders.text import storable

MAX_WORD_CHARACTERS = 60
_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@dataclass(frozen=True)
class Word:
    """`text` is folded; `start` and `end` are where it stands as written."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Piece:
    """A stretch of a text; `hit`: one of the words looked for."""

    text: str
    hit: bool


@dataclass(frozen=True)
class SameMeaning:
    """The phrases from `first` up to `end` form a term; each of `others`, as stems, means the same."""

    first: int
    end: int
    others: tuple[Term, ...]


@dataclass(frozen=True)
class Asked:
    """What someone looks for: phrases of words that stood together (`jnp.take`). The last word may be unfinished.

    `pieces`: for each phrase, what the name is made of (`pos_embed`: pos, embed); empty for what is no name.
    `typed`: every word, cut into pieces, with those that say nothing.
    """

    phrases: tuple[tuple[str, ...], ...]
    pieces: tuple[tuple[str, ...], ...] = ()
    typed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.phrases)

    def finds(self, written: str) -> bool:
        """Whether this word of a text is one of those looked for, or holds one (`d_model` holds `model`), or has the
        stem of one."""
        known = self._found.get(written)
        if known is None:
            known = self._found[written] = any(
                word in self._words or word.startswith(self._last) or stem(word) in self._stems
                for word in (fold(written), *parts(written))
            )
        return known

    @cached_property
    def same_meanings(self) -> tuple[SameMeaning, ...]:
        """Terms that are whole phrases, with their synonyms."""
        edges = {0: 0}  # how many words come before a phrase → which phrase
        for number, phrase in enumerate(self.phrases):
            edges[max(edges) + len(phrase)] = number + 1
        found = terms_in([word for phrase in self.phrases for word in phrase])
        return tuple(
            SameMeaning(edges[start], edges[end], others)
            for start, end, others in found
            if start in edges and end in edges
        )

    @cached_property
    def long_terms(self) -> tuple[Term, ...]:
        """Synonyms of several words: they are found where all of these stand together."""
        return tuple(term for same in self.same_meanings for term in same.others if len(term) > 1)

    @cached_property
    def _found(self) -> dict[str, bool]:
        """What `finds` has answered: most words stand in several results."""
        return {}

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for phrase in self.phrases for word in phrase)

    @cached_property
    def _stems(self) -> frozenset[str]:
        synonyms = {term[0] for same in self.same_meanings for term in same.others if len(term) == 1}
        pieces = {stem(piece) for name in self.pieces for piece in name}
        return frozenset({stem(word) for word in self._words} | pieces | synonyms)

    @cached_property
    def _last(self) -> str:
        return self.phrases[-1][-1]


MAX_ASKED_CHARACTERS = 200
MAX_ASKED_WORDS = 12
# Words that say nothing are not asked for where others are; the last one may yet become something else.
_SAYS_NOTHING = frozenset(
    "a an and are at by do doe does for from how in is it of on or that the to what why with".split()  # noqa: SIM905
)


def read_asked(text: str) -> Asked:
    """Never raises: what is no word is left out, and what is too long is cut."""
    found = []
    left = MAX_ASKED_WORDS
    for chunk in composed(text[:MAX_ASKED_CHARACTERS]).split():
        if in_chunk := list(words(chunk))[:left]:
            found.append((tuple(word.text for word in in_chunk), [chunk[one.start : one.end] for one in in_chunk]))
            left -= len(in_chunk)
    telling = [one for one in found[:-1] if len(one[0]) > 1 or not says_nothing(one[0][0])] + found[-1:]
    return Asked(
        tuple(phrase for phrase, _ in telling),
        tuple(_pieces_of(written) for _, written in telling),
        tuple(piece for _, written in found for word in written for piece in parts(word) or (fold(word),)),
    )


MIN_PIECE_CHARACTERS = 3  # of `d_model` the d would be found everywhere


def _pieces_of(written: Sequence[str]) -> tuple[str, ...]:
    pieces = parts(written[0]) if len(written) == 1 else ()
    return pieces if all(len(piece) >= MIN_PIECE_CHARACTERS for piece in pieces) else ()


def says_nothing(word: str) -> bool:
    """Whether this folded word is left out where others are asked for."""
    return word in _SAYS_NOTHING


def words(text: str) -> Iterator[Word]:
    for found in _WORD.finditer(text):
        if folded := fold(found[0]):
            yield Word(folded, found.start(), found.end())


@lru_cache(maxsize=50_000)
def parts(written: str) -> tuple[str, ...]:
    """What a name is made of: `d_model` → d, model; `LayerNorm` → layer, norm. None for a plain word."""
    found = [folded for piece in _PART.findall(written) if (folded := fold(piece))]
    return tuple(found) if len(found) > 1 else ()


@lru_cache(maxsize=50_000)
def fold(written: str) -> str:
    """Without case, accents and a plural's s; nothing where no letter, digit or underscore is left."""
    plain = unicodedata.normalize("NFKD", written).casefold()
    word = "".join(character for character in plain if character.isalnum() or character == "_")
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:MAX_WORD_CHARACTERS]


def composed(text: str) -> str:
    """As it is stored: in NFC, and without what a database cannot hold."""
    return unicodedata.normalize("NFC", storable(text))


def marked(text: str, asked: Asked) -> tuple[Piece, ...]:
    """The whole text, with the words looked for as pieces of their own."""
    return _pieces(text, _hits(text, asked))


EXCERPT_CHARACTERS = 180
Span = tuple[int, int]


def excerpt(text: str, asked: Asked) -> tuple[Piece, ...]:
    """The stretch of the text with the most of the words looked for; its beginning, if it has none."""
    hits = _hits(text, asked)
    start, end = _window(text, hits)
    pieces = _pieces(
        text[start:end], [(first - start, last - start) for first, last in hits if first >= start and last <= end]
    )
    before = (Piece("… ", False),) if start else ()
    after = (Piece(" …", False),) if end < len(text) else ()
    return before + pieces + after


def _hits(text: str, asked: Asked) -> list[Span]:
    """Where the words looked for stand. A word is looked at once, however often it stands there."""
    distinct = set(_WORD.findall(text))
    found = [re.escape(written) for written in distinct if asked.finds(written)]
    either = "|".join((*_written_terms(asked.long_terms, distinct), *found))
    return [hit.span() for hit in re.finditer(rf"\b(?:{either})\b", text)] if either else []


def _written_terms(terms: Sequence[Term], distinct: Iterable[str]) -> Iterator[str]:
    """A pattern for each term whose every word stands in a text, of the words as they are written there."""
    if not terms:
        return
    by_stem: dict[str, list[str]] = {}
    for written in distinct:
        by_stem.setdefault(stem(fold(written)), []).append(re.escape(written))
    for term in terms:
        if all(word in by_stem for word in term):
            yield r"\W+".join(f"(?:{'|'.join(by_stem[word])})" for word in term)


def _window(text: str, hits: Sequence[Span]) -> Span:
    """Where the excerpt begins and ends, at the edges of words, a little before its first hit."""
    first, last = max(hits, key=lambda hit: len(_near(text, hit, hits)), default=(0, 0))
    start = max(0, first - EXCERPT_CHARACTERS // 4)
    if start:
        start = text.find(" ", start, first) + 1 or first
    end = min(len(text), start + EXCERPT_CHARACTERS)
    if end < len(text):
        space = text.rfind(" ", start, end)
        end = space if space > max(last, start) else end
    return start, end


def _near(text: str, first: Span, hits: Sequence[Span]) -> set[str]:
    reach = first[0] + EXCERPT_CHARACTERS * 3 // 4
    return {fold(text[start:end]) for start, end in hits if first[0] <= start and end <= reach}


def _pieces(text: str, hits: Sequence[Span]) -> tuple[Piece, ...]:
    pieces = []
    done = 0
    for start, end in hits:
        pieces += [Piece(text[done:start], False), Piece(text[start:end], True)]
        done = end
    return tuple(piece for piece in (*pieces, Piece(text[done:], False)) if piece.text)
