"""Runs the publish gate on everything that ships, and writes `docs/scores.md`: `python -m benchmarks.scores`.

The gate takes minutes, most of them for mutants, so that the tests run it on a few exercises alone. For the others they
hold `docs/scores.md` to the files: after changing an exercise, run this again.
"""

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from graders.exercise.reader import read_exercise

ROOT = Path(__file__).resolve().parent.parent
SCORES = ROOT / "docs" / "scores.md"
LEAST = 0.95
HEAD = """# Scores of the exercises that ship

What `./lectern check` says of each: no error and no warning, and how many mutants of its reference its cases kill.
Mutants that no input tells from the reference are not counted. `.venv/bin/python -P -m benchmarks.scores` writes this
file; a test holds it to the files of the exercises.
"""


def hash_of(slug: str) -> str:
    """Of the exercise's files, as its revisions are named by it."""
    return read_exercise(ROOT / "exercises" / slug).content_hash[:16]


def main() -> int:
    began = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "app", "check", "--json"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - began
    found = json.loads(ran.stdout)
    for fault in found["faults"]:
        print(f"{fault['path']}:{fault['line']}: {fault['severity']}: {fault['message']}")
    lines = [HEAD]
    lines.append(
        f"{datetime.now(UTC):%-d %B %Y}: {len(found['exercises'])} exercises and "
        f"{len(list(ROOT.glob('lessons/*/course.toml')))} courses in {seconds / 60:.1f} minutes on "
        f"{len(os.sched_getaffinity(0))} cores; {len(found['faults'])} faults and warnings.\n"
    )
    lines += ["| exercise | mutants | killed | not counted | score | files |", "|---|--:|--:|--:|--:|---|"]
    for slug, counts in sorted(found["exercises"].items()):
        score = counts["killed"] / max(1, counts["mutants"] - counts["equivalent"])
        lines.append(
            f"| {slug} | {counts['mutants']} | {counts['killed']} | {counts['equivalent']} | {score:.0%} | "
            f"`{hash_of(slug)}` |"
        )
        if score < LEAST:
            print(f"{slug}: {score:.0%} of its mutants are killed")
    SCORES.write_text("\n".join(lines) + "\n")
    return 0 if found["ok"] and not found["faults"] else 1


if __name__ == "__main__":
    sys.exit(main())
