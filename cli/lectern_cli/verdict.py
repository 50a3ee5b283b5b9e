"""A submission in the terminal, as it is judged: each case when it is known, then the verdict and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lectern_cli.terminal import ACCEPTED, COULD_NOT, REJECTED, say, say_in_colour

WORDS = {
    "accepted": "Accepted",
    "wrong_answer": "Wrong answer",
    "runtime_error": "Runtime error",
    "time_limit": "Out of time",
    "memory_limit": "Out of memory",
    "output_limit": "Too much output",
    "invalid_submission": "Invalid submission",
    "internal_error": "Internal error",
}
STEPS = {
    "type": "The output is of another type.",
    "shape": "The shape differs.",
    "dtype": "The dtype differs.",
    "non_finite": "NaN or infinity is in different places.",
    "closeness": "The values differ.",
}
GREEN, RED, YELLOW = 32, 31, 33
WIDTH = 18


def show(changes: Iterable[Mapping[str, Any]]) -> int:
    """Says each change as it comes. Returns the exit status that fits the verdict."""
    shown = _Shown()
    submission: Mapping[str, Any] = {}
    for submission in changes:
        shown.update(submission)
    return shown.end(submission)


class _Shown:
    def __init__(self) -> None:
        self._cases = 0
        self._waiting = ""
        self._sentences: set[str] = set()
        self._explained = False

    def update(self, submission: Mapping[str, Any]) -> None:
        self._say_waiting(submission)
        judged = [case for case in submission.get("cases") or [] if case.get("verdict")]
        for case in judged[self._cases :]:
            self._case(case)
        self._cases = max(self._cases, len(judged))

    def _say_waiting(self, submission: Mapping[str, Any]) -> None:
        place = submission.get("queue_position")
        words = f"Waiting, number {place} in the queue …" if place else "Judging …"
        if submission.get("state") != "finished" and words != self._waiting:
            self._waiting = words
            say(words)

    def _case(self, case: Mapping[str, Any]) -> None:
        word = WORDS.get(str(case["verdict"]), str(case["verdict"]))
        time = f"  {case['wall_ms']:.3g} ms" if isinstance(case.get("wall_ms"), (int, float)) else ""
        name = f"{case.get('name')}{' (sample)' if case.get('sample') else ''}"
        say_in_colour(_colour(case["verdict"]), f"  {word:<{WIDTH}}", f"{name}{time}")
        if case["verdict"] != "accepted":
            self._explain(case)

    def _explain(self, case: Mapping[str, Any]) -> None:
        for sentence in filter(None, (_mismatch(case), _error(case), case.get("diagnosis"))):
            self._once(str(sentence), "    ")
        if case.get("sample") and not self._explained:
            self._explained = True
            _values(case)

    def _once(self, sentence: str, indent: str = "") -> None:
        if sentence not in self._sentences:
            self._sentences.add(sentence)
            for line in sentence.splitlines():
                say(f"{indent}{line}")

    def end(self, submission: Mapping[str, Any]) -> int:
        verdict = str(submission.get("verdict"))
        left = sum(not case.get("verdict") for case in submission.get("cases") or [])
        if left:
            say(f"  {'Not judged':<{WIDTH}}{'the other case' if left == 1 else f'the other {left} cases'}")
        say()
        score = submission.get("score")
        part = f", score {score:.0%}" if isinstance(score, (int, float)) and 0 < score < 1 else ""
        about = f"  (submission {submission.get('id')} in {submission.get('framework')}{part})"
        say_in_colour(_colour(verdict), WORDS.get(verdict, verdict), about)
        for sentence in filter(None, (submission.get("diagnosis"), submission.get("summary"))):
            self._once(str(sentence))
        if verdict == "internal_error":
            say("This is the server's fault, not yours: send it again in a few minutes.")
        return {"accepted": ACCEPTED, "internal_error": COULD_NOT}.get(verdict, REJECTED)


def _colour(verdict: Any) -> int:
    limits = ("time_limit", "memory_limit", "output_limit")
    return GREEN if verdict == "accepted" else YELLOW if verdict in limits else RED


def _mismatch(case: Mapping[str, Any]) -> str | None:
    mismatch = case.get("mismatch")
    return mismatch and (mismatch.get("text") or STEPS.get(str(mismatch.get("step"))))


def _error(case: Mapping[str, Any]) -> str | None:
    error = case.get("error")
    if not error:
        return None
    line = f" on line {error['line']} of your code" if error.get("line") else ""
    message = f": {error['message']}" if error.get("message") else ""
    return f"{error.get('type')}{line}{message}"


def _values(case: Mapping[str, Any]) -> None:
    """What was expected and what came, and what the student's code printed."""
    mismatch = case.get("mismatch") or {}
    for title, value in (("expected", mismatch.get("expected")), ("yours", mismatch.get("actual"))):
        if value is not None:
            say(f"      {title:<9} {value}")
    if case.get("stdout"):
        say("      printed:")
        for line in str(case["stdout"]).splitlines()[:40]:
            say(f"        {line}")
