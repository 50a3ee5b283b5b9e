"""Questions: read, shown without their answers, judged, and examined for what is wrong with them."""

import dataclasses
import re

import pytest

from app.content.fault import Fault
from app.content.page import Directive
from app.content.question import (
    Judged,
    Question,
    UnknownVariant,
    UnreadableAnswer,
    draw,
    judge_answer,
    present,
)
from app.content.question_reader import read_question

COUNT = """\
:type: count
:given: max_len = 128 | 512; d_model = 64 | 768
:answer: max_len * d_model
:mistake: max_len + d_model -> Multiply: {{max_len}} rows, not {{answer}} of them.
:mistake: max_len ->
  One row is
  not the table.
How many numbers has a table of {{max_len}} rows and {{d_model}} columns?
:::{explain}
${{max_len}} \\times {{d_model}} = {{answer}}$.
:::
"""
SHAPE = """\
:type: shape
:answer: (N, T, d_model)
:mistake: (N, T) -> A row stands for each position.
:mistake: (T, N, d_model) -> The batch comes first.
What comes of `N` rows of $T$ positions and width $d_\\text{model}$?
:::{explain}
See above.
:::
"""
CHOICE = """\
:type: choice
Which is right?

- [ ] The first -- It is `a -- b`, not that.
- [x] The second -- Yes.
- [ ] The third
  of them -- No.
:::{explain}
Since it is.
:::
"""


def read(body: str, slug: str = "q") -> tuple[Question | None, tuple[Fault, ...]]:
    return read_question(Directive("question", slug, body, 10), "course", "lesson", "a.md")


def sound(body: str) -> Question:
    question, faults = read(body)
    assert faults == ()
    assert question
    return question


def variant_of(question: Question, **values: int) -> int:
    for variant in range(question.variants):
        if all(f"{value} " in present(question, variant).prompt_html for value in values.values()):
            return variant
    raise AssertionError(values)


def judge_count(answer: str) -> Judged:
    question = sound(COUNT)
    return judge_answer(question, variant_of(question, max_len=512, d_model=768), answer)


RIGHT = [
    "393216", "393,216", "393 216", "393_216", "393\u202f216", "393'216", "393,216.", " 393216 ", "393216 parameters",
    "512 * 768", "512×768", "512 x 768", "512x768", "768*512", "(512 * 768)", "2**17 * 3", "500*768 + 12*768",
    "３９３，２１６", "５１２×７６８", "= 393216",
]  # fmt: skip
NOT_RIGHT = [
    "393217", "3,932,16 ", "393,2160", "39 3216", "393.216", "393k", "(512,768)", "512,768", "max_len*d_model",
    "-393216", "", "many", "0x60000", "1/3", "9**9**9",
]  # fmt: skip


@pytest.mark.parametrize("typed", RIGHT)
def test_a_right_count_is_right_in_every_spelling(typed: str) -> None:
    judged = judge_count(typed)
    assert judged.correct
    assert judged.score == 1.0
    assert judged.read_as
    assert judged.read_as.endswith("393,216")


@pytest.mark.parametrize("typed", NOT_RIGHT)
def test_no_other_count_is_right(typed: str) -> None:
    try:
        correct = judge_count(typed).correct
    except UnreadableAnswer:
        correct = False
    assert not correct


def test_a_group_of_three_is_a_number_and_is_read_back_as_one() -> None:
    assert judge_count("512 768").read_as == "512,768"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("(512,768)", "shape"),
        ("max_len * 768", "name"),
        ("393.216", "whole number"),
        ("393k", "in full"),
        ("12,34", "comma"),
        ("-1", "zero or more"),
        ("3.9e5", "in full"),
        ("512*768 = 393216", "one side"),
        ("five", "digits"),
        ("", "no answer"),
        ("1/0", "zero"),
    ],
)
def test_an_unreadable_count_names_its_remedy(typed: str, said: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_count(typed)
    assert said in caught.value.message + caught.value.hint


@pytest.mark.parametrize("typed", ["N x T x d_model", "N×T", "2x3", "2 3", "N T d_model"])
def test_axes_without_commas_are_asked_for_them(typed: str) -> None:
    with pytest.raises(UnreadableAnswer, match="one length or several") as caught:
        judge_answer(sound(SHAPE), 0, typed)
    assert "commas" in caught.value.hint


def test_a_remedy_for_unreadable_text_does_not_give_the_answer_away() -> None:
    for typed in ("max_len*768", "(512,768)", "393k", "about 512", "5 = 5", "3.9e5", "12,34"):
        with pytest.raises(UnreadableAnswer) as count:
            judge_count(typed)
        assert not re.search(r"512|768|393.?216", count.value.hint)
    for typed in ("a b c", "((N, T), T)", "N x T", "N T,"):
        with pytest.raises(UnreadableAnswer) as shape:
            judge_answer(sound(SHAPE), 0, typed)
        assert "d_model" not in shape.value.hint


def test_a_known_mistake_is_told_what_it_is() -> None:
    judged = judge_count("1280")
    assert not judged.correct
    assert judged.feedback_html == "<p>Multiply: 512 rows, not 393216 of them.</p>\n"
    assert judge_count("512").feedback_html == "<p>One row is not the table.</p>\n"
    assert judge_count("513").feedback_html is None
    assert judged.explanation_html
    assert "<mn>393216</mn>" in judged.explanation_html


@pytest.mark.parametrize(
    "typed",
    [
        "(N, T, d_model)",
        "[N, T, d_model]",
        "N,T,d_model",
        "torch.Size([N, T, d_model])",
        "(N, T, 2*d_model/2)",
        "(T*N/T, T, d_model)",
        "（N，T，d_model）",
        "shape = (N, T, d_model)",
        "`N, T, d_model`.",
    ],
)
def test_a_right_shape_is_right_in_every_spelling(typed: str) -> None:
    judged = judge_answer(sound(SHAPE), 0, typed)
    assert judged.correct
    assert judged.read_as == "(N, T, d_model)"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("(N, T)", "A row stands for each position."),
        ("(T, N, d_model)", "The batch comes first."),
        ("(d_model, T, N)", "right lengths in another order"),
        ("(N, T, T)", "Axis 2"),
        ("N", "1 axis"),
        ("()", "0 axes"),
        ("(512, 768, 3)", "Axis 0"),
    ],
)
def test_a_wrong_shape_is_told_what_is_wrong(typed: str, told: str) -> None:
    judged = judge_answer(sound(SHAPE), 0, typed)
    assert not judged.correct
    assert judged.feedback_html
    assert told in judged.feedback_html


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("(n, T, d_model)", "`N` is there"),
        ("(N, T, D)", "own names"),
        ("N × T × d_model", "commas"),
        ("(N, T, -1)", "whole length"),
        ("(N, 2.5)", "whole length"),
        ("(N, (T, d_model))", "one pair"),
        ("(N, T", "closed"),
    ],
)
def test_an_unreadable_shape_names_its_remedy(typed: str, said: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_answer(sound(SHAPE), 0, typed)
    assert said in caught.value.message + caught.value.hint


def test_a_shape_has_no_thousands() -> None:
    question = sound(":type: shape\n:answer: (512, 768)\nThe shape?\n:::{explain}\nx\n:::\n")
    assert judge_answer(question, 0, "(512,768)").correct
    assert judge_answer(question, 0, "512,768").correct
    assert not judge_answer(question, 0, "512768").correct


def test_given_names_may_be_used_in_a_shape() -> None:
    question = sound(
        ":type: shape\n:given: T = 5 | 7\n:answer: (T, d)\nThe shape of T = {{T}} rows of d?\n:::{explain}\nx\n:::\n"
    )
    assert judge_answer(question, 0, "(T, d)").correct
    assert judge_answer(question, 0, "(5, d)").correct
    assert not judge_answer(question, 1, "(5, d)").correct


def test_an_option_is_judged_by_its_key_whatever_the_order() -> None:
    question = sound(CHOICE)
    orders = set()
    for variant in range(question.variants):
        shown = present(question, variant)
        orders.add(tuple(option.html for option in shown.options))
        for option in shown.options:
            judged = judge_answer(question, variant, option.key)
            assert judged.correct == (option.html == "The second")
            assert judged.feedback_html
    assert len(orders) > 1
    assert {html for order in orders for html in order} == {"The first", "The second", "The third\nof them"}


def test_an_order_that_is_meant_stays() -> None:
    question = sound(CHOICE.replace(":type: choice\n", ":type: choice\n:shuffle: false\n"))
    assert question.variants == 1
    assert [option.html for option in present(question, 0).options][1] == "The second"


@pytest.mark.parametrize("answer", ["", "nokey", None, 3, ["a"], {"key": 1}, True])
def test_what_is_not_an_option_costs_no_attempt(answer: object) -> None:
    with pytest.raises(UnreadableAnswer):
        judge_answer(sound(CHOICE), 0, answer)


def test_what_is_shown_before_answering_holds_no_answer() -> None:
    secrets = {
        COUNT: ["393216", "Multiply", "One row", "times"],
        SHAPE: ["(N, T", "row stands", "batch", "See above"],
        CHOICE: ["Yes.", "No.", "not that", "Since"],
    }
    for body, hidden in secrets.items():
        question = sound(body)
        for variant in range(question.variants):
            shown = repr(dataclasses.asdict(present(question, variant)))
            assert "right" not in {field.name for field in dataclasses.fields(present(question, variant))}
            for secret in hidden:
                assert secret not in shown


def test_a_variant_that_is_not_there_is_refused() -> None:
    question = sound(COUNT)
    assert question.variants == 4
    assert len({present(question, variant).prompt_html for variant in range(4)}) == 4
    for variant in (-1, 4):
        with pytest.raises(UnknownVariant):
            present(question, variant)
        with pytest.raises(UnknownVariant):
            judge_answer(question, variant, "1")


def test_the_draw_is_the_same_each_time_and_reaches_every_variant() -> None:
    question = sound(COUNT)
    assert draw(question, "student 1, attempt 1") == draw(question, "student 1, attempt 1")
    assert {draw(question, f"student {n}") for n in range(100)} == set(range(4))


def test_an_option_keeps_its_key_when_the_others_change() -> None:
    changed = sound(CHOICE.replace("The first", "Another"))
    assert {c.key for c in sound(CHOICE).choices} & {c.key for c in changed.choices} == {
        c.key for c in changed.choices[1:]
    }


def without(body: str, piece: str, instead: str = "") -> str:
    assert piece in body
    return body.replace(piece, instead)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        (without(COUNT, ":type: count\n"), 10, "no type"),
        (without(COUNT, "count", "counting"), 11, "no question type `counting`"),
        (without(COUNT, ":answer: max_len * d_model\n"), 10, "no answer"),
        (without(COUNT, "d_model\n:mistake: max_len +", "nothing\n:mistake: max_len +"), 10, "`nothing` has no value"),
        (without(COUNT, "max_len * d_model", "max_len / 5"), 10, "128/5"),
        (without(COUNT, "max_len + d_model", "d_model * max_len"), 14, "equals the right answer for max_len = 128"),
        (without(COUNT, "max_len + d_model", "2 * ("), 14, "cannot be computed"),
        (
            without(COUNT, " | 512", " | 768").replace("max_len ->", "d_model*d_model ->"),
            15,
            "max_len = 768, d_model = 768",
        ),
        (without(COUNT, "-> Multiply: {{max_len}} rows, not {{answer}} of them.", ""), 14, "lacks its text"),
        (without(COUNT, "{{d_model}} columns", "{{width}} columns"), 10, "`{{width}}` is not given"),
        (without(COUNT, "{{d_model}} columns", "{{answer}} columns"), 10, "read before answering"),
        (without(COUNT, "max_len = 128 | 512;", "max_len;"), 12, "gives nothing"),
        (without(COUNT, "\\times", "\\tims"), 20, "\\tims"),
        (COUNT.replace(":::\n", ""), 19, "never closed"),
        (COUNT + "- [x] an option\n", 22, "has no options"),
        (without(SHAPE, "`N` rows", "some rows"), 10, "`N`, which the prompt does not show"),
        (without(SHAPE, "(N, T) ->", "(N, 2*T/2, d_model) ->"), 13, "equals the right answer"),
        (without(SHAPE, "(N, T, d_model)\n:", "(N, T\n:"), 10, "no partner"),
        (without(SHAPE, "(N, T, d_model)\n:", "(N, T, 0-1)\n:"), 10, "not a length"),
        (without(CHOICE, "- [x]", "- [ ]"), 10, "No option is right"),
        (without(CHOICE, "- [ ] The first", "- [x] The first"), 10, "2 options are marked right"),
        (without(CHOICE, "The first --", "The second --"), 10, "Two options are the same"),
        (without(CHOICE, ":type: choice\n", ":type: choice\n:answer: 2\n"), 10, "has no `:answer:`"),
        (without(CHOICE, "  of them", "of them"), 17, "after the options"),
        (without(CHOICE, "Which is right?"), 10, "asks nothing"),
        (without(CHOICE, ":type: choice\n", ":type: choice\n:shuffle: perhaps\n"), 12, "neither true nor false"),
        (without(CHOICE, ":type: choice\n", ":type: choice\n:colour: red\n"), 12, "no `:colour:`"),
    ],
)
def test_a_broken_question_is_a_fault_with_its_line_and_no_crash(body: str, line: int, said: str) -> None:
    question, faults = read(body)
    assert question is None
    errors = [fault for fault in faults if fault.severity == "error"]
    assert any(said in f"{fault.message} {fault.hint}" and fault.line == line for fault in errors), faults
    assert all(fault.hint and fault.path == "a.md" for fault in faults)


def test_what_could_be_better_is_a_warning_and_the_question_is_asked() -> None:
    question, faults = read(without(CHOICE, " -- No.").replace(":::{explain}\nSince it is.\n:::\n", ""))
    assert question
    assert [(fault.severity, fault.line) for fault in faults] == [("warning", 10), ("warning", 16)]


def test_a_question_needs_a_plain_name() -> None:
    question, faults = read(COUNT, slug="Not A Name")
    assert question is None
    assert faults[0].line == 10


NUMBER = """\
:type: number
:given: d = 4 | 100
:answer: 1/d
:tolerance: 0.005
:mistake: d -> Turn it over.
What is one over {{d}}?
:::{explain}
It is ${{answer}}$.
:::
"""
TEXT = """\
:type: text
:answer: learned | learnt | trained
:mistake: sinusoidal | sine -> Those are computed.
What are its positions called?
:::{explain}
They are {{answer}}.
:::
"""


@pytest.mark.parametrize(
    ("typed", "correct"),
    [
        ("0.25", True),
        ("1/4", True),
        ("2.5e-1", True),
        ("0.2549", True),
        ("0.2551", False),
        ("0.24", False),
        ("-0.25", False),
    ],
)
def test_a_number_is_right_within_its_tolerance(typed: str, correct: bool) -> None:
    question = sound(NUMBER)
    judged = judge_answer(question, 0, typed)
    assert judged.correct == correct
    assert judged.explanation_html
    assert "<math><mn>0.25</mn></math>" in judged.explanation_html
    assert judge_answer(question, 0, "4").feedback_html == "<p>Turn it over.</p>\n"


@pytest.mark.parametrize("typed", ["0,25", "a quarter", "d", "1e999", ""])
def test_an_unreadable_number_names_its_remedy(typed: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_answer(sound(NUMBER), 0, typed)
    assert caught.value.hint


def test_a_relative_tolerance_grows_with_the_answer() -> None:
    question = sound(NUMBER.replace("1/d", "1000*d").replace(":tolerance: 0.005", ":rtol: 1e-3"))
    assert judge_answer(question, 0, "4003.9").correct
    assert not judge_answer(question, 0, "4004.1").correct


def test_words_are_right_in_any_accepted_spelling_whatever_their_case() -> None:
    question = sound(TEXT)
    for typed in ("learned", " Learnt ", "TRAINED"):
        assert judge_answer(question, 0, typed).correct
    assert not judge_answer(question, 0, "learn").correct
    assert judge_answer(question, 0, "Sine").feedback_html == "<p>Those are computed.</p>\n"
    with pytest.raises(UnreadableAnswer):
        judge_answer(question, 0, "  ")


def test_a_tolerance_belongs_to_numbers() -> None:
    for body in (NUMBER.replace("0.005", "much"), COUNT.replace(":answer:", ":rtol: 0.1\n:answer:")):
        question, faults = read(body)
        assert question is None
        assert any("of no use" in fault.message for fault in faults)
