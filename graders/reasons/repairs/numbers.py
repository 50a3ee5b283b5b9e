"""Edits of numbers: constants of which only the first digits are written, tolerances, too few rounds, cancellation."""

import ast
import math
from collections.abc import Iterator, Mapping

from graders.reasons.repairs.edit import Edit, changed, name_of, operand, start_of, text_of, whole_number, with_argument
from graders.reasons.source.program import Function, Program, dotted, names_of

# how it is written in Python: the number
_KNOWN: Mapping[str, float] = {
    "math.pi": math.pi, "math.e": math.e, "2 * math.pi": 2 * math.pi, "math.pi / 2": math.pi / 2,
    "math.sqrt(2)": math.sqrt(2), "math.sqrt(3)": math.sqrt(3), "math.sqrt(2 / math.pi)": math.sqrt(2 / math.pi),
    "math.sqrt(2 * math.pi)": math.sqrt(2 * math.pi), "math.log(2)": math.log(2), "math.log(10)": math.log(10),
    "1 / math.sqrt(2)": 1 / math.sqrt(2), "1 / 3": 1 / 3, "2 / 3": 2 / 3, "0.044715": 0.044715,
    "(1 + math.sqrt(5)) / 2": (1 + math.sqrt(5)) / 2,
}  # fmt: skip
_NEAR = 1e-2  # of its value: 2.7 for e
_POWERS = (-6, -5, -8, -7, -3, -4, -12, -9, -10, -2)  # of ten: what small numbers are, the most frequent first
_MORE = (3, 10, 100)  # times as many rounds


def values(program: Program, framework: str) -> Iterator[Edit]:
    """Numbers, wherever they are written: in a function, as a default, as a field of a class or above all functions."""
    has_math = any(
        alias.name == "math" and alias.asname is None
        for node in program.nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    )
    for node in program.nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, float):
            continue
        number = node.value
        for written, known in _KNOWN.items():
            if 0 < abs(number - known) <= _NEAR * known:
                text = written if has_math or "math." not in written else repr(known)  # as it can be typed there
                made = written.replace("math.", "__import__('math').")
                yield Edit("short_constant", node.lineno, text_of(node), text, ((node, f"({made})"),))
        exponent = math.log10(number) if 0 < number < 0.2 else 0.5
        if exponent == round(exponent):
            kind = "stops_early" if _is_bound(program, node) else "small_constant"
            for power in _POWERS:
                if power != round(exponent) and (power < exponent) == (kind == "stops_early"):
                    yield changed(kind, node, f"1e{power}")


def _is_bound(program: Program, node: ast.AST) -> bool:
    """Whether a number decides when a loop ends: in the test of a `while`, or of an `if` with a `break`."""
    for above in program.above(node):
        if isinstance(above, ast.stmt):
            ends = isinstance(above, ast.If) and any(isinstance(each, ast.Break | ast.Return) for each in above.body)
            return isinstance(above, ast.While) or (ends and bool(program.loops_of(above)))
    return False


def rounds(program: Program, framework: str) -> Iterator[Edit]:
    """A loop that repeats the same step, and whose number of rounds is written down."""
    for node in program.nodes:
        if isinstance(node, ast.For):
            yield from _of_range(program, node)
        elif isinstance(node, ast.While):
            yield from _of_counter(program, node)


def _of_range(program: Program, node: ast.For) -> Iterator[Edit]:
    """`for _ in range(20)`, whose rounds have no number."""
    if not isinstance(node.target, ast.Name) or not _is_range(node.iter):
        return
    name = node.target.id
    if any(isinstance(inner, ast.Name) and inner.id == name for part in node.body for inner in ast.walk(part)):
        return
    end = node.iter.args[0]  # type: ignore[attr-defined]
    for more in _more(program, node, end):
        new = with_argument(node.iter, end, more)  # type: ignore[arg-type]
        yield Edit("few_rounds", node.lineno, text_of(node.iter), new, ((end, more),))


def _of_counter(program: Program, node: ast.While) -> Iterator[Edit]:
    """`while n < 20`, where nothing else in the loop reads n."""
    test = node.test
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt | ast.LtE) or len(test.ops) > 1:
        return
    counter = text_of(test.left)
    reads = [
        inner
        for part in node.body
        for inner in ast.walk(part)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id == counter
    ]
    steps = [part for part in node.body if isinstance(part, ast.AugAssign) and text_of(part.target) == counter]
    if len(steps) == 1 and not reads:
        for more in _more(program, node, test.comparators[0]):
            new = f"{counter} {'<' if isinstance(test.ops[0], ast.Lt) else '<='} {more}"
            yield Edit("few_rounds", node.lineno, text_of(test), new, ((test.comparators[0], more),))


def _more(program: Program, loop: ast.stmt, end: ast.expr) -> Iterator[str]:
    """More rounds than a number, or than the number that a name stands for."""
    function = program.function_of(loop)
    number = whole_number(end if not isinstance(end, ast.Name) else _numbers(program, function).get(end.id, end))
    if number is not None and number > 0:
        yield from (str(number * times) for times in _MORE)


def _numbers(program: Program, function: Function | None) -> dict[str, ast.expr]:
    """The names that stand for a number: outside of functions, in any of them, or as a default of this one."""
    numbers: dict[str, ast.expr] = {}
    for node in program.nodes:
        for target in node.targets if isinstance(node, ast.Assign) else []:
            both = [(target, node.value)]  # type: ignore[attr-defined]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):  # type: ignore[attr-defined]
                both = list(zip(target.elts, node.value.elts, strict=False))  # type: ignore[attr-defined]
            numbers |= {name.id: value for name, value in both if isinstance(name, ast.Name) and _many(value)}
    if function is not None and function.args.defaults:
        last = function.args.args[-len(function.args.defaults) :]
        numbers |= {one.arg: value for one, value in zip(last, function.args.defaults, strict=True) if _many(value)}
    return numbers


def _adds(node: ast.stmt) -> bool:
    """Whether it adds to what was there, as the terms of a series are."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add)
    is_sum = isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add)
    return is_sum and bool(names_of(node.targets[0]) & names_of(node.value))  # type: ignore[attr-defined]


def _is_range(node: ast.expr) -> bool:
    """A range that ends at its last argument."""
    return isinstance(node, ast.Call) and dotted(node.func) == "range" and len(node.args) in (1, 2)


def _many(node: ast.AST) -> bool:
    return (whole_number(node) or 0) > 1


# ------------------------------------------------------------------ cancellation


def cancellation(program: Program, framework: str) -> Iterator[Edit]:
    """The mean of the squares minus the square of the mean: for numbers far from zero, two nearly equal ones."""
    for node in program.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
            continue
        function = program.function_of(node)
        given = _given(program, function) if function is not None else {}
        squares, mean = _resolved(node.left, given), _squared(_resolved(node.right, given))
        if not isinstance(squares, ast.Call) or name_of(squares) != "mean" or mean is None:
            continue
        is_method = isinstance(squares.func, ast.Attribute) and not _is_module(squares.func.value)
        inner = [squares.func.value] if isinstance(squares.func, ast.Attribute) and is_method else squares.args[:1]
        numbers = _squared(_resolved(inner[0], given)) if inner else None
        mean = _resolved(mean, given)
        if numbers is None or not isinstance(mean, ast.Call) or name_of(mean) != "mean":
            continue
        if text_of(numbers) not in text_of(mean):
            continue
        rest = [text_of(argument) for argument in (squares.args if is_method else squares.args[1:])]
        rest += [text_of(keyword) for keyword in squares.keywords]
        keep = "keepdim=True" if framework == "torch" else "keepdims=True"
        kept = [*rest, keep] if rest and not any("keepdim" in text for text in rest) else rest
        x = operand(numbers)
        new = f"(({x} - {x}.mean({', '.join(kept)})) ** 2).mean({', '.join(rest)})"
        yield Edit("cancellation", start_of(node)[0], text_of(node), new, ((node, new),))


def _given(program: Program, function: ast.AST) -> dict[str, ast.expr]:
    """The names of a function that get a value once, with that value."""
    given: dict[str, list[ast.expr]] = {}
    for node in program.own(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            given.setdefault(node.targets[0].id, []).append(node.value)
    return {name: values[0] for name, values in given.items() if len(values) == 1}


def _resolved(node: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    """The expression itself, or what the name stands for."""
    for _ in range(3):
        if not isinstance(node, ast.Name) or node.id not in given:
            break
        node = given[node.id]
    return node


def _squared(node: ast.expr) -> ast.expr | None:
    """x for `x ** 2`, `x * x` and `np.square(x)`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and whole_number(node.right) == 2:
        return node.left
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and text_of(node.left) == text_of(node.right):
        return node.left
    if isinstance(node, ast.Call) and name_of(node) == "square":
        return node.args[0] if node.args else getattr(node.func, "value", None)
    return None


def _is_module(node: ast.expr) -> bool:
    return dotted(node) in ("np", "numpy", "jnp", "jax.numpy", "torch")
