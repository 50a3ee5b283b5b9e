"""Small changes to a submission's source, each of which would undo one common slip, the likeliest slips first.

An edit replaces one part of the text and leaves every line where it was. Whether it makes the answers right is found
out by calling the changed program (`repair.py`); so an edit that is pointless costs time, and is never a wrong reason.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, count, islice, product, zip_longest
from typing import TypeGuard

from graders.frameworks import compiles
from graders.reasons.repairs.dtypes import dtypes
from graders.reasons.repairs.edit import (
    Edit,
    calls,
    changed,
    divides,
    end_of,
    gap,
    in_functions,
    name_of,
    operand,
    start_of,
    text_of,
    whole_number,
    with_argument,
)
from graders.reasons.repairs.equals import lookups
from graders.reasons.repairs.library import LIKE, MODULES, known_name
from graders.reasons.repairs.numbers import cancellation, rounds, values
from graders.reasons.repairs.starts import starts
from graders.reasons.repairs.steps import factors, functions, order, reshaped, slices, taken, written
from graders.reasons.source.program import Function, Program, dotted, loads, names_of, stored

MAX_EDITS = 200
MAX_OF_ONE = 32  # of one way to change a source
SMALL = 0.2  # as an epsilon, a tolerance or a noise is
MAX_JOINT = 4  # places that are changed at once


def edits(program: Program, framework: str, of_what_is_meant: bool = False) -> list[Edit]:
    """The edits of the functions that the exercise reaches, without those that change nothing, in the order in which
    they are tried: the likeliest of each kind, then the next.

    `of_what_is_meant`: only those of a result that is dropped, shared or put under the wrong name, where all else is
    right.
    """
    makers = _OF_WHAT_IS_MEANT if of_what_is_meant else _MAKERS
    made = {make: list(islice(_distinct(_in_turn(make(program, framework))), MAX_OF_ONE)) for make in makers}
    ranks = count()
    found = {make: [replace(edit, rank=next(ranks)) for edit in _with_joint(made[make])] for make in makers}
    if compiles(framework):
        found = {make: found[make] for make in sorted(found, key=lambda make: make not in _OF_COMPILED)}
    at_a_time = _OF_COMPILED_AT_A_TIME if compiles(framework) else _AT_A_TIME
    most = max(map(len, found.values()))
    in_turn = (edits[n : n + at_a_time] for n in range(0, most, at_a_time) for edits in found.values())
    return list(islice(_distinct(chain.from_iterable(in_turn)), MAX_EDITS))


def _with_joint(made: Sequence[Edit]) -> Iterator[Edit]:
    """Each edit; and where the same change is made at several places, after them all of these at once."""
    yield from made
    alike: dict[tuple[str, str, str], list[Edit]] = {}
    for edit in made:
        alike.setdefault((edit.kind, edit.old, edit.new), []).append(edit)
    for (kind, _, _), several in alike.items():
        if kind == "name":
            continue  # then nothing would read the old name any more
        if 1 < len(several) <= MAX_JOINT and not any(_overlap(one, other) for one, other in combinations(several, 2)):
            yield replace(several[0], parts=tuple(part for edit in several for part in edit.parts))


def _overlap(one: Edit, other: Edit) -> bool:
    return any(
        start_of(a) < end_of(b) and start_of(b) < end_of(a) for (a, _), (b, _) in product(one.parts, other.parts)
    )


def _in_turn(found: Iterator[Edit]) -> Iterator[Edit]:
    """The edits of one maker, those of each place in turn: the first of each, then the second of each."""
    places: dict[tuple[int, str], list[Edit]] = {}
    for edit in found:
        places.setdefault((edit.line, edit.old), []).append(edit)
    for row in zip_longest(*places.values()):
        yield from (edit for edit in row if edit is not None)


def _distinct(found: Iterator[Edit]) -> Iterator[Edit]:
    seen = set[tuple[object, ...]]()
    for edit in found:
        key = tuple((*start_of(node), *end_of(node), text) for node, text in edit.parts)
        if edit.old != edit.new and key not in seen:
            seen.add(key)
            yield edit


# ------------------------------------------------------------------ results that are dropped, shared or local


def _kept(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        call, text = node.value, text_of(node.value)
        names = [argument.id for argument in call.args if isinstance(argument, ast.Name)]
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        while isinstance(owner, ast.Attribute | ast.Subscript):
            owner = owner.value
        if isinstance(owner, ast.Name):
            names.insert(0, owner.id)
        for name in dict.fromkeys(names):
            yield changed("dropped", node, f"{name} = {text}", (text, f"{name} = {text}"))


def _copied(program: Program, framework: str) -> Iterator[Edit]:
    """What is shared is copied: an item that is put into a list, a name for something that is changed later."""
    for node in in_functions(program):
        if isinstance(node, ast.Call) and name_of(node) in ("append", "add", "insert") and node.args:
            item = node.args[-1]
            if isinstance(item, ast.Name | ast.Subscript | ast.Attribute):
                yield changed("shared", item, _copy(item))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            if len(node.left.elts) == 1 and not isinstance(node.left.elts[0], ast.Constant):
                row = text_of(node.left.elts[0])
                yield changed("shared_rows", node, f"[{row} for _ in range({text_of(node.right)})]")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Subscript):
            yield changed("shared", node.value, _copy(node.value))
    for function in program.entries:
        first = next((node for node in function.body if not _is_docstring(node)), None)
        if first is None:
            continue
        for argument in function.args.args:
            copied = _copy(ast.Name(argument.arg), deep=True)
            before = f"{argument.arg} = {copied}\n{' ' * first.col_offset}"
            yield Edit("input_changed", function.lineno, argument.arg, copied, ((gap(first), before),))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _copy(node: ast.AST, deep: bool = False) -> str:
    return f"__import__('copy').{'deepcopy' if deep else 'copy'}({text_of(node)})"


def _of_self(program: Program, framework: str) -> Iterator[Edit]:
    """In a method: a local name that is meant as the object's, and the class where the object belongs."""
    for function in program.reached:
        outer = program.parents.get(function)
        if not isinstance(outer, ast.ClassDef) or not function.args.args:
            continue
        own = function.args.args[0].arg
        attributes = {node.attr for node in ast.walk(outer) if isinstance(node, ast.Attribute)}
        for node in program.own(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in attributes:
                yield changed("self_missing", node, f"{own}.{node.id}")
            if isinstance(node, ast.Name) and node.id == outer.name:
                yield changed("class_for_self", node, own)


# ------------------------------------------------------------------ axes

_ALONG = {
    "max", "min", "sum", "mean", "std", "var", "prod", "amax", "amin", "argmax", "argmin", "argsort", "sort", "softmax",
    "log_softmax", "cumsum", "norm", "any", "all", "median", "flip", "roll", "concatenate", "stack", "cat", "logsumexp",
    "take", "repeat", "expand_dims", "unsqueeze", "squeeze", "take_along_axis", "gather", "diff", "topk", "unfold",
}  # fmt: skip
_REDUCE = {"max", "min", "sum", "mean", "std", "var", "prod", "amax", "amin", "norm", "any", "all", "logsumexp"}


def _axes(program: Program, framework: str) -> Iterator[Edit]:
    torch = framework == "torch"
    axis_word, keep_word = ("dim", "keepdim") if torch else ("axis", "keepdims")
    joint: dict[int, list[ast.AST]] = {}
    for call in calls(program):
        if name_of(call) not in _ALONG:
            continue
        keywords = {keyword.arg: keyword for keyword in call.keywords if keyword.arg}
        axis = next((keywords[word].value for word in ("axis", "dim") if word in keywords), None)
        if axis is None:
            axis = next((argument for argument in call.args if whole_number(argument) is not None), None)
        if axis is not None and (number := whole_number(axis)) is not None:
            joint.setdefault(number, []).append(axis)
            for other in (-1, 0, 1, 2, -2):
                if other != number:
                    yield changed("axis", axis, str(other), (text_of(call), with_argument(call, axis, str(other))))
        keep = next((keywords[word] for word in ("keepdims", "keepdim") if word in keywords), None)
        if keep is None and axis is not None and name_of(call) in _REDUCE and framework != "python":
            yield _with(call, "keepdims", f"{keep_word}=True")
            for place in ("-1", "0"):
                yield changed("axis", call, f"{with_argument(call, axis, place)[:-1]}, {keep_word}=True)")
        elif keep is not None:
            yield _without(program, call, keep, "keepdims_extra")
        is_method = isinstance(call.func, ast.Attribute)
        is_whole = axis is None and name_of(call) in _REDUCE and not keywords.keys() & {"axis", "dim"}
        if is_whole and is_method and framework != "python":
            for choice in ("-1", "0", "(1, 2)", "1"):
                name = {"max": "amax", "min": "amin"}.get(name_of(call), name_of(call)) if torch else name_of(call)
                for kept in (f", {keep_word}=True", ""):
                    new = text_of(call).replace(f".{name_of(call)}(", f".{name}(", 1)
                    new = f"{new[:-1]}{', ' if call.args or call.keywords else ''}{axis_word}={choice}{kept})"
                    yield changed("axis_missing", call, new)
    for number, axes in joint.items():
        for other in (-1, 0, 1):
            if len(axes) > 1 and other != number:
                first = min(axes, key=start_of)
                parts = tuple((axis, str(other)) for axis in axes)
                shown = f"{axis_word}={number}", f"{axis_word}={other}"
                yield Edit("axes", start_of(first)[0], *shown, parts)


def _with(call: ast.Call, kind: str, keyword: str) -> Edit:
    text = text_of(call)
    return changed(kind, call, f"{text[:-1]}{', ' if call.args or call.keywords else ''}{keyword})")


def _without(program: Program, call: ast.Call, keyword: ast.keyword, kind: str) -> Edit:
    kept = [text_of(argument) for argument in call.args]
    kept += [text_of(other) for other in call.keywords if other is not keyword]
    return changed(kind, call, f"{text_of(call.func)}({', '.join(kept)})")


# ------------------------------------------------------------------ arguments and operands in the wrong order


def _orders(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            pairs = [(len(node.args) - 2, len(node.args) - 1)]
            if len(node.args) > 2 and name_of(node) not in ("where", "select"):
                pairs.append((0, 1))
            for one, other in pairs:
                arguments = list(node.args)
                arguments[one], arguments[other] = arguments[other], arguments[one]
                if not any(isinstance(argument, ast.Starred) for argument in arguments):
                    texts = [*map(text_of, arguments), *map(text_of, node.keywords)]
                    yield changed("exchanged", node, f"{text_of(node.func)}({', '.join(texts)})")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Sub | ast.Div | ast.Pow):
            symbol = _SYMBOLS[type(node.op)]
            yield changed("operands", node, f"{operand(node.right)} {symbol} {operand(node.left)}")
        if isinstance(node, ast.IfExp):
            yield changed("branches", node, f"{text_of(node.orelse)} if {text_of(node.test)} else {text_of(node.body)}")
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            texts = list(map(text_of, node.elts))
            parent = program.parents.get(node)
            kind = "indices" if isinstance(parent, ast.Subscript) else "exchanged_items"
            for n in range(len(texts) - 1):
                turned = [*texts[:n], texts[n + 1], texts[n], *texts[n + 2 :]]
                new = ", ".join(turned)
                bare = isinstance(parent, ast.Subscript | ast.For | ast.Assign | ast.Return | ast.comprehension)
                edit = changed(kind, node, f"({new})")
                if bare and isinstance(parent, ast.Subscript):
                    edit = Edit(kind, node.lineno, text_of(node), new, ((node, new),))
                yield edit


def _transposed(program: Program, framework: str) -> Iterator[Edit]:
    if framework == "python":
        return
    for node in in_functions(program):
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            yield changed("transposed", node, text_of(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            for side in (node.right, node.left):
                if not (isinstance(side, ast.Attribute) and side.attr == "T"):
                    yield changed("not_transposed", side, f"{operand(side)}.T")
        elif isinstance(node, ast.Call) and name_of(node) == "einsum" and node.args:
            yield from _einsum(node.args[0])
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield changed("not_transposed", node.value, f"{operand(node.value)}.T")


def _einsum(letters: ast.expr) -> Iterator[Edit]:
    if not isinstance(letters, ast.Constant) or not isinstance(letters.value, str) or "->" not in letters.value:
        return
    left, _, right = letters.value.partition("->")
    operands = left.split(",")
    for n, axes in enumerate([*operands, right]):
        for one in range(len(axes) - 1):
            turned = list(axes)
            turned[one], turned[one + 1] = turned[one + 1], turned[one]
            parts = [*operands, right]
            parts[n] = "".join(turned)
            text = f"{','.join(parts[:-1])}->{parts[-1]}"
            yield Edit("einsum", letters.lineno, repr(letters.value), repr(text), ((letters, repr(text)),))


# ------------------------------------------------------------------ comparisons and conditions

_COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"), ast.LtE: ("<", ">="), ast.Gt: (">=", "<"), ast.GtE: (">", "<="), ast.Eq: ("!=",),
    ast.NotEq: ("==",), ast.In: ("not in",), ast.NotIn: ("in",), ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip
_EQUALITY = {("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")}
_OF_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def _conditions(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right, old = text_of(node.left), text_of(node.comparators[0]), _OF_COMPARISON[type(node.ops[0])]
            if isinstance(node.ops[0], ast.Is | ast.IsNot) and right != "None":
                continue
            for new in _COMPARED[type(node.ops[0])]:
                kind = "equality" if (old, new) in _EQUALITY else "comparison"
                yield replace(changed(kind, node, f"{left} {new} {right}"), hint=f"`{old}` where `{new}` belongs")
        elif isinstance(node, ast.BoolOp):
            word = "or" if isinstance(node.op, ast.And) else "and"
            yield changed("and_or", node, f" {word} ".join(map(operand, node.values)))
            for value in node.values:
                rest = [operand(other) for other in node.values if other is not value]
                joined = (" and " if isinstance(node.op, ast.And) else " or ").join(rest)
                yield changed("condition_extra", node, joined)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            yield changed("negation", node, text_of(node.operand))
        elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare):
            if not isinstance(node, ast.While) and not isinstance(node.test, ast.UnaryOp):
                yield changed("negation", node.test, f"not {operand(node.test)}")
            if isinstance(node.test, ast.Name | ast.Subscript | ast.Attribute | ast.UnaryOp):
                inner = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
                is_ = "is" if isinstance(node.test, ast.UnaryOp) else "is not"
                yield changed("truth", node.test, f"{text_of(inner)} {is_} None")
        if isinstance(node, ast.Call) and name_of(node) in ("where", "masked_fill") and node.args:
            place = node.args[0]
            inverted = text_of(place.operand) if isinstance(place, ast.UnaryOp) else f"~{operand(place)}"
            yield changed("mask_inverted", place, inverted)


# ------------------------------------------------------------------ off by one


def _off_by_one(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if isinstance(node, ast.Call) and dotted(node.func).endswith("range"):
            for n, argument in enumerate(node.args[:2]):
                kind = "range_end" if n == len(node.args) - 1 or n == 1 else "range_start"
                for step in (1, -1):
                    moved = _moved(argument, step)
                    of_end = "range_early" if step > 0 else "range_late"
                    shown = text_of(node), with_argument(node, argument, moved)
                    yield changed(of_end if kind == "range_end" else kind, argument, moved, shown)
            if len(node.args) == 2 and whole_number(node.args[0]) is not None:
                yield changed("range_start", node.args[0], "0", (text_of(node), with_argument(node, node.args[0], "0")))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in inside:
                yield from _of_index(node, part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            yield changed("one_less", node, f"{text_of(node)} + 1")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and whole_number(node.right) == 1:
            yield changed("one_more", node, text_of(node.left))
        elif (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Add | ast.Sub)
            and whole_number(node.right) is not None
        ):
            for step in (-1, 1):
                moved = _moved(node.right, step)
                shown = text_of(node), f"{text_of(node.left)} {_SYMBOLS[type(node.op)]} {moved}"
                yield changed("one_more", node.right, moved, shown)


def _of_index(node: ast.Subscript, part: ast.expr) -> Iterator[Edit]:
    if isinstance(part, ast.Slice):
        for bound in (part.upper, part.lower):
            for step in (1, -1) if bound is not None else ():
                yield changed("slice", bound, _moved(bound, step), (text_of(node), ""))  # type: ignore[arg-type]
        if part.step is not None and whole_number(part.step) == -1 and part.lower is part.upper is None:
            yield Edit("turned_round", node.lineno, text_of(node), "", ((part.step, "1"),))
    elif not isinstance(part, ast.Constant) or isinstance(part.value, int):
        if not isinstance(part, ast.Constant | ast.Name | ast.BinOp | ast.UnaryOp):
            return
        if text_of(node.value).endswith(".shape"):
            yield from _of_shape(node, part)
            return
        for step in (1, -1):
            yield changed("index", part, _moved(part, step))


def _of_shape(node: ast.Subscript, part: ast.expr) -> Iterator[Edit]:
    """The size of another axis: the index of a shape chooses one."""
    for axis in _OTHER_AXES.get(text_of(part), ()):
        yield changed("shape_axis", part, axis, (text_of(node), f"{text_of(node.value)}[{axis}]"))


_OTHER_AXES = {
    "0": ("1", "-1"),
    "1": ("0", "2"),
    "2": ("1", "0"),
    "3": ("2", "1"),
    "-1": ("0", "-2"),
    "-2": ("-1", "0"),
}


def _moved(node: ast.AST, step: int) -> str:
    """The text of an expression that is larger or smaller by one."""
    number = whole_number(node)
    if number is not None:
        return str(number + step)
    is_moved = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and whole_number(node.right) == 1
    if is_moved and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) == (step < 0):
        return text_of(node.left)
    return f"{text_of(node)} {'+' if step > 0 else '-'} 1"


# ------------------------------------------------------------------ operators, functions, constants

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@",
}  # fmt: skip
_INSTEAD: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.MatMult), ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mod), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.MatMult: (ast.Mult,),
}  # fmt: skip


def _operators(program: Program, framework: str) -> Iterator[Edit]:
    nodes = list(in_functions(program))
    nodes.sort(
        key=lambda node: not isinstance(getattr(node, "op", None), ast.Mult | ast.Div | ast.MatMult)
    )  # which are mistaken most
    for node in nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _INSTEAD:
            for other in _INSTEAD[type(node.op)]:
                if framework == "python" and other is ast.MatMult:
                    continue
                edit = changed("operator", node, f"{operand(node.left)} {_SYMBOLS[other]} {operand(node.right)}")
                yield replace(edit, hint=f"`{_SYMBOLS[type(node.op)]}` where `{_SYMBOLS[other]}` belongs")
        elif isinstance(node, ast.AugAssign) and type(node.op) in _INSTEAD and not _counts(program, node):
            target, value = text_of(node.target), text_of(node.value)
            for other in _INSTEAD[type(node.op)][:1]:
                edit = changed("operator", node, f"{target} {_SYMBOLS[other]}= {value}")
                yield replace(edit, hint=f"`{_SYMBOLS[type(node.op)]}=` where `{_SYMBOLS[other]}=` belongs")
            yield changed("sum_for_last", node, f"{target} = {value}")
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and program.loops_of(node):
            place = node.targets[0]
            if isinstance(place, ast.Name | ast.Subscript | ast.Attribute):
                yield changed("last_for_sum", node, f"{text_of(place)} += {text_of(node.value)}")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield changed("sign", node, text_of(node.operand))


def _counts(program: Program, node: ast.AST) -> bool:
    """Whether it is the step of a `while` loop, such as `i += 1`: without it, or backwards, the loop does not end."""
    is_step = isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    return (
        is_step
        and any(
            isinstance(loop, ast.While) and node.target.id in names_of(loop.test)  # type: ignore[attr-defined]
            for loop in program.loops_of(node)[:1]
        )
    )


_DTYPES = {"int8", "uint8", "int16", "half", "float16", "bfloat16", "float32", "float", "int"}


def _functions(program: Program, framework: str) -> Iterator[Edit]:
    defined = {node.name for node in program.parents if isinstance(node, Function)}
    own = defined | stored(program.tree) | {node.arg for node in program.parents if isinstance(node, ast.arg)}
    for node in in_functions(program):
        parent = program.parents.get(node)
        is_called = isinstance(parent, ast.Call) and parent.func is node
        if isinstance(node, ast.Attribute):
            is_of_module = dotted(node).split(".")[0] in MODULES - own
            if node.attr in defined or not (is_called or is_of_module):
                continue  # a value, or a function of the student's own
            for other in LIKE.get(node.attr, ()):
                kind = "dtype" if node.attr in _DTYPES else "function"
                edit = changed(kind, node, f"{operand(node.value)}.{other}")
                yield replace(edit, hint=f"`{node.attr}` where `{other}` belongs")
        elif isinstance(node, ast.Name) and is_called and node.id not in own:
            for other in LIKE.get(node.id, ()) if node.id in ("max", "min", "any", "all", "sum", "int") else ():
                if other in ("max", "min", "any", "all", "round"):
                    yield replace(changed("function", node, other), hint=f"`{node.id}` where `{other}` belongs")


def _keywords(program: Program, framework: str) -> Iterator[Edit]:
    for call in calls(program):
        names = {keyword.arg for keyword in call.keywords}
        for keyword in call.keywords:
            value = keyword.value
            if isinstance(value, ast.Constant) and type(value.value) is bool:
                yield changed(
                    "keyword", value, str(not value.value), (text_of(keyword), f"{keyword.arg}={not value.value}")
                )
            if keyword.arg not in ("axis", "dim", "keepdims", "keepdim", "shape", None):
                yield _without(program, call, keyword, "keyword_extra")
            swap = {"dilation": "stride", "padding": "stride", "stride": "dilation"}.get(keyword.arg or "")
            if swap and swap not in names:
                yield changed("keyword", keyword, f"{swap}={text_of(value)}")
        if name_of(call) in ("var", "std") and framework in ("numpy", "jax") and "ddof" not in names:
            yield _with(call, "keyword", "ddof=1")
        if name_of(call) in ("var", "std") and framework == "torch" and not names & {"correction", "unbiased"}:
            yield _with(call, "keyword", "correction=0")
        if name_of(call) in ("sorted", "sort") and framework == "python" and "reverse" not in names:
            yield _with(call, "keyword", "reverse=True")


def _floats(value: float) -> list[str]:
    """What a float may be instead. A small one, such as an epsilon, is not made smaller: that only fits a tolerance."""
    return [*(() if 0 < value < SMALL else ("0.0", str(value / 2))), "1.0", str(value * 2)]


def _constants(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            yield changed("infinite", node, "float('-inf')")
            yield changed("constant", node, "None")
        if not isinstance(node, ast.Constant) or isinstance(program.parents.get(node), ast.Expr):
            continue
        value = node.value
        if _chooses_axis(program, node):
            continue
        if type(value) is bool:
            yield changed("constant", node, str(not value))
        elif isinstance(value, int | float):
            is_negative = isinstance(program.parents.get(node), ast.UnaryOp)
            others: list[str] = []
            is_filling = isinstance(program.parents.get(node), ast.Call if framework != "python" else ast.Assign)
            if value == 0 and not is_negative and is_filling:
                others = ["float('-inf')", "float('inf')"]
            if type(value) is int:
                others += [str(value + 1), str(value - 1)]
            others += ["0", "1", "2"] if type(value) is int else _floats(value)
            for other in others:
                if other == "0" and _counts(program, program.parents[node]):
                    continue
                kind = "infinite" if "inf" in other else "constant"
                yield changed(kind, node, other)
        elif value is None:
            yield changed("constant", node, "[]")


def _chooses_axis(program: Program, node: ast.AST) -> bool:
    """Whether a number is the index of a shape."""
    above = program.parents.get(node)
    return isinstance(above, ast.Subscript) and above.slice is node and text_of(above.value).endswith(".shape")


# ------------------------------------------------------------------ what is too much


def _extra(program: Program, framework: str) -> Iterator[Edit]:
    """A term, a factor, a function or a statement that should not be there."""
    for node in in_functions(program):
        if isinstance(node, ast.BinOp):
            if not isinstance(node.op, ast.Mod) or framework != "python":
                is_power = isinstance(node.op, ast.Pow)
                kind = "term_extra" if isinstance(node.op, ast.Add | ast.Sub) else "factor_extra"
                yield changed("power_extra" if is_power else kind, node, text_of(node.left))
                yield changed(kind, node, text_of(node.right))
        elif isinstance(node, ast.Call):
            is_module = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
            module = is_module and dotted(node.func.value) in MODULES  # type: ignore[attr-defined]
            if name_of(node) == "where" and len(node.args) == 3:
                for kept in node.args[1:]:
                    yield replace(changed("call_extra", node, text_of(kept)), hint="`where`")
            elif (module or isinstance(node.func, ast.Name)) and node.args:
                yield replace(changed("call_extra", node, text_of(node.args[0])), hint=known_name(node))
            elif isinstance(node.func, ast.Attribute) and not isinstance(program.parents.get(node), ast.Expr):
                yield replace(changed("call_extra", node, text_of(node.func.value)), hint=known_name(node))
    for node in in_functions(program):
        is_plain = isinstance(node, ast.AugAssign | ast.Expr | ast.Break | ast.Continue | ast.Assign)
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_guard = isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Return | ast.Raise)
        if (is_plain and not is_doc and not _counts(program, node)) or is_guard:
            last = node.end_lineno == node.lineno  # type: ignore[attr-defined]
            if last or is_guard:
                shown = text_of(node.test) if isinstance(node, ast.If) else text_of(node)
                kind = "guard_extra" if is_guard else "statement_extra"
                lines = (node.end_lineno or node.lineno) - node.lineno  # type: ignore[attr-defined]
                word = (
                    "`break`" if isinstance(node, ast.Break) else "`continue`" if isinstance(node, ast.Continue) else ""
                )
                yield Edit(kind, start_of(node)[0], shown, "", ((node, "pass" + "\n" * lines),), hint=word)


# ------------------------------------------------------------------ what is missing


def _missing(program: Program, framework: str) -> Iterator[Edit]:
    arrays = framework != "python"
    module = {"numpy": "np", "jax": "jnp", "torch": "torch"}.get(framework, "")
    keep = "dim=-1, keepdim=True" if framework == "torch" else "axis=-1, keepdims=True"
    largest = "amax" if framework == "torch" else "max"
    arguments: dict[str, list[ast.expr]] = {}
    for call in calls(program):
        if len(call.args) == 1 and not call.keywords:
            arguments.setdefault(text_of(call.func), []).append(call.args[0])
    for name, given in arguments.items():
        for one in given:
            for other in given:
                if text_of(one) != text_of(other):
                    shown = f"{name}({text_of(one)})", f"{name}({text_of(other)})"
                    yield changed("other_argument", one, text_of(other), shown)
    if arrays:
        shifted = []
        for call in calls(program):
            if name_of(call) == "exp":
                inner = call.args[0] if call.args else getattr(call.func, "value", None)
                if inner is not None:
                    text = operand(inner)
                    shifted.append((inner, f"({text} - {text}.{largest}({keep}))"))
        if shifted:
            first = shifted[0][0]
            yield Edit("overflow", start_of(first)[0], text_of(first), "", tuple(shifted))
    is_divided = divides(program.nodes) or any(name_of(call) in ("sum", "max", "amax") for call in calls(program))
    for node in in_functions(program):
        if isinstance(node, ast.Return) and node.value is not None and arrays:
            text = operand(node.value)
            for made in (f"-{text}",) if is_divided else (f"{text} / {text}.sum({keep})", f"-{text}"):
                yield changed("step_missing", node.value, made)
            for function in ("sqrt", "exp"):
                yield changed("step_missing", node.value, f"{module}.{function}({text})")
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name | ast.Call | ast.Subscript):
            text = operand(node.value)
            if framework == "python":
                for wrap in ("sorted", "list", "tuple"):
                    yield changed("step_missing", node.value, f"{wrap}({text})")
                yield changed("iterator", node.value, f"iter({text})")
                yield changed("step_missing", node.value, f"{text}[::-1]")
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
            yield changed("walked_copy", node.iter, f"list({node.iter.id})")


# ------------------------------------------------------------------ exceptions, and what belongs above or in a loop

_EXCEPTIONS = ("ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError")


def _raises(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            for other in _EXCEPTIONS if isinstance(raised, ast.Name) else ():
                yield replace(changed("exception", raised, other), hint=f"`{other}`")


def _loops(program: Program, framework: str) -> Iterator[Edit]:
    """A start that is moved above its loop, and one above that is moved into it."""
    for node in in_functions(program):
        if not isinstance(node, ast.Assign) or node.end_lineno != node.lineno or not isinstance(
            node.targets[0], ast.Name
        ):  # fmt: skip
            continue
        text = text_of(node)
        for loop in program.loops_of(node)[:2]:
            if isinstance(loop, ast.For):
                above = f"{text}\n{' ' * loop.col_offset}"
                yield Edit("made_in_loop", node.lineno, text, "", ((node, "pass"), (gap(loop), above)))
        asked = [other for each in program.nodes if isinstance(each, ast.Compare) for other in each.comparators]
        if any(isinstance(other, ast.Name) and other.id == node.targets[0].id for other in asked):
            continue  # to empty what `in` looks through only puts the condition out of force
        for later in program.nodes:
            if isinstance(later, ast.For) and later.lineno > node.lineno:
                function, first = program.function_of(node), later.body[0]
                if program.function_of(later) is function and first.lineno > later.lineno:
                    inside = f"{text}\n{' ' * first.col_offset}"
                    yield Edit("not_reset", node.lineno, text, "", ((gap(first), inside),))


def _factors(program: Program, framework: str) -> Iterator[Edit]:
    """Places that are counted in steps of an argument: `c * s` for `c`, in both ends of a slice."""
    for function in program.reached:
        steps = [argument.arg for argument in function.args.args if isinstance(argument, ast.arg)][1:]
        for node in program.own(function):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
                continue
            for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                names = [inner for inner in ast.walk(part) if isinstance(inner, ast.Name)]
                for name in dict.fromkeys(inner.id for inner in names):
                    places = [inner for inner in names if inner.id == name]
                    for step in steps if name not in steps else ():
                        new = f"{name} * {step}"
                        yield Edit("factor_missing", node.lineno, name, new, tuple((p, f"({new})") for p in places))


# ------------------------------------------------------------------ one name for another


def _may_be_meant(function: Function, node: ast.Name, other: str) -> bool:
    """Whether `other` can be what was meant: nothing reads it, it is no function where a value stands or the other way
    round, and what `node` names is still read elsewhere. Else the other name only hides what went wrong before it.
    """
    if other.startswith("_") or any(True for _ in loads(function, other)):
        return False
    is_argument = any(argument.arg == other for argument in function.args.args)
    if not is_argument and not any(other in stored(each) for each in function.body if each.lineno < node.lineno):
        return False
    functions = {call.func.id for call in ast.walk(function) if isinstance(call, ast.Call) and _is_name(call.func)}
    functions |= {
        target.id
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Lambda)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    if functions & {node.id, other}:
        return False
    updates = [
        inner
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and stored(each) == {node.id}
        for inner in loads(each, node.id)
    ]
    return any(each is not node and each not in updates for each in loads(function, node.id))


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _sizes(program: Program, framework: str) -> Iterator[Edit]:
    """One name for another that got its value in the same place: `N, H, W = x.shape`, or an argument beside it."""
    for function in program.reached:
        groups = [[argument.arg for argument in function.args.args if argument.arg != "self"]]
        for node in program.own(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                groups.append([item.id for item in node.targets[0].elts if isinstance(item, ast.Name)])
        for node in program.own(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                for group in groups:
                    for other in group if node.id in group else ():
                        if other != node.id and _may_be_meant(function, node, other):
                            yield changed("name", node, other)


def _names(program: Program, framework: str) -> Iterator[Edit]:
    """A name that is read where another of the function's was meant, those of the arguments first.

    What is written into stays: to write into an argument in its place may give the right answer, for a wrong reason.
    """
    for function in program.reached:
        own = [argument.arg for argument in function.args.args]
        local = [
            node.id for node in program.own(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        candidates = list(dict.fromkeys([*own, *local]))
        filled = {
            node.value.id
            for node in program.own(function)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
        }
        for node in program.own(function):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            if node.id not in candidates or node.id in filled:
                continue
            for other in candidates:
                if other != node.id and "self" not in (other, node.id) and _may_be_meant(function, node, other):
                    yield changed("name", node, other)


_Maker = Callable[[Program, str], Iterator[Edit]]
# those before `_kept` are of a construct that few programs have, and say what is wrong with just that
_OF_WHAT_IS_MEANT: Sequence[_Maker] = (_kept, _of_self, _copied, written)
_MAKERS: Sequence[_Maker] = (
    cancellation, lookups, rounds, values, reshaped, _kept, _of_self, _raises, _axes, _conditions, _copied, _loops,
    written, taken,
    _orders, _transposed, slices, _off_by_one, _sizes, dtypes, _keywords, _functions, _operators, starts, _constants,
    _extra, functions, _missing, factors, order, _factors, _names,
)  # fmt: skip
# Where each changed program is compiled there is time for some 20 of them: of these first.
_OF_COMPILED = {
    cancellation,
    lookups,
    values,
    slices,
    _orders,
    _operators,
    _functions,
    reshaped,
    _kept,
    _axes,
    _keywords,
}
_OF_COMPILED_AT_A_TIME = 4  # of each kind, then the next
_AT_A_TIME = 12
