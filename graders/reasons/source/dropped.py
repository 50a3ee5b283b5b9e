"""A result that is dropped: the statement computes something new, and nothing takes it."""

import ast
from collections.abc import Iterator

import numpy as np

from graders.reasons.source.evidence import Evidence, WrongCase
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Function, Program, dotted, loads

_DTYPES = {"astype", "long", "float", "double", "half", "int", "bool", "type", "to"}
_SHAPES = {
    "reshape", "view", "transpose", "permute", "unsqueeze", "squeeze", "flatten", "ravel", "swapaxes", "expand_dims",
    "expand", "repeat", "broadcast_to", "moveaxis", "stack", "concatenate", "cat", "append", "insert", "delete", "tile",
    "pad", "swapdims", "movedim", "hstack", "vstack",
}  # fmt: skip
_VALUES = {
    "exp", "log", "sqrt", "abs", "clip", "clamp", "round", "where", "maximum", "minimum", "masked_fill", "softmax",
    "relu", "tanh", "sigmoid", "flip", "roll", "sort", "cumsum", "nan_to_num", "square", "power", "multiply", "add",
    "subtract", "divide", "tril", "triu", "take", "normalize", "layer_norm", "dropout",
}  # fmt: skip
_METHODS = _DTYPES | _SHAPES | {"exp", "log", "sqrt", "clip", "clamp", "round", "masked_fill", "softmax", "sigmoid",
                                "tanh", "relu", "flip", "roll", "tril", "triu", "cumsum"}  # fmt: skip
_NOT_METHODS = {"append", "insert", "delete", "stack", "concatenate", "cat"}  # of a list they change it
_OF_STRINGS = {"replace", "strip", "lower", "upper", "lstrip", "rstrip", "title"}
_UPDATES = {"set", "add", "multiply", "divide", "power", "min", "max", "apply", "mul", "subtract"}
_MODULES = {"np", "numpy", "jnp", "torch", "F", "jax.numpy", "jax.nn", "torch.nn.functional", "nn.functional"}
_RETURNS_NONE = {"append", "extend", "insert", "reverse", "clear"}
_UNPARENTHESISED = {"append", "extend", "sort", "reverse", "update", "clear", "pop"}

_DROPPED = "A statement in your function computes something new and drops it: give the result a name."


def _dropped_result(program: Program, evidence: Evidence) -> Iterator[Finding]:
    for node in program.nodes:
        function = program.function_of(node)
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or function is None:
            continue
        what = _pure(node.value, evidence.framework)
        if what is None or not _is_used_later(program, function, node, what[1]):
            continue
        if _agrees(program, evidence, function, node, what[0]):
            kind, name = what
            quoted = code(program, node.value, f"`{kind}`")
            text = f"Line {node.lineno} computes {quoted} and drops the result: `{name}` itself stays as it was."
            refines = _refined(kind)
            yield Finding("dropped", node.lineno, text, _DROPPED, refines)


def _pure(call: ast.Call, framework: str) -> tuple[str, str] | None:
    """The function of a call without an effect, and the name whose value the student may believe to have changed."""
    function = call.func
    if any(keyword.arg in ("out", "inplace") for keyword in call.keywords):
        return None
    if isinstance(function, ast.Name):
        subject = call.args[0] if call.args else None
        is_pure = function.id in ("sorted", "reversed")
        return (function.id, subject.id) if is_pure and isinstance(subject, ast.Name) else None
    if not isinstance(function, ast.Attribute):
        return None
    name, owner = function.attr, function.value
    if isinstance(owner, ast.Subscript) and isinstance(owner.value, ast.Attribute) and owner.value.attr == "at":
        array = owner.value.value
        is_update = framework == "jax" and name in _UPDATES and isinstance(array, ast.Name)
        return ("at", array.id) if is_update and isinstance(array, ast.Name) else None
    if dotted(owner) in _MODULES:
        subject = call.args[0] if call.args else None
        is_pure = name in _SHAPES | _VALUES
        return (name, subject.id) if is_pure and isinstance(subject, ast.Name) else None
    if not isinstance(owner, ast.Name) or owner.id == "self":
        return None
    if name in _OF_STRINGS and framework == "python":
        return name, owner.id
    is_array = framework != "python" and name in _METHODS and name not in _NOT_METHODS
    return (name, owner.id) if is_array else None


def _is_used_later(program: Program, function: Function, node: ast.stmt, name: str) -> bool:
    """Whether the name is read afterwards, as it was; a layer, whose `.to(…)` changes it, is called and not read."""
    reads = [load for load in loads(function, name) if load.lineno > node.lineno or program.loops_of(node)]
    reads = [load for load in reads if not any(above is node for above in program.above(load))]
    is_called = any(isinstance(call := program.parents[load], ast.Call) and call.func is load for load in reads)
    return bool(reads) and not is_called


def _agrees(program: Program, evidence: Evidence, function: Function, node: ast.stmt, kind: str) -> bool:
    if program.is_unconditional(node, function) and not evidence.is_mostly_wrong:
        return False
    for case in evidence.wrong:
        if case.raised is not None and case.raised.line is not None and case.raised.line < node.lineno:
            inner = program.loops_of(node)
            if not inner or case.raised.line < inner[-1].lineno:
                return False
        if kind in _DTYPES and not (case.raised or _is_of_other_dtype(case)):
            return False
        if case.is_nothing or case.odd or case.is_out_of_time:
            return False
    return True


def _is_of_other_dtype(case: WrongCase) -> bool:
    """Whether the answer has the expected shape, and another dtype or whole numbers where fractions are expected."""
    if case.arrays is None or case.arrays[0].shape != case.arrays[1].shape:
        return False
    expected, actual = case.arrays
    is_whole = bool((actual == np.trunc(actual)).all()) and not bool((expected == np.trunc(expected)).all())
    return expected.dtype != actual.dtype or is_whole


def _refined(kind: str) -> frozenset[str]:
    if kind in _DTYPES:
        return frozenset({"dtype", "truncated", "half_precision"})
    if kind in _SHAPES:
        shapes = {"dimension_added", "dimension_lost", "reshaped", "flattened", "transposed", "one_alone", "too_few"}
        return frozenset(shapes | {"input_returned"})
    return frozenset({"input_returned", "constant", "same_along", "unmasked", "logarithm", "exponential", "sign"})


def _mutator_assigned(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`x = x.append(…)`: the method changes the list and returns None."""
    if not all(
        case.is_nothing or _is_about_none(case.raised.message if case.raised else "") for case in evidence.wrong
    ):
        return
    for node in program.nodes:
        if isinstance(node, ast.Assign | ast.Return | ast.AnnAssign) and isinstance(node.value, ast.Call):
            call = node.value
            if isinstance(call.func, ast.Attribute) and _gives_none(program, call.func, evidence.framework):
                quoted = code(program, call, f"`.{call.func.attr}(…)`")
                verb = "returned" if isinstance(node, ast.Return) else "assigned"
                text = (
                    f"{quoted} in line {node.lineno} changes the list itself and returns None, and that None is {verb}."
                )
                hidden = "A method that changes a list returns None, and your program keeps that None."
                yield Finding("mutator_assigned", node.lineno, text, hidden)
                return


def _is_about_none(message: str) -> bool:
    return "NoneType" in message


def _gives_none(program: Program, method: ast.Attribute, framework: str) -> bool:
    is_own = any(function.name == method.attr for function in program.reached)
    if (
        is_own
        or dotted(method.value) in _MODULES
        or not (
            isinstance(method.value, ast.Name | ast.Subscript | ast.List | ast.ListComp) or _is_new_list(method.value)
        )
    ):
        return False
    return method.attr in _RETURNS_NONE or (method.attr == "sort" and framework in ("python", "numpy"))


def _is_new_list(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and dotted(value.func) in ("list", "sorted", "set", "dict")


def _compared(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`x == 1` as a statement, where `x = 1` was meant; `x.sort` without parentheses."""
    for node in program.nodes:
        if not isinstance(node, ast.Expr) or program.function_of(node) is None:
            continue
        value = node.value
        if isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], ast.Eq):
            left = value.left
            if isinstance(left, ast.Name | ast.Subscript | ast.Attribute):
                text = (
                    f"{code(program, value, 'The comparison')} in line {node.lineno} only compares: `==` gives "
                    "nothing a value, `=` does."
                )
                hidden = "A statement of your function only compares: `==` gives nothing a value, `=` does."
                yield Finding("compared_for_assigned", node.lineno, text, hidden)
        elif isinstance(value, ast.Attribute) and value.attr in _UNPARENTHESISED:
            text = (
                f"{code(program, value, f'`.{value.attr}`')} in line {node.lineno} is never called: its "
                "parentheses are missing."
            )
            yield Finding(
                "compared_for_assigned",
                node.lineno,
                text,
                "A method is named but never called: its parentheses are missing.",
            )


LOOKS = (_dropped_result, _mutator_assigned, _compared)
