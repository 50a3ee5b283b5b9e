"""Answers that no author listed: what each is told, and the near misses of each sentence, where it must not be said."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.content.page import Directive
from app.content.questions.asking import Judged, judge_answer, present
from app.content.questions.question import Question
from app.content.questions.reader import read_question


def asked(body: str) -> Question:
    question, faults = read_question(Directive("question", "q", f"{body}:::{{explain}}\nx\n:::\n", 1), "c", "l", "a.md")
    assert question, faults
    return question


def feedback(question: Question, answer: object) -> str:
    """Without its tags; "" for none. The answer must be wrong."""
    judged = judge_answer(question, 0, answer)
    assert judged.score < 1
    return (judged.feedback_html or "").replace("<p>", "").replace("</p>\n", "")


COUNT = asked(
    ":type: count\n:given: n = 12 | 3; d = 64 | 5\n:answer: (n + 1) * d\nHow many, of n = {{n}} and d = {{d}}?\n"
)
NUMBER = asked(
    ":type: number\n:given: d = 64 | 16\n:answer: 1/sqrt(d)\n:tolerance: 0.001\nOne over the root of {{d}}?\n"
)
PERCENT = asked(":type: number\n:answer: 25%\n:tolerance: 0.0001\nWhich share?\n")
ANGLE = asked(":type: number\n:given: a = 30 | 50\n:answer: sin(a*pi/180)\n:tolerance: 0.001\nThe sine of {{a}}°?\n")
RADIANS = asked(":type: number\n:answer: pi/3\n:tolerance: 0.001\nThe angle?\n")
LOG = asked(":type: number\n:answer: log2(10)\n:tolerance: 0.001\nHow many bits?\n")
LARGE, SMALL = "That is too large.", "That is too small."


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (COUNT, "833", "It is off by one."),
        (COUNT, "831", "It is off by one."),
        (COUNT, "8320", "It is off by a factor of ten: check the powers of ten."),
        (COUNT, "832,000", "It is off by a factor of a thousand: check the powers of ten, and the unit."),
        (COUNT, "416", "It is off by a factor of two."),
        (COUNT, "1664", "It is off by a factor of two."),
        (COUNT, "77", "You get that if you add where you should multiply."),
        (COUNT, "768", "You get that if you multiply where you should add."),
        (COUNT, "704", "You get that if you subtract where you should add."),
        (COUNT, "76", "You get that without the brackets."),
        (COUNT, "13", "You get that if you forget a factor."),
        (COUNT, "780", "You get that if you mix up two of the quantities."),
        (NUMBER, "8", "It is the reciprocal of the right number: check what you divide by what."),
        (NUMBER, "-0.125", "The size is right; the sign is not."),
        (NUMBER, "1/64", "You have the square of the right number."),
        (NUMBER, "0.354", "You have the square root of the right number."),
        (NUMBER, "0.875", "Your number and the right one add up to 1: check which of the two is asked for."),
        (NUMBER, "0.12", "It is near, but rounded too far: give more digits."),
        (NUMBER, "12.5", "It is off by a factor of a hundred: check the powers of ten, and whether it is in percent."),
        (PERCENT, "0.25", "It is off by a factor of a hundred: check the powers of ten, and whether it is in percent."),
        (ANGLE, "sin(30)", "Check the unit of the angle: degrees or radians?"),
        (ANGLE, "cos(30°)", "You have the sine and the cosine the wrong way round."),
        (RADIANS, "60", "Check the unit of the angle: degrees or radians?"),
        (LOG, "log(10)", "Check the base of the logarithm."),
    ],
)
def test_a_number_off_the_list_is_told_what_it_is(question: Question, typed: str, sentence: str) -> None:
    assert feedback(question, typed) == sentence


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (COUNT, "834", LARGE), (COUNT, "830", SMALL), (COUNT, "8321", LARGE), (COUNT, "415", SMALL),
        (COUNT, "78", SMALL),
        (COUNT, "767", SMALL), (COUNT, "75", SMALL), (COUNT, "14", SMALL), (COUNT, "0", SMALL), (COUNT, "779", SMALL),
        (NUMBER, "7.8", LARGE), (NUMBER, "-0.13", "The right number has another sign."), (NUMBER, "0.017", SMALL),
        (NUMBER, "0.87", LARGE), (NUMBER, "0.11", SMALL), (NUMBER, "12.8", LARGE), (PERCENT, "0.26", SMALL),
        (ANGLE, "0.9", LARGE), (ANGLE, "0.86", LARGE), (RADIANS, "61", LARGE), (LOG, "2.2", SMALL),
    ],
)  # fmt: skip
def test_a_number_that_only_looks_like_it_is_told_its_side_and_no_more(
    question: Question, typed: str, sentence: str
) -> None:
    assert feedback(question, typed) == sentence


def test_what_chance_explains_as_well_is_not_named() -> None:
    small = asked(":type: count\n:given: n = 2 | 3; d = 3 | 4\n:answer: n * d\nHow many, of {{n}} and {{d}}?\n")
    for typed in ("5", "3", "7"):  # a sum or one less; half or a factor forgotten; one more is all that 7 can be
        assert feedback(small, typed) in (SMALL, "It is off by one.")
    assert feedback(small, "5") == SMALL
    assert feedback(small, "3") == SMALL


def test_a_wide_tolerance_tells_the_side_only() -> None:
    wide = asked(":type: number\n:answer: 0.02\n:tolerance: 0.05\nRoughly?\n")
    assert feedback(wide, "0.2") == LARGE
    rough = asked(":type: count\n:rtol: 0.05\n:answer: 393216\nRoughly how many?\n")
    assert feedback(rough, "3.9M") == "It is off by a factor of ten: check the powers of ten."
    assert feedback(rough, "4.3M") == LARGE


def test_an_authors_mistake_goes_first_and_what_is_said_of_others_stays() -> None:
    question = asked(
        ":type: count\n:given: n = 12 | 3; d = 64 | 5\n:answer: n * d\n"
        ":mistake: n + d -> Multiply.\n:other: Think again.\nHow many, of {{n}} and {{d}}?\n"
    )
    assert feedback(question, "76") == "Multiply."
    assert feedback(question, "7680") == "Think again.It is off by a factor of ten: check the powers of ten."


SECRETS = ("832", "0.125", "0.5", "8.32")


def test_no_sentence_states_the_right_number() -> None:
    for typed in ("833", "8320", "416", "77", "768", "1", "830"):
        assert not any(secret in feedback(COUNT, typed) for secret in SECRETS)
    for typed in ("8", "-0.125", "0.12", "1.25"):
        assert not any(secret in feedback(NUMBER, typed) for secret in SECRETS)


FORMULAS: list[tuple[str, Callable[[int, int], int]]] = [
    ("n * d", lambda n, d: n * d),
    ("(n + 1) * d", lambda n, d: (n + 1) * d),
    ("n * d + n", lambda n, d: n * d + n),
    ("n * (d - 1)", lambda n, d: n * (d - 1)),
    ("n ** 2 * d", lambda n, d: n**2 * d),
]


@given(st.sampled_from(FORMULAS), st.integers(2, 999), st.integers(2, 999), st.integers(0, 10**7))
@settings(max_examples=80, deadline=None)
def test_whatever_number_is_typed_the_sentence_has_no_number_and_the_right_side(
    formula: tuple[str, Callable[[int, int], int]], n: int, d: int, typed: int
) -> None:
    written, value = formula
    right = value(n, d)
    question = asked(
        f":type: count\n:given: n = {n}; d = {d}\n:answer: {written}\nHow many, of {{{{n}}}} and {{{{d}}}}?\n"
    )
    for wrong in {typed, right + 1, 10 * right, n + d, n, d} - {right}:
        sentence = feedback(question, str(wrong))
        assert sentence
        assert not re.search("[0-9]", sentence)
        assert "too large" not in sentence or wrong > right
        assert "too small" not in sentence or wrong < right


# ---- shapes

SHAPE = asked(":type: shape\n:answer: (N, T, d)\nA batch of `N` rows of `T` by `d`; `t` are hours, `n` nothing.\n")
SCALAR = asked(":type: shape\n:answer: ()\nOf a sum of `N` numbers?\n")
TABLE = asked(":type: shape\n:answer: (N, 4)\n`N` rows of numbers?\n")


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (SHAPE, "(T, d)", "The batch is missing."),
        (SHAPE, "(N, T)", "One axis is missing; the others are right."),
        (SHAPE, "(N, 1, T, d)", "Axis 1, counted from 0, is too many; the others are right."),
        (SHAPE, "(N, T, T, d)", "One axis is too many; the others are right."),
        (SHAPE, "(N, d, T)", "Those are the right lengths in another order: two axes are swapped."),
        (SHAPE, "(T, d, N)", "Those are the right lengths in another order."),
        (TABLE, "(4, N)", "Those are the right lengths in another order: rows and columns are swapped."),
        (SHAPE, "(N*T*d,)", "You have flattened it: the number of entries is right."),
        (SHAPE, "(N*T, d)", "You have joined two axes into one."),
        (SHAPE, "(N, T, 2, d/2)", "You have split an axis in two."),
        (SHAPE, "(N, T, 2d)", "Axis 2, counted from 0, is not"),
        (SHAPE, "(N, T - 1, d)", "the other axes are right. It is off by one."),
        (SHAPE, "(N, t, d)", "Check the capitals"),
        (SHAPE, "(N, T/2, 2*d)", "divides them among its axes in another way."),
    ],
)
def test_a_shape_off_the_list_is_told_what_is_off(question: Question, typed: str, sentence: str) -> None:
    assert sentence in feedback(question, typed)


@pytest.mark.parametrize(
    ("question", "typed", "unsaid"),
    [
        (TABLE, "(4,)", "batch"),  # the prompt speaks of no batch
        (SHAPE, "(T, t)", "missing"),
        (SHAPE, "()", "the others are right"),
        (SCALAR, "(1,)", "flattened"),
        (SCALAR, "(5,)", "the others are right"),
        (SHAPE, "(N, t, T, t)", "too many"),
        (SHAPE, "(d, N, T)", "swapped"),
        (SHAPE, "(N, N, T)", "order"),
        (SHAPE, "(N*T + d,)", "flattened"),
        (SHAPE, "(N + T, d)", "joined"),
        (SHAPE, "(t, t, d)", "the other axes are right"),
        (SHAPE, "(N, T - 2, d)", "off by one"),
        (SHAPE, "(N, n, d)", "capitals"),
        (SHAPE, "(N, T/2, d)", "in another way"),
    ],
)
def test_a_shape_that_only_looks_like_it_is_not_told_so(question: Question, typed: str, unsaid: str) -> None:
    assert unsaid not in feedback(question, typed)


# ---- words

TEXT = asked(":type: text\n:answer: causal attention | i.i.d. | position-wise | -1 | x-y | conv1d\nWhich?\n")


@pytest.mark.parametrize(
    "typed",
    ["Causal attention.", "causal-attention", "the causal attention", "iid", "I.I.D.", "i.i.d", "position wise",
     "positionwise", "Position‑wise"],
)  # fmt: skip
def test_hyphens_full_stops_and_articles_do_not_count_in_words(typed: str) -> None:
    assert judge_answer(TEXT, 0, typed).correct


@pytest.mark.parametrize("typed", ["1", "xy", "x y", "a x-y", "conv1d..", "causal attentions", "thecausal attention"])
def test_what_may_mean_something_else_counts(typed: str) -> None:
    assert not judge_answer(TEXT, 0, typed).correct


def test_a_spelling_that_the_author_lists_as_a_mistake_is_one() -> None:
    question = asked(
        ":type: text\n:answer: layer norm\n:mistake: layer-norm -> Two words.\n:mistake: batchnorm -> No.\nW?\n"
    )
    assert feedback(question, "layer-norm") == "Two words."
    assert feedback(question, "batch-norm.") == "No."
    assert judge_answer(question, 0, "layer norm.").correct


@pytest.mark.parametrize(
    ("typed", "is_told"),
    [
        ("casual attention", True), ("causal atention", True), ("causal attentoin", True), ("causal attentions", True),
        ("conv2d", False), ("bausal attention", False), ("causal", False), ("acausal attention", False),
        ("causal intension", False),
    ],
)  # fmt: skip
def test_a_misspelling_is_told_and_another_word_is_not(typed: str, is_told: bool) -> None:
    assert ("one letter away" in feedback(TEXT, typed)) == is_told


# ---- output


def predicted(*lines: str) -> Question:
    written = "\n".join(f"  {line}" for line in lines)
    return asked(f":type: predict\n:answer:\n{written}\nWhat does it print?\n```python\nprint(1)\n```\n")


TABLE_OUT = predicted("[[1. 2.]", " [3. 4.]]")


@pytest.mark.parametrize(
    "typed", ["[[1., 2.], [3., 4.]]", "[1. 2.]\n[3. 4.]", "[1., 2.], [3., 4.]", "[[1.,2.]\n[3.,4.]]"]
)
def test_an_array_with_commas_or_without_outer_brackets_is_the_same(typed: str) -> None:
    assert judge_answer(TABLE_OUT, 0, typed).correct


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        (TABLE_OUT, "1. 2. 3. 4."),
        (TABLE_OUT, "[1. 2.] [3. 5.]"),
        (predicted("[[1 2 3]]"), "[1 2 3]"),  # another shape
        (predicted("[5]"), "5"),  # a scalar
        (predicted("[1, 2]"), "[1 2]"),  # a list
        (predicted("[1, 2]", "[1 2]"), "[1, 2]\n[1, 2]"),  # which of the two is which is what is asked
        (predicted("(2, 3)"), "2, 3"),
        (predicted("tensor([1, 2])"), "[1, 2]"),
        (predicted("['a' 'b']"), "['a', 'b']"),
    ],
)
def test_marks_that_mean_something_are_not_the_same(question: Question, typed: str) -> None:
    assert not judge_answer(question, 0, typed).correct


def test_an_authors_mistake_goes_before_an_array_with_commas() -> None:
    question = asked(
        ":type: predict\n:answer: [1 2]\n:mistake: [1, 2] -> A list prints so.\nWhat?\n```python\nprint(1)\n```\n"
    )
    assert feedback(question, "[1,2]") == "A list prints so."


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (TABLE_OUT, "[[1 2] [3 4]]", "not the right type"),
        (TABLE_OUT, "[[1. 3.] [2. 4.]]", "rows and columns are swapped"),
        (TABLE_OUT, "[[2. 1.] [3. 4.]]", "in another order"),
        (TABLE_OUT, "[1. 2. 3. 4.]", "check the shape"),
        (TABLE_OUT, "[[1. 2.] [3. 5.]]", "All of the numbers but one"),
        (TABLE_OUT, "[[1. 2.]]", "It prints 4 numbers; you typed 2."),
        (predicted("[1, 2]"), "[1 2]", "look at the commas"),
        (predicted("tensor([1, 2])"), "[1, 2]", "PyTorch prints"),
        (predicted("7", "[1 2 3]"), "7\n[1. 2. 3.]", "Line 2 is the first that is not what it prints. What you typed"),
    ],
)
def test_output_off_the_list_is_told_what_is_off(question: Question, typed: str, sentence: str) -> None:
    assert sentence in feedback(question, typed)


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        (TABLE_OUT, "[[1. 3.] [2. 5.]]"), (TABLE_OUT, "[[5. 6.] [7. 8.]]"), (TABLE_OUT, "hello"), (TABLE_OUT, "[1. 2."),
        (predicted("7"), "8"), (predicted("tensor([1, 2])"), "[1, 3]"), (predicted("x = 2"), "x = 3"),
    ],
)  # fmt: skip
def test_output_that_has_nothing_in_common_is_told_nothing(question: Question, typed: str) -> None:
    assert feedback(question, typed) == ""


def test_the_right_output_comes_before_the_explanation_of_it() -> None:
    explanation = judge_answer(TABLE_OUT, 0, "8").explanation_html or ""
    assert "It prints:" in explanation
    assert "[[1. 2.]\n [3. 4.]]" in explanation
    assert explanation.endswith("<p>x</p>\n")
    body = ":type: predict\n:answer: 7\nWhat?\n```python\nprint(7)\n```\n:::{explain}\nIt is 7.\n:::\n"
    question, _ = read_question(Directive("question", "q", body, 1), "c", "l", "a.md")
    assert question
    assert judge_answer(question, 0, "8").explanation_html == "<p>It is 7.</p>\n"


# ---- lines, pairs, gaps

ORDER = asked(":type: order\nWhich order?\n1. A\n2. B\n3. C\n4. D\n5. E\n")


def test_an_order_that_nobody_moved_earns_nothing_in_any_variant() -> None:
    earned = set()
    for variant in range(ORDER.variants):
        shown = [option.key for option in present(ORDER, variant).options]
        judged = judge_answer(ORDER, variant, shown)
        assert (judged.score, "as you found them" in (judged.feedback_html or "")) == (0, True)
        earned |= {judge_answer(ORDER, other, shown).score for other in range(ORDER.variants) if other != variant}
    assert max(earned) > 0, "in another variant the same order was made by moving"


MATCHING = asked(":type: matching\nMatch.\n- one => 1\n- two => 2\n- three => 3\n- four => 4\n- => 5\n")


def matched(*answers: str) -> Judged:
    keys = {choice.text: choice.key for choice in MATCHING.choices}
    reply = {pair.key: keys[answer] for pair, answer in zip(MATCHING.pairs, answers, strict=True)}
    return judge_answer(MATCHING, 0, reply)


@pytest.mark.parametrize(
    ("answers", "is_swapped"), [("2134", True), ("1243", True), ("2314", False), ("1253", False), ("1235", False)]
)
def test_two_answers_that_are_swapped_are_told_so(answers: str, is_swapped: bool) -> None:
    assert ("Two of your answers are swapped." in (matched(*answers).feedback_html or "")) == is_swapped


def test_each_gap_is_told_its_own() -> None:
    question = asked(
        ":type: cloze\n:given: n = 12 | 5; d = 64 | 7\nOf {{n}} and {{d}}: [[total]] in [[shape]].\n"
        ":::{gap} total\n:type: count\n:answer: n * d\n:::\n:::{gap} shape\n:type: shape\n:answer: (n, d)\n:::\n"
    )
    judged = judge_answer(question, 0, ["76", "(64, 12)"])
    assert "Gap 1: You get that if you add where you should multiply." in (judged.feedback_html or "")
    assert "rows and columns are swapped" in (judged.feedback_html or "")
    assert "Gap 1" not in (judge_answer(question, 0, ["768", "(64, 12)"]).feedback_html or "")
