"""Fingerprints of programs by winnowing, so that what two of them share is found without comparing each with each.

S. Schleimer, D. S. Wilkerson, A. Aiken: “Winnowing: Local Algorithms for Document Fingerprinting”, SIGMOD 2003. Each
run of K tokens is hashed; of each WINDOW hashes in a row the smallest is kept (of equal ones the rightmost, unless the
window before has kept one that is still in reach). What is kept depends on nothing outside the window. So whatever two
programs share that is at least K + WINDOW - 1 tokens long leaves a fingerprint in both, and nothing shorter than K
tokens ever does.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256

from app.classes.tokens import normalised
from graders.cache import RecentCache

VERSION = 1  # of all that follows, and of tokens.py: what was kept by another is made again
K, WINDOW = 12, 5
GUARANTEED = K + WINDOW - 1
_PRIME, _BASE = (1 << 61) - 1, 0x1F3D5B79A2C46E81 % ((1 << 61) - 1)
_TOP = pow(_BASE, K - 1, _PRIME)


@dataclass(frozen=True)
class Program:
    """`tokens`: hashed, and their `lines`. `grams`: the hash of each K of them in a row, by where it begins. `prints`:
    where those begin that winnowing keeps."""

    tokens: "array[int]"
    lines: "array[int]"
    grams: "array[int]"
    prints: "array[int]"

    @property
    def fingerprints(self) -> Iterator[int]:
        return (self.grams[place] for place in self.prints)

    def __len__(self) -> int:
        return len(self.tokens)

    def own_tokens(self, others: Collection[int]) -> int:
        """How many of its tokens are in no run of K that has one of these hashes."""
        covered, reach = 0, 0
        for place, gram in enumerate(self.grams):
            if gram in others:
                covered += place + K - max(place, reach)
                reach = place + K
        return len(self.tokens) - covered


def program_of(source: bytes) -> Program:
    """Kept for as long as it is among the most recent ones. Any bytes are a program."""
    key = (sha256(source).digest(), VERSION)
    return _programs.get(key) or _programs.put(key, read_program(source.decode("utf-8", "replace")))


def read_program(source: str) -> Program:
    found = normalised(source)
    tokens = array("Q", (_hash(text) for text, _ in found))
    lines = array("L", (line for _, line in found))
    grams = array("Q", hashes(tokens))
    return Program(tokens, lines, grams, array("L", winnow(grams)))


def hashes(tokens: Sequence[int], k: int = K) -> Iterator[int]:
    """Of each k in a row, by a polynomial that rolls on (Karp and Rabin 1987)."""
    top = _TOP if k == K else pow(_BASE, k - 1, _PRIME)
    value = 0
    for place, token in enumerate(tokens):
        if place >= k:
            value -= tokens[place - k] * top
        value = (value * _BASE + token) % _PRIME
        if place >= k - 1:
            yield value


def winnow(grams: Sequence[int], window: int = WINDOW) -> Iterator[int]:
    """The places that are kept, in order. Of fewer hashes than a window has, one is kept."""
    kept = -1
    for end in range(min(window, len(grams)), len(grams) + 1) if grams else ():
        begin = max(0, end - window)
        smallest = min(grams[begin:end])
        if kept < begin or grams[kept] != smallest:
            kept = max(place for place in range(begin, end) if grams[place] == smallest)
            yield kept


@lru_cache(maxsize=8192)
def _hash(token: str) -> int:
    return int.from_bytes(blake2b(token.encode("utf-8", "replace"), digest_size=8).digest()) % _PRIME


_programs: RecentCache[tuple[bytes, int], Program] = RecentCache(4096)
