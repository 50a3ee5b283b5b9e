"""What happens in just the wrong cases: several values under one key, of which only the last stays.

No small change would make these programs right. So a probe makes the event an exception: where every wrong case ends
with it, and hardly a right one, the event is the cause. (That -inf comes twice in a row may do no harm.)
"""

import ast
from collections.abc import Iterator
from dataclasses import replace

from graders.reasons.repairs.edit import Edit, changed, in_functions, name_of, operand, text_of
from graders.reasons.source.program import Function, Program, dotted, names_of

PROBE = "IndexError"  # what `[][0]` raises
_ONCE = "(lambda made, given: made if len(made) == len(given) else [][0])"


def probes(program: Program, framework: str) -> Iterator[Edit]:
    for function in program.reached:
        for node in in_functions(program):
            if program.function_of(node) is function:
                yield from _stored(program, function, node)
        for node in in_functions(program):
            if program.function_of(node) is function:
                yield from _asked_first(program, function, node)
    for node in in_functions(program):
        if isinstance(node, ast.DictComp):
            walked = " ".join(map(_walked, node.generators))
            yield _raising(node, f"{_ONCE}({text_of(node)}, [({text_of(node.key)}) {walked}])")
        elif isinstance(node, ast.Call) and dotted(node.func) == "dict" and len(node.args) == 1 and not node.keywords:
            if isinstance(node.args[0], ast.Call) and name_of(node.args[0]) in ("zip", "enumerate"):
                given = text_of(node.args[0])
                yield _raising(node, f"{_ONCE}(dict({given}), list({given}))")
        elif isinstance(node, ast.Call) and dotted(node.func) in ("set", "np.unique", "dict.fromkeys") and node.args:
            is_plain = len(node.args) == 1 and not node.keywords
            if is_plain:
                given = operand(node.args[0])
                yield replace(_raising(node, f"{_ONCE}({text_of(node)}, list({given}))"), kind="equal_dropped")


def _walked(part: ast.comprehension) -> str:
    tests = "".join(f" if {text_of(test)}" for test in part.ifs)
    return f"for {text_of(part.target)} in {text_of(part.iter)}{tests}"


def _raising(node: ast.AST, new: str) -> Edit:
    return replace(changed("equal_keys", node, new), new="")


def _stored(program: Program, function: Function, node: ast.AST) -> Iterator[Edit]:
    """`d[key] = value`, where d is a dict of the function's own, and nothing looks into it on the way."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return
    place = node.targets[0]
    if not isinstance(place.value, ast.Name) or place.value.id not in _dicts(program, function):
        return
    if (
        isinstance(node.value, ast.Constant)
        or place.value.id in names_of(node.value)
        or _is_asked(function, place.value)
    ):
        return
    key = text_of(place.slice)
    once = f"({key}) if ({key}) not in {place.value.id} else [][0]"
    yield Edit("equal_keys", node.lineno, text_of(node), "", ((place.slice, once),))


def _asked_first(program: Program, function: Function, node: ast.AST) -> Iterator[Edit]:
    """`if key not in d: d[key] = value`, where nothing else of the loop is put under that key."""
    if not isinstance(node, ast.If) or node.orelse or not isinstance(node.test, ast.Compare):
        return
    test, name = node.test, node.test.comparators[0]
    if not isinstance(test.ops[0], ast.NotIn) or text_of(name) not in _dicts(program, function):
        return
    own = f"{text_of(name)}[{text_of(test.left)}]"
    loops = program.loops_of(node)[:1]
    places = [place for loop in loops for place in ast.walk(loop) if _item(place) == own]
    if places and all(node in program.above(place) for place in places):
        shown = f"if {text_of(test)}"
        yield Edit("equal_kept_once", node.lineno, shown, "", ((test, f"({text_of(test)} or [][0])"),))


def _item(node: ast.AST) -> str:
    return text_of(node) if isinstance(node, ast.Subscript) else ""


def _dicts(program: Program, function: Function) -> set[str]:
    return {
        target.id
        for node in program.own(function)
        if isinstance(node, ast.Assign)
        and ((isinstance(node.value, ast.Dict) and not node.value.keys) or text_of(node.value) == "dict()")
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _is_asked(function: Function, name: ast.Name) -> bool:
    """Whether the function asks what is in it: `key in d`, `d.get(…)`."""
    for node in ast.walk(function):
        is_in = isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        if is_in and any(text_of(each) == name.id for each in node.comparators):  # type: ignore[attr-defined]
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("get", "setdefault") and text_of(node.value) == name.id:
            return True
    return False
