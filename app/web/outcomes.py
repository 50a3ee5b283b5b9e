"""What came of a submission, a run or a trace, in a word, a mark and a tone of colour.

Only a submission is ever "Accepted": a run that is right says so in other words, with another mark and in another
colour, so that nobody takes it for credit. The verdict in JSON is the same for all of them.
"""

from graders.verdict import CaseResult, Verdict

VERDICT_WORDS = {
    Verdict.accepted: "Accepted",
    Verdict.wrong_answer: "Wrong answer",
    Verdict.runtime_error: "Runtime error",
    Verdict.time_limit: "Out of time",
    Verdict.memory_limit: "Out of memory",
    Verdict.output_limit: "Too much output",
    Verdict.invalid_submission: "Invalid submission",
    Verdict.internal_error: "Internal error",
}
TONES = {
    Verdict.accepted: "good",
    Verdict.wrong_answer: "bad",
    Verdict.runtime_error: "bad",
    Verdict.time_limit: "limit",
    Verdict.memory_limit: "limit",
    Verdict.output_limit: "limit",
    Verdict.invalid_submission: "bad",
    Verdict.internal_error: "ours",
}
PASSES = {"run": "Samples pass", "trace": "Sample passes"}


def _only_passes(verdict: Verdict | None, kind: str) -> bool:
    return verdict == Verdict.accepted and kind != "submit"


def outcome_word(verdict: Verdict | None, kind: str, has_own_input: bool = False) -> str:
    """`kind` is submit, run or trace; `has_own_input`: it ran on an input that the student typed."""
    if verdict is None:
        return "Not judged"
    if _only_passes(Verdict(verdict), kind):
        return "Your input passes" if has_own_input else PASSES[kind]
    return VERDICT_WORDS[Verdict(verdict)]


def outcome_icon(verdict: Verdict | None, kind: str) -> str:
    """A name in templates/_icons.html."""
    return "passes" if _only_passes(verdict, kind) else str(verdict) if verdict else "not_judged"


def outcome_tone(verdict: Verdict | None, kind: str) -> str:
    """A class in css/submissions.css."""
    return "trial" if _only_passes(verdict, kind) else TONES[Verdict(verdict)] if verdict else "waiting"


def case_word(case: CaseResult, kind: str) -> str:
    """The word for one case among others."""
    return "Passes" if _only_passes(case.verdict, kind) else outcome_word(case.verdict, kind)
