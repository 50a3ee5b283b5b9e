"""An operator or a test that does something else than it looks like."""

import ast
from collections.abc import Iterator

import numpy as np

from graders.boxes.reply import Returned
from graders.reasons.source.evidence import Evidence, WrongCase
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Program, dotted, names_of

_WITH_PLACES = {"max", "min", "sort", "topk", "median", "mode", "kthvalue", "cummax", "cummin"}


def _identity(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`is` with a number or a text."""
    for node in program.nodes:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            other = node.comparators[0]
            if isinstance(other, ast.Constant) and type(other.value) in (int, float, str):
                if evidence.framework == "python" or "shape" in ast.dump(node.left) or isinstance(node.left, ast.Call):
                    continue  # small integers of Python's own are one object each
                equal = "==" if isinstance(node.ops[0], ast.Is) else "!="
                quoted = code(program, node, "The comparison")
                text = (
                    f"{quoted} in line {node.lineno} asks whether both are the same object, not whether they are "
                    f"equal: write `{equal}`."
                )
                hidden = "`is` asks whether two values are the same object, not whether they are equal."
                yield Finding("identity", node.lineno, text, hidden)


def _floor(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`//`, where each answer holds whole numbers and fractions are expected."""
    found = [
        node
        for node in program.nodes
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.FloorDiv)
    ]
    if len(found) != 1 or not evidence.wrong or not all(_is_whole_for_fractions(case) for case in evidence.wrong):
        return
    if any(
        isinstance(above, ast.Subscript | ast.Call) and dotted(getattr(above, "func", above)) in ("", "range")
        for above in program.above(found[0])
    ):
        return
    line = found[0].lineno
    quoted = code(program, found[0], "`//`")
    text = (
        f"{quoted} in line {line} divides and rounds down, and your numbers are whole where fractions are "
        "expected: `/` keeps the fraction."
    )
    hidden = "`//` rounds down, and your numbers are whole where fractions are expected."
    yield Finding("floor_division", line, text, hidden, frozenset({"constant", "dtype"}))


def _is_whole_for_fractions(case: WrongCase) -> bool:
    if not isinstance(case.outcome, Returned):
        return False
    expected, actual = case.case.expected, case.returned
    if not all(isinstance(value, np.ndarray | list | tuple | int | float) for value in (expected, actual)):
        return False
    try:
        e, a = np.asarray(expected, np.float64), np.asarray(actual, np.float64)
    except (ValueError, TypeError, OverflowError):
        return False
    if not a.size or not np.isfinite(a).all() or not np.isfinite(e).all():
        return False
    return bool((a == np.trunc(a)).all()) and not bool((e == np.trunc(e)).all())


def _power(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`x ^ 2`."""
    bitwise = [
        node
        for node in program.nodes
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitXor | ast.BitAnd | ast.BitOr | ast.LShift | ast.RShift)
    ]
    if len(bitwise) != 1 or not isinstance(bitwise[0].op, ast.BitXor):
        return
    node = bitwise[0]
    exponent = node.right
    if not isinstance(exponent, ast.Constant) or type(exponent.value) not in (int, float) or exponent.value in (0, 1):
        return
    if not all(
        isinstance(case.outcome, Returned) or (case.raised and case.raised.line == node.lineno)
        for case in evidence.wrong
    ):
        return
    text = f"{code(program, node, '`^`')} in line {node.lineno} is an exclusive or of bits: a power is written `**`."
    yield Finding("exclusive_or", node.lineno, text, "`^` is an exclusive or of bits: a power is written `**`.")


def _falsy(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`if best[i]:` for what may be None, and may be `[]` or 0, which also count as false."""
    for node in program.nodes:
        if not isinstance(node, ast.If | ast.While | ast.IfExp):
            continue
        for test in _truths(node.test):
            if _subject(test) and (empty := _both_none_and_empty(program, test)):
                quoted = code(program, test, f"`{_subject(test)}`")
                text = (
                    f"{quoted} in line {test.lineno} counts as false when it is None, and when it is `{empty}` "
                    "too: compare with None, `is not None`."
                )
                hidden = "A test in your source takes an empty value for None: compare with None, `is not None`."
                yield Finding("falsy", test.lineno, text, hidden, frozenset({"constant"}))
                return


def _truths(test: ast.expr) -> Iterator[ast.Name | ast.Subscript]:
    """The names and places whose bare truth a condition asks for."""
    pending: list[ast.expr] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BoolOp):
            pending += node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            pending.append(node.operand)
        elif isinstance(node, ast.Name | ast.Subscript):
            yield node


def _both_none_and_empty(program: Program, test: ast.Name | ast.Subscript) -> str:
    """`[]` or `0` where what is tested, a name or an item, gets both that and None; else ""."""
    is_item = isinstance(test, ast.Subscript)
    name = dotted(test.value if isinstance(test, ast.Subscript) else test)
    values: list[ast.expr] = []
    for node in program.nodes:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if (
                isinstance(target, ast.Subscript) == is_item
                and _subject(target) == name
                and isinstance(node, ast.Assign)
            ):
                values.append(node.value)
            elif is_item and dotted(target) == name and isinstance(node, ast.Assign):
                values += _items_of(node.value)
    values += [result for value in values if isinstance(value, ast.Call) for result in _results_of(program, value)]
    constants = [value.value for value in values if isinstance(value, ast.Constant)]
    if None not in constants:
        return ""
    if any(isinstance(value, ast.List) and not value.elts for value in values):
        return "[]"
    return "0" if any(type(value) in (int, float) and value == 0 for value in constants) else ""


def _results_of(program: Program, call: ast.Call) -> list[ast.expr]:
    """What a function of the student's own returns: the values themselves, or those that a returned name gets."""
    found: list[ast.expr] = []
    for function in program.reached:
        if function.name != dotted(call.func):
            continue
        nodes = list(program.own(function))
        results = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
        names = {result.id for result in results if isinstance(result, ast.Name)}
        found += results
        for node in nodes:
            if isinstance(node, ast.Assign) and any(dotted(target) in names for target in node.targets):
                found.append(node.value)
    return found


def _subject(target: ast.expr) -> str:
    return dotted(target.value if isinstance(target, ast.Subscript) else target)


def _items_of(value: ast.expr) -> list[ast.expr]:
    """What fills a list that an expression makes: `[None] * n`, `[None for _ in x]`, `[0, None]`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult | ast.Add):
        return [*_items_of(value.left), *_items_of(value.right)]
    if isinstance(value, ast.ListComp):
        return [value.elt]
    return value.elts if isinstance(value, ast.List) else []


def _places(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """The place of the largest, by `[1]` or `argmax`, in arithmetic where the largest itself belongs."""
    if not evidence.returns_floats:
        return
    for node in program.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub | ast.Div):
            continue
        for part in (node.right, *_assigned_to(program, node.right)):
            name = _place_of(_core(part), evidence.framework)
            if name:
                inner = _core(part)
                quoted = code(program, inner, f"`{name}`")
                what = "largest" if "max" in name else "smallest" if "min" in name else "values found"
                text = (
                    f"{quoted} in line {inner.lineno} says where the {what} is, not how large it is, and line "
                    f"{node.lineno} computes with it."
                )
                if what == "values found":
                    text = (
                        f"{quoted} in line {inner.lineno} gives places, not values, and line {node.lineno} "
                        "computes with them."
                    )
                yield Finding(
                    "place_for_value",
                    inner.lineno,
                    text,
                    "Your source computes with the place of a value in place of the value.",
                    frozenset({"masked_nan"}),
                )
                return


def _core(node: ast.expr) -> ast.expr:
    """An expression without what only changes its shape: `m[:, None]`, `m.unsqueeze(1)`, `np.expand_dims(m, 1)`."""
    while True:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("unsqueeze", "reshape", "view", "float", "astype", "to", "double")
        ):
            node = node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            node = node.value
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("expand_dims") and node.args:
            node = node.args[0]
        else:
            return node


def _assigned_to(program: Program, node: ast.expr) -> list[ast.expr]:
    """The only value that the name in an expression gets in its function."""
    core = _core(node)
    function = program.function_of(node)
    if not isinstance(core, ast.Name) or function is None:
        return []
    values = [
        inner.value
        for inner in program.own(function)
        if isinstance(inner, ast.Assign) and core.id in {name for target in inner.targets for name in names_of(target)}
    ]
    plain = [value for value in values if not isinstance(value, ast.Tuple)]
    return plain if len(values) == 1 else []


def _place_of(node: ast.expr, framework: str) -> str:
    """The name of the function whose result is a place: `argmax`, or torch's `max(…)[1]`."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        return name if name in ("argmax", "argmin", "argsort") else ""
    if framework != "torch":
        return ""
    call = node.value if isinstance(node, ast.Subscript | ast.Attribute) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _WITH_PLACES:
        return ""
    is_second = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 1
    is_indices = isinstance(node, ast.Attribute) and node.attr == "indices"
    return call.func.attr if is_second or is_indices else ""


def _hidden_error(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """An `except` for everything that gives just the answer that came."""
    for node in program.nodes:
        if not isinstance(node, ast.ExceptHandler) or not _is_for_all(node):
            continue
        if all(_is_answer_of(node, case) for case in evidence.wrong):
            text = (
                f"The `except` in line {node.lineno} catches every error and hides it, and your answer is what it "
                "gives then: let the error show, to see which it is."
            )
            hidden = "An `except` in your source catches every error and hides it."
            yield Finding("hidden_error", node.lineno, text, hidden, frozenset({"constant", "input_returned"}))
            return


def _is_for_all(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or dotted(handler.type) in ("Exception", "BaseException")


def _is_answer_of(handler: ast.ExceptHandler, case: WrongCase) -> bool:
    last = handler.body[-1]
    if not isinstance(case.outcome, Returned):
        return False
    if isinstance(last, ast.Pass) or (isinstance(last, ast.Return) and last.value is None):
        return case.is_nothing
    if not isinstance(last, ast.Return):
        return False
    if isinstance(last.value, ast.Constant):
        return type(case.returned) is type(last.value.value) and bool(case.returned == last.value.value)
    if isinstance(last.value, ast.Name) and last.value.id in case.case.inputs:
        return np.array_equal(np.asarray(case.returned), np.asarray(case.case.inputs[last.value.id]))
    return isinstance(last.value, ast.List) and not last.value.elts and case.returned == []


LOOKS = (_identity, _floor, _power, _falsy, _places, _hidden_error)
