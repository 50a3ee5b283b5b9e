"""The stem of an English word: what is left without its ending, so that `embedded` finds `embeddings`.

A light stemmer. It takes off endings that keep a word's sense (plurals, -ed, -ing, -ation, -able, -ly) and makes
British and American spellings one. It leaves alone what would join two ideas: `positive` is not `position`, and
`normal` is not `norm`. A stem need not be a word; it is compared and never shown.
"""

import re
from functools import lru_cache

MIN_CHARACTERS = 4  # a shorter word has no ending to lose
_IRREGULAR = {
    "axe": "axis", "axes": "axis", "axi": "axis", "bia": "bias", "biase": "bias", "biased": "bias", "indice": "index",
    "matrice": "matrix", "vertice": "vertex", "multiplication": "multiply", "string": "string", "bring": "bring",
    "thing": "thing", "during": "during", "nothing": "nothing", "something": "something", "everything": "everything",
    "hundred": "hundred", "precise": "precise", "otherwise": "otherwise", "likewise": "likewise",
    "pairwise": "pairwise", "elementwise": "elementwise", "exercise": "exercise", "family": "family",
    "familie": "family", "assembly": "assembly", "embed": "embed", "being": "being", "tied": "tie",
}  # fmt: skip
_BRITISH = ((r"is(e|ed|ing|ation|er|able)$", r"iz\1"), (r"our(ed|ing|hood)?$", r"or\1"), (r"(?<=n)tre(d?)$", r"tere\1"))
_VOWEL = re.compile("[aeiouy]")
_SHORT = re.compile("[^aeiouy]*[aeiouy][^aeiouywx]")  # one vowel and a letter: what a silent e tells apart


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """`word` as `app.content.words.fold` leaves it. What is not plain English letters is its own stem."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < MIN_CHARACTERS or not (word.isascii() and word.isalpha()):
        return word
    return _without_last_letter(_without_ending(_american(word)))


def _american(word: str) -> str:
    if len(word) > 5:
        for pattern, written in _BRITISH:
            word = re.sub(pattern, written, word)
    return word


def _without_ending(word: str) -> str:
    if word.endswith("ly") and not word.endswith("ply"):
        word = _cut(word, "ally", 4, "al") or _cut(word, "ly", 4) or word
    if word.endswith("ie") and len(word) > 4:
        word = f"{word[:-2]}y"  # what `fold` leaves of -ies
    word = _cut(word, "tional", 3, "tion") or word
    for ending, least, instead in (("ization", 3, "iz"), ("izer", 3, "iz"), ("ation", 3, "at"), ("able", 5, "")):
        if shorter := _cut(word, ending, least, instead):
            return _without_at(shorter)
    return _without_at(_without_tense(word))


def _cut(word: str, ending: str, least: int, instead: str = "") -> str | None:
    """The word with another ending; None where it has not this one, or fewer than `least` letters before it."""
    rest = word.removesuffix(ending)
    return rest + instead if rest != word and len(rest) >= least else None


def _without_tense(word: str) -> str:
    for ending, least in (("ing", 2), ("ed", 2)):
        rest = _cut(word, ending, least)
        if rest and _VOWEL.search(rest) and not word.endswith("eed"):
            return _present(rest)
    return word


def _present(rest: str) -> str:
    """A doubled letter goes, and a short word gets its e back: `embedd` is embed, `appli` apply, and `scal` scale."""
    if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return rest[:-1]
    if rest.endswith("i") and len(rest) > 3:
        return f"{rest[:-1]}y"
    return f"{rest}e" if _SHORT.fullmatch(rest) else rest


def _without_at(word: str) -> str:
    """`interpolat` is `interpol`, and `permutat` is `permut`, as in permute."""
    if len(word) > 6 and word.endswith("ate"):
        word = word[:-1]
    return _cut(word, "at", 5) or word


def _without_last_letter(word: str) -> str:
    """Without a silent e, and with one l, where a tense may have taken or doubled it; `note` does not become `not`."""
    if word.endswith("e") and len(word) >= MIN_CHARACTERS and not _SHORT.fullmatch(word[:-1]):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("ll") else word
