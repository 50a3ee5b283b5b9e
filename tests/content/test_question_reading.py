"""How answers are read that people write in signs, names and short forms; and what stays unread, at no cost."""

import math

import pytest

from app.content.expression import UnreadableAnswer
from app.content.page import Directive
from app.content.questions.asking import judge_answer, read_answer
from app.content.questions.question import Question
from app.content.questions.reader import read_question


def asked(body: str) -> Question:
    question, faults = read_question(Directive("question", "q", f"{body}:::{{explain}}\nx\n:::\n", 1), "c", "l", "a.md")
    assert question, faults
    return question


def number(answer: str) -> Question:
    return asked(f":type: number\n:rtol: 1e-5\n:answer: {answer}\nWhich number?\n")


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("π", math.pi), ("pi/4", math.pi / 4), ("2π", 2 * math.pi), ("3 π / 2", 1.5 * math.pi), ("π²", math.pi**2),
        ("sin(30°)", 0.5), ("sin 30°", 0.5), ("cos(60°)", 0.5), ("sin(pi/6)", 0.5), ("cos(1)", math.cos(1)),
        ("tan(45°)", 1), ("sin(-100)", math.sin(-100)), ("cos(500000)", math.cos(500000)), ("2cos(π/3)", 1),
        ("e", math.e), ("e^2", math.exp(2)), ("e^-0.5", math.exp(-0.5)), ("1 - e^(-1)", 1 - math.exp(-1)),
        ("exp(1)", math.e), ("2e", None), ("2√3", 2 * math.sqrt(3)), ("√2/2", math.sqrt(0.5)), ("2^-0.5", 2**-0.5),
        ("64**0.5", 8), ("2½", 2.5), ("½", 0.5), ("3 × ½", 1.5), ("1.5·10^-3", 0.0015), ("1.5 × 10^6", 1.5e6),
        ("π/2 rad", math.pi / 2), ("π rad", math.pi), ("30°", 30), ("π/4 = 0.785", math.pi / 4), ("log(e)", 1),
    ],
)  # fmt: skip
def test_signs_and_functions_are_read_in_a_number(typed: str, value: float | None) -> None:
    if value is None:
        with pytest.raises(UnreadableAnswer):
            judge_answer(number("1"), 0, typed)
        return
    assert judge_answer(number(f"{value:.12f}"), 0, typed).correct
    assert not judge_answer(number(f"{1.001 * value:.12f}"), 0, typed).correct


@pytest.mark.parametrize("typed", ["sin(π)", "cos(π/2)", "sin(180°)", "tan(π)", "cos(90°)", "sin(1000π)"])
def test_what_is_zero_is_zero_without_a_tolerance(typed: str) -> None:
    assert judge_answer(asked(":type: number\n:answer: 0\nWhich?\n"), 0, typed).correct
    assert not judge_answer(asked(":type: number\n:answer: 1/1000000\nWhich?\n"), 0, typed).correct


@pytest.mark.parametrize("typed", ["tan(90°)", "sin(10**7)", "sin()", "sin(x)", "pie", "πr", "e^e^9", "sin 30", "1°2"])
def test_what_has_no_value_is_not_read(typed: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_answer(number("1"), 0, typed)
    assert caught.value.hint


def test_an_author_may_answer_with_pi_and_students_in_digits() -> None:
    question = asked(
        ":type: number\n:given: n = 3 | 6\n:tolerance: 0.001\n:answer: cos(pi/n)\nThe cosine of π/{{n}}?\n"
    )
    assert judge_answer(question, 0, "0.5").correct
    assert judge_answer(question, 1, "√3/2").correct
    assert not judge_answer(question, 1, "0.5").correct


def test_a_given_e_is_not_the_number() -> None:
    question = asked(":type: number\n:given: e = 5 | 7\n:answer: e / 2\nHalf of e = {{e}}?\n")
    with pytest.raises(UnreadableAnswer, match="`e` is a name"):
        judge_answer(question, 0, "e/2")
    assert judge_answer(question, 0, "2.5").correct


SHAPE = ":type: shape\n:answer: (8, 10, 2*d_model)\nOf 8 rows of 10, twice `d_model`, which shape?\n"
NUMBERS = ":type: shape\n:answer: (8, 10, 64)\nOf 8 rows of 10 by 64?\n"


@pytest.mark.parametrize(
    "typed", ["8x10x64", "8 x 10 x 64", "8 10 64", "8, 10, 64", "[8 10 64]", "(8 10 64)", "8X10X64"]
)
def test_a_row_of_numbers_is_a_shape(typed: str) -> None:
    assert read_answer(asked(NUMBERS), 0, typed) == "(8, 10, 64)"
    assert judge_answer(asked(NUMBERS), 0, typed).correct


@pytest.mark.parametrize("typed", ["8×10×64", "0x10", "8 x d_model", "8 d_model", "(8x10)", "8x10 64"])
def test_what_may_be_a_product_is_not_read_as_a_shape(typed: str) -> None:
    with pytest.raises(UnreadableAnswer):
        judge_answer(asked(SHAPE), 0, typed)


def test_a_number_before_a_name_multiplies_it() -> None:
    assert judge_answer(asked(SHAPE), 0, "(8, 10, 2d_model)").correct
    assert not judge_answer(asked(SHAPE), 0, "(8, 10, 3d_model)").correct
    for typed in ("(8, 10, 2d)", "(8, 10, 2d_model2)", "(8, 10, 2e3)"):
        with pytest.raises(UnreadableAnswer):
            judge_answer(asked(SHAPE), 0, typed)


COUNT = """\
:type: count
:given: max_len = 128 | 512; d_model = 64 | 768; hidden = 3
:answer: max_len * d_model
How many numbers has a table with max_len = {{max_len}} and `d_model` = {{d_model}}?
"""


@pytest.mark.parametrize(
    "typed", ["max_len*d_model", "max_len x d_model", "d_model · max_len", "max_len by d_model", "2max_len*d_model/2"]
)
def test_names_are_read_in_a_count(typed: str) -> None:
    question = asked(COUNT)
    assert judge_answer(question, 0, typed).correct
    assert (read_answer(question, 0, typed) or "").endswith("= 8,192")
    assert not judge_answer(question, 0, f"{typed} + d_model").correct


def test_only_names_whose_values_are_shown_are_read() -> None:
    with pytest.raises(UnreadableAnswer, match="`Max_len` is not `max_len` here"):
        read_answer(asked(COUNT), 0, "Max_len * 64")
    for typed in ("hidden", "hidden * 5", "Hidden", "dmodel"):
        with pytest.raises(UnreadableAnswer, match="is a name"):
            read_answer(asked(COUNT), 0, typed)
    unnamed = asked(":type: count\n:given: n = 4 | 5\n:answer: 2 * n\nTwice {{n}}?\n")
    with pytest.raises(UnreadableAnswer, match="`n` is a name"):
        read_answer(unnamed, 0, "2*n")


def test_a_name_that_is_short_for_a_thousand_is_still_asked_about() -> None:
    question = asked(":type: count\n:given: k = 3 | 7\n:answer: 5 * k\nFive times `k` = {{k}}?\n")
    with pytest.raises(UnreadableAnswer, match="short for a number"):
        judge_answer(question, 0, "5k")
    assert judge_answer(question, 0, "5*k").correct
