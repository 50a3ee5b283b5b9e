"""Questions: read, shown without their answers, judged, and examined for what is wrong with them."""

import dataclasses
import re

import pytest

from app.content.expression import UnreadableAnswer
from app.content.page import Directive
from app.content.questions.asking import Judged, judge_answer, present
from app.content.questions.question import Question, UnknownVariant, draw
from app.content.questions.reader import read_question
from app.content.questions.table import KINDS
from app.settings import ROOT
from graders.exercise.fault import Fault

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
    "３９３，２１６", "５１２×７６８", "= 393216", "512 by 768", "512by768", "256 by 768 by 2", "512 times 768",
    "512*768 parameters", "(511 + 1) x 768 trainable parameters", "393,216 numbers in total", "512 × 768 = 393,216",
    "393216 = 512 x 768 parameters", "2 * 256 * 768 == 512*768 = 393216", "512 * 768 =",
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
        ("512*768 = 393217", "The two sides are not equal: one comes to 393,216, the other to 393,217."),
        ("512*768 = = 393216", "equals sign"),
        ("1 = 1 = 1 = 1 = 1", "equals sign"),
        ("n = 5", "name"),
        ("about 393216", "this count is exact"),
        ("~393k", "this count is exact"),
        ("393 thousand", "in full"),
        ("2 million parameters", "in full"),
        ("12 hundred", "cannot be read"),
        ("half of 5 parameters", "cannot be read"),
        ("five", "digits"),
        ("", "no answer"),
        ("1/0", "zero"),
    ],
)
def test_an_unreadable_count_names_its_remedy(typed: str, said: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_count(typed)
    assert said in caught.value.message + caught.value.hint


@pytest.mark.parametrize("typed", ["N x T x d_model", "N×T", "2×3", "2 x N", "2 N", "N T d_model"])
def test_axes_without_commas_are_asked_for_them(typed: str) -> None:
    with pytest.raises(UnreadableAnswer, match="one length or several") as caught:
        judge_answer(sound(SHAPE), 0, typed)
    assert "commas" in caught.value.hint


def test_a_remedy_for_unreadable_text_does_not_give_the_answer_away() -> None:
    for typed in ("max_len*768", "(512,768)", "393k", "about 512", "5 = 6", "3.9e5", "12,34"):
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
    assert judge_count("513").feedback_html == "<p>That is too small.</p>\n"
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
        "{N, T, d_model}",
        "shape = {N,T,d_model}",
        "N by T by d_model",
        "(N by T by 2*d_model/2)",
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
        ("{N, {T}}", "no meaning"),
        ("N by T, d_model", "cannot be read"),
        ("N by", "commas"),
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


def test_by_parts_the_axes_of_a_shape_and_multiplies_in_a_count() -> None:
    question = sound(":type: shape\n:answer: (512, 768)\nThe shape?\n:::{explain}\nx\n:::\n")
    for typed in ("512 by 768", "512by768", "{512, 768}"):
        assert judge_answer(question, 0, typed).read_as == "(512, 768)"
    assert judge_count("512 by 768").read_as == "512 × 768 = 393,216"
    named = sound(":type: shape\n:answer: (by, T)\nOf `by` and `T`?\n:::{explain}\nx\n:::\n")
    assert judge_answer(named, 0, "(by, T)").correct  # a name like another
    assert judge_answer(named, 0, "by by T").correct


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
        (without(COUNT, "-> Multiply: {{max_len}} rows, not {{answer}} of them.", ""), 14, "has no text"),
        (without(COUNT, "{{d_model}} columns", "{{width}} columns"), 18, "`{{width}}` is not given"),
        (without(COUNT, "{{d_model}} columns", "{{answer}} columns"), 18, "read before answering"),
        (without(COUNT, "max_len = 128 | 512;", "max_len;"), 12, "does not give a name its values"),
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
        (without(CHOICE, "Which is right?"), 10, "has no prompt"),
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


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("{{max_len - width}} columns", 18, "`width` in `{{max_len - width}}` is not given."),
        ("{{answer - 1}} columns", 18, "`{{answer - 1}}` would be read before answering."),
        ("{{d_model / 3}} columns", 18, "for max_len = 128, d_model = 64. It comes to 64/3, which is not whole."),
        ("{{d_model / 3.0}} columns", 18, "64/3, which has more than 6 decimal places."),
        ("{{d_model - }} columns", 18, "`{{d_model -}}` cannot be computed for max_len = 128, d_model = 64."),
        ("{{d_model / (max_len - 128)}} columns", 18, "divides by zero"),
        ("{{d_model(1)}} columns", 18, "only arithmetic"),
        ("{{9**9**9 * d_model}} columns", 18, "too large"),
        ("{{2d_model}} columns", 18, "not a number"),
        ("{{d_model}} columns,\nof {{max_len // 0}}", 19, "divides by zero"),
    ],
)
def test_an_expression_that_no_variant_can_do_without_is_a_fault_where_it_stands(
    body: str, line: int, said: str
) -> None:
    question, faults = read(without(COUNT, "{{d_model}} columns", body))
    assert question is None
    assert any(said in fault.message and fault.line == line and fault.hint for fault in faults), faults


def test_one_variant_that_cannot_be_computed_is_found_and_named() -> None:
    _, faults = read(without(COUNT, "{{d_model}} columns", "{{d_model * 128 // (max_len - 512)}} columns"))
    assert "for max_len = 512, d_model = 64" in faults[0].message
    _, faults = read(without(COUNT, "rows, not", "rows, {{answer / 3}} and not"))
    assert (faults[0].line, "for max_len = 128, d_model = 64" in faults[0].message) == (14, True)
    coloured = COUNT.replace("; d_model =", "; colour = red; d_model =")
    _, faults = read(without(coloured, "= {{answer}}$", "= {{answer}}$ {{colour + 1}}"))
    assert "`colour` is `red`, which is not a number." in faults[0].message
    assert faults[0].line == 20


@pytest.mark.parametrize(
    ("expression", "comes_to"),
    [
        ("T - 1", "5"), ("2*T", "12"), ("T*d", "3.0"), ("T // 4", "1"), ("(T + 2) ** 2", "64"), ("1 - T", "-5"),
        ("T / 4.0", "1.5"), ("d", "0.5"), ("-d / 4", "-0.125"), ("T−1", "5"), ("n", "1,024"), ("n - 1", "1023"),
        ("0 * T", "0"), ("word", "red"),
    ],
)  # fmt: skip
def test_arithmetic_with_given_names_is_put_in_wherever_a_name_is(expression: str, comes_to: str) -> None:
    comes_to = comes_to.removesuffix(".0")
    question = sound(
        ":type: choice\n:shuffle: false\n:given: T = 6; d = 0.5; n = 1,024; word = red\n"
        f"What is `x[{{{{{expression}}}}}]`, ${{{{{expression}}}}}$?\n```python\nx = {{{{{expression}}}}}\n```\n"
        f"- [x] Just {{{{ {expression} }}}} -- Since {{{{{expression}}}}}.\n- [ ] Other -- No.\n"
        f":::{{explain}}\nIt is {{{{{expression}}}}} of {{{{T}}}}.\n:::\n"
    )
    shown = present(question, 0)
    assert f"x[{comes_to}]" in shown.prompt_html
    assert shown.options[0].html == f"Just {comes_to}"
    judged = judge_answer(question, 0, shown.options[0].key)
    assert judged.feedback_html == f"<p>Since {comes_to}.</p>\n"
    assert judged.explanation_html == f"<p>It is {comes_to} of 6.</p>\n"


def test_short_code_in_a_prompt_stays_on_one_line_and_long_code_may_break() -> None:
    long = "x = " + "y + " * 10 + "z"
    question = sound(CHOICE.replace("Which is right?", f"With `T = 6`, `{long}`:\n```text\nT = 7\n```\n")
                     .replace("The second", "`a, b`"))  # fmt: skip
    shown = present(question, 0)
    assert '<code class="unbroken">T = 6</code>' in shown.prompt_html
    assert f"<code>{long}</code>" in shown.prompt_html
    assert "<code>T = 7" in shown.prompt_html
    assert '<code class="unbroken">a, b</code>' in {option.html for option in shown.options}


def test_braces_that_hold_no_arithmetic_are_left_to_code() -> None:
    body = without(PREDICT, "print(({{n}},", "print(f\"{{0}}\", {{'a': {{1}}}}, {{-1}}, ({{n - 0}},")
    shown = present(sound(body), 0).prompt_html
    text = re.sub(r"<[^>]*>", "", shown)
    assert "{{0}}" in text
    assert "{{1}}" in text
    assert "(2, 3)" in text


def test_the_answer_of_a_prediction_is_computed_too() -> None:
    body = without(without(PREDICT, "\n  ({{n}}, 3)", "\n  ({{n + 1}}, 3)"), "(3, {{n}})\\n", "(3, {{n * 1}})\\n")
    question = sound(body)
    assert judge_answer(question, 0, "(3, 3)\n\n  [[0 0 0]\n   [0 0 0]]").correct
    assert judge_answer(question, 0, "(3, 2)\n[[0 0 0]\n[0 0 0]]").feedback_html == "<p>Rows first.</p>\n"


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
    for body in (NUMBER.replace("0.005", "much"), SHAPE.replace(":answer:", ":rtol: 0.1\n:answer:")):
        question, faults = read(body)
        assert question is None
        assert any("has no meaning here" in fault.message for fault in faults)


CHOICES = """\
:type: choices
Which are learned?
- [x] `table[positions]` -- Yes.
- [x] The head -- Yes, too.
- [ ] The sinusoids -- They are
  computed.
- [ ] The ids
- [x] The norm's scale -- Trained.
:::{explain}
{{answer}}
:::
"""
ORDER = """\
:type: order
:given: n = 2 | 3
In which order does a block of {{n}} layers work?
1. Normalise
2. Attend
   to {{n}} rows
3. Add
4. Project
:::{explain}
{{answer}}
:::
"""
PREDICT = """\
:type: predict
:given: n = 2 | 3
:answer:
  ({{n}}, 3)

    [[0 0 0]
     [0 0 0]]
:mistake: (3, {{n}})\\n[[0 0 0]\\n[0 0 0]] -> Rows first.
What does this print?
```python
print(({{n}}, 3))
```
:::{explain}
{{answer}}
:::
"""


def keys_of(question: Question, *texts: str) -> list[str]:
    return [next(choice.key for choice in question.choices if text in choice.text) for text in texts]


@pytest.mark.parametrize(
    ("picked", "score", "said"),
    [
        (("table", "head", "scale"), 1.0, "Yes, too."),
        (("table", "head"), 2 / 3, "You picked 2 of the 3 right ones."),
        (("table", "head", "scale", "The ids"), 0.5, "You picked the 3 right ones, and one that is wrong."),
        (("table", "sinusoids"), 0.0, "They are\ncomputed."),
        (("sinusoids", "The ids"), 0.0, "You picked none of the 3 right ones, and 2 that are wrong."),
        (("table", "head", "scale", "The ids", "sinusoids"), 0.0, "and 2 that are wrong."),
    ],
)
def test_choices_earn_part_of_the_credit_and_all_or_nothing_none(
    picked: tuple[str, ...], score: float, said: str
) -> None:
    question = sound(CHOICES.replace("The ids", "The ids -- Given."))
    keys = keys_of(question, *picked)
    judged = judge_answer(question, 0, keys)
    assert judged.score == pytest.approx(score)
    assert judged.correct == (score == 1)
    assert said in (judged.feedback_html or "")
    assert judge_answer(question, 0, [*keys[::-1], keys[0]]) == judged  # a set, however it is sent
    assert judged.read_as is None


@pytest.mark.parametrize(
    ("order", "score", "said"),
    [
        ("Normalise Attend Add Project", 1.0, None),
        ("Attend Add Project Normalise", 2 / 3, "The first line is not the right one yet. Moving one line is enough."),
        ("Normalise Attend Project Add", 2 / 3, "The first 2 lines are right; line 3 is not yet. Moving one"),
        ("Attend Normalise Project Add", 1 / 3, "Moving 2 lines is enough."),
        ("Project Add Attend Normalise", 0.0, "The first line is not the right one yet.</p>"),
    ],
)
def test_an_order_earns_what_need_not_be_moved(order: str, score: float, said: str | None) -> None:
    question = sound(ORDER)
    judged = judge_answer(question, 1, keys_of(question, *order.split()))
    assert judged.score == pytest.approx(score)
    assert judged.correct == (said is None)
    assert said is None or said in (judged.feedback_html or "")
    assert "Attend\nto 3 rows" in (judged.explanation_html or "")


def test_lines_are_never_shown_in_their_right_order() -> None:
    for count in range(2, 7):
        lines = "".join(f"{n + 1}. line {n}\n" for n in range(count))
        question = sound(f":type: order\nOrder:\n{lines}:::{{explain}}\nx\n:::\n")
        right = [choice.key for choice in question.choices]
        shown = [[option.key for option in present(question, variant).options] for variant in range(question.variants)]
        assert right not in shown
        assert all(sorted(keys) == sorted(right) for keys in shown)


@pytest.mark.parametrize("body", [CHOICE, CHOICES])
def test_every_option_stands_in_every_place_equally_often(body: str) -> None:
    question, _ = read(body)
    assert question
    places = [
        [option.key for option in present(question, variant).options].index(question.choices[0].key)
        for variant in range(question.variants)
    ]
    assert len({places.count(place) for place in range(len(question.choices))}) == 1


@pytest.mark.parametrize(
    ("typed", "correct"),
    [
        ("(2, 3)\n\n  [[0 0 0]\n   [0 0 0]]", True),
        ("(2,3)  \r\n\r\n  [[0 0 0]\r\n   [0 0 0]]\r\n\r\n", True),
        ("(2, 3)\n\n  [[0 0 0] [0 0 0]]", True),
        ("(2, 3)\n\n[[0 0 0]\n   [0 0 0]]", False),
        ("(2, 3)\n  [[0 0 0]\n   [0 0 0]]", False),
        ("(2, 30)\n\n  [[0 0 0]\n   [0 0 0]]", False),
        ("(2, 3)\n\n  [[0 00]\n   [0 0 0]]", False),
        ("everything", False),
    ],
)
def test_what_is_printed_is_compared_without_what_cannot_be_seen(typed: str, correct: bool) -> None:
    judged = judge_answer(sound(PREDICT), 0, typed)
    assert judged.correct == correct
    assert judged.score == correct


def test_a_wrong_prediction_is_told_where_it_goes_wrong() -> None:
    question = sound(PREDICT)
    for typed, told in [
        ("(3, 2)\n[[0 0 0]\n[0 0 0]]", "Rows first."),
        ("(2, 3)", "It prints 3 lines; you typed 1."),
        ("(2, 3)\n\n[1]", "Line 3 is the first"),
    ]:
        assert told in (judge_answer(question, 0, typed).feedback_html or ""), typed
    assert 'class="code" data-language="python"' in present(question, 0).prompt_html


def test_several_keys_that_are_none_cost_no_attempt() -> None:
    for body in (CHOICES.replace("ids", "ids -- no"), ORDER):
        question = sound(body)
        first = question.choices[0].key
        for answer in ([], [first, "nokey"], "key", None, 3, [1], [[first]], {first: 1}, [first] * 50, [first, None]):
            with pytest.raises(UnreadableAnswer) as caught:
                judge_answer(question, 0, answer)
            assert caught.value.hint
    with pytest.raises(UnreadableAnswer, match="Some lines have no number, or share one"):
        judge_answer(question, 0, [first] * 4)


@pytest.mark.parametrize(
    ("typed", "read_as"),
    [
        ("0.39M", "390,000"), ("393k", "393,000"), ("3.9e5", "390,000"), ("0.39 million", "390,000"),
        ("393.2k parameters", "393,200"), ("393 thousand", "393,000"), ("512 * 768", "512 × 768 = 393,216"),
        (".39M", "390,000"), ("about 393k", "393,000"), ("3.93E+5", "393,000"), ("~ 0.39M", "390,000"),
        ("≈ 512 by 768 parameters", "512 × 768 = 393,216"), ("512*768 ≈ 0.39M", "512 × 768 = 393,216"),
        ("393k = 512*768", "512 × 768 = 393,216"), ("= ~393k", "393,000"), ("512*768 = ~0.39M", "512 × 768 = 393,216"),
        ("approx. 0.39 million numbers in all", "390,000"),
    ],
)  # fmt: skip
def test_a_count_with_a_tolerance_may_be_rounded_and_short(typed: str, read_as: str) -> None:
    question = sound(COUNT.replace(":answer:", ":rtol: 0.01\n:answer:"))
    judged = judge_answer(question, variant_of(question, max_len=512, d_model=768), typed)
    assert judged.correct
    assert judged.read_as == read_as


@pytest.mark.parametrize(("typed", "said"), [("0.5M", None), ("4M", None), ("0.3932165k", "whole"), ("12.M5", "12.M5"),
    ("512*768 = 0.38M", "not equal")])  # fmt: skip
def test_what_is_out_of_tolerance_is_wrong_or_unreadable(typed: str, said: str | None) -> None:
    question = sound(COUNT.replace(":answer:", ":rtol: 0.01\n:answer:"))
    if said is None:
        assert not judge_answer(question, 3, typed).correct
    else:
        with pytest.raises(UnreadableAnswer) as caught:
            judge_answer(question, 3, typed)
        assert said in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    "typed",
    ["25%", "25 %", "25 percent", "１/４", "¼", "0.25 seconds", "0.25 MB", "0.25.", ".25", "25*10**-2", "25·10⁻²",
     "~0.25", "≈ 0.25", "about 0.25", "approx. 0.25", "0.5*0.5 seconds", "1/4 = 0.25", "1/4 = 25%", "0.2512 ≈ 0.25"],
)  # fmt: skip
def test_a_number_is_read_as_people_write_it(typed: str) -> None:
    assert judge_answer(sound(NUMBER), 0, typed).correct


@pytest.mark.parametrize("typed", ["1/4 = 0.26", "0.25 million", "2 thousand", "~", "about a quarter", "≈"])
def test_a_number_that_says_two_things_or_none_is_not_read(typed: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        judge_answer(sound(NUMBER), 0, typed)
    assert caught.value.hint


def test_a_percentage_that_is_asked_for_needs_no_sign() -> None:
    question = sound(
        ":type: number\n:answer: 25%\n:mistake: 75% -> The rest.\nWhat share, in percent?\n"
        ":::{explain}\n{{answer}}\n:::\n"
    )
    for typed in ("25", "25%", "25 per cent"):
        judged = judge_answer(question, 0, typed)
        assert judged.correct
        assert judged.read_as == "25 % = 0.25"
        assert judged.explanation_html == "<p>25%</p>\n"
    assert "The rest." in (judge_answer(question, 0, "75").feedback_html or "")
    assert not judge_answer(question, 0, "0.25").correct


@pytest.mark.parametrize(
    "typed",
    [
        "x.shape == (N, T, d_model)", "Shape: [N, T, d_model]", "float32[N, T, d_model]", "f32[N,T,d_model]",
        "TensorShape([N, T, d_model])", "( N , T , d_model )", "tuple([N, T, d_model])",
    ],
)  # fmt: skip
def test_a_shape_is_read_as_libraries_print_it(typed: str) -> None:
    assert judge_answer(sound(SHAPE), 0, typed).correct


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        (without(CHOICES, "- [ ]", "- [x]"), 10, "No option is wrong"),
        (without(CHOICES, "- [x]", "- [ ]"), 10, "No option is right"),
        (without(ORDER, "Project", "Add"), 10, "Two lines are the same"),
        (without(ORDER, "   to {{n}} rows", "   to rows").replace("1. Normalise", "1. Attend\n   to rows"), 10, "same"),
        (without(ORDER, ":type: order\n", ":type: order\n:shuffle: false\n"), 10, "always shuffled"),
        (without(ORDER, ":type: order\n", ":type: order\n:answer: 1\n"), 10, "no `:answer:`"),
        (without(PREDICT, "```python\nprint(({{n}}, 3))\n```\n"), 10, "no code whose output"),
        (without(PREDICT, ":type: predict\n", ":type: predict\n:framework: cobol\n"), 12, "cobol"),
        (without(COUNT, ":type: count\n", ":type: count\n:framework: jax\n"), 12, "has no meaning here"),
        (without(PREDICT, "(3, {{n}})\\n", "({{n}}, 3)\\n\\n  "), 18, "equals the right answer"),
        (without(NUMBER, ":tolerance: 0.005\n").replace("d = 4", "d = 3"), 10, "give a `:tolerance:`"),
        (without(NUMBER, ":mistake: d", ":mistake: 1/d + 0.001"), 15, "is judged right"),
        (without(COUNT, ":mistake: max_len +", ":mistake: max_len -> One.\n:mistake: max_len + 0 *"), 15, "ever sees"),
        (without(COUNT, "max_len + d_model", "max_len / 3"), 14, "no answer of this type"),
    ],
)  # fmt: skip
def test_a_question_that_cannot_be_proved_is_a_fault(body: str, line: int, said: str) -> None:
    question, faults = read(body)
    assert question is None
    errors = [fault for fault in faults if fault.severity == "error"]
    assert any(said in f"{fault.message} {fault.hint}" and fault.line == line for fault in errors), faults


def test_mistakes_that_meet_in_one_variant_are_a_warning() -> None:
    question, faults = read(COUNT.replace("max_len ->\n", "2 * d_model ->\n").replace("128 |", "64 |"))
    assert question
    assert [fault.severity for fault in faults] == ["warning"]
    assert "gets the text of another" in faults[0].message
    assert "max_len = 64, d_model = 64" in faults[0].message


def test_the_examples_of_each_type_in_the_documentation_are_sound() -> None:
    text = (ROOT / "docs" / "authoring.md").read_text()
    bodies = [body for _, body in re.findall(r"^(`{3,})\n(:type: .*?)^\1$", text, re.DOTALL | re.MULTILINE)]
    questions = [sound(f"{body}:::{{explain}}\n{{{{answer}}}}\n:::\n") for body in bodies]
    assert {question.type for question in questions} == set(KINDS) - {"choice"}
    assert {question.type for question in questions if question.mistakes} >= {"shape", "count", "number", "text"}


CLOZE = """\
:type: cloze
A table has [[rows]] rows.
:::{gap} rows
:type: count
:answer: 4
:::
It is small.
:::{explain}
Since it is.
:::
"""


@pytest.mark.parametrize("body", [COUNT, SHAPE, CHOICE, CLOZE])
def test_what_is_told_after_an_answer_makes_no_other_question(body: str) -> None:
    """As its author says something to a wrong answer, or to each: reviews and answers are still of this question."""
    question = sound(body)
    line = ":mistake: 5 -> Look again." if "count" in body else ":mistake: (T, N) -> Look again."
    line = ":right: Good." if body is CHOICE else line
    at = body.index(":answer:") if ":answer:" in body else body.index("\n") + 1
    for more in (body[:at] + f"{line}\n" + body[at:], body.replace("Since it is.", "Since it is.\n\nIndeed.")):
        assert sound(more).content_hash == question.content_hash
    asked = "What comes" if body is SHAPE else "table" if "table" in body else "Which"
    assert sound(body.replace(asked, "Of which")).content_hash != question.content_hash


def test_an_empty_line_of_a_program_is_a_part_of_the_question() -> None:
    code = ":type: predict\n:answer:\n  1\nWhat?\n```python\nprint(1)\n\n\n```\n:::{explain}\nSo.\n:::\n"
    assert sound(code).content_hash != sound(code.replace("\n\n\n", "\n\n")).content_hash
