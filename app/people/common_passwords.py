"""Passwords that are tried first: the most common ones, with a few signs around them, and the names of the account."""

import re
from functools import cache
from pathlib import Path

LIST = Path(__file__).with_name("common_passwords.txt")
SITE = "lectern"
WORD_MIN = 4  # letters of a common word that counts with signs around it
NAME_MIN = 3  # letters and digits of a name
PADDING_MAX = 6  # signs around a common word or a name that make it no better
PIECE_MAX = 4  # letters of a piece that is only repeated


def is_common(password: str) -> bool:
    """A common password in capitals or small letters, with up to PADDING_MAX signs around it, or repeated."""
    folded = password.casefold()
    bare = _letters_and_digits(folded)
    return not bare or any(map(_is_listed, (folded, bare))) or _is_repeated(folded)


def is_name(password: str, email: str | None) -> bool:
    """Little else than the name of this site, the e-mail address, or the name in it."""
    names = [SITE, *((email, email.partition("@")[0]) if email else ())]
    return any(_is_little_else(_letters_and_digits(password.casefold()), _letters_and_digits(name)) for name in names)


@cache
def _listed() -> frozenset[str]:
    lines = LIST.read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if not line.startswith("# "))


def _is_listed(folded: str) -> bool:
    word = re.sub(r"^[^a-z]+|[^a-z]+$", "", folded)
    padded = len(word) >= WORD_MIN and len(folded) - len(word) <= PADDING_MAX
    return folded in _listed() or (padded and word in _listed())


def _is_repeated(folded: str) -> bool:
    """Of a piece of a few letters, or of a common password: the last repetition may be cut off."""
    pieces = (folded[:length] for length in range(1, len(folded) // 2 + 1))
    piece = next((piece for piece in pieces if _filled(piece, len(folded)) == folded), None)
    return piece is not None and (len(piece) <= PIECE_MAX or _is_listed(piece))


def _filled(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


def _is_little_else(bare: str, name: str) -> bool:
    if len(name) < NAME_MIN or name not in bare:
        return False
    rest = bare.replace(name, "")
    return len(rest) <= PADDING_MAX or _is_listed(rest)


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text))
