"""Mistakes that no author listed: how many of those in tests/unforeseen the verdicts name.

    .venv/bin/python -P benchmarks/unforeseen.py [seen|held-out] [--show] [--json FILE]

Each program there says in its header what is wrong with it (`# cause:`) and by which words a sentence would name that
(`# names:`, a regular expression). It counts as *named* if the verdict's own sentences match; as *raw* if only the
framework's error message does; as *other words* if they say something that does not match; as *silent* if they say
nothing; as *accepted* if it passes. `--show` prints the sentences, to be read: no expression finds one that misleads.
"""

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graders.boxes.pool import Judge  # noqa: E402
from graders.exercise.definition import Exercise  # noqa: E402
from graders.exercise.reader import read_exercise  # noqa: E402
from graders.exercise.variations import variations_of  # noqa: E402
from graders.frameworks import FRAMEWORKS  # noqa: E402
from graders.grade import Finished, grade  # noqa: E402
from graders.verdict import SubmissionResult, Verdict  # noqa: E402

CORPUS = ROOT / "tests" / "unforeseen"
HALVES = ("seen", "held-out")
PLACES = ("exercises", "tests/exercises")


@dataclass(frozen=True)
class Program:
    """A wrong submission, and what is wrong with it."""

    half: str
    exercise: str
    path: Path
    framework: str
    cause: str
    names: re.Pattern[str]
    source: str


def programs(half: str) -> list[Program]:
    return [_read(half, path) for path in sorted((CORPUS / half).glob("*/*.py"))]


def _read(half: str, path: Path) -> Program:
    text = path.read_text()
    head, _, rest = text.partition("\n# names:")
    names, _, source = rest.partition("\n")
    framework = path.stem.rpartition("-")[2]
    cause = head.removeprefix("# cause:").strip()
    return Program(half, path.parent.name, path, framework, cause, re.compile(names.strip(), re.I), source)


def judged(judge: Judge, exercise: Exercise, program: Program) -> SubmissionResult:
    variations_of(judge, exercise)  # as the server makes them ahead
    *_, last = grade(exercise, program.source.encode(), program.framework, judge)
    assert isinstance(last, Finished)
    return last.result


def sentences(result: SubmissionResult) -> str:
    """All that the verdict says in words of its own."""
    texts = [result.diagnosis, *(case.diagnosis for case in result.cases)]
    texts += [case.error.plain for case in result.cases if case.error]
    return "\n".join(dict.fromkeys(text for text in texts if text))


def raw(result: SubmissionResult) -> str:
    """What it shows of the framework's message, and of the first difference."""
    errors = [f"{case.error.type}: {case.error.message}" for case in result.cases if case.error]
    texts = [case.mismatch.text for case in result.cases if case.mismatch]
    return "\n".join(dict.fromkeys([result.summary or "", *errors[:1], *texts[:1]]))


def standing(result: SubmissionResult, program: Program) -> str:
    if result.verdict == Verdict.accepted:
        return "accepted"
    if program.names.search(sentences(result)):
        return "named"
    if program.names.search(raw(result)):
        return "raw"
    return "other words" if sentences(result) else "silent"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("halves", nargs="*", help=" or ".join(HALVES))
    parser.add_argument("--show", action="store_true", help="print the sentences of each")
    parser.add_argument("--only", default="", help="those whose path holds this")
    parser.add_argument("--json", type=Path, help="write the sentences of each")
    chosen = parser.parse_args()
    folders = {p.parent.name: p.parent for place in PLACES for p in (ROOT / place).glob("*/exercise.toml")}
    entries = []
    with Judge(frameworks=FRAMEWORKS, parked=dict.fromkeys(FRAMEWORKS, 1)) as judge:
        for half in chosen.halves or HALVES:
            counts: Counter[str] = Counter()
            for program in programs(half):
                if chosen.only not in str(program.path):
                    continue
                result = judged(judge, read_exercise(folders[program.exercise]), program)
                how = standing(result, program)
                counts[how] += 1
                place = str(program.path.relative_to(CORPUS))
                entries.append({"path": place, "cause": program.cause, "standing": how, "verdict": result.verdict,
                             "sentences": sentences(result), "raw": raw(result)})  # fmt: skip
                if chosen.show:
                    print(f"\n== {place}: {how}, {result.verdict}\n   cause: {program.cause}")
                    print(f"   says: {sentences(result)}\n   shows: {raw(result)[:400]}")
            total = counts.total()
            print(f"{half}: {total} programs: " + ", ".join(f"{count} {how}" for how, count in counts.most_common()))
    if chosen.json:
        chosen.json.write_text(json.dumps(entries, indent=1))


if __name__ == "__main__":
    main()
