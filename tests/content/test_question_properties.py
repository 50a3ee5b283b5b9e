"""Whatever is typed: equal forms are right, unequal ones are not, nothing raises and nothing takes long.

Whether two forms are equal is decided here by other means than the judge's: by evaluating both with large numbers.
"""

import itertools
import random
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.content.expression import UnreadableAnswer
from app.content.page import Directive
from app.content.questions.asking import Judged, judge_answer, present, read_answer
from app.content.questions.order import moves_needed
from app.content.questions.question import Question
from app.content.questions.reader import read_question
from tests.content.quick import is_quick

FEW = settings(max_examples=60, deadline=None)


def asked(body: str) -> Question:
    question, faults = read_question(Directive("question", "q", f"{body}:::{{explain}}\nx\n:::\n", 1), "c", "l", "a.md")
    assert question, faults
    return question


def judged(question: Question, answer: object) -> float | None:
    """The score, or None where the answer cannot be read."""
    outcome = tried(question, answer)
    if isinstance(outcome, Judged):
        return outcome.score
    assert outcome.message
    assert outcome.hint
    return None


def tried(question: Question, answer: object) -> Judged | UnreadableAnswer:
    try:
        return judge_answer(question, 0, answer)
    except UnreadableAnswer as error:
        return error


# ---- formulas: a tree, the ways to write it, the ways to change its form and not its value

Tree = Any  # a name, a number, or (sign, left, right)
NAMES = ("N", "T", "d_model")
leaves = st.sampled_from(NAMES) | st.integers(1, 9)
trees = st.recursive(leaves, lambda inner: st.tuples(st.sampled_from("+*"), inner, inner), max_leaves=5)


def value_of(tree: Tree, values: dict[str, int]) -> Fraction:
    if not isinstance(tree, tuple):
        return Fraction(values[tree] if isinstance(tree, str) else tree)
    sign, left, right = tree
    a, b = value_of(left, values), value_of(right, values)
    return {"+": a + b, "*": a * b, "/": a / b if b else Fraction(0), "-": a - b}[sign]


def are_equal(one: Tree, other: Tree) -> bool:
    chance = random.Random(7)
    values = [{name: chance.getrandbits(80) + 1 for name in NAMES} for _ in range(3)]
    return all(value_of(one, each) == value_of(other, each) for each in values)


def changed(tree: Tree, chance: random.Random) -> Tree:
    """Another form of the same value."""
    if not isinstance(tree, tuple):
        forms = [tree, ("/", ("*", 2, tree), 2), ("-", ("+", tree, 1), 1), ("*", 1, tree)]
        return chance.choices(forms, [6, 1, 1, 1])[0]
    sign, left, right = tree
    if sign == "*" and isinstance(right, tuple) and right[0] == "+" and chance.random() < 0.5:
        return ("+", changed(("*", left, right[1]), chance), changed(("*", left, right[2]), chance))
    left, right = changed(left, chance), changed(right, chance)
    return (sign, right, left) if sign in "+*" and chance.random() < 0.5 else (sign, left, right)


TIMES = ["*", " * ", "×", " × ", "·", "⋅", " ∗ "]


def written(tree: Tree, chance: random.Random) -> str:
    if not isinstance(tree, tuple):
        text = str(tree)
    else:
        sign, left, right = tree
        signs = {"*": TIMES, "+": ["+", " + ", "  + "], "/": ["/", " / ", "÷"], "-": ["-", " − ", "–"]}[sign]
        text = f"({written(left, chance)}{chance.choice(signs)}{written(right, chance)})"
    return f"( {text})" if chance.random() < 0.1 else text


SHAPES = [
    "({})", "[{}]", "{{{}}}", "torch.Size([{}])", "{}", "( {} )", "shape = ({})", "x.shape == ({})", "（{}）",
    "`({})`.",
]  # fmt: skip


def written_shape(axes: list[Tree], chance: random.Random) -> str:
    comma = chance.choice([",", ", ", " , ", "，"])
    inner = comma.join(written(axis, chance) for axis in axes)
    form = chance.choice(SHAPES)
    if len(axes) == 1 and form == "{}":
        form = "({})"
    if len(axes) == 1 and chance.random() < 0.5:
        inner += ","
    return form.format(inner)


@given(st.lists(trees, min_size=1, max_size=3), st.integers(0, 2**32))
@FEW
def test_any_equal_form_of_a_shape_is_right(axes: list[Tree], seed: int) -> None:
    chance = random.Random(seed)
    answer = ", ".join(written(axis, random.Random(0)) for axis in axes)
    question = asked(f":type: shape\n:answer: ({answer},)\nWhich, of `N`, `T` and `d_model`?\n")
    other = [changed(axis, chance) for axis in axes]
    assert all(map(are_equal, axes, other)), "the test's own forms differ"
    typed = written_shape(other, chance)
    if len(typed) <= 200:
        assert judged(question, typed) == 1, typed


@given(st.lists(trees, min_size=1, max_size=3), st.lists(trees, min_size=1, max_size=3), st.integers(0, 2**32))
@FEW
def test_another_shape_is_right_only_if_it_is_equal(one: list[Tree], other: list[Tree], seed: int) -> None:
    chance = random.Random(seed)
    answer = ", ".join(written(axis, chance) for axis in one)
    question = asked(f":type: shape\n:answer: ({answer},)\nWhich, of `N`, `T` and `d_model`?\n")
    is_right = len(one) == len(other) and all(map(are_equal, one, other))
    assert judged(question, written_shape(other, chance)) == (1 if is_right else 0)


# ---- counts and numbers

WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
MARKS = [",", " ", "_", "'", "\u202f", "\u00a0", "’"]


def count_written(count: int, chance: random.Random) -> str:
    factors = [n for n in range(2, 1000) if count % n == 0]
    forms = [str(count), f"{count:,}".replace(",", chance.choice(MARKS)), f"{count} parameters", f"= {count}"]
    if factors:
        factor = chance.choice(factors)
        times = chance.choice([*TIMES, " x ", "x", " X "])
        forms += [f"{factor}{times}{count // factor}", f"({count // factor} {chance.choice(TIMES)} {factor})"]
        forms.append(f"{factor}{chance.choice([' by ', ' times ', ' x ', '*'])}{count // factor} trainable parameters")
        forms.append(f"{factor} × {count // factor}{chance.choice([' = ', '=', ' == '])}{count:,}")
    forms += [f"{count - 7} + 7" if count > 7 else f"7 - {7 - count}", f"{2 * count}/2", f" {count}. "]
    form = chance.choice(forms)
    return form.translate(WIDE) if chance.random() < 0.2 else form


@given(st.integers(1, 10**9), st.integers(-3, 3) | st.integers(-(10**9), 10**9), st.integers(0, 2**32))
@FEW
def test_a_count_is_right_exactly_if_it_is_that_number(count: int, off: int, seed: int) -> None:
    question = asked(f":type: count\n:answer: {count}\nHow many?\n")
    typed = count_written(max(0, count + off), random.Random(seed))
    assert judged(question, typed) == (1 if max(0, count + off) == count else 0), typed


@given(st.integers(1, 999_999), st.integers(1, 999_999), st.sampled_from("kKMmBb"), st.integers(0, 3))
@FEW
def test_a_rounded_count_is_right_within_its_tolerance(count: int, typed: int, unit: str, digits: int) -> None:
    scale = {"k": 10**3, "m": 10**6, "b": 10**9}[unit.lower()]
    question = asked(f":type: count\n:rtol: 0.05\n:answer: {count * scale}\nRoughly how many?\n")
    for value in (typed, count):
        text = f"{value}{'.' if digits else ''}{'0' * digits}{unit}"
        is_near = abs(value - count) * 20 <= count
        assert judged(question, text) == (1 if is_near else 0), text
        assert judged(asked(f":type: count\n:answer: {count * scale}\nHow many?\n"), text) is None


@given(st.integers(-(10**6), 10**6), st.integers(0, 6), st.integers(-3, 3), st.integers(0, 4))
@FEW
def test_a_number_is_right_within_its_tolerance_however_it_is_written(
    over: int, places: int, off: int, form: int
) -> None:
    wanted = Fraction(over, 10**places)
    typed = wanted + Fraction(off, 1000)
    decimal = f"{float(typed):.12f}"
    fraction, percent = f"{typed.numerator}/{typed.denominator}", f"{float(100 * typed):.10f}%"
    text = [decimal, fraction, percent, f"{decimal}e0", f" {decimal} ms"][form]
    question = asked(f":type: number\n:answer: {over}/10**{places}\n:tolerance: 0.0015\nWhich?\n")
    assert judged(question, text) == (1 if abs(off) <= 1 else 0), text


# ---- words, picks, lines, prints


@given(st.sampled_from(["learned", "Learnt", "trained by hand"]), st.integers(0, 2**32), st.text(max_size=20))
@FEW
def test_words_are_right_whatever_their_case_and_space(word: str, seed: int, other: str) -> None:
    question = asked(":type: text\n:answer: learned | learnt | trained by hand\nWhich?\n")
    chance = random.Random(seed)
    typed = "".join(chance.choice([letter.upper(), letter.lower()]) for letter in word).replace(" ", "\t  ")
    assert judged(question, f"  {typed}\n") == 1
    said = other.casefold().split()
    if not said:
        assert judged(question, other) is None
    elif said not in (["learned"], ["learnt"], ["trained", "by", "hand"]):
        assert not judged(question, other)


CHOICES = asked(":type: choices\nWhich?\n- [x] A -- a\n- [x] B -- b\n- [x] C -- c\n- [ ] D -- d\n- [ ] E -- e\n")
CHOICE = asked(":type: choice\nWhich?\n- [x] A -- a\n- [ ] B -- b\n- [ ] C -- c\n")
ORDER = asked(":type: order\nWhich?\n1. A\n2. B\n3. C\n4. D\n5. E\n")
PREDICT = asked(":type: predict\n:answer:\n  (2, 3)\n  [1 2]  end\nWhat?\n```python\nprint(1)\n```\n")


def test_every_set_of_picks_earns_its_share() -> None:
    for size in range(1, 6):
        for picked in itertools.combinations(CHOICES.choices, size):
            score = judged(CHOICES, [choice.key for choice in picked])
            hits = sum(choice.right for choice in picked)
            assert score == pytest.approx(max(Fraction(0), Fraction(hits, 3) - Fraction(size - hits, 2)))
            assert (score == 1) == (hits == size == 3)
    assert judged(CHOICES, []) is None
    assert judged(CHOICES, [choice.key for choice in CHOICES.choices]) == 0


def test_every_order_earns_what_stays_in_place() -> None:
    for order in itertools.permutations(range(5)):
        longest = max(  # by trying all, not by the judge's algorithm
            size for size in range(1, 6) for kept in itertools.combinations(order, size) if list(kept) == sorted(kept)
        )
        assert moves_needed(order) == 5 - longest
        keys = [ORDER.choices[place].key for place in order]
        score = judged(ORDER, keys)
        is_untouched = keys == [option.key for option in present(ORDER, 0).options]
        assert score == pytest.approx(0 if is_untouched else (longest - 1) / 4)
        assert (score == 1) == (order == (0, 1, 2, 3, 4))
    assert judged(ORDER, [choice.key for choice in ORDER.choices[::-1]]) == 0


BLANKS = st.text(" \t", max_size=3)


@given(BLANKS, BLANKS, st.sampled_from(["\n", "\r\n", "\r"]), st.text(max_size=30))
@FEW
def test_what_is_printed_is_right_whatever_cannot_be_seen(after: str, inside: str, end: str, other: str) -> None:
    typed = f"(2,{inside}3){after}{end}[1{inside or ' '}2]  end{after}{end}{end}"
    assert judged(PREDICT, typed) == 1
    if "".join(other.split()) not in ("", "(2,3)[12]end"):
        assert not judged(PREDICT, other)


# ---- anything at all

COUNT = asked(":type: count\n:given: n = 512 | 768\n:answer: n * 768\n:mistake: n -> No.\nHow many in {{n}} rows?\n")
ROUNDED = asked(":type: count\n:rtol: 0.01\n:answer: 512 * 768\nRoughly how many?\n")
SHAPE = asked(":type: shape\n:answer: (N, T, d_model)\n:mistake: (N, T) -> No.\nOf `N`, `T`, `d_model`?\n")
NUMBER = asked(":type: number\n:answer: 1/4\n:tolerance: 0.01\n:mistake: 4 -> No.\nWhich?\n")
TEXT = asked(":type: text\n:answer: learned | learnt\n:mistake: no -> No.\nWhich?\n")
ALL = [CHOICE, CHOICES, SHAPE, COUNT, ROUNDED, NUMBER, TEXT, ORDER, PREDICT]

BOMBS = [
    "9**9**9", "9**9**9**9", "(((2**99)**99)**99)", "(N+T+1)**99", "(N+T)**16*(N+1)**16", "2**-99", "0**-1", "1e999",
    "(" * 10_000, "[" * 10_000 + "]" * 10_000, "(" * 20 + "1" + ")" * 20, "(" * 99 + ")" * 99, "-" * 199 + "1",
    "1" * 200, "9" * 100_000, "x" * 100_000, "1 " * 50_000, " " * 100_000, "1,234" * 400, "1," * 100, "[" * 2000,
    "1" + "/3" * 99, "1" + "+1" * 99,
    "*".join(["(N+T+d_model)"] * 12), "/".join(["(N+1)"] * 30), "+".join(f"1/(N+{n})" for n in range(15)),
    "３９３，２１６", "３" * 200, "\0", "1\0", "\u202e(N, T)", "\u200f1\u200f", "1\u0301", "e\u0301" * 99, "½" * 99,
    "N²" * 66, "²" * 199, "2²" * 66, "25%" * 66, "%" * 200, "1e1" * 66, ".5" * 99, "x.shape==" * 20, "[ , " * 500,
    "(2, 3)\n" * 280, "\n" * 2000, "\r" * 2000, "{}" * 1000, "({[" * 600, "{{answer}}", "{{n}}", "\ud800", "٣", "Ⅳ",
    "=".join(["(N+T+d_model)**3*(N+1)**3"] * 4), "=".join(["1" + "/3" * 20] * 4), "1 = " * 50, "~" * 200, "by " * 66,
    "1 by " * 39 + "1", "1=9**9**9", "about " * 33 + "1", "1" + " word" * 39, "1 x " * 40 + "1", "N by " * 39 + "N",
    "{" * 99 + "N" + "}" * 99, "1" + " " * 198 + "a",
    "lambda: 1", "__import__('os')", "True", "1_000", "0x10", "1j", "...", "N if T else 1", "=" * 200, "≈" * 200,
]  # fmt: skip


@pytest.mark.parametrize("question", ALL, ids=lambda question: question.type)
def test_nothing_raises_and_nothing_takes_long(question: Question) -> None:
    keys = [choice.key for choice in question.choices]
    answers: list[object] = [
        *BOMBS,
        *([one] for one in BOMBS),
        BOMBS,
        ["k"] * 100_000,
        keys * 1000,
        [keys],
        None,
        1,
        {},
    ]
    slow = [str(answer)[:60] for answer in answers if not is_quick(partial(tried, question, answer))]
    assert not slow


ALPHABET = st.sampled_from("0123456789NTd_ ,.()[]{}+-*/^%×eExkMby=~≈\n'\u202f\u0301０，½²")


@given(st.text(max_size=300) | st.text(ALPHABET, max_size=120) | st.lists(st.text(max_size=12), max_size=6))
@example(["", ""])
@settings(max_examples=150, deadline=None)
def test_any_text_is_judged_or_unreadable_and_read_as_it_is_judged(answer: object) -> None:
    for question in ALL:
        outcome = tried(question, answer)
        if isinstance(outcome, Judged):
            assert 0 <= outcome.score <= 1
            assert outcome.correct == (outcome.score == 1)
            assert read_answer(question, 0, answer) == outcome.read_as
            assert "\0" not in (outcome.read_as or "")  # PostgreSQL keeps no such text
        else:
            assert outcome.message
            assert outcome.hint
            with pytest.raises(UnreadableAnswer):
                read_answer(question, 0, answer)
