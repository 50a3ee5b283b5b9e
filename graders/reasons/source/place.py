"""Where a program was when its time was up, in words: the line, the loop, or the function that all moments agree on.

Only what every moment shows is told, so that the sentence holds. Lines of a loop tell that the program was in it; they
do not tell that the loop never ends, so its condition is asked about.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from graders.boxes.where import Where
from graders.frameworks import BY_NAME, compiles
from graders.reasons.source.finding import code
from graders.reasons.source.program import Function, Loop, Program, dotted, names_of, stored

Node = TypeVar("Node", bound=ast.stmt)
_BEGINNING = "When the time was up, your program was still in"


@dataclass(frozen=True)
class Place:
    """`first` and `last` line of what all moments agree on, the `function` these lines are in, and the `loop`."""

    first: int
    last: int
    function: Function | None = None
    loop: Loop | None = None

    @property
    def line(self) -> int | None:
        """The line to mark: its own, or else that of the loop."""
        return self.first if self.first == self.last else self.loop.lineno if self.loop is not None else None


def line_of(program: Program | None, where: Where) -> int | None:
    """The line to mark; None where the moments agree on none."""
    innermost = {stack[0] for stack in where.stacks}
    if len(innermost) == 1:
        return innermost.pop()
    place = place_of(program, where) if program is not None else None
    return place.line if place is not None else None


def place_of(program: Program, where: Where) -> Place | None:
    """The innermost place that all moments agree on, and that is in a loop; without a loop, the innermost place."""
    if not where.stacks:
        return None
    agreed = list(_agreed(program, where))
    in_loop = [place for place in agreed if place.loop is not None]
    if in_loop or agreed:
        return (in_loop or agreed)[-1]
    innermost = [stack[0] for stack in where.stacks]
    return Place(min(innermost), max(innermost))


def _agreed(program: Program, where: Where) -> Iterator[Place]:
    """From the outermost call inwards, as long as all moments are in the same function, called from the same line."""
    for calls in zip(*(reversed(stack) for stack in where.stacks), strict=False):
        functions = {_function_at(program, line) for line in calls}
        if len(functions) > 1:
            return
        yield Place(min(calls), max(calls), functions.pop(), _loop_at(program, set(calls)))
        if len(set(calls)) > 1:
            return


def _function_at(program: Program, line: int) -> Function | None:
    """The innermost function whose lines have this one among them."""
    return _innermost([node for node in program.parents if isinstance(node, Function) and _has(node, line)])


def _loop_at(program: Program, lines: set[int]) -> Loop | None:
    """The innermost loop of the lines' own function that has all of them: in its body or, of a `while`, its condition.

    The first line of a `for` is also where what it walks through is made, before it begins. So that line alone is not
    in the loop, unless that takes no time; beside a line of the body it is.
    """
    function = _function_at(program, min(lines))
    return _innermost(
        [
            node
            for node in program.parents
            if isinstance(node, Loop)
            and program.function_of(node) is function
            and all(node.lineno <= line <= (node.body[-1].end_lineno or 0) for line in lines)
            and (isinstance(node, ast.While) or max(lines) >= node.body[0].lineno or _is_at_hand(node.iter))
        ]
    )


def _is_at_hand(walked: ast.expr) -> bool:
    """Whether what a `for` walks through is there at once: a name, or a `range` in which nothing else is called."""
    if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name) and walked.func.id == "range":
        return not any(
            isinstance(node, ast.Call | ast.comprehension) for each in walked.args for node in ast.walk(each)
        )
    return isinstance(walked, ast.Name)


def _innermost(nodes: list[Node]) -> Node | None:
    return max(nodes, key=lambda node: (node.lineno, node.col_offset), default=None)


def _has(node: ast.stmt | ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


# ------------------------------------------------------------------ in words


def sentence(program: Program, where: Where, framework: str) -> str | None:
    """None where nothing was told, or the moments agree on nothing."""
    if where.has_returned:
        background = f" {BY_NAME[framework].title} computes it in the background." if compiles(framework) else ""
        return f"When the time was up, your function had returned, but its value was not there yet.{background}"
    place = place_of(program, where)
    if place is None:
        return None
    if where.compiles and place.line is not None:
        return f"When the time was up, JAX was still compiling what line {place.line} calls."
    if recursive := _recursive(program, where):
        return f"{_BEGINNING} `{recursive.name}` of line {recursive.lineno}, which calls itself."
    if isinstance(place.loop, ast.While):
        return f"{_BEGINNING} {_in_loop(place, place.loop)}. {_question(program, place, place.loop)}"
    if place.loop is not None:
        return f"{_BEGINNING} {_in_loop(place, place.loop)}{_around(program, place.loop, framework)}"
    return f"{_BEGINNING} {_at(program, place)}{_called(program, place)}."


def _recursive(program: Program, where: Where) -> Function | None:
    """The function that calls itself, and that was in its own call at each moment."""
    innermost = {_function_at(program, stack[0]) for stack in where.stacks}
    function = innermost.pop() if len(innermost) == 1 else None
    if function is None or not _calls_itself(function):
        return None
    depths = [sum(_function_at(program, line) is function for line in stack) for stack in where.stacks]
    return function if min(depths) > 1 else None


def _calls_itself(function: Function) -> bool:
    calls = (dotted(node.func) for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(name.removeprefix("self.") == function.name for name in calls)


def _in_loop(place: Place, loop: Loop) -> str:
    kind = "`while` loop" if isinstance(loop, ast.While) else "loop"
    line = f"line {place.first}, in " if place.first == place.last != loop.lineno else ""
    return f"{line}the {kind} of line {loop.lineno}"


def _question(program: Program, place: Place, loop: ast.While) -> str:
    """What to ask about a `while` loop: whether it ends, or whether the one step that it was in takes so long."""
    if isinstance(loop.test, ast.Constant):
        return "For this input, is a `break` or `return` in it ever reached?"
    names = sorted(name for name in names_of(loop.test) if name in _variables(program))
    changed = {name for statement in loop.body for name in stored(statement)}
    quoted = code(program, loop.test, "its condition")
    if place.first == place.last != loop.lineno and _calls_something(program, place.first):
        return f"Does that step take so long, or does {quoted} never stop being true?"
    if len(names) == 1 and names[0] not in changed:
        return f"Nothing in it gives `{names[0]}` a new value: does {quoted} ever stop being true?"
    return f"For this input, does {quoted} ever stop being true?"


def _calls_something(program: Program, line: int) -> bool:
    return any(isinstance(node, ast.Call) and _has(node, line) for node in program.parents)


def _variables(program: Program) -> set[str]:
    """All names that the source gives a value: not the functions of libraries."""
    arguments = {node.arg for node in program.parents if isinstance(node, ast.arg)}
    return stored(program.tree) | arguments


def _around(program: Program, loop: Loop, framework: str) -> str:
    """The loops around it, and what they cost."""
    outer = program.loops_of(loop)
    if not outer:
        return "."
    inside = f", which is inside the loop of line {outer[-1].lineno}. Python takes their steps one at a time"
    advice = ": one operation on whole arrays does the same steps much faster" if BY_NAME[framework].has_arrays else ""
    return f"{inside}{advice}."


def _at(program: Program, place: Place) -> str:
    if place.first != place.last:
        return f"lines {place.first} to {place.last}"
    quoted = _quoted_at(program, place.first)
    return f"line {place.first}{f', {quoted}' if quoted else ''}"


def _quoted_at(program: Program, line: int) -> str:
    """The simple statement of this line, in backticks; "" where it is too long to quote."""
    statements = [node for node in program.parents if isinstance(node, ast.stmt) and node.lineno == line]
    simple = [node for node in statements if not hasattr(node, "body")]
    return code(program, simple[0], "") if len(simple) == len(statements) == 1 else ""


def _called(program: Program, place: Place) -> str:
    """In which function, where that is not one that the exercise calls."""
    if place.function is None or place.function in program.entries:
        return ""
    return f", in `{place.function.name}`"
