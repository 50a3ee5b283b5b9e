"""Words near to one that nowhere stands: what somebody meant who made a typing error.

The words are those of the index's entries, which hold only what anyone may read, and are counted when these are
written, one row for each snapshot. A snapshot never changes, so a server reads the rows again only when other snapshots
are served.
"""

import re
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, ForeignKey, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.entries import Entry
from app.content.stems import stem
from app.content.synonyms import same_meaning
from app.content.words import MAX_ASKED_CHARACTERS, MAX_ASKED_WORDS, composed, fold, parts, says_nothing
from app.db import Base

MIN_CHARACTERS, MAX_CHARACTERS = 3, 40  # of a word that is kept
MIN_TYPED = 4  # a shorter word is near to too many
MIN_TYPED_FOR_TWO = 7  # from here on, two typing errors may be in a word
MAX_NEAREST = 5
_WORD = re.compile(r"\w+")


class SearchVocabulary(Base):
    """The words of a snapshot's entries: one a line, with the number of entries that have it."""

    __tablename__ = "search_vocabulary"

    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"), primary_key=True)
    words: Mapped[str] = mapped_column(Text)


def vocabulary_of(snapshot_id: int, entries: Iterable[Entry]) -> SearchVocabulary:
    counts: Counter[str] = Counter()
    for entry in entries:
        fields = (entry.title, entry.heading, entry.text, entry.around, entry.names)
        counts.update({word for field in fields for word in _shown(composed(field))})
    return SearchVocabulary(
        snapshot_id=snapshot_id, words="\n".join(f"{word} {count}" for word, count in sorted(counts.items()))
    )


def _shown(text: str) -> Iterator[str]:
    """Each word as a person would type it, in lower case with its plural's s, and the pieces of names."""
    for written in set(_WORD.findall(text)):
        for word in (written.lower(), *parts(written)):
            if MIN_CHARACTERS <= len(word) <= MAX_CHARACTERS and any(map(str.isalpha, word)):
                yield word


@dataclass(frozen=True)
class Vocabulary:
    """Every word that a search may find, with the number of entries that have it."""

    counts: Mapping[str, int]

    def knows(self, word: str, *, is_unfinished: bool) -> bool:
        """Whether it stands somewhere, with some ending, or a synonym of it is known; or it begins a known word."""
        folded = fold(word)
        if folded in self._folded or stem(folded) in self._stems or says_nothing(folded) or same_meaning([folded]):
            return True
        place = bisect_left(self._sorted, word)
        return is_unfinished and place < len(self._sorted) and self._sorted[place].startswith(word)

    def corrected(self, word: str, *, is_unfinished: bool) -> str | None:
        """The nearest word, at one edit or, for a long word, at two. Of an unfinished word, what it may begin."""
        most = 2 if len(word) >= MIN_TYPED_FOR_TWO else 1
        found = self._near(word, most, is_prefix=False) if len(word) >= MIN_TYPED else []
        if not found and is_unfinished and len(word) >= MIN_TYPED:
            found = self._near(word, 1, is_prefix=True)
        return found[0] if found else None

    def nearest(self, word: str) -> list[str]:
        """A few words that look a little like it, best first: not near enough to be taken for it."""
        if len(word) < MIN_TYPED:
            return []
        near = self._near(word, 3 if len(word) >= MIN_TYPED_FOR_TWO else 2, is_prefix=False)
        return near[:MAX_NEAREST] or self._near(word[:MIN_TYPED], 0, is_prefix=True)[:MAX_NEAREST]

    def _near(self, word: str, most: int, *, is_prefix: bool) -> list[str]:
        """The words at `most` edits or less, nearest first, then those in most entries.

        From two edits on, the first and the last letter must be right: another ending makes another word (`positive`
        is not `position`).
        """
        letters = _letters(word)
        found = []
        for other, mask in self._masks:
            extra = (letters & ~mask) if is_prefix else (letters ^ mask)
            if extra.bit_count() > (most if is_prefix else 2 * most) or len(other) < len(word) - most:
                continue
            if not is_prefix and len(other) > len(word) + most:
                continue
            distance = edits(word, other, most, is_prefix=is_prefix)
            if distance <= most and (_is_framed(word, other, is_prefix) or (distance <= 1 and not is_prefix)):
                found.append((distance, other[0] != word[0], -self.counts[other], other))
        return [other for *_, other in sorted(found)]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.counts)

    @cached_property
    def _masks(self) -> list[tuple[str, int]]:
        return [(word, _letters(word)) for word in self._sorted]

    @cached_property
    def _folded(self) -> frozenset[str]:
        return frozenset(map(fold, self.counts))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, self._folded))


def _is_framed(word: str, other: str, is_prefix: bool) -> bool:
    return other[0] == word[0] and (is_prefix or fold(other)[-1:] == fold(word)[-1:])


def _letters(word: str) -> int:
    """A bit for each letter that stands in it; each edit changes two at most."""
    mask = 0
    for letter in word:
        mask |= 1 << ord(letter) % 61
    return mask


def edits(typed: str, word: str, most: int, *, is_prefix: bool = False) -> int:
    """How many letters are wrong, missing, too many or in each other's place; of a prefix, to what begins the word.

    More than `most` is `most + 1`: it is not counted to the end.
    """
    if is_prefix:
        word = word[: len(typed) + most]
    elif abs(len(word) - len(typed)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(word) + 1))
    for i, letter in enumerate(typed, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(word, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == word[j - 2] and typed[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return min(min(row) if is_prefix else row[-1], most + 1)


def corrected_text(db: Session, asked_text: str) -> str | None:
    """What was typed, with the nearest word for each that stands nowhere; None where there is none."""
    text = composed(asked_text[:MAX_ASKED_CHARACTERS])
    vocabulary = vocabulary_now(db)
    pieces, done = [], 0
    for start, end, is_last in _typed(text):
        word = text[start:end].lower()
        if not vocabulary.knows(word, is_unfinished=is_last) and (
            other := vocabulary.corrected(word, is_unfinished=is_last)
        ):
            pieces += [text[done:start], other]
            done = end
    return "".join((*pieces, text[done:])) if pieces else None


def nearest_words(db: Session, asked_text: str) -> tuple[str, ...]:
    """Words that are found and look a little like those that are not."""
    text = composed(asked_text[:MAX_ASKED_CHARACTERS])
    vocabulary = vocabulary_now(db)
    found: dict[str, None] = {}
    for start, end, is_last in _typed(text):
        word = text[start:end].lower()
        if not vocabulary.knows(word, is_unfinished=is_last):
            found |= dict.fromkeys(vocabulary.nearest(word))
    return tuple(found)[:MAX_NEAREST]


def _typed(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it is the last) of each word that is short enough to be looked up."""
    found = [one.span() for one in _WORD.finditer(text)][:MAX_ASKED_WORDS]
    last = len(found) - 1
    return [(*span, number == last) for number, span in enumerate(found) if span[1] - span[0] <= MAX_CHARACTERS]


_kept: WeakKeyDictionary[Engine | Connection, tuple[frozenset[int], Vocabulary]] = WeakKeyDictionary()
_turn = threading.Lock()


def vocabulary_now(db: Session) -> Vocabulary:
    """Of the snapshots that are served. Read again only after others were imported."""
    bind = db.get_bind()
    served = frozenset(db.scalars(select(SearchVocabulary.snapshot_id)))
    with _turn:
        known = _kept.get(bind)
    if known is not None and known[0] == served:
        return known[1]
    counts: Counter[str] = Counter()
    for words in db.scalars(select(SearchVocabulary.words).where(SearchVocabulary.snapshot_id.in_(served))):
        for line in words.splitlines():
            word, _, count = line.rpartition(" ")
            counts[word] += int(count)
    vocabulary = Vocabulary(counts)
    with _turn:
        _kept[bind] = (served, vocabulary)
    return vocabulary
