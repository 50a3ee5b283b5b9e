"""Edits of steps: at the wrong end of an axis, a function that is missing, a factor or a line at the wrong place."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from graders.reasons.repairs.edit import Edit, changed, in_functions, name_of, operand, start_of, text_of
from graders.reasons.source.program import Program, dotted

MAX_PLACES = 6  # to which one factor is moved
_SCALES = {"sqrt", "float", "float32", "float64", "len", "asarray", "array", "tensor", "size"}


def slices(program: Program, framework: str) -> Iterator[Edit]:
    """A slice that takes the wrong end, or that leaves out what belongs to it."""
    for node in in_functions(program):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(part, ast.Slice) and part.step is None:
                yield from _of_slice(node, part)


def _of_slice(whole: ast.Subscript, part: ast.Slice) -> Iterator[Edit]:
    lower, upper = part.lower, part.upper
    turned: list[str] = []
    if lower is not None and upper is None:
        turned = [f":{_positive(lower) or f'-{operand(lower)}'}", f":{text_of(lower)}"]
    elif upper is not None and lower is None:
        turned = [f"{_positive(upper) or f'-{operand(upper)}'}:"]
    for text in turned:
        yield _with_slice("slice_end", whole, part, text)
    if lower is not None or upper is not None:
        yield _with_slice("slice_short", whole, part, ":")
    if lower is not None and upper is not None:
        yield _with_slice("slice_short", whole, part, f":{text_of(upper)}")
        yield _with_slice("slice_short", whole, part, f"{text_of(lower)}:")


def _positive(node: ast.expr) -> str:
    """T for `-T`, "" for all else."""
    is_minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return text_of(node.operand) if is_minus else ""  # type: ignore[attr-defined]


def _with_slice(kind: str, whole: ast.Subscript, part: ast.Slice, text: str) -> Edit:
    old = text_of(whole)
    inside = [text if each is part else text_of(each) for each in _parts(whole)]
    return Edit(kind, start_of(whole)[0], old, f"{text_of(whole.value)}[{', '.join(inside)}]", ((part, text),))


def _parts(whole: ast.Subscript) -> list[ast.expr]:
    return whole.slice.elts if isinstance(whole.slice, ast.Tuple) else [whole.slice]


def reshaped(program: Program, framework: str) -> Iterator[Edit]:
    """A reshape where the axes should be swapped; also all of them at once."""
    if framework == "python":
        return
    found = []
    for node in in_functions(program):
        if isinstance(node, ast.Call) and name_of(node) in ("reshape", "view") and isinstance(node.func, ast.Attribute):
            is_function = dotted(node.func.value) in ("np", "jnp", "torch")
            owner = node.args[0] if is_function and node.args else node.func.value
            if len(node.args) > 1 or (node.args and isinstance(node.args[0], ast.Tuple)):
                found.append((node, f"{operand(owner)}.swapaxes(0, 1)"))
    for node, new in found:
        yield changed("reshape_for_swap", node, new)
    if len(found) > 1:
        (first, new), parts = found[0], tuple((node, f"({text})") for node, text in found)
        yield Edit("reshape_for_swap", start_of(first)[0], text_of(first), new, parts)


def functions(program: Program, framework: str) -> Iterator[Edit]:
    """A step to which a function should be applied, those that come first before those that come last."""
    arrays = framework != "python"
    module = {"numpy": "np.", "jax": "jnp.", "torch": "torch."}.get(framework, "")
    wraps = ("abs", "exp", "sqrt", "log") if arrays else ("abs",)
    for wrap in wraps:
        for node in in_functions(program):
            if isinstance(node, ast.Assign) and arrays and isinstance(node.value, ast.BinOp | ast.Call | ast.Name):
                yield changed("function_missing", node.value, f"{module}{wrap}({text_of(node.value)})")
            elif isinstance(node, ast.Call) and wrap == "abs" and name_of(node) in _ORDERING and node.args:
                yield changed("function_missing", node.args[0], f"{module}abs({text_of(node.args[0])})")
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and arrays and wrap == "sqrt":
                yield changed("function_missing", node.right, f"{module}sqrt({text_of(node.right)})")
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and arrays and wrap == "log":
                for term in (node.left, node.right):
                    if isinstance(term, ast.Call) and name_of(term) in ("sum", "prod", "mean"):
                        yield changed("function_missing", term, f"{module}log({text_of(term)})")


_ORDERING = {"argsort", "sort", "sorted", "max", "min", "argmax", "argmin", "sum", "mean"}


def factors(program: Program, framework: str) -> Iterator[Edit]:
    """A factor or a divisor that is taken away from one step and given to another."""
    for function in program.reached:
        steps: list[ast.expr] = [
            node.value
            for node in program.own(function)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp | ast.Call)
        ]
        steps += [
            node.args[0]
            for node in program.own(function)
            if isinstance(node, ast.Call) and name_of(node) in ("exp", "softmax") and node.args
        ]
        for node in program.own(function):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div | ast.Mult):
                continue
            if not _is_scale(node.right):
                continue
            symbol = "/" if isinstance(node.op, ast.Div) else "*"
            others = [step for step in steps if not _touch(step, node)]
            for step in others[:MAX_PLACES]:
                new = f"{operand(step)} {symbol} {operand(node.right)}"
                parts = ((node, f"({text_of(node.left)})"), (step, f"({new})"))
                yield Edit("factor_place", start_of(node)[0], text_of(node), new, parts)


def _touch(one: ast.AST, other: ast.AST) -> bool:
    return other in ast.walk(one) or one in ast.walk(other)


def _is_scale(node: ast.expr) -> bool:
    """Whether it is a number and not an array: of sizes, constants and roots."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and name_of(inner) not in _SCALES:
            return False
        if isinstance(inner, ast.Attribute) and inner.attr not in ("shape", "size", *_SCALES):
            return False
    return not isinstance(node, ast.Constant)


def order(program: Program, framework: str) -> Iterator[Edit]:
    """Two statements, one below the other, that change places."""
    for node in program.nodes:
        for body in (getattr(node, name, None) for name in ("body", "orelse")):
            if not isinstance(body, list) or not isinstance(node, ast.stmt):
                continue
            for one, other in pairwise(body):
                if all(_is_simple(each) for each in (one, other)):
                    parts = ((one, text_of(other)), (other, text_of(one)))
                    yield Edit("statements_order", one.lineno, text_of(one), text_of(other), parts)


def _is_simple(node: ast.stmt) -> bool:
    is_plain = isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and node.lineno == node.end_lineno
    return is_plain and not (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call))


# ------------------------------------------------------------------ what is taken, and where it is put

_SEVERAL = {"max", "min", "most_common", "sorted", "heappop", "popitem", "nlargest", "nsmallest", "next"}


def taken(program: Program, framework: str) -> Iterator[Edit]:
    """One item of what a function gives, and whole rows in place of single numbers."""
    for node in in_functions(program):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            call = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(call, ast.Call) and name_of(call) in _SEVERAL:
                yield changed("first_item", node.value, f"{text_of(node.value)}[0]")
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            places = node.slice.elts
            if framework == "python" or not all(isinstance(place, ast.Name | ast.Call) for place in places):
                continue
            for place, text in zip(places, (f":, {text_of(places[1])}", f"{text_of(places[0])}, :"), strict=True):
                new = f"{text_of(node.value)}[{text}]"
                yield Edit("paired_indices", node.lineno, text_of(node), new, ((place, ":"),))
        elif isinstance(node, ast.Call) and name_of(node) in ("take_along_axis", "gather"):
            given = [argument for argument in node.args if not isinstance(argument, ast.Constant)]
            if isinstance(node.func, ast.Attribute) and dotted(node.func.value) not in ("np", "jnp", "torch"):
                given.insert(0, node.func.value)
            if len(given) == 2:
                yield changed("gathered", node, f"{operand(given[0])}[{text_of(given[1])}]")


def written(program: Program, framework: str) -> Iterator[Edit]:
    """The loop's own name gets a new value that is meant to be written into what the loop walks over."""
    for node in in_functions(program):
        if not isinstance(node, ast.Assign | ast.AugAssign) or node.lineno != node.end_lineno:
            continue
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        for loop in program.loops_of(node):
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name) or not isinstance(target, ast.Name):
                continue
            if text_of(loop.target) != target.id:
                continue
            place = f"{loop.iter.id}[_place]"
            new = f"{place} = {text_of(node.value)}"
            if isinstance(node, ast.AugAssign):
                new = f"{text_of(node)}; {place} = {target.id}"
            elif framework == "jax":
                new = f"{loop.iter.id} = {loop.iter.id}.at[_place].set({text_of(node.value)})"
            parts = ((loop.target, f"_place, {target.id}"), (loop.iter, f"enumerate({loop.iter.id})"), (node, new))
            yield Edit("loop_name", node.lineno, text_of(node), loop.iter.id, parts)
