"""A sentence about the source that explains the outcome, or silence.

Each look reads the tree and the outcomes, and yields what it finds only where both agree. Of all findings the first in
`ORDER` is shown. Of the weaker ones, from "unused_argument" on, none is shown where there are two, since a wrong reason
is worse than none.

    attack: learn a hidden input from the sentence.
    defence: for a hidden case it is a fixed sentence of ours. Which one it is tells a few bits, as for `diagnose`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from graders.boxes.reply import CallOutcome
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.reasons.diagnose import is_vague
from graders.reasons.pairs import Diagnosis
from graders.reasons.repairs.edit import Edit
from graders.reasons.repairs.sentences import sentence
from graders.reasons.source import arguments, dropped, endless, greedy, loops, modules, operators, randomness, uncalled
from graders.reasons.source.evidence import Evidence, evidence_of
from graders.reasons.source.finding import ORDER, Finding
from graders.reasons.source.program import Program, read_program

MAX_SECONDS = 0.1  # of processor time, for all looks: they take a hundredth of it

_Look = Callable[[Program, Evidence], Iterator[Finding]]
_LOOKS: tuple[_Look, ...] = (
    *uncalled.LOOKS, *dropped.LOOKS, *loops.LOOKS, *endless.LOOKS, *arguments.LOOKS, *operators.LOOKS,
    *randomness.LOOKS, *greedy.LOOKS, *modules.LOOKS,
)  # fmt: skip
ORIGIN = "Where it comes from:"  # between what the numbers show and the change that makes them right
_MEANT_RIGHT = ("dropped", "shared", "shared_rows", "input_changed", "self_missing", "class_for_self", "loop_name")
_WEAK = ORDER[ORDER.index("unused_argument") :]


def look_at_source(
    source: str,
    framework: str,
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
) -> Finding | None:
    """What in the source explains the outcomes. `outcomes` and `wrong` use indices into `cases`. Never raises."""
    evidence = evidence_of(exercise, framework, cases, outcomes, wrong)
    program = read_program(source, exercise.entries) if evidence.wrong else None
    if program is None:
        return None
    began, found = time.thread_time(), list[Finding]()
    for look in _LOOKS:
        found += look(program, evidence)
        if time.thread_time() - began > MAX_SECONDS:
            return None
    found.sort(key=lambda finding: (ORDER.index(finding.name), finding.line))
    if not found or (found[0].name in _WEAK and len({finding.name for finding in found}) > 1):
        return None
    return found[0]


def with_repair(found: Finding | None, repair: Edit | None) -> Finding | None:
    """The finding to be told, where a change to the source makes every case right: the change itself, unless a look
    that is not weak has found more to say. If that is about the same line, it is confirmed."""
    if repair is None:
        return found
    if found is not None and (found.name not in _WEAK or found.line == repair.line):
        return replace(found, is_confirmed=found.line == repair.line)
    return Finding("repaired", repair.line, sentence(repair, sample=True), sentence(repair, sample=False))


def beside_mistake(feedback: str, repair: Edit | None, sample: bool) -> str:
    """An author's sentence for a known mistake; where it comes from a result that is dropped, or that is shared, that
    goes before it, since what the student meant is right."""
    if repair is None or repair.kind not in _MEANT_RIGHT:
        return feedback
    return f"{sentence(repair, sample)} {feedback}"


def explanation(found: Finding | None, diagnosis: Diagnosis | None, message: str, sample: bool) -> str | None:
    """The sentence for one wrong case; None where nothing explains it.

    A finding that the outcome proves goes before `message`, the author's own for this case, and both are shown; the
    change that makes it right goes behind it. Any other finding gives way to `message`. It comes after a diagnosis
    that fits the numbers, and before one that is vague or that the finding explains.
    """
    of_source = found.sentence(sample) if found is not None else ""
    if message and found is not None and found.name == "repaired":
        return f"{message} {ORIGIN} {of_source}"
    if message:
        return f"{of_source} {message}" if found is not None and found.is_proved and of_source else message
    if found is not None and found.name == "repaired" and diagnosis is not None:
        return f"{diagnosis.sentence(sample)} {ORIGIN} {of_source}"
    if (
        found is not None
        and of_source
        and (diagnosis is None or is_vague(diagnosis) or found.explains(diagnosis.name) or found.is_proved)
    ):
        return of_source
    return diagnosis.sentence(sample) if diagnosis is not None else None
