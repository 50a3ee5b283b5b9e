"""`choices`: several options may be right, and each earns a part.

Each right option that is picked earns an equal share of 1, each wrong one costs an equal share of 1, never below 0:
picked right / right − picked wrong / wrong. It is the rule `false` of R/exams (Grün and Zeileis, "Automatic Generation
of Exams in R", Journal of Statistical Software 29(10), 2009; `exams_eval`). Picking all or nothing earns 0, and so does
guessing in the long run; where the wrong picks are counted against the right options only (PrairieLearn's `PC`),
picking everything earns something as soon as more options are right than wrong.

An author may weigh options: `[40%]` earns that much, `[-25%]` costs it. Right ones that are marked `[x]` share equally
what is left of 100%.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from app.content.expression import UnreadableAnswer
from app.content.questions import picks
from app.content.questions.kind import TASK_LIST, Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

NAME = "choices"
WRITTEN = Written("options", options=replace(TASK_LIST, part_is_right=True))
REMEDY = picks.REMEDY
placeholder = picks.placeholder
answer_text = picks.answer_text
shown_answer = picks.shown_answer
WIDGET = Widget("quizzes/questions/_choices.html", "quizzes/questions/_options.review.html", "keys", picks.picked)


def read(question: Question, values: Values, answer: list[str]) -> Reading:
    picked = frozenset(answer)
    if not picked:
        raise UnreadableAnswer("No option is picked.", "Choose all that apply, then send the answer.")
    if picked - {choice.key for choice in question.choices}:
        raise UnreadableAnswer("That is not one of the options.", "Load the question again, then pick.")
    return Reading(picked)


def judge(question: Question, values: Values, picked: frozenset[str]) -> Outcome:
    right = picks.right_keys(question)
    wrong = [choice.key for choice in question.choices if not choice.right]
    score = choices_credit(picked, weights(question))
    feedback = [
        f"- {_indented(choice.text)}\n\n  {_indented(choice.feedback)}"
        for choice in question.choices
        if choice.key in picked and choice.feedback
    ]
    counted = [] if score == 1 else [_counted(len(picked & set(right)), len(right), len(picked & set(wrong)))]
    return Outcome(score, "\n\n".join([*counted, *feedback]) or None)


def weights(question: Question) -> dict[str, Fraction]:
    """What each option adds to the share that is earned, by key: those that are right come to 1."""
    stated = [choice for choice in question.choices if choice.credit is not None]
    right = [choice for choice in question.choices if choice.right and choice.credit is None]
    wrong = [choice for choice in question.choices if not choice.right and choice.credit is None]
    left = 1 - sum(choice.credit or 0 for choice in stated if choice.right)
    return {
        **{choice.key: choice.credit or Fraction(0) for choice in stated},
        **{choice.key: Fraction(left) / len(right) for choice in right},
        **{choice.key: Fraction(-1, len(wrong)) for choice in wrong},
    }


def choices_credit(picked: Collection[str], weights: Mapping[str, Fraction]) -> float:
    """Picking all that is right, and nothing else, earns 1."""
    return float(max(Fraction(0), sum((weights[key] for key in picked), Fraction(0))))


def _counted(hits: int, right: int, misses: int) -> str:
    """Of how many, not of which: `You picked 3 of the 4 right ones, and one that is wrong.`"""
    hit = f"the {'one' if right == 1 else right} right {'one' if right == 1 else 'ones'}"
    hit = hit if hits == right else f"{hits or 'none'} of {hit}"
    wrong = "one that is wrong" if misses == 1 else f"{misses} that are wrong"
    return f"You picked {hit}{f', and {wrong}' if misses else ''}."


def _indented(text: str) -> str:
    """As what a list item goes on with."""
    return text.replace("\n", "\n  ")


def faults(question: Question) -> Iterator[Fault]:
    return picks.marked_faults(question, _own_faults(question))


def _own_faults(question: Question) -> Iterator[Fault]:
    if len(picks.right_keys(question)) == len(question.choices):
        hint = "Add a wrong one; without it, picking all of them is always right."
        yield question.fault(question.line, "No option is wrong.", hint)
        return
    weighed = weights(question)
    for choice in question.choices:
        if choice.credit == 0 or weighed[choice.key] < -1 or (choice.right and weighed[choice.key] <= 0):
            message = f"An option cannot count {picks.percent(weighed[choice.key])}."
            hint = "Right ones earn a part, `[40%]`, and come to 100% together; wrong ones cost one, `[-25%]`."
            yield question.fault(choice.line, message, hint)
            return
    total = sum(weighed[choice.key] for choice in question.choices if choice.right)
    if total != 1:
        message = f"The right options earn {picks.percent(total)} together, not 100%."
        yield question.fault(question.line, message, "Correct the percentages, or mark one of them `[x]`.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    """All that are right; every set that is off by one; all options."""
    right = picks.right_keys(question)
    yield Try(right, "`all that are right`", is_right=True)
    for choice in question.choices:
        if right != [choice.key]:
            yield Try(sorted({*right} ^ {choice.key}), f"`{choice.text}`")
    yield Try([choice.key for choice in question.choices], "`all options`")
