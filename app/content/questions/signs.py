"""The signs that people write in numbers, spelled as a formula: `½`, `2½`, `2π`, `3√2`, `sin(30°)`, `sin 30°`.

A `°` after the whole number is a unit, which its question reads; within `sin`, `cos` and `tan` it turns degrees into
radians.
"""

import re

_FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_FRACTION = re.compile(rf"(?:(?<![\w.])([0-9]{{1,9}}) ?)?([{''.join(_FRACTIONS)}])")
_DEGREES = re.compile(r"\b(sin|cos|tan) ?\(([^()°]{1,40})°\)")
_BARE_DEGREES = re.compile(r"\b(sin|cos|tan) ?([0-9]{1,9}(?:\.[0-9]{1,9})?) ?°")
_PRODUCT = re.compile(r"(?<=[0-9)]) ?(?=π|pi\b|√|(?:sqrt|sin|cos|tan|exp|ln|log|log2|log10)\()")


def without_signs(text: str) -> str:
    """The text with formulas for its signs, of at most six times its length."""
    text = _FRACTION.sub(_spelled_out, text)
    text = _DEGREES.sub(r"\1((\2)*pi/180)", text)
    text = _BARE_DEGREES.sub(r"\1(\2*pi/180)", text)
    return _PRODUCT.sub("*", text).replace("π", "pi")


def _spelled_out(match: re.Match[str]) -> str:
    part = _FRACTIONS[match[2]]
    return f"({match[1]}+{part})" if match[1] else f"({part})"
