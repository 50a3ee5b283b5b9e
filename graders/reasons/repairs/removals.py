"""Edits that take away what a changed number stands in: the call, the operator, the condition or the statement.

A number is often changed only so that what it stands in does nothing: `round(x, 4)` with 9 for 4, `if len(word) == 2`
with 0 for 2. Then the number is not wrong, and to take the whole away makes the answer right too.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from graders.reasons.repairs.edit import Edit, changed, start_of, text_of
from graders.reasons.repairs.library import is_of_module, known_name
from graders.reasons.source.program import Function, Program

NUMBERS = frozenset({"constant", "infinite"})  # the kinds of edits that change a number
HIDING = NUMBERS | {"call_extra"}  # those that may only put something out of force: `if word == 2` for `len(word) == 2`
_OF_CONDITIONS = {"if_extra", "guard_extra", "if_for_else", "if_always", "filter_extra", "choice_extra"}


def removals(program: Program, edit: Edit) -> list[Edit]:
    """For an edit of HIDING, what may be taken away in its place, the innermost first. For one of several places, also
    what is alike at all of them. For a call, only the condition that it is in.
    """
    found: dict[tuple[int, int, str], Edit] = {}
    for node, _ in edit.parts:
        inner = node
        for above in takewhile(lambda above: not isinstance(above, Function), program.above(node)):
            for removal in _of(program, inner, above):
                if edit.kind not in NUMBERS and removal.kind not in _OF_CONDITIONS:
                    continue
                (place, text) = removal.parts[0]
                found.setdefault((*start_of(place), text), removal)
            if isinstance(above, ast.If | ast.For | ast.While):
                break
            inner = above
    alike: dict[tuple[str, str, str], list[Edit]] = {}
    for removal in found.values():
        alike.setdefault((removal.kind, removal.old, removal.new), []).append(removal)
    joint = [
        replace(several[0], parts=tuple(part for each in several for part in each.parts))
        for several in alike.values()
        if len(several) > 1
    ]
    return [*joint, *found.values()]


def _of(program: Program, inner: ast.AST, above: ast.AST) -> Iterator[Edit]:
    """What takes `above` away, or its part `inner`."""
    if isinstance(above, ast.Call):
        yield from _of_call(inner, above)
    elif isinstance(above, ast.BinOp):
        kept = above.left if inner is above.right else above.right
        is_sum = isinstance(above.op, ast.Add | ast.Sub)
        kind = "power_extra" if isinstance(above.op, ast.Pow) else "term_extra" if is_sum else "factor_extra"
        yield changed(kind, above, text_of(kept))
    elif isinstance(above, ast.BoolOp):
        word = " and " if isinstance(above.op, ast.And) else " or "
        rest = word.join(f"({text_of(value)})" for value in above.values if value is not inner)
        yield changed("condition_extra", above, rest)
    elif isinstance(above, ast.IfExp) and inner is above.test:
        for kept in (above.body, above.orelse):
            yield changed("choice_extra", above, text_of(kept))
    elif isinstance(above, ast.comprehension) and isinstance(inner, ast.expr) and inner in above.ifs:
        yield Edit("filter_extra", start_of(inner)[0], f"if {text_of(inner)}", "", ((inner, "True"),))
    elif isinstance(above, ast.If) and inner is above.test:
        yield from _of_if(above)
    elif isinstance(above, ast.Assign | ast.AugAssign | ast.Expr):
        yield Edit("statement_extra", above.lineno, text_of(above), "", ((above, _nothing(above)),))


def _of_call(inner: ast.AST, call: ast.Call) -> Iterator[Edit]:
    if inner is call.func:
        return
    kept = [argument for argument in call.args if argument is not inner][:1]
    if isinstance(call.func, ast.Attribute) and not is_of_module(call.func):
        kept = [call.func.value]
    for value in kept:
        edit = changed("call_extra", call, text_of(value))
        yield Edit(edit.kind, edit.line, edit.old, edit.new, edit.parts, hint=known_name(call))


def _of_if(node: ast.If) -> Iterator[Edit]:
    shown = f"if {text_of(node.test)}"
    if not node.orelse:
        is_guard = isinstance(node.body[-1], ast.Return | ast.Raise)
        kind, old = ("guard_extra", text_of(node.test)) if is_guard else ("if_extra", shown)
        yield Edit(kind, node.lineno, old, "", ((node, _nothing(node)),))
    else:
        yield Edit("if_for_else", node.lineno, shown, "", ((node.test, "False"),))
        yield Edit("if_always", node.lineno, shown, "", ((node.test, "True"),))


def _nothing(node: ast.stmt) -> str:
    """What stands in a statement's place without it: as many lines, so that those below keep their numbers."""
    return "pass" + "\n" * ((node.end_lineno or node.lineno) - node.lineno)
