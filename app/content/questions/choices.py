"""`choices`: several options may be right, and each earns a part.

Each right option that is picked earns an equal share of 1, each wrong one costs an equal share of 1, never below 0:
picked right / right − picked wrong / wrong. It is the rule `false` of R/exams (Grün and Zeileis, "Automatic Generation
of Exams in R", Journal of Statistical Software 29(10), 2009; `exams_eval`). Picking all or nothing earns 0, and so does
guessing in the long run; where the wrong picks are counted against the right options only (PrairieLearn's `PC`),
picking everything earns something as soon as more options are right than wrong.
"""

from collections.abc import Collection, Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import picks
from app.content.questions.kind import Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

NAME = "choices"
WRITTEN = Written()
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
    score = choices_credit(picked, right, wrong)
    feedback = [
        f"- {_indented(choice.text)}\n\n  {_indented(choice.feedback)}"
        for choice in question.choices
        if choice.key in picked and choice.feedback
    ]
    counted = [] if score == 1 else [_counted(len(picked & set(right)), len(right), len(picked & set(wrong)))]
    return Outcome(score, "\n\n".join([*counted, *feedback]) or None)


def choices_credit(picked: Collection[str], right: Collection[str], wrong: Collection[str]) -> float:
    """Keys picked, of those that are right and those that are wrong. Neither of the two is empty."""
    hits, misses = len(set(picked) & set(right)), len(set(picked) & set(wrong))
    if hits == len(right) and not misses:
        return 1.0
    return max(0.0, hits / len(right) - misses / len(wrong))


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


def tries(question: Question, values: Values) -> Iterator[Try]:
    """All that are right; every set that is off by one; all options."""
    right = picks.right_keys(question)
    yield Try(right, "`all that are right`", is_right=True)
    for choice in question.choices:
        if right != [choice.key]:
            yield Try(sorted({*right} ^ {choice.key}), f"`{choice.text}`")
    yield Try([choice.key for choice in question.choices], "`all options`")
