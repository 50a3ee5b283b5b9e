"""Programs that ran out of time: loops without an end, and too many steps of Python."""

import ast
from collections.abc import Iterator

from graders.boxes.reply import CallOutcome, Stopped, is_out_of_memory
from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.place import line_of, sentence
from graders.reasons.source.program import Function, Loop, Program, dotted, names_of, stored

_PURE = {"len", "abs", "max", "min", "int", "float", "sum", "np.abs", "np.max", "np.min", "np.sum", "any", "all"}
_ARRAY_MODULES = {"np", "jnp", "torch", "math", "F", "range", "print", "zip"}
_HIDDEN_WHILE = "Your source has a `while` loop that may not end: ask for which inputs its condition stays true."


def _is_out_of_time(evidence: Evidence) -> bool:
    return any(case.is_out_of_time for case in evidence.wrong)


def _endless_while(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """Nothing in the body of a `while` can change its condition, or leave the loop."""
    if not _is_out_of_time(evidence):
        return
    for node in program.nodes:
        if not isinstance(node, ast.While) or _leaves(program, node) or not evidence.may_have_been_in(node):
            continue
        quoted = code(program, node.test, "its condition")
        if isinstance(node.test, ast.Constant) and node.test.value:
            text = f"The loop of line {node.lineno} never ends: {quoted} stays true, and nothing in it leaves the loop."
        elif _is_fixed(program, node):
            text = f"The `while` loop of line {node.lineno} never ends once it begins: nothing in it changes {quoted}."
        else:
            continue
        hidden = "A `while` loop in your source never ends: nothing in it changes its condition."
        yield Finding("endless_while", node.lineno, text, hidden)


def _still_branch(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A branch of a `while` loop that changes neither the loop's condition nor its own: it is taken every time."""
    if not _is_out_of_time(evidence):
        return
    for node in program.nodes:
        if not isinstance(node, ast.While) or _leaves(program, node) or not evidence.may_have_been_in(node):
            continue
        for choice in node.body:
            where = _still(program, node, choice) if isinstance(choice, ast.If) else None
            if where is not None:
                text = (
                    f"The `while` loop of line {node.lineno} never ends where {where}: then nothing in it changes "
                    f"{code(program, node.test, 'its condition')}."
                )
                hidden = "In one branch of a `while` loop in your source, nothing changes its condition."
                yield Finding("still_branch", choice.lineno, text, hidden)


def _still(program: Program, loop: ast.While, choice: ast.If) -> str | None:
    """When the branch is taken that changes nothing, where the other one changes something and so does no statement
    beside the two."""
    if not all(map(_is_plain, (loop.test, choice.test))) or any(isinstance(each, ast.If) for each in choice.orelse):
        return None
    asked = {name for test in (loop.test, choice.test) for name in names_of(test) if name not in _PURE}
    beside = [statement for statement in loop.body if statement is not choice]
    if any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(program.tree)) or _changes(beside, asked):
        return None
    quoted = code(program, choice.test, f"the condition of line {choice.lineno}")
    in_body, in_else = _changes(choice.body, asked), _changes(choice.orelse, asked)
    if in_body == in_else:
        return None
    return f"{quoted} is false" if in_body else f"{quoted} holds"


def _is_plain(test: ast.expr) -> bool:
    """Whether a condition only reads names: no attribute, and no function that may change something."""
    nodes = list(ast.walk(test))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    return all(dotted(function) in _PURE for function in called) and not any(
        isinstance(node, ast.NamedExpr | ast.Await | ast.Attribute) and node not in called for node in nodes
    )


def _changes(statements: list[ast.stmt], names: set[str]) -> bool:
    """Whether a name gets a value in the statements, or what it stands for may be changed there."""
    nodes = [inner for statement in statements for inner in ast.walk(statement)]
    return any(names & stored(statement) for statement in statements) or bool(names & _changeable(nodes))


def _leaves(program: Program, loop: Loop) -> bool:
    """Whether a statement in the loop's body can end it."""
    for node in program.own(loop):
        if isinstance(node, ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Await):
            return True
        if isinstance(node, ast.Break) and program.loops_of(node)[0] is loop:
            return True
    return False


def _is_fixed(program: Program, node: ast.While) -> bool:
    """Whether the condition only reads names that nothing in the body can change, in place or otherwise."""
    for inner in ast.walk(node.test):
        if isinstance(inner, ast.Call) and dotted(inner.func) not in _PURE:
            return False
        if isinstance(inner, ast.NamedExpr | ast.Await | ast.Attribute) and not isinstance(
            program.parents.get(inner), ast.Call
        ):
            return False
    names = {name for name in names_of(node.test) if name not in _PURE}
    body = [inner for statement in node.body for inner in (statement, *ast.walk(statement))]
    if not names or any(names & stored(statement) for statement in node.body):
        return False
    function = program.function_of(node)
    if function is None or any(isinstance(inner, ast.Global | ast.Nonlocal) for inner in ast.walk(program.tree)):
        return False
    touched = _changeable(body)
    numbers = {
        name
        for inner in program.own(function)
        if isinstance(inner, ast.Assign) and (isinstance(inner.value, ast.Constant) or _is_size(inner.value))
        for target in inner.targets
        for name in stored(target)
    }
    return not (names - numbers) & touched  # a number cannot be changed in place


def _changeable(body: list[ast.AST]) -> set[str]:
    """The names whose values some statement may change in place: by an item, a method, or a function that gets them."""
    touched = set[str]()
    for node in body:
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            touched.add(dotted(node.value))
        elif isinstance(node, ast.Call):
            is_ours = dotted(node.func) in _PURE or dotted(node.func).partition(".")[0] in _ARRAY_MODULES
            touched |= set() if is_ours else {part.id for part in node.args if isinstance(part, ast.Name)}
            touched.add(dotted(node.func).partition(".")[0])
    return touched


def _is_size(value: ast.expr) -> bool:
    return (isinstance(value, ast.Call) and dotted(value.func) == "len") or (
        any(isinstance(inner, ast.Attribute) and inner.attr == "shape" for inner in ast.walk(value))
    )


def _grows_while_walked(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`for item in items: items.append(…)`."""
    if not _is_out_of_time(evidence) and not any(_is_too_large(case.outcome) for case in evidence.wrong):
        return
    for node in program.nodes:
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) and evidence.may_have_been_in(node):
            name = node.iter.id
            for inner in program.own(node):
                if isinstance(inner, ast.Call) and dotted(inner.func) in (
                    f"{name}.append",
                    f"{name}.extend",
                    f"{name}.insert",
                ):
                    text = (
                        f"Line {inner.lineno} adds to `{name}` while the loop of line {node.lineno} walks through "
                        "it, so that loop may never reach the end."
                    )
                    yield Finding(
                        "grows_while_walked",
                        inner.lineno,
                        text,
                        "A loop in your source adds to the list that it walks through.",
                    )
                    return


def _is_too_large(outcome: CallOutcome) -> bool:
    return is_out_of_memory(outcome) or (isinstance(outcome, Stopped) and outcome.reason == "memory_limit")


def _skipped_step(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A `continue` that jumps over the step, `i += 1`, at the end of a `while`."""
    if not _is_out_of_time(evidence):
        return
    for node in program.nodes:
        if not isinstance(node, ast.Continue) or not isinstance(loop := program.loops_of(node)[0], ast.While):
            continue
        if not evidence.may_have_been_in(loop):
            continue
        names = names_of(loop.test)
        steps = [
            s
            for s in loop.body
            if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name) and s.target.id in names
        ]
        others = [
            inner
            for inner in program.own(loop)
            if isinstance(inner, ast.AugAssign | ast.Assign) and names & stored(inner)
        ]
        if len(steps) == 1 and others == steps and steps[0].lineno > node.lineno and not _leaves(program, loop):
            quoted = code(program, steps[0], "the step")
            text = (
                f"`continue` in line {node.lineno} skips {quoted} in line {steps[0].lineno}, so the loop of line "
                f"{loop.lineno} repeats that pass for ever."
            )
            yield Finding(
                "skipped_step", node.lineno, text, "A `continue` in your source skips the step of its `while` loop."
            )


def _only_while(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """The only loop whose number of passes is not fixed."""
    if not _is_out_of_time(evidence) or any(_calls_itself(function) for function in program.reached):
        return
    loops = [node for node in program.nodes if isinstance(node, ast.While)]
    if (
        len(loops) == 1
        and evidence.may_have_been_in(loops[0])
        and not any(isinstance(node, ast.For) and _is_endless_iterator(node) for node in program.nodes)
    ):
        quoted = code(program, loops[0].test, "its condition")
        text = (
            "Your program had not ended when it was stopped. The only loop without a fixed number of passes is "
            "the `while` "
            f"in line {loops[0].lineno}: for this input, does {quoted} ever stop being true?"
        )
        yield Finding("only_while", loops[0].lineno, text, _HIDDEN_WHILE)


def _is_endless_iterator(loop: ast.For) -> bool:
    return isinstance(loop.iter, ast.Call) and dotted(loop.iter.func).rpartition(".")[2] in (
        "count",
        "cycle",
        "iter",
        "repeat",
    )


def _calls_itself(function: Function) -> int:
    """How many calls of itself a function contains."""
    return sum(isinstance(node, ast.Call) and dotted(node.func) == function.name for node in ast.walk(function))


def _many_calls(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A function that calls itself more than once, and remembers nothing."""
    if not _is_out_of_time(evidence) or any(isinstance(node, ast.While) for node in program.nodes):
        return
    for function in program.reached:
        loops = any(
            program.loops_of(node)
            for node in program.own(function)
            if isinstance(node, ast.Call) and dotted(node.func) == function.name
        )
        stores = any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in ast.walk(function))
        if (
            (_calls_itself(function) > 1 or (_calls_itself(function) and loops))
            and not function.decorator_list
            and evidence.may_have_been_in(function)
            and not stores
        ):
            text = (
                f"`{function.name}` in line {function.lineno} calls itself several times in each call and "
                "remembers no result, so the "
                "number of calls grows very fast with the input: keep the results that you need again."
            )
            hidden = "A function in your source calls itself several times in each call and remembers no result."
            yield Finding("many_calls", function.lineno, text, hidden)


def _nested_loops(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """Three or more loops in one another, each number computed by itself."""
    if not _is_out_of_time(evidence) or any(isinstance(node, ast.While) for node in program.nodes):
        return
    deepest = max(
        (node for node in program.nodes if isinstance(node, ast.For)),
        key=lambda n: len(program.loops_of(n)),
        default=None,
    )
    if deepest is None or (depth := len(program.loops_of(deepest)) + 1) < 3:
        return
    outer = program.loops_of(deepest)[-1]
    if not evidence.may_have_been_in(outer):
        return
    words = {3: "Three", 4: "Four"}.get(depth, "Many")
    advice = "" if evidence.framework == "python" else " One operation on whole arrays does the same steps much faster."
    text = (
        f"{words} loops run inside one another from line {outer.lineno} on, and Python takes their steps one at a "
        f"time.{advice}"
    )
    yield Finding(
        "nested_loops",
        outer.lineno,
        text,
        "Your source has several loops inside one another, and Python takes their steps one at a time.",
    )


def _still_in(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """The place that the program was in at each moment at which it was asked, before its box was killed."""
    for case in evidence.wrong:
        if text := sentence(program, case.where, evidence.framework):
            yield Finding("still_in", line_of(program, case.where) or 0, text)


LOOKS = (
    _endless_while, _still_branch, _grows_while_walked, _skipped_step, _only_while, _many_calls, _nested_loops,
    _still_in,
)  # fmt: skip
