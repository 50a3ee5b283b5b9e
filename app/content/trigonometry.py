"""Sine and cosine to thirty digits, worked out in decimals: floats have sixteen, and no formula here is a float's."""

from decimal import Context, Decimal
from fractions import Fraction

PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494")
E = Fraction("2.71828182845904523536028747135266249775724709369995957496697")
MOST_RADIANS = 10**6  # beyond it a formula means something else than an angle
_DIGITS = 60
_SMALLEST = Fraction(1, 10**25)  # of an angle of 1; what is smaller is left over from rounding pi
_WORK = Context(prec=_DIGITS)


def sine(radians: Fraction) -> Fraction:
    """`radians` at most MOST_RADIANS either way. 0 where only the rounding of pi is left."""
    turn = radians % (2 * PI)
    angle = _decimal(turn - 2 * PI if turn > PI else turn)
    square = _WORK.multiply(angle, angle)
    total = term = angle
    step = 1
    while abs(term) > _WORK.scaleb(Decimal(1), -_DIGITS):
        step += 2
        term = _WORK.divide(_WORK.multiply(term, -square), Decimal(step * (step - 1)))
        total = _WORK.add(total, term)
    value = Fraction(total)
    return Fraction(0) if abs(value) <= max(abs(radians), Fraction(1)) * _SMALLEST else value


def cosine(radians: Fraction) -> Fraction:
    """As `sine`."""
    return sine(radians + PI / 2)


def _decimal(value: Fraction) -> Decimal:
    return _WORK.divide(Decimal(value.numerator), Decimal(value.denominator))
