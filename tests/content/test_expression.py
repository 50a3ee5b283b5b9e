"""Answers are read exactly, whatever is typed."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.content.expression import UnreadableAnswer, read_length, read_lengths
from tests.content.quick import is_quick


def refused(text: str) -> UnreadableAnswer | None:
    try:
        read_lengths(text)
    except UnreadableAnswer as error:
        return error
    return None


EQUAL = [
    ("2*d_model/2", "d_model"),
    ("(a*a - b*b)/(a - b)", "a + b"),
    ("(a + b)**2", "a*a + 2*a*b + b**2"),
    ("d // 2 * 2", "d"),
    ("N*T - T*N", "0"),
    ("512 × 768", "393216"),
    ("3·4", "12"),
    ("2^10", "1024"),
    ("d²", "d*d"),
    ("2*10⁻²", "1/50"),
    ("d**-1", "1/d"),
    ("7 // 2", "3"),
    ("−3 + 4", "1"),
    ("(2*d)/(4*d)", "1/2"),
]
DIFFERENT = [("d", "D"), ("a + b", "a*b"), ("d_model", "dmodel"), ("d/2", "d"), ("a/b", "b/a"), ("7/2", "3")]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_forms_are_equal(one: str, other: str) -> None:
    assert read_length(one) == read_length(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_values_are_different(one: str, other: str) -> None:
    assert read_length(one) != read_length(other)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("(N, T, d_model)", ["N", "T", "d_model"]),
        ("[N,T,]", ["N", "T"]),
        ("torch.Size([2, 3])", ["2", "3"]),
        ("torch.Size((2,))", ["2"]),
        ("6", ["6"]),
        ("(6)", ["6"]),
        ("(6,)", ["6"]),
        ("()", []),
        ("[]", []),
        ("N, T", ["N", "T"]),
        ("(2*d_model/2,)", ["d_model"]),
        ("(512,768)", ["512", "768"]),
    ],
)
def test_shapes_are_read_in_every_usual_spelling(typed: str, written: list[str]) -> None:
    assert [str(length) for length in read_lengths(typed)] == written


BOMBS = ["9**9**9", "9**9**9**9", "(((2**99)**99)**99)", "(a+b+c+d)**99", "(a+b)**16*(c+d)**16*(e+f)**16", "1" * 200]


@pytest.mark.parametrize(
    "bomb", [*BOMBS, "(" * 150, "-" * 199 + "1", "x" * 10_000, "[" * 99 + "]" * 99, "1**" * 66 + "1"]
)
def test_huge_answers_cost_nothing(bomb: str) -> None:
    assert is_quick(lambda: refused(bomb))  # some of them would take years
    refusal = refused(bomb)
    assert refusal is None or refusal.hint


CODE = [
    "__import__('os').system('true')", "open(x)", "().__class__", "lambda: 1", "[x for x in y]", "a if b else c",
    "x := 1", "f'{x}'", "'a' * 9", "a.b", "a[0]", "{1}", "{a: 1}", "not a", "a < b", "a @ b", "a % b", "a & b", "~a",
    "await x", "yield", "True", "None", "...", "*a", "1j", "0x10", "1e5", "1_000", "2d", "2 d", "ԁ", "١",
    "d\x00", "1/0", "1//0", "1/(a-a)", "",
]  # fmt: skip


@pytest.mark.parametrize("typed", CODE)
def test_whatever_is_not_arithmetic_is_unreadable_with_a_remedy(typed: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        read_length(typed)
    assert caught.value.message
    assert caught.value.hint


def test_a_refusal_quotes_just_what_it_is_about() -> None:
    with pytest.raises(UnreadableAnswer, match=r"^`2d` is not a number"):
        read_length("(2d) * 3")


@settings(max_examples=300, deadline=1000)
@given(st.text(max_size=60) | st.text(st.sampled_from("()[]+-*/.,0123456789ab_ ×^"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    refusal = refused(text)
    assert refusal is None or (refusal.message and refusal.hint)


numbers = st.integers(0, 50).map(str)
names = st.sampled_from(["a", "b", "c"])
expressions = st.recursive(
    numbers | names,
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(expressions, st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_reading_agrees_with_arithmetic(expression: str, values: list[int]) -> None:
    known = dict(zip("abc", values, strict=True))
    expected = eval(expression, {}, dict(known))  # the test's own text, made of digits, a, b, c and + - *
    given_values = {name: read_length(str(value)) for name, value in known.items()}
    assert read_length(expression, given_values).number == Fraction(expected)
    written = str(read_length(expression))
    assert read_length(written) == read_length(expression)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("sqrt(64)", 8),
        ("√64", 8),
        ("√(9/4)", Fraction(3, 2)),
        ("1/sqrt(64)", Fraction(1, 8)),
        ("sqrt(2) * sqrt(2)", 2),
        ("sqrt(2)**16", 256),
        ("log(8) / log(2)", 3),
        ("ln(1)", 0),
        ("exp(log(5))", 5),
        ("log2(1/8)", -3),
        ("log10(1000)", 3),
        ("exp(0) + 1", 2),
    ],
)
def test_functions_that_come_out_whole_are_exact(typed: str, value: Fraction | int) -> None:
    assert read_length(typed).number == value


@pytest.mark.parametrize("typed", ["sqrt(2)", "log(7)", "exp(3)", "exp(-60)", "log2(10)", "log10(2/7)", "1/exp(2)**3"])
def test_other_functions_have_the_digits_of_a_float(typed: str) -> None:
    value = read_length(typed).number
    assert value is not None
    assert float(value) == pytest.approx(eval(typed, vars(math)), rel=1e-15)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sqrt(-1)", "below zero"),
        ("log(0)", "not above zero"),
        ("log10(-2)", "not above zero"),
        ("exp(81)", "more than 80"),
        ("exp(exp(exp(4)))", "more than 80"),
        ("sqrt(d_k)", "`d_k` is a name"),
        ("sqrt()", "is a call"),
        ("exp(1, 2)", "is a call"),
        ("sqrt(2)(3)", "is not arithmetic"),
        ("exp(80)**200", "too large"),
    ],
)
def test_a_function_that_cannot_be_read_says_why(typed: str, said: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        read_length(typed)
    assert said in caught.value.message
    assert caught.value.hint
