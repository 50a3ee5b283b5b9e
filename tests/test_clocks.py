"""No clock decides a test: none sleeps, compares elapsed time, or has a time limit of its own. And what decides by a
clock in the product takes it as an argument, so that a test can move it.

A test that asserts how long something took, or sleeps to let something happen, fails on a busy machine and proves
nothing on a quiet one. `tests/waiting.py` has the one limit, and waits for events. Exceptions are listed in
`tests/clocks.toml`, each with its reason.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parents[1]
WAITING = Path("tests/waiting.py")
NOT_TESTS = {"hostile", "broken", "independent", "exercises", "unforeseen", "catalog", "machines", "mutants"}
RUNNER = {"parallel.py", "costs.py"}  # what runs the tests says how long they take
MOST_EXCEPTIONS = 20

SLEEPS = {"sleep", "wait_for_timeout"}
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "thread_time", "time_ns"}
WAITS = {"join", "wait", "result", "acquire", "communicate", "get", "wait_for", "poll"}
LIMITS = {"LIMIT_SECONDS", "LIMIT_MS"}

READS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"}
CLOSING = "how long threads, or processes, are waited for as their owner closes"
SANDBOX = "how time is measured there is rebuilt by a later issue"
OWN_CLOCKS = {  # a module, or what stands in it, → why it reads the time by itself
    "app/queue/hands.py::Hands.close": CLOSING,
    "app/queue/preparing.py::RemotePreparer.close": CLOSING,
    "app/queue/workbench.py::Workbench.close": CLOSING,
    "app/sweep.py::Sweep.close": CLOSING,
    "graders/boxes/cgroups.py::ControlGroups._remove": CLOSING,
    "graders/boxes/cgroups.py::ControlGroups.close": CLOSING,
    "graders/exercise/preparer.py::Preparer.close": CLOSING,
    "app/queue/watch.py::_Watching": "spans say when they began",
    "graders/boxes/pool.py::Judge.clock": "it is the clock that others are given",
    "graders/boxes/sandbox.py": SANDBOX,
    "graders/grade.py": SANDBOX,
}


def test_no_test_depends_on_a_clock() -> None:
    exceptions = {entry["place"] for entry in exceptions_in_file()}
    offenders = [f"{path}:{line}  {what}" for path, line, place, what in places() if place not in exceptions]
    assert not offenders, "wait for the event itself (tests/waiting.py):\n" + "\n".join(offenders)


def test_the_exceptions_are_few_needed_and_explained() -> None:
    entries = exceptions_in_file()
    assert len(entries) <= MOST_EXCEPTIONS
    assert all(len(entry["reason"]) > 20 for entry in entries)
    needed = {place for _, _, place, _ in places()}
    assert not [entry["place"] for entry in entries if entry["place"] not in needed], "these can be deleted"


def test_what_decides_by_a_clock_takes_it_as_an_argument() -> None:
    offenders, needed = [], set()
    for place, line, what in reads_of_the_time():
        own = {each for each in OWN_CLOCKS if f"{place}.".startswith((f"{each}.", f"{each}::"))}
        needed |= own
        if not own:
            offenders.append(f"{place}:{line}  {what}")
    assert not offenders, "take `clock: Callable[[], float] = time.monotonic`:\n" + "\n".join(offenders)
    assert not OWN_CLOCKS.keys() - needed, "these can be deleted"


def exceptions_in_file() -> list[dict[str, str]]:
    entries: list[dict[str, str]] = tomllib.loads((ROOT / "tests" / "clocks.toml").read_text())["exception"]
    return entries


def places() -> Iterator[tuple[Path, int, str, str]]:
    """Yield each use of a clock: path, line, `path::function` and what is used."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT)
        if name == WAITING or (NOT_TESTS | RUNNER) & set(name.parts):
            continue
        tree = ast.parse(path.read_text())
        constants = numbers(tree)
        for function, node in within(tree):
            if what := clock_in(node, constants):
                yield name, node.lineno, f"{name}::{function}", what


def within(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call with the name of the outermost function or class that it stands in."""
    for statement in tree.body:
        name = statement.name if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else ""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield name, node


def numbers(tree: ast.Module) -> set[str]:
    """The names of this module that are a number."""
    return {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and is_number(statement.value)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value != 0


def clock_in(call: ast.Call, constants: set[str]) -> str | None:
    """What this call has to do with time: a sleep, a clock that is read, or a limit of its own."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")

    def is_limit(value: ast.expr) -> bool:
        return is_number(value) or (isinstance(value, ast.Name) and value.id in constants - LIMITS)

    if name in SLEEPS:
        forever = [argument for argument in call.args if isinstance(argument, ast.Constant) and argument.value == 0]
        return None if forever else ast.unparse(call)
    if name in CLOCKS:
        return ast.unparse(call)
    limits = [keyword.value for keyword in call.keywords if keyword.arg == "timeout"]
    if name in WAITS and isinstance(call.func, ast.Attribute) and len(call.args) == 1 and name != "get":
        limits += call.args
    return next((ast.unparse(call) for limit in limits if is_limit(limit)), None)


def reads_of_the_time() -> Iterator[tuple[str, int, str]]:
    """Yield each use of the time in the product, except as the default of an argument, and to measure how long
    something took: `path::Class.function`, line, and the first line of the statement."""
    for path in sorted(path for folder in ("app", "graders") for path in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT)
        source = path.read_text()
        if Path("graders/inside") in name.parents or not re.search(r"^(import|from) time\b", source, re.MULTILINE):
            continue
        tree = ast.parse(source)
        around = Around(tree)
        for node in ast.walk(tree):
            if is_clock(node) and not isinstance(around.parents[node], ast.arguments) and not around.is_measured(node):
                yield f"{name}::{around.name(node)}", node.lineno, ast.unparse(around.statement(node)).split("\n")[0]


def is_clock(node: ast.AST) -> TypeGuard[ast.Attribute | ast.ImportFrom]:
    if isinstance(node, ast.ImportFrom):
        return node.module == "time"
    if not isinstance(node, ast.Attribute):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == "time" and node.attr in READS


class Around:
    """What the nodes of a module stand in."""

    def __init__(self, tree: ast.Module) -> None:
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def outwards(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            yield node
            node = self.parents[node]
        yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        return next(each for each in self.outwards(node) if isinstance(each, ast.stmt))

    def name(self, node: ast.AST) -> str:
        scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return ".".join([each.name for each in self.outwards(node) if isinstance(each, scopes)][::-1])

    def is_measured(self, clock: ast.Attribute | ast.ImportFrom) -> bool:
        """Whether all that comes of it is a duration, `time.monotonic() - began`, which is neither compared nor added
        to anything; or the name `began` for that."""
        read = self.parents[clock]
        if not isinstance(read, ast.Call):
            return False
        if self.is_duration(self.parents[read]):
            loads = self.loads(self.statement(read))
            return not any(map(self.is_reckoned_with, [self.parents[read], *loads]))
        statement = self.statement(read)
        loads = self.loads(statement)
        return (
            bool(loads)
            and isinstance(statement, ast.Assign)
            and statement.value is read
            and all(self.is_duration(self.parents[load]) for load in loads)
        )

    def is_duration(self, node: ast.AST) -> bool:
        """Whether a name is taken from the time."""
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Call)):
            return False
        return is_clock(node.left.func) and isinstance(node.right, ast.Name | ast.Attribute)

    def loads(self, statement: ast.stmt) -> list[ast.Name]:
        """Where the names that it assigns are used in its function."""
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        scope = next(
            each
            for each in self.outwards(statement)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module)
        )
        uses = (node for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        return [use for use in uses if use.id in names]

    def is_reckoned_with(self, node: ast.AST) -> bool:
        """Whether it is compared, or part of a sum."""
        for each in list(self.outwards(node))[1:]:
            if isinstance(each, ast.Compare) or isinstance(getattr(each, "op", None), ast.Add | ast.Sub):
                return True
            if isinstance(each, ast.stmt):
                return False
        return False
