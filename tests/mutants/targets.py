"""What is mutated, and by which tests each fault must be found. This table is all that knows where our modules are."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Target:
    """Modules that do one thing together (`sources`: paths, or patterns of them), and the tests nearest to them.

    A mutant of any of these modules is tried on all of these tests, so a few quick files do better than many.
    """

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self, root: Path = ROOT) -> dict[str, str]:
        """The text of each module, by path. Raises FileNotFoundError, with the line to correct, for what has moved."""
        for test in self.tests:
            if not (root / test).is_file():
                raise FileNotFoundError(_moved(self.name, test))
        found: dict[str, str] = {}
        for source in self.sources:
            paths = sorted(path for path in root.glob(source) if path.name != "__init__.py")
            if not paths:
                raise FileNotFoundError(_moved(self.name, source))
            found |= {str(path.relative_to(root)): path.read_text() for path in paths}
        return found


def _moved(target: str, path: str) -> str:
    return f"{target!r} names {path}, which is not there: correct the table in tests/mutants/targets.py."


TARGETS = (
    Target("turns", ("app/queue/turns.py",), ("tests/app/test_turns.py", "tests/app/test_queue.py")),
    Target(
        "queue",
        ("app/queue/local.py", "app/queue/recorder.py", "app/queue/hold.py", "app/practice/gradings.py"),
        ("tests/app/test_queue.py", "tests/app/test_fair.py"),
    ),
    Target(
        "identity",
        (
            "app/people/identity.py",
            "app/people/accounts.py",
            "app/people/passwords.py",
            "app/people/sessions.py",
            "app/people/permission.py",
            "app/people/users.py",
            "app/people/guests.py",
            "app/web/credentials.py",
        ),
        (
            "tests/app/test_permission.py",
            "tests/app/test_sessions.py",
            "tests/app/test_me.py",
            "tests/app/test_guests.py",
            "tests/app/test_quota.py",
            "tests/app/test_growth.py",
        ),
    ),
    Target(
        "sittings",
        ("app/quizzes/sittings.py", "app/quizzes/responses.py", "app/sweep.py"),
        ("tests/app/test_quizzes.py", "tests/app/test_sweep.py"),
    ),
    Target(
        "boxes",
        ("graders/boxes/sandbox.py", "graders/boxes/pool.py", "graders/boxes/keeper.py"),
        (
            "tests/graders/test_pool.py",
            "tests/graders/test_cgroups.py",
            "tests/graders/test_verdicts.py",
            "tests/graders/test_walls.py",
        ),
    ),
    Target(
        "replies",
        ("graders/boxes/reply.py",),
        ("tests/graders/test_reply.py", "tests/graders/test_wire.py"),
    ),
    Target(
        "compare",
        ("graders/reasons/compare.py",),
        ("tests/graders/test_compare.py",),
    ),
    Target(
        "grading",
        ("graders/grade.py",),
        (
            "tests/graders/test_usage.py",
            "tests/graders/test_fresh.py",
            "tests/graders/test_scripts.py",
            "tests/graders/test_source_rules.py",
            "tests/graders/test_trace.py",
            "tests/graders/test_verdicts.py",
        ),
    ),
)
