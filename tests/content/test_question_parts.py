"""Questions with parts: items to be matched, and gaps to be filled."""

import pytest

from app.content.expression import UnreadableAnswer
from app.content.page import Directive
from app.content.questions.asking import Judged, judge_answer, present, read_answer, right_answer
from app.content.questions.question import Question
from app.content.questions.reader import read_question
from graders.exercise.fault import Fault

EXPLAINED = ":::{explain}\nSo: {{answer}}.\n:::\n"
MATCHING = """:type: matching
:given: d = 64 | 128
Match each layer with the shape of its output, for width {{d}}.
- The *embedding* => `(N, T, {{d}})` -- A row for each id.
- The head => `(N, T, V)` -- A score for each token.
- The loss => `()`
- The gradient of the loss => `()`
- => `(N, V)`
"""
CLOZE = """:type: cloze
:given: max_len = 128 | 512; d = 64 | 768
A table of {{max_len}} rows of `d = {{d}}` holds [[total]] numbers; it is [[kind]] and [[how]],
and a batch of `N` ids comes out as [[shape]].

:::{gap} how
:type: choice
- [x] learned -- Yes.
- [50%] fixed -- Only after training.
- [ ] computed -- No formula here.
:::
:::{gap} total
:type: count
:points: 2
:answer: max_len * d
:mistake: max_len + d -> Multiply.
:::
:::{gap} kind
:type: text
:answer: dense | full
:other: The opposite of sparse.
:::
:::{gap} shape
:type: shape
:answer: (N, d)
:::
"""


def read(body: str) -> tuple[Question | None, list[Fault]]:
    question, faults = read_question(Directive("question", "q", body + EXPLAINED, 10), "course", "lesson", "a.md")
    return question, list(faults)


def sound(body: str) -> Question:
    question, faults = read(body)
    assert faults == []
    assert question
    return question


def matched(question: Question, **pairs: str) -> dict[str, str]:
    """By a word of the item, and of the answer."""
    shown = present(question, 0)
    lefts = {word: part.key for word in pairs for part in shown.parts if word in part.html}
    return {lefts[word]: next(one.key for one in shown.options if text in one.html) for word, text in pairs.items()}


RIGHT = {"embedding": "64", "head": "T, V", "The loss": "()", "gradient": "()"}


@pytest.mark.parametrize(
    ("change", "score", "told"),
    [
        ({}, 1, None),
        ({"head": "(N, V)"}, 0.75, "A score for each token."),
        ({"embedding": "()", "head": "()"}, 0.5, "A row for each id."),
        ({"The loss": ""}, 0.75, "3 of the 4 are matched right."),
    ],
)
def test_each_item_that_is_matched_right_earns_a_share(change: dict[str, str], score: float, told: str | None) -> None:
    question = sound(MATCHING)
    judged = judge_answer(question, 0, matched(question, **{k: v for k, v in {**RIGHT, **change}.items() if v}))
    assert (judged.score, judged.correct) == (score, score == 1)
    assert (told or "") in (judged.feedback_html or "")
    assert judged.parts.count(1.0) == round(4 * score)


def test_answers_are_shuffled_and_one_that_two_items_share_is_shown_once() -> None:
    question = sound(MATCHING)
    shown = [present(question, variant) for variant in range(question.variants)]
    assert {len(one.options) for one in shown} == {4}
    assert len({tuple(option.key for option in one.options) for one in shown}) >= 4
    assert shown[0].parts[0].html == "The <em>embedding</em>"
    assert "A row for each id" not in str(shown[0])
    assert right_answer(question, 0).parts[2] == right_answer(question, 0).parts[3]


@pytest.mark.parametrize("answer", [{}, {"x": "y"}, [], "a", {"a": 5}, {str(n): "x" for n in range(9)}])
def test_what_matches_nothing_cannot_be_read(answer: object) -> None:
    with pytest.raises(UnreadableAnswer):
        read_answer(sound(MATCHING), 0, answer)


def test_what_is_not_matched_yet_is_read_back() -> None:
    question = sound(MATCHING)
    assert read_answer(question, 0, matched(question, head="()")) == "1 of 4 matched"
    assert read_answer(question, 0, matched(question, **RIGHT)) is None


def filled(question: Question, total: str, kind: str, how: str, shape: str) -> Judged:
    options = present(question, 0).parts[2].options
    key = next((option.key for option in options if option.html == how), how)
    return judge_answer(question, 0, [total, kind, key, shape])


@pytest.mark.parametrize(
    ("typed", "score", "told"),
    [
        (("128 * 64", "Dense", "learned", "[N, 64]"), 1, "Gap 3: Yes."),
        (("192", "dense", "learned", "(N, d)"), 0.6, "Gap 1: Multiply."),
        (("8,192", "sparse", "learned", "(N, d)"), 0.8, "Gap 2: The opposite of sparse."),
        (("8192", "dense", "fixed", "(N, d)"), 0.9, "Gap 3: Only after training."),
        (("", "dense", "", ""), 0.2, "1 of the 4 gaps is right."),
    ],
)
def test_each_gap_earns_its_points_by_the_rules_of_its_type(
    typed: tuple[str, str, str, str], score: float, told: str
) -> None:
    judged = filled(sound(CLOZE), *typed)
    assert judged.score == pytest.approx(score)
    assert judged.correct == (score == 1)
    assert told in (judged.feedback_html or "")


def test_gaps_stand_in_the_text_and_give_nothing_away() -> None:
    shown = present(sound(CLOZE), 0)
    assert [len(part.options) for part in shown.parts] == [0, 0, 3, 0]
    assert len(shown.pieces) == 5
    assert shown.pieces[0].endswith("holds ")
    assert not {"Multiply", "dense", "total", "Yes."} & {*shown.prompt_html.replace(".", " ").split()}
    assert len({present(sound(CLOZE), 4 * turn).parts[2].options[0].key for turn in range(9)}) == 3


def test_each_gap_is_read_back_and_one_that_cannot_be_read_is_named() -> None:
    question = sound(CLOZE)
    assert read_answer(question, 0, ["128*64", "", "", "N,d"]) == "[1] 128 × 64 = 8,192 [4] (N, 64) [2] empty [3] empty"
    with pytest.raises(UnreadableAnswer) as caught:
        read_answer(question, 0, ["8192", "dense", "", "(N, q)"])
    assert caught.value.message.startswith("Gap 4: The question has no `q`")
    for odd in ([""] * 4, ["1"] * 3, ["1"] * 5, "8192", [1, 2, 3, 4], {"1": "2"}):
        with pytest.raises(UnreadableAnswer):
            read_answer(question, 0, odd)


def test_what_is_right_is_told_part_by_part() -> None:
    assert right_answer(sound(CLOZE), 0).parts == (
        "<code>8,192</code>", "<code>dense</code>", "learned", "<code>(N, 64)</code>",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("body", "piece", "instead", "line", "message"),
    [
        (MATCHING, " => `(N, V)`", " =>", 18, "An item has no answer."),
        (MATCHING, "The head", "The loss", 16, "Two items are the same for d = 64."),
        (MATCHING, "`(N, V)`", "`(N, T, 64)`", 10, "Two answers are the same for d = 64."),
        (MATCHING, "A row for each id.", "{{e}} rows.", 14, "`{{e}}` is not given."),
        (MATCHING, "=> `(N, T, V)`", "", 15, "There is text after the options."),
        (CLOZE, "[[how]]", "how", 16, "The gap `how` stands in the text not at all."),
        (CLOZE, "[[how]]", "[[how]] [[how]]", 16, "stands in the text 2 times"),
        (CLOZE, "[[how]]", "[[how]] [[why]]", 13, "There is no gap `why`."),
        (CLOZE, "[[how]]", "$[[how]]$", 16, "stands where none can be"),
        (CLOZE, "{gap} shape", "{gap} kind", 33, "Two gaps are named `kind`."),
        (CLOZE, "max_len * d\n", "max_len * e\n", 22, "cannot be computed"),
        (CLOZE, ":type: shape", ":type: order", 33, "A gap cannot be of the type `order`."),
        (CLOZE, ":type: shape\n", ":type: shape\n:given: n = 2\n", 33, "a text or values of its own"),
        (CLOZE, ":type: cloze", ":type: text", 16, "This question has no gaps."),
        (CLOZE, "- [ ] computed", "- [x] computed", 16, "2 options are marked right"),
        (CLOZE, "-> Multiply", "-> {{answr}}", 26, "`{{answr}}` is not given"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(body: str, piece: str, instead: str, line: int, message: str) -> None:
    assert piece in body
    found = [fault for fault in read(body.replace(piece, instead, 1))[1] if fault.severity == "error"]
    assert (message in found[0].message, found[0].line) == (True, line), found


ESSAY = """:type: essay
:points: 5
Why does attention need positions?
:::{rubric}
- 2 points: the rows are a set
:::
"""


@pytest.mark.parametrize(
    ("body", "piece", "instead", "line", "message"),
    [
        (ESSAY, ":points: 5", ":answer: because", 10, "A question of type essay has no `:answer:`."),
        (ESSAY, ":points: 5", ":right: yes", 12, "An essay has no `:right:`."),
        (ESSAY, "Why does", "- [x] Why does", 13, "An essay has no options."),
        (ESSAY, "{rubric}", "{explain}", 10, "The essay has no rubric."),
        (ESSAY, ":type: essay", ":type: text", 14, "Only an essay has a rubric."),
        (ESSAY, "the rows", "{{rows}}", 15, "`{{rows}}` is not given."),
    ],
)
def test_what_is_wrong_with_an_essay_is_told_with_its_line(
    body: str, piece: str, instead: str, line: int, message: str
) -> None:
    assert piece in body
    found = read(body.replace(piece, instead, 1))[1]
    assert any(message in fault.message and fault.line == line for fault in found), found


def test_a_program_grades_no_essay_and_its_rubric_is_not_shown() -> None:
    question = sound(ESSAY)
    assert "points:" not in str(present(question, 0))
    assert read_answer(question, 0, "Since order matters.") == "3 words"
    for text in ("Since order matters.", "", "x" * 20_001):
        with pytest.raises(UnreadableAnswer):
            judge_answer(question, 0, text)
