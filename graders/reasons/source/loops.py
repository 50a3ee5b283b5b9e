"""Loops that end too early, forget what they made, keep what they should forget, or leave out a place."""

import ast
from collections.abc import Iterator
from typing import Any

from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Function, Loop, Program, dotted, loads, names_of, stored

_ENDS = frozenset(
    {"first_right", "last_right", "constant", "same_along", "too_few", "one_alone", "every_other", "input_returned"}
)
_MAKERS = {
    "zeros",
    "empty",
    "ones",
    "full",
    "zeros_like",
    "empty_like",
    "ones_like",
    "full_like",
    "list",
    "dict",
    "set",
}
_GROW = {"append", "extend", "add", "update", "insert"}


def _return_in_loop(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A `return` that the first round of a loop always reaches."""
    if len(evidence.returned) < len(evidence.wrong) or not evidence.is_mostly_wrong:
        return
    for node in program.nodes:
        if not isinstance(node, ast.Return) or not (loops := program.loops_of(node)) or node.value is None:
            continue
        loop = loops[0]
        is_first_found = len(loop.body) == 1 or any(isinstance(inner, ast.Continue) for inner in program.own(loop))
        if not program.is_unconditional(node, loop) or node in loop.orelse or is_first_found:
            continue
        if isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant):
            continue  # without that `return` it would never end
        if any(case.is_nothing for case in evidence.wrong):
            continue
        text = (
            f"The `return` in line {node.lineno} is inside the loop of line {loop.lineno}, so the function ends in the "
            "first pass of that loop: indent the `return` less."
        )
        hidden = "A `return` in your source is inside a loop, so the function ends in the loop's first pass."
        yield Finding("return_in_loop", node.lineno, text, hidden, _ENDS)


def _no_result(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """None is returned by a function that has no `return` with a value."""
    if not evidence.wrong or not all(case.is_nothing or _misses_none(case.raised) for case in evidence.wrong):
        return
    nothing_returned = all(case.is_nothing for case in evidence.wrong)
    functions = program.entries if nothing_returned else ()
    silent = [function for function in functions if _is_without_result(program, function)]
    if nothing_returned and len(functions) == 1 and (line := _ends_open(program, functions[0])) is not None:
        text = (
            f"The `return` in line {line} is under a condition, and your function also ends without it, after line "
            f"{functions[0].body[-1].end_lineno}: there it gives None."
        )
        hidden = "Your function has a `return` under a condition, and also ends without it: there it gives None."
        yield Finding("no_result", line, text, hidden)
        return
    helpers = [f for f in program.reached if f not in program.entries and _is_without_result(program, f)]
    used = [function for function in helpers if _is_used_as_value(program, function)]
    if not silent and len(used) != 1:
        return
    function = silent[0] if silent else used[0]
    prints = [node for node in program.own(function) if isinstance(node, ast.Call) and dotted(node.func) == "print"]
    if prints and isinstance(program.parents[prints[-1]], ast.Expr):
        line = prints[-1].lineno
        text = f"Line {line} prints the result, and `{function.name}` has no `return`: what is printed is not returned."
    elif isinstance(function.body[-1], ast.Expr) and isinstance(function.body[-1].value, ast.Constant | ast.Yield):
        return
    else:
        line = function.body[-1].end_lineno or function.lineno
        text = f"`{function.name}`, which ends in line {line}, has no `return` with a value, so it gives None."
    yield Finding("no_result", line, text, "A function in your source ends without a `return`, so it gives None.")


def _ends_open(program: Program, function: Function) -> int | None:
    """The line of the only `return`, if that is under an `if` or in a loop and the function can end without it."""
    results = [node for node in program.own(function) if isinstance(node, ast.Return)]
    last = function.body[-1]
    is_open = isinstance(last, ast.Assign | ast.AugAssign | ast.For | ast.While | ast.If) and not getattr(
        last, "orelse", []
    )
    if len(results) != 1 or not is_open or program.is_unconditional(results[0], function):
        return None
    value = results[0].value
    is_nothing = value is None or (isinstance(value, ast.Constant) and value.value is None)
    return None if is_nothing else results[0].lineno


def _misses_none(raised: Any) -> bool:
    return raised is not None and "NoneType" in raised.message


def _is_without_result(program: Program, function: Function) -> bool:
    nodes = list(program.own(function))
    has_end = any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Raise) for node in nodes)
    does = any(isinstance(node, ast.Assign | ast.AugAssign | ast.Call | ast.BinOp) for node in nodes)
    return does and not has_end and not any(isinstance(node, ast.Return) and node.value is not None for node in nodes)


def _is_used_as_value(program: Program, function: Function) -> bool:
    """Whether a call of the function stands where a value is needed. `__call__` and `forward` are called by others."""
    if function.name in ("__call__", "forward"):
        return True
    if function.name.startswith("__") or function.name in ("setup", "add", "append", "update"):
        return False
    calls = [node for node in program.nodes if isinstance(node, ast.Call) and _called(node) == function.name]
    return any(not isinstance(program.parents[call], ast.Expr) for call in calls)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


def _made_in_loop(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """What the passes of a loop fill, or add up, is made again in each pass, and read only after the loop."""
    if not evidence.returned or not evidence.is_mostly_wrong:
        return
    for node in program.nodes:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        loops, function = program.loops_of(node), program.function_of(node)
        if not loops or function is None or not _is_start(node.value):
            continue
        name, loop = node.targets[0].id, loops[0]
        if not program.is_unconditional(node, loop) or not _is_filled_only(program, node, loop, name):
            continue
        end = loop.end_lineno or loop.lineno
        last = (loops[1].end_lineno or 0) if len(loops) > 1 else (function.end_lineno or 0)
        if any(end < load.lineno <= last for load in loads(function, name)):
            text = (
                f"Line {node.lineno} makes `{name}` inside the loop of line {loop.lineno}, so each pass starts it "
                "again and "
                "only the last pass is left: start it above that loop."
            )
            hidden = "Your source starts its result again in each pass of a loop, so only the last pass is left."
            yield Finding("made_in_loop", node.lineno, text, hidden, _ENDS)


def _is_start(value: ast.expr) -> bool:
    """Whether an expression starts something empty: zeros, `[]`, `0`."""
    if isinstance(value, ast.List | ast.Dict | ast.Set):
        return not getattr(value, "elts", None) and not getattr(value, "keys", None)
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, float) or value.value == ""
    return isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in _MAKERS


def _is_filled_only(program: Program, node: ast.Assign, loop: Loop, name: str) -> bool:
    """Whether the loop fills or adds to `name` after `node`, and neither reads it for something else nor copies it."""
    fills = False
    for inner in ast.walk(loop):
        if not isinstance(inner, ast.Name) or inner.id != name or inner in node.targets:
            continue
        parent = program.parents[inner]
        above = program.parents.get(parent)
        if (isinstance(parent, ast.AugAssign) and parent.target is inner) or (
            isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store) and parent.value is inner
        ):
            fills = True
        elif isinstance(parent, ast.Attribute) and parent.attr in _GROW and isinstance(above, ast.Call):
            fills = fills or isinstance(program.parents.get(above), ast.Expr)
        else:
            return False
    return fills


def _not_reset(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A sum that starts above the outer loop, grows in the inner one and is used between the two."""
    if not _only_first_right(evidence):
        return
    for node in program.nodes:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        function, name = program.function_of(node), node.targets[0].id
        if function is None or program.loops_of(node) or not _is_start(node.value):
            continue
        for loop in (inner for inner in program.own(function) if isinstance(inner, Loop)):
            if loop.lineno > node.lineno and _grows_and_is_used(program, loop, name):
                text = (
                    f"`{name}` starts in line {node.lineno}, above the loop of line {loop.lineno}, and is never "
                    "reset in "
                    "it: from the second pass on it still holds what the passes before added."
                )
                hidden = "Something that your loop adds to starts above the loop, and is never reset in it."
                yield Finding("not_reset", node.lineno, text, hidden, _ENDS)
                break


def _grows_and_is_used(program: Program, loop: Loop, name: str) -> bool:
    body = [inner for statement in loop.body for inner in (statement, *ast.walk(statement))]
    stores = [n for n in body if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    grown = [n for n in stores if _is_growth(program, n) and program.loops_of(n)[0] is not loop]
    grown += [
        n.func.value  # type: ignore[attr-defined]
        for n in body
        if isinstance(n, ast.Call) and _called(n) in _GROW and dotted(n.func) == f"{name}.{_called(n)}"
        and program.loops_of(n)[0] is not loop
    ]  # fmt: skip
    if not grown or any(n not in grown for n in stores):
        return False
    last = max(n.lineno for n in grown)
    return any(load.lineno > last and load not in grown for statement in loop.body for load in loads(statement, name))


def _is_growth(program: Program, name: ast.Name) -> bool:
    """Whether a name is added to, by `x += y` or `x = x + y`, where it is written."""
    parent = program.parents[name]
    if isinstance(parent, ast.AugAssign):
        return parent.target is name
    is_sum = isinstance(parent, ast.Assign) and isinstance(parent.value, ast.BinOp)
    return is_sum and isinstance(parent, ast.Assign) and any(loads(parent.value, name.id))


def _only_first_right(evidence: Evidence) -> bool:
    """Whether in each wrong answer the first item is right and not one after it; a few answers with several items."""
    seen = False
    for _, expected, actual in evidence.sequences():
        if len(expected) != len(actual) or len(expected) < 2:
            return False
        same = [evidence.same(*pair) for pair in zip(expected, actual, strict=True)]
        if not same[0] or same[1]:
            return False
        seen = True
    return seen and len(list(evidence.sequences())) == len(evidence.wrong)


def _range_short(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`range(1, n)` where only the first place is wrong; `range(n - 1)` where only the last one is."""
    which = _one_end_wrong(evidence)
    if which is None:
        return
    found = [node for node in program.nodes if isinstance(node, ast.Call) and dotted(node.func) == "range"]
    fitting = [node for node in found if (_skips_first(node) if which == "first" else _skips_last(node))]
    if len(fitting) != 1:
        return
    quoted = code(program, fitting[0], "`range(…)`")
    why = "places count from 0" if which == "first" else "`range(n)` already ends at n - 1"
    text = f"{quoted} in line {fitting[0].lineno} leaves out the {which} place, and just the {which} is wrong: {why}."
    hidden = f"A `range(…)` in your source leaves out the {which} place, and just the {which} is wrong."
    yield Finding("range_short", fitting[0].lineno, text, hidden, _ENDS)


def _skips_first(call: ast.Call) -> bool:
    return len(call.args) >= 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value == 1


def _skips_last(call: ast.Call) -> bool:
    if not call.args or len(call.args) > 2:
        return False
    end = call.args[-1]
    is_one = isinstance(end, ast.BinOp) and isinstance(end.right, ast.Constant) and end.right.value == 1
    return is_one and isinstance(end, ast.BinOp) and isinstance(end.op, ast.Sub)


def _one_end_wrong(evidence: Evidence) -> str | None:
    """ "first" or "last" where in each wrong answer just that place of one axis is wrong or missing."""
    axes_of = {case.index: axes for case, axes in evidence.right_parts}
    sequences = {case.index: (expected, actual) for case, expected, actual in evidence.sequences()}
    ends, is_clear = {"first", "last"}, False
    for case in evidence.wrong:
        axes = axes_of.get(case.index, ())
        if axes and min(map(len, axes)) == 1 and not any(axis.any() for axis in axes):
            continue  # its one place is the first and the last
        of_case = {end for axis in axes for end in _wrong_end(axis)}
        if case.index in sequences:
            of_case |= _item_missing(evidence, *sequences[case.index])
        ends &= of_case
        is_clear = is_clear or not axes or any(len(axis) > 2 and _wrong_end(axis) for axis in axes)
    return ends.pop() if len(ends) == 1 and is_clear else None


def _wrong_end(axis: Any) -> set[str]:
    """Which end of an axis is its only wrong place. `axis` holds for each place whether it is right."""
    if len(axis) < 2:
        return set()
    wrong = {"first": bool(axis[1:].all() and not axis[0]), "last": bool(axis[:-1].all() and not axis[-1])}
    return {end for end, is_wrong in wrong.items() if is_wrong}


def _item_missing(evidence: Evidence, expected: list[Any], actual: list[Any]) -> set[str]:
    if len(actual) == len(expected) - 1 and len(expected) > 2:
        ends = {"first": expected[1:], "last": expected[:-1]}
        return {end for end, rest in ends.items() if all(map(evidence.same, rest, actual))}
    if len(actual) == len(expected) and len(expected) > 2 and not hasattr(expected[0], "shape"):
        same = [evidence.same(*pair) for pair in zip(expected, actual, strict=True)]
        return ({"first"} if all(same[1:]) and not same[0] else set()) | (
            {"last"} if all(same[:-1]) and not same[-1] else set()
        )
    return set()


def _largest_from_zero(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """The search for the largest starts at 0, and in each wrong case there are places with only negative numbers."""
    if not evidence.right or not all(_has_negatives(case.case.inputs) for case in evidence.wrong):
        return
    for node in program.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant) or node.value.value != 0:
            continue
        function = program.function_of(node)
        target = node.targets[0]
        if function is None or type(node.value.value) not in (int, float) or not isinstance(target, ast.Name):
            continue
        if (line := _is_largest_of(program, function, target.id, node)) is not None:
            text = (
                f"`{target.id}` starts at 0 in line {node.lineno}, so the search in line {line} never finds a largest "
                "number below 0: where all are negative, 0 remains."
            )
            hidden = "The search for the largest number starts at 0: where all are negative, 0 remains."
            yield Finding("largest_from_zero", node.lineno, text, hidden, frozenset({"masked_nan", "last_right"}))


def _is_largest_of(program: Program, function: Function, name: str, start: ast.Assign) -> int | None:
    """The line of `if value > name: name = value`, or of `name = max(name, value)`."""
    for node in program.own(function):
        if getattr(node, "lineno", 0) <= start.lineno:
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and name in stored(node):
            left, right, operator = node.test.left, node.test.comparators[0], node.test.ops[0]
            small, large = (left, right) if isinstance(operator, ast.Lt | ast.LtE) else (right, left)
            is_compared = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and isinstance(small, ast.Name)
            first = node.body[0]
            is_kept = isinstance(first, ast.Assign) and ast.dump(first.value) == ast.dump(large)
            if is_compared and isinstance(small, ast.Name) and small.id == name and is_kept:
                return node.lineno
        elif isinstance(node, ast.Assign) and _is_maximum_with(node.value, name) and name in stored(node):
            return node.lineno
    return None


def _is_maximum_with(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.Call) and dotted(value.func) == "max" and name in names_of(value)


def _has_negatives(inputs: Any) -> bool:
    """Whether a row, a column or the whole of an input holds only numbers below 0."""
    for value in inputs.values():
        shape = getattr(value, "shape", None)
        if shape is not None and shape and value.dtype.kind in "fi" and value.size:
            if any(bool((value.max(axis=axis) < 0).any()) for axis in range(len(shape))):
                return True
        elif isinstance(value, list) and value and all(type(item) in (int, float) and item < 0 for item in value):
            return True
    return False


LOOKS = (_return_in_loop, _no_result, _made_in_loop, _not_reset, _range_short, _largest_from_zero)
