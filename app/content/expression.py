"""What a student types for a length or a number, read exactly: `512 * 768`, `2*d_model/2`, `(N, T, d_model)`.

The text is screened character by character, parsed by `ast` (never compiled, never evaluated), and walked by a
whitelist into quotients of polynomials with `Fraction` coefficients, so that equal forms are equal by arithmetic
and not by sampling. Everything is bounded: text, nesting, digits, powers, terms.

Between symbols `//` is read as exact division, since lengths are whole; between numbers it is Python's.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

MAX_CHARACTERS = 200
MAX_NESTING = 20
MAX_BITS = 256
MAX_DEGREE = 16
MAX_TERMS = 64


class UnreadableAnswer(Exception):
    """The text is not of the form asked for. `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


Monomial = tuple[tuple[str, int], ...]  # (symbol, power), sorted by symbol; () is the constant
Polynomial = Mapping[Monomial, Fraction]  # no zero coefficients

ONE: Polynomial = {(): Fraction(1)}


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
        value = next(iter(self.over.values())) / self.under.get(next(iter(self.over)), Fraction(1))
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
    return Quotient({(): Fraction(value)} if value else {}, ONE)


def read_length(text: str, given: Mapping[str, Quotient] | None = None) -> Quotient:
    """One expression, such as `max_len * d_model`. Raises UnreadableAnswer."""
    return _walk(_parse(text), given or {})


def read_lengths(text: str, given: Mapping[str, Quotient] | None = None) -> tuple[Quotient, ...]:
    """A shape: `(N, T)`, `[N, T]`, `torch.Size([N, T])`, `N, T`, a bare `6` or `(6)` for `(6,)`, `()`."""
    screened = _screened(text)
    if wrapped := re.fullmatch(r"\s*torch\s*\.\s*Size\s*\(\s*([\[(].*[\])])\s*,?\s*\)\s*", screened, re.DOTALL):
        screened = wrapped[1]
    tree = _tree(screened)
    axes = tree.elts if isinstance(tree, ast.Tuple | ast.List) else [tree]
    for axis in axes:
        if isinstance(axis, ast.Tuple | ast.List):
            raise UnreadableAnswer("A shape inside a shape.", "Write one pair of brackets: (A, B, C).")
    return tuple(_walk(axis, given or {}) for axis in axes)


# ---- text to tree ---------------------------------------------------------------------------------------------

# As input methods for Chinese and Japanese write them: ５１２，７６８ and （N、T）.
FULL_WIDTH = {0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)} | {0x3000: " ", 0x3001: ","}
_SPELLINGS: dict[int, str] = FULL_WIDTH | str.maketrans({
    "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "−": "-", "–": "-", "÷": "/", "∕": "/",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2002": " ", "\u2003": " ", "\t": " ", "\n": " ", "\r": " ",
})  # fmt: skip
_TOKENS = re.compile(r"(?:\s+|[0-9]+(?:\.[0-9]+)?(?![0-9A-Za-z_.])|[A-Za-z_][A-Za-z0-9_]*|\*\*|//|[-+*/(),.\[\]])*")


def _parse(text: str) -> ast.expr:
    return _tree(_screened(text))


def _screened(text: str) -> str:
    """The text in plain characters, or UnreadableAnswer: what passes cannot surprise Python's own parser."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableAnswer(f"That is {len(text)} characters long.", f"An answer has at most {MAX_CHARACTERS}.")
    plain = text.translate(_SPELLINGS).replace("^", "**").strip()
    depth = deepest = 0
    for character in plain:
        depth += (character in "([") - (character in ")]")
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING:
        raise UnreadableAnswer("Too many brackets inside each other.", "Write it more simply.")
    matched = _TOKENS.match(plain)
    end = matched.end() if matched else 0
    if end < len(plain):
        if re.match(r"[0-9]", plain[end:]):
            raise UnreadableAnswer(
                f"`{plain[end : end + 12]}` is not a number.",
                "Between a number and a name write the sign: 2 * d_model.",
            )
        raise UnreadableAnswer(
            f"The character `{plain[end]}` has no meaning here.", "Use names, numbers, + - * / ** and brackets."
        )
    return plain


def _tree(plain: str) -> ast.expr:
    if not plain:
        raise UnreadableAnswer("There is no answer yet.", "Type one, then send it.")
    try:
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    if plain.count("(") != plain.count(")") or plain.count("[") != plain.count("]"):
        raise UnreadableAnswer("A bracket has no partner.", "Check that each one is closed.")
    raise UnreadableAnswer(f"`{plain}` cannot be read.", "Write it as Python would: 3 * 5, or (A, B, C).")


# ---- tree to quotient -----------------------------------------------------------------------------------------


def _walk(node: ast.expr, given: Mapping[str, Quotient]) -> Quotient:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _bounded(number(Fraction(str(value))))
        case ast.Name(id=name):
            return given[name] if name in given else Quotient({((name, 1),): Fraction(1)}, ONE)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _walk(operand, given)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _walk(operand, given)
            return Quotient(_scaled(inner.over, Fraction(-1)), inner.under)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_walk(left, given), _walk(right, given))
        case ast.BinOp(left=left, op=operator, right=right):
            return _bounded(_combined(_walk(left, given), operator, _walk(right, given)))
        case ast.Tuple() | ast.List():
            raise UnreadableAnswer("A list of lengths stands where one number is asked for.", "Write one number.")
        case ast.Call(func=ast.Name(id=name)):
            raise UnreadableAnswer(
                f"`{name}(…)` is a call; only arithmetic is read.", "Write the multiplication sign: N * (T + 1)."
            )
        case _:
            raise UnreadableAnswer(
                f"`{ast.unparse(node)}` is not arithmetic.", "Use names, numbers, + - * / ** and brackets."
            )


def _combined(left: Quotient, operator: ast.operator, right: Quotient) -> Quotient:
    match operator:
        case ast.Add():
            return Quotient(
                _plus(_times(left.over, right.under), _times(right.over, left.under)),
                _times(left.under, right.under),
            )
        case ast.Sub():
            negative = _scaled(right.over, Fraction(-1))
            return Quotient(
                _plus(_times(left.over, right.under), _times(negative, left.under)), _times(left.under, right.under)
            )
        case ast.Mult():
            return Quotient(_times(left.over, right.over), _times(left.under, right.under))
        case ast.Div() | ast.FloorDiv():
            if not right.over:
                raise UnreadableAnswer("That divides by zero.", "Check what stands after the division sign.")
            whole = Quotient(_times(left.over, right.under), _times(left.under, right.over))
            value = whole.number
            if isinstance(operator, ast.FloorDiv) and value is not None:
                return number(value.numerator // value.denominator)
            return whole
        case _:
            raise UnreadableAnswer("That operator has no meaning here.", "Use + - * / ** and brackets.")


def _power(base: Quotient, exponent: Quotient) -> Quotient:
    times = exponent.number
    if times is None or times.denominator != 1 or not 0 <= times <= MAX_BITS:
        raise UnreadableAnswer("That power is too large or not a whole number.", "Write the number itself.")
    result, value = number(1), base.number
    if value is not None and abs(value.numerator * value.denominator).bit_length() * int(times) > MAX_BITS:
        raise UnreadableAnswer("That number is too large.", "No answer here needs so many digits.")
    if value is None and times > MAX_DEGREE:
        raise UnreadableAnswer("That power is too large.", "Write it more simply.")
    for _ in range(int(times)):
        result = _bounded(_combined(result, ast.Mult(), base))
    return result


def _bounded(quotient: Quotient) -> Quotient:
    for polynomial in (quotient.over, quotient.under):
        if len(polynomial) > MAX_TERMS or any(sum(power for _, power in term) > MAX_DEGREE for term in polynomial):
            raise UnreadableAnswer("That is too long a formula.", "Write it more simply.")
        for value in polynomial.values():
            if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
                raise UnreadableAnswer("That number is too large.", "No answer here needs so many digits.")
    constant = quotient.number
    return number(constant) if constant is not None else quotient


# ---- polynomials ----------------------------------------------------------------------------------------------


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for term, value in right.items():
        total[term] = total.get(term, Fraction(0)) + value
    return {term: value for term, value in total.items() if value}


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    total: dict[Monomial, Fraction] = {}
    for one, a in left.items():
        for other, b in right.items():
            powers = dict(one)
            for name, power in other:
                powers[name] = powers.get(name, 0) + power
            term = tuple(sorted(powers.items()))
            total[term] = total.get(term, Fraction(0)) + a * b
    return {term: value for term, value in total.items() if value}


def _scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
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
    scale = 1 / next(iter(under.values()))
    return Quotient(_scaled(over, scale), _scaled(under, scale))


def _written(polynomial: Polynomial) -> str:
    text = ""
    for term, value in polynomial.items():
        factors = [f"{name}**{power}" if power > 1 else name for name, power in term]
        size = abs(value)
        if size.numerator != 1 or not factors:
            factors.insert(0, str(size.numerator))
        written = "*".join(factors) + (f"/{size.denominator}" if size.denominator != 1 else "")
        sign = "-" if value < 0 else "+"
        text += f" {sign} {written}" if text else written if value > 0 else f"-{written}"
    return text


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r"[ */]", text) else text
