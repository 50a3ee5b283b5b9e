"""What a student types for a length or a number, read exactly: `512 * 768`, `2*d_model/2`, `(N, T, d_model)`.

The text is screened character by character, parsed by `ast` (never compiled, never evaluated), and walked by a
whitelist into quotients of polynomials with `Fraction` coefficients, so that equal forms are equal by arithmetic
and not by sampling. Everything is bounded: text, nesting, digits, powers, terms.

Between symbols `//` is read as exact division, since lengths are whole; between numbers it is Python's.

`sqrt`, `log`, `exp`, `sin` and their kin take numbers, not symbols; angles are in radians. What comes out whole is
exact, `sqrt(64)`; all else has 20 digits, worked out with ten more.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt

from app.content.trigonometry import MOST_RADIANS, PI, E, cosine, sine

MAX_CHARACTERS = 200
MAX_NESTING = 20
MAX_BITS = 256
MAX_DEGREE = 16
MAX_TERMS = 64
MAX_PRODUCTS = 300  # of two terms, in one reading: what bounds its time


class UnreadableAnswer(Exception):
    """The text is not of the form asked for. `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


Monomial = tuple[tuple[str, int], ...]  # (symbol, power), sorted by symbol; () is the constant
Coefficient = int | Fraction  # whole ones as int, which is ten times as fast
Polynomial = Mapping[Monomial, Coefficient]  # no zero coefficients

ONE: Polynomial = {(): 1}


@dataclass(frozen=True, eq=False)
class Quotient:
    """A quotient of polynomials. Equal means equal as rational functions: a/b == c/d exactly if ad == cb."""

    over: Polynomial
    under: Polynomial

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quotient):
            return NotImplemented
        return _times(self.over, other.under) == _times(other.over, self.under)

    __hash__ = None  # type: ignore[assignment]  # equal quotients have many forms

    @property
    def number(self) -> Fraction | None:
        """Its value, if no symbol is left in it."""
        if not self.over:
            return Fraction(0)
        if self.under == ONE:  # nearly always, and asked at every step of a reading
            return Fraction(self.over[()]) if len(self.over) == 1 and () in self.over else None
        value = Fraction(next(iter(self.over.values()))) / self.under.get(next(iter(self.over)), 1)
        return value if _scaled(self.under, value) == self.over else None

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset(name for part in (self.over, self.under) for term in part for name, _ in term)

    def __str__(self) -> str:
        value = self.number
        if value is not None:
            return str(value)
        simple = _divided_out(self.over, self.under)
        if simple.under == ONE:
            return _written(simple.over)
        over, under = _written(simple.over), _written(simple.under)
        return f"{_bracketed(over)}/{_bracketed(under)}"


def number(value: Fraction | int) -> Quotient:
    return Quotient({(): value.numerator if value.denominator == 1 else value} if value else {}, ONE)


def read_length(text: str, given: Mapping[str, Quotient] | None = None) -> Quotient:
    """One expression, such as `max_len * d_model`. Raises UnreadableAnswer."""
    plain = _screened(text)
    return _Walk(plain, given or {}).read(_tree(plain))


def read_real(text: str, given: Mapping[str, Quotient] | None = None) -> Quotient:
    """As `read_length`, where `pi` and `e` are the numbers unless `given` has them. Raises UnreadableAnswer."""
    plain = _screened(text)
    return _Walk(plain, given or {}, CONSTANTS).read(_tree(plain))


def tree_of(text: str) -> ast.expr:
    """The text as it is parsed, not yet checked: only for changing it and reading it again. Raises UnreadableAnswer."""
    return _tree(_screened(text))


CONSTANTS: Mapping[str, Fraction] = {"pi": round(PI, 40), "e": round(E, 40)}


def read_lengths(text: str, given: Mapping[str, Quotient] | None = None) -> tuple[Quotient, ...]:
    """A shape: `(N, T)`, `[N, T]`, `torch.Size([N, T])`, `N, T`, a bare `6` or `(6)` for `(6,)`, `()`."""
    screened = _screened(text)
    if wrapped := _SIZE.fullmatch(screened):
        screened = wrapped[1]
    tree = _tree(screened)
    axes = tree.elts if isinstance(tree, ast.Tuple | ast.List) else [tree]
    for axis in axes:
        if isinstance(axis, ast.Tuple | ast.List):
            raise UnreadableAnswer("There is a shape inside a shape.", "Write one pair of brackets: (A, B, C).")
    walk = _Walk(screened, given or {})
    return tuple(map(walk.read, axes))


_SIZE = re.compile(r"(?:torch ?\. ?Size|Size|(?:tf\.)?TensorShape|tuple|list) ?\( ?([\[(].*[\])]) ?,? ?\)")


# ---- text to tree ---------------------------------------------------------------------------------------------

# As input methods for Chinese and Japanese write them: ５１２，７６８ and （N、T）.
FULL_WIDTH = {0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)} | {0x3000: " ", 0x3001: ","}
_SPELLINGS: dict[int, str] = FULL_WIDTH | str.maketrans({
    "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "−": "-", "–": "-", "÷": "/", "∕": "/", "⁄": "/",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2002": " ", "\u2003": " ", "\t": " ", "\n": " ", "\r": " ",
})  # fmt: skip
_ROOT = re.compile(r"√\s*(?:([0-9.]+|[A-Za-z_][A-Za-z0-9_]*)|\()")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKENS = re.compile(r"(?: +|[0-9]+(?:\.[0-9]+)?(?![0-9A-Za-z_.])|[A-Za-z_][A-Za-z0-9_]*|\*\*|//|[-+*/(),.\[\]])*")


def _screened(text: str) -> str:
    """The text in ASCII, or UnreadableAnswer: what passes cannot surprise Python's own parser."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableAnswer(f"That is {len(text)} characters long.", f"An answer may have at most {MAX_CHARACTERS}.")
    plain = _ROOT.sub(lambda found: f"sqrt({found[1]})" if found[1] else "sqrt(", text)
    plain = plain.translate(_SPELLINGS).replace("^", "**").strip(" ")
    plain = re.sub(r"[⁰¹²³⁴-⁹⁻]+", lambda found: f"**{found[0].translate(_SUPERSCRIPTS)}", plain)
    depth = deepest = 0
    for character in plain:
        depth += (character in "([") - (character in ")]")
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING:
        raise UnreadableAnswer("Too many nested brackets.", "Write it more simply.")
    matched = _TOKENS.match(plain)
    end = matched.end() if matched else 0
    if end < len(plain):
        if glued := re.match(r"[0-9][\w.]*", plain[end:]):
            raise UnreadableAnswer(
                f"`{glued[0][:24]}` is not a number.",
                "Write the multiplication sign: 2 * d_model.",
            )
        odd = plain[end] if plain[end].isprintable() else f"U+{ord(plain[end]):04X}"
        raise UnreadableAnswer(
            f"The character `{odd}` has no meaning here.", "Use names, numbers, + - * / ** and brackets."
        )
    return plain


def _tree(plain: str) -> ast.expr:
    if not plain:
        raise UnreadableAnswer("There is no answer yet.", "Type an answer, then send it.")
    try:
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    if plain.count("(") != plain.count(")") or plain.count("[") != plain.count("]"):
        raise UnreadableAnswer("A bracket has no partner.", "Check that every bracket is closed.")
    raise UnreadableAnswer(f"`{plain}` cannot be read.", "Write it as Python would: 3 * 5, or (A, B, C).")


_GROUP_MARKS = ",_ '’\u00a0\u2009\u202f"
_GROUPED = re.compile(
    rf"(?<![\w.,])[0-9]{{1,3}}([{_GROUP_MARKS}])[0-9]{{3}}(?:\1[0-9]{{3}})*(?![\w]|[{_GROUP_MARKS}]?[0-9])"
)


def ungrouped(text: str) -> str:
    """`393,216`, `393 216` and `393_216` without their marks; a number grouped in another way stays as it is."""
    return _GROUPED.sub(lambda match: match[0].replace(match[1], ""), text)


# ---- tree to quotient -----------------------------------------------------------------------------------------


class _Walk:
    """One reading: a tree's nodes to quotients, with a budget for all of them together.

    attack: 200 characters whose product takes a second, `(a+b+c+d)*(a+b+c+d)*…`. defence: the products of terms are
    counted before they are made.
    """

    def __init__(
        self, plain: str, given: Mapping[str, Quotient], constants: Mapping[str, Fraction] | None = None
    ) -> None:
        self.plain = plain  # ASCII: an offset in bytes is one in characters
        self.given = given
        self.constants = {name: value for name, value in (constants or {}).items() if name not in given}
        self.products = 0
        self.is_rounded = False

    def read(self, tree: ast.expr) -> Quotient:
        """The value of the whole; what was rounded on the way loses the digits that may be off."""
        whole = self.value(tree)
        value = whole.number
        return number(_rounded(value, DIGITS)) if self.is_rounded and value is not None else whole

    def value(self, node: ast.expr) -> Quotient:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                # As written: a float would lose what stands after its 17th digit.
                return _bounded(number(Fraction(self.plain[node.col_offset : node.end_col_offset])))
            case ast.Name(id=name) if name in self.constants:
                self.is_rounded = True
                return number(self.constants[name])
            case ast.Name(id=name):
                return self.given[name] if name in self.given else Quotient({((name, 1),): 1}, ONE)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.value(operand)
                return Quotient(_scaled(inner.over, -1), inner.under)
            case ast.BinOp(left=ast.Name(id="e"), op=ast.Pow(), right=right) if "e" in self.constants:
                return self.called("exp", self.value(right))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), self.value(right))
            case ast.BinOp(left=left, op=operator, right=right):
                return self.bounded(self.combined(self.value(left), operator, self.value(right)))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
                return self.called(name, self.value(argument))
            case ast.Tuple() | ast.List():
                raise UnreadableAnswer("This is a list of lengths; the answer is one number.", "Write one number.")
            case ast.Call(func=ast.Name(id=name)):
                raise UnreadableAnswer(
                    f"`{name}(…)` is a call; only arithmetic is read.", "Write the multiplication sign: N * (T + 1)."
                )
            case _:
                raise UnreadableAnswer(
                    f"`{ast.unparse(node)}` is not arithmetic.", "Use names, numbers, + - * / ** and brackets."
                )

    def bounded(self, quotient: Quotient) -> Quotient:
        value = quotient.number
        return _bounded(number(_rounded(value, DIGITS + 10)) if self.is_rounded and value is not None else quotient)

    def called(self, name: str, argument: Quotient) -> Quotient:
        value = argument.number
        if value is None:
            message = f"`{name}(…)` is read of numbers only; `{min(argument.symbols)}` is a name."
            raise UnreadableAnswer(message, "Put in its value.")
        exact = _exact(name, value)
        if exact is None:
            self.is_rounded = True
            exact = _computed(name, value)
        return _bounded(number(exact))

    def combined(self, left: Quotient, operator: ast.operator, right: Quotient) -> Quotient:
        match operator:
            case ast.Add():
                return self.sum(left, right.over, right.under)
            case ast.Sub():
                return self.sum(left, _scaled(right.over, -1), right.under)
            case ast.Mult():
                return Quotient(self.times(left.over, right.over), self.times(left.under, right.under))
            case ast.Div() | ast.FloorDiv():
                if not right.over:
                    raise UnreadableAnswer("That divides by zero.", "Check what follows the division sign.")
                whole = Quotient(self.times(left.over, right.under), self.times(left.under, right.over))
                if isinstance(operator, ast.FloorDiv) and (value := whole.number) is not None:
                    return number(value.numerator // value.denominator)
                return whole
            case _:
                raise UnreadableAnswer("That operator has no meaning here.", "Use + - * / ** and brackets.")

    def sum(self, left: Quotient, over: Polynomial, under: Polynomial) -> Quotient:
        if left.under == under:
            return Quotient(_plus(left.over, over), under)
        crossed = _plus(self.times(left.over, under), self.times(over, left.under))
        return Quotient(crossed, self.times(left.under, under))

    def power(self, base: Quotient, exponent: Quotient) -> Quotient:
        times = exponent.number
        if times is not None and times.denominator == 2 and base.number is not None:
            return self.power(self.called("sqrt", base), number(2 * times))
        if times is None or times.denominator != 1 or not -MAX_BITS <= times <= MAX_BITS:
            raise UnreadableAnswer("That power is too large or not a whole number.", "Write the number itself.")
        if times < 0:
            base, times = self.combined(number(1), ast.Div(), base), -times
        value = base.number
        if value and self.is_rounded:
            return self.bounded(number(Fraction(_WORK.power(_decimal(value), int(times)))))
        if value is not None:
            if abs(value.numerator * value.denominator).bit_length() * int(times) > MAX_BITS:
                raise UnreadableAnswer("That number is too large.", "No answer here needs that many digits.")
            return number(value ** int(times))
        if times > MAX_DEGREE:
            raise UnreadableAnswer("That power is too large.", "Write it more simply.")
        result = number(1)
        for _ in range(int(times)):
            result = _bounded(self.combined(result, ast.Mult(), base))
        return result

    def times(self, left: Polynomial, right: Polynomial) -> Polynomial:
        if left == ONE or right == ONE:
            return right if left == ONE else left
        self.products += len(left) * len(right)
        if self.products > MAX_PRODUCTS:
            raise UnreadableAnswer("That formula is too long.", "Write it more simply.")
        return _times(left, right)


def _bounded(quotient: Quotient) -> Quotient:
    for polynomial in (quotient.over, quotient.under):
        if len(polynomial) > MAX_TERMS or any(sum(power for _, power in term) > MAX_DEGREE for term in polynomial):
            raise UnreadableAnswer("That formula is too long.", "Write it more simply.")
        for value in polynomial.values():
            if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
                raise UnreadableAnswer("That number is too large.", "No answer here needs that many digits.")
    constant = quotient.number
    return number(constant) if constant is not None else quotient


# ---- functions of a number ------------------------------------------------------------------------------------

DIGITS = 20
MAX_EXPONENT = 80  # of e: beyond it no answer has its digits
_BASES = {"log2": 2, "log10": 10}
FUNCTIONS = ("sqrt", "log", "ln", "log2", "log10", "exp", "sin", "cos", "tan")
_ANGULAR = ("sin", "cos", "tan")
_WORK = Context(prec=DIGITS + 15)


def _exact(name: str, value: Fraction) -> Fraction | None:
    """What comes out without rounding, such as `sqrt(9/4)`, `log2(1/8)`; None where nothing does."""
    if name == "sqrt":
        _require(value >= 0, "sqrt", "of a number below zero")
        root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
        return root if root * root == value else None
    if name == "exp":
        _require(abs(value) <= MAX_EXPONENT, "exp", f"of more than {MAX_EXPONENT}")
        return Fraction(1) if value == 0 else None
    if name in _ANGULAR:
        _require(abs(value) <= MOST_RADIANS, name, f"of more than {MOST_RADIANS:,} radians")
        return Fraction(name == "cos") if value == 0 else None
    _require(value > 0, name, "of a number that is not above zero")
    if value == 1:
        return Fraction(0)
    power = round(_computed(name, value)) if name in _BASES else 0
    return Fraction(power) if power and Fraction(_BASES[name]) ** power == value else None


def _require(is_met: bool, name: str, of: str) -> None:
    if not is_met:
        raise UnreadableAnswer(f"There is no `{name}` {of} here.", "Check what stands in its brackets.")


def _computed(name: str, value: Fraction) -> Fraction:
    if name in _ANGULAR:
        return _rounded(_of_an_angle(name, value), DIGITS + 10)
    decimal = _decimal(value)
    match name:
        case "sqrt":
            result = _WORK.sqrt(decimal)
        case "exp":
            result = _WORK.exp(decimal)
        case "log10":
            result = _WORK.log10(decimal)
        case "log2":
            result = _WORK.divide(_WORK.ln(decimal), _WORK.ln(Decimal(2)))
        case _:
            result = _WORK.ln(decimal)
    return _rounded(Fraction(result), DIGITS + 10)


def _of_an_angle(name: str, radians: Fraction) -> Fraction:
    if name == "sin":
        return sine(radians)
    across = cosine(radians)
    _require(name == "cos" or across != 0, name, "of a right angle")
    return across if name == "cos" else sine(radians) / across


def _rounded(value: Fraction, digits: int) -> Fraction:
    """With so many digits that count. One that is whole and smaller stays as it is."""
    if value.denominator == 1 and abs(value) < 10**digits:
        return value
    return Fraction(Context(prec=digits).plus(_decimal(value)))


def _decimal(value: Fraction) -> Decimal:
    return _WORK.divide(Decimal(value.numerator), Decimal(value.denominator))


# ---- polynomials ----------------------------------------------------------------------------------------------


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for term, value in right.items():
        total[term] = total.get(term, 0) + value
    return {term: value for term, value in total.items() if value}


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    total: dict[Monomial, Coefficient] = {}
    for one, a in left.items():
        for other, b in right.items():
            powers = dict(one)
            for name, power in other:
                powers[name] = powers.get(name, 0) + power
            term = tuple(sorted(powers.items()))
            total[term] = total.get(term, 0) + a * b
    return {term: value for term, value in total.items() if value}


def _scaled(polynomial: Polynomial, factor: Coefficient) -> Polynomial:
    return {term: value * factor for term, value in polynomial.items()}


def _divided_out(over: Polynomial, under: Polynomial) -> Quotient:
    """For reading only: without the powers that all terms share, and led by 1 under the line."""
    terms = [dict(term) for term in (*over, *under)]
    shared = {name: min(term.get(name, 0) for term in terms) for name in terms[0]}

    def less(polynomial: Polynomial) -> Polynomial:
        return {
            tuple((name, power - shared.get(name, 0)) for name, power in term if power > shared.get(name, 0)): value
            for term, value in polynomial.items()
        }

    over, under = less(over), less(under)
    scale = 1 / Fraction(next(iter(under.values())))
    return Quotient(_scaled(over, scale), _scaled(under, scale))


def _written(polynomial: Polynomial) -> str:
    text = ""
    for term, value in polynomial.items():
        factors = [f"{name}**{power}" if power > 1 else name for name, power in term]
        size = abs(Fraction(value))
        if size.numerator != 1 or not factors:
            factors.insert(0, str(size.numerator))
        written = "*".join(factors) + (f"/{size.denominator}" if size.denominator != 1 else "")
        sign = "-" if value < 0 else "+"
        text += f" {sign} {written}" if text else written if value > 0 else f"-{written}"
    return text


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r"[ */]", text) else text
