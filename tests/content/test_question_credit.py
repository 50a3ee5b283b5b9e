"""What a question counts, the part that an answer earns, and what its author says of it."""

import pytest

from app.content.page import Directive
from app.content.questions.asking import judge_answer, present
from app.content.questions.question import Question
from app.content.questions.reader import read_question
from graders.exercise.fault import Fault

EXPLAINED = ":::{explain}\nSo.\n:::\n"
TEXT = """:type: text
:points: 2.5
:answer: learned | learnt
:partly: 80% lerned | learnd -> Mind the spelling.
:mistake: sinusoidal -> Those are computed.
:right: Yes, `{{answer}}`: each row is a parameter.
:other: Think of what the optimiser changes.
What are the rows of a trained table?
"""
CHOICE = """:type: choice
Which?
- [x] right -- Yes.
- [50%] half -- Nearly.
- [ ] wrong -- No.
"""
CHOICES = """:type: choices
:right: All of them.
Which?
- [60%] most -- Most of it.
- [x] rest -- The rest.
- [-25%] slip -- A slip.
- [ ] blunder -- A blunder.
"""


def read(body: str) -> tuple[Question | None, list[Fault]]:
    question, faults = read_question(Directive("question", "q", body + EXPLAINED, 10), "course", "lesson", "a.md")
    return question, list(faults)


def sound(body: str) -> Question:
    question, faults = read(body)
    assert faults == []
    assert question
    return question


def keys(question: Question, *texts: str) -> list[str]:
    return [option.key for option in present(question, 0).options if option.html in texts]


@pytest.mark.parametrize(
    ("typed", "score", "told"),
    [
        ("Learnt", 1, "Yes, <code>learned</code>"),
        ("lerned", 0.8, "Mind the spelling."),
        ("sinusoidal", 0, "Those are computed."),
        ("frozen", 0, "Think of what"),
    ],
)
def test_each_typed_answer_earns_its_part_and_is_told_its_own_text(typed: str, score: float, told: str) -> None:
    judged = judge_answer(sound(TEXT), 0, typed)
    assert judged.score == pytest.approx(score)
    assert judged.correct == (score == 1)
    assert told in (judged.feedback_html or "")
    assert (judged.feedback_html or "").count("<p>") == 1


def test_what_is_said_of_any_other_answer_comes_before_what_its_type_says() -> None:
    shape = sound(":type: shape\n:answer: (N, T)\n:other: Look again.\n`N` rows of `T`?\n")
    feedback = judge_answer(shape, 0, "(N,)").feedback_html or ""
    assert feedback.index("Look again.") < feedback.index("Your shape has 1 axis")


@pytest.mark.parametrize(("picked", "score"), [("right", 1), ("half", 0.5), ("wrong", 0)])
def test_an_option_of_a_choice_may_earn_a_part(picked: str, score: float) -> None:
    question = sound(CHOICE)
    judged = judge_answer(question, 0, keys(question, picked)[0])
    assert (judged.score, judged.correct) == (score, score == 1)


@pytest.mark.parametrize(
    ("picked", "score"),
    [
        (("most", "rest"), 1),
        (("most",), 0.6),
        (("rest",), 0.4),
        (("most", "slip"), 0.35),
        (("most", "rest", "slip"), 0.75),
        (("most", "rest", "blunder"), 0),
        (("slip",), 0),
    ],
)
def test_options_weigh_what_their_author_says(picked: tuple[str, ...], score: float) -> None:
    question = sound(CHOICES)
    judged = judge_answer(question, 0, keys(question, *picked))
    assert judged.score == pytest.approx(score)
    assert judged.correct == (score == 1)
    assert ("All of them." in (judged.feedback_html or "")) == judged.correct


@pytest.mark.parametrize(
    ("body", "piece", "instead", "line", "message"),
    [
        (TEXT, "2.5", "0", 12, "`:points: 0` is not a number of points."),
        (TEXT, "2.5", "1001", 12, "is not a number of points"),
        (TEXT, "2.5", "two", 12, "`:points: two` is not"),
        (TEXT, "80% lerned | learnd ->", "lerned ->", 14, "does not say what it earns"),
        (TEXT, "80%", "100%", 14, "does not say what it earns"),
        (TEXT, " -> Mind the spelling.", "", 14, "has no text for the student"),
        (TEXT, "lerned | learnd", "learnt", 14, "is judged right"),
        (TEXT, "Yes, `{{answer}}`: each row is a parameter.", "", 16, "`:right:` says nothing."),
        (TEXT, "{{answer}}", "{{row}}", 16, "`{{row}}` is not given."),
        (CHOICE, "[50%]", "[-50%]", 14, "cannot earn -50%"),
        (CHOICE, "[x]", "[90%]", 10, "No option is right."),
        (CHOICES, "[60%]", "[100%]", 15, "An option cannot count 0%"),
        (CHOICES, "[x] rest", "[30%] rest", 10, "earn 90% together, not 100%"),
        (CHOICES, "[-25%]", "[0%]", 16, "An option cannot count 0%"),
        (CHOICES, "[-25%]", "[-125%]", 16, "An option cannot count -125%"),
        (CHOICES, ":right:", ":other:", 12, "`:other: All of them.` has no meaning here."),
        (CHOICES, ":right:", ":partly: 50% most ->", 12, "has no meaning here."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(body: str, piece: str, instead: str, line: int, message: str) -> None:
    assert piece in body
    faults = read(body.replace(piece, instead))[1]
    assert len(faults) == 1, faults
    assert (message in faults[0].message, faults[0].line) == (True, line), faults


def test_a_question_that_has_none_of_it_keeps_its_hash_and_another_credit_makes_another_question() -> None:
    plain = sound(CHOICE.replace("[50%]", "[ ]"))
    assert plain.former_hash == "f698ae2393ea5b3fede5739724615e6d1ca70facce661d8474ff4789acf1abd1"
    assert sound(CHOICE).content_hash != plain.content_hash != sound(CHOICE.replace("50", "40")).content_hash
    assert sound(TEXT).content_hash == sound(TEXT.replace("2.5", "4").replace("Mind", "Watch")).content_hash
    assert sound(TEXT).content_hash != sound(TEXT.replace("80%", "70%")).content_hash
