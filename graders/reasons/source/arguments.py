"""Arguments that are never read, sizes that are written down, and what is kept from one call to the next."""

import ast
from collections.abc import Iterator

import numpy as np

from graders.exercise.signature import Scalar
from graders.reasons.source.evidence import Evidence, WrongCase
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Function, Program, dotted, loads, stored

_SIZED = {
    "zeros", "ones", "empty", "full", "eye", "identity", "range", "arange", "reshape", "view", "one_hot",
    "broadcast_to", "expand", "rand", "tri",
}  # fmt: skip
_CHANGES = {"append", "extend", "add", "update", "insert", "setdefault"}
_OF_SIZES = frozenset(
    {"too_few", "too_many", "one_alone", "repeated", "first_right", "constant", "same_along", "reshaped"}
)


def _entry(program: Program, evidence: Evidence) -> Function | None:
    """The function that is called with the exercise's arguments, if it takes each by a name."""
    if evidence.exercise.is_scripted or len(program.entries) != 1:
        return None
    (function,) = program.entries
    count = len(evidence.exercise.signature.parameters)
    plain = function.args.vararg is None and function.args.kwarg is None and not function.args.posonlyargs
    return function if plain and len(function.args.args) >= count else None


def _unused(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """An argument that carries values, and whose name the function never reads."""
    function = _entry(program, evidence)
    if function is None or not evidence.is_mostly_wrong or not evidence.returned or _is_unwritten(function):
        return
    if any(isinstance(node, ast.Name) and node.id in ("locals", "vars", "eval", "exec") for node in ast.walk(function)):
        return
    pairs = zip(evidence.exercise.signature.parameters, function.args.args, strict=False)
    unread = [
        argument.arg
        for parameter, argument in pairs
        if not isinstance(parameter.parsed, Scalar) and not any(loads(function, argument.arg))
    ]
    if len(unread) == 1 and len(evidence.exercise.signature.parameters) > 1:
        text = f"`{unread[0]}` is nowhere in your function: its values do not count for your answer."
        hidden = "Your function never reads one of its arguments."
        yield Finding("unused_argument", function.lineno, text, hidden)


def _is_unwritten(function: Function) -> bool:
    """Whether a function is still the starter: nothing but a docstring, `pass`, `...` or `return None`."""
    rest = [statement for statement in function.body if not isinstance(statement, ast.Pass | ast.Expr)]
    if not rest:
        return True
    first = rest[0]
    return isinstance(first, ast.Raise) or (
        isinstance(first, ast.Return) and (first.value is None or isinstance(first.value, ast.Constant))
    )


def _overwritten(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """An argument whose value is replaced before anything reads it."""
    function = _entry(program, evidence)
    if function is None or not evidence.is_mostly_wrong or not evidence.returned:
        return
    for argument in function.args.args[: len(evidence.exercise.signature.parameters)]:
        for statement in function.body:
            if any(loads(statement, argument.arg)):
                break
            if argument.arg in stored(statement):
                if isinstance(statement, ast.Assign | ast.AnnAssign | ast.For):
                    text = (
                        f"Line {statement.lineno} gives `{argument.arg}` another value before anything reads the "
                        "argument, so "
                        "its own value is lost."
                    )
                    hidden = "Your function gives an argument another value before anything reads it."
                    yield Finding("overwritten_argument", statement.lineno, text, hidden)
                break


def _unread(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A name that is given what a call returned, and that nothing reads: a term that was forgotten."""
    if not evidence.is_mostly_wrong or any(case.raised or case.is_out_of_time for case in evidence.wrong):
        return
    unread = []
    for function in program.reached:
        for node in program.own(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or len(node.targets) != 1:
                continue
            target = node.targets[0]
            if isinstance(target, ast.Name) and not target.id.startswith("_") and not any(loads(function, target.id)):
                unread.append((target.id, node.lineno))
    if len(unread) == 1:
        ((name, line),) = unread
        text = f"`{name}` gets its value in line {line}, and nothing in your function reads it."
        yield Finding("unread_name", line, text, "A name in your source gets a value that nothing reads.")


def _sizes_written(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A size that is written as a number: that of the first sample, which is right; every wrong case has another."""
    if 0 not in evidence.right or any(case.odd or case.is_out_of_time or case.is_nothing for case in evidence.wrong):
        return
    if not all(_is_about_sizes(evidence, case) for case in evidence.wrong):
        return
    for node in program.nodes:
        if not isinstance(node, ast.Call) or _name(node.func) not in _SIZED or program.function_of(node) is None:
            continue
        for numbers, written in _literals(program, node):
            if _is_size_of_first_only(evidence, numbers):
                sizes, them = ("the sizes", "them") if len(numbers) > 1 else ("a size", "it")
                text = (
                    f"{written} in line {node.lineno} holds {sizes} of the first sample, and the inputs that go wrong "
                    f"have others: take {them} from the input."
                )
                hidden = "A size is written as a number in your source, and other inputs have other sizes."
                yield Finding("sizes_written", node.lineno, text, hidden, _OF_SIZES)
                return


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else dotted(function)


def _literals(program: Program, call: ast.Call) -> Iterator[tuple[tuple[int, ...], str]]:
    """The whole numbers that a call gives as sizes, and how they are written."""
    numbers = [node.value for node in call.args if isinstance(node, ast.Constant) and type(node.value) is int]
    is_listed = (
        len(numbers) == len(call.args)
        and len(numbers) > 1
        and _name(call.func) in ("reshape", "view", "rand", "expand")
    )
    if is_listed:
        yield tuple(numbers), f"`{_name(call.func)}({', '.join(map(str, numbers))})`"
        return
    most = 1 if _name(call.func) in ("full", "eye", "zeros", "ones", "empty") else 2
    named = [keyword.value for keyword in call.keywords if keyword.arg in ("shape", "size", "num_classes")]
    for argument in (*call.args[:most], *named):
        if isinstance(argument, ast.Tuple | ast.List):
            items = [item.value for item in argument.elts if isinstance(item, ast.Constant) and type(item.value) is int]
            if len(items) == len(argument.elts) and len(items) > 1:
                yield tuple(items), code(program, argument, "A shape")
        elif isinstance(argument, ast.Constant) and type(argument.value) is int and _is_a_size(call, argument):
            yield (argument.value,), f"`{argument.value}`"


def _is_a_size(call: ast.Call, argument: ast.expr) -> bool:
    """Whether a single number is how many, or how long: not where something begins, nor how it is filled."""
    is_end = len(call.args) < 3 and bool(call.args) and argument is call.args[-1]
    return is_end or argument not in call.args or _name(call.func) in ("eye", "full", "zeros", "ones", "empty")


def _is_size_of_first_only(evidence: Evidence, numbers: tuple[int, ...]) -> bool:
    """Whether the first sample has these sizes, and no wrong case has."""
    if min(numbers) < 1 or (len(numbers) == 1 and numbers[0] < 3) or max(numbers) < 2:
        return False
    several = tuple(number for number in numbers if number > 1)
    if len(several) == 1 or len(numbers) == 1:
        (number,) = several or numbers
        return _is_only_size(evidence, number)
    first = _shapes(evidence.cases[0].inputs, evidence.cases[0].expected)
    several = tuple(number for number in numbers if number > 1)
    if len(several) == 1 or len(numbers) == 1:
        (number,) = several or numbers
        return _is_only_size(evidence, number)
    first = _shapes(evidence.cases[0].inputs, evidence.cases[0].expected)
    if len(numbers) == 1:
        sizes = {name for name, size in evidence.sizes_of_sample().items() if size == numbers[0]}
        return len(sizes) == 1 and all(case.sizes.get(*sizes) not in (None, numbers[0]) for case in evidence.wrong)
    has_first = any(_is_part(numbers, shape) for shape in first)
    others = [_shapes(case.case.inputs, case.case.expected) for case in evidence.wrong]
    return has_first and all(not any(_is_part(numbers, shape) for shape in shapes) for shapes in others)


def _is_only_size(evidence: Evidence, number: int) -> bool:
    """Whether the number is the size of just one dimension of the first sample, and in no wrong case."""
    sizes = {name for name, size in evidence.sizes_of_sample().items() if size == number}
    return len(sizes) == 1 and all(case.sizes.get(*sizes) not in (None, number) for case in evidence.wrong)


def _shapes(inputs: object, expected: object) -> list[tuple[int, ...]]:
    values = [*inputs.values(), expected] if isinstance(inputs, dict) else [expected]
    return [value.shape for value in values if isinstance(value, np.ndarray)]


def _is_part(numbers: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether the sizes stand in a shape next to one another."""
    return any(shape[n : n + len(numbers)] == numbers for n in range(len(shape) - len(numbers) + 1))


def _is_about_sizes(evidence: Evidence, case: WrongCase) -> bool:
    """Whether a case has other sizes than the first sample, and failed as one does for that reason."""
    if dict(case.case.dims) == dict(evidence.cases[0].dims):
        return False
    if case.raised is not None:
        return case.raised.type in ("ValueError", "IndexError", "RuntimeError", "TypeError")
    return case.returned is not None


def _kept(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A default value or a global that a call changes, while the first call is right and a later one is not."""
    if 0 not in evidence.right or not evidence.returned or not evidence.is_mostly_wrong:
        return
    for function in program.reached:
        for name, default in _mutable_defaults(function):
            if (line := _changed_in(program, function, name)) is not None:
                text = (
                    f"`{name}` in line {default.lineno} is made once and kept between calls, and line {line} "
                    "changes it: the second "
                    "call finds what the first one left. Make it inside the function."
                )
                yield Finding("kept_between_calls", default.lineno, text, _KEPT)
                return
        for name, node in _globals(program).items():
            is_own = name in {argument.arg for argument in function.args.args} or name in _locals(program, function)
            if not is_own and (line := _changed_in(program, function, name)) is not None:
                text = (
                    f"`{name}` in line {node.lineno} is made once, outside of the function, and line {line} "
                    "changes it: the second "
                    "call finds what the first one left. Make it inside the function."
                )
                yield Finding("kept_between_calls", node.lineno, text, _KEPT)
                return


_KEPT = "Something that your function changes is made once and kept between calls: make it inside the function."


def _mutable_defaults(function: Function) -> Iterator[tuple[str, ast.expr]]:
    arguments = function.args.args[len(function.args.args) - len(function.args.defaults) :]
    for argument, default in zip(arguments, function.args.defaults, strict=True):
        if isinstance(default, ast.List | ast.Dict | ast.Set) or (
            isinstance(default, ast.Call)
            and _name(default.func) in ("list", "dict", "set", "zeros", "defaultdict", "Counter")
        ):
            yield argument.arg, default


def _globals(program: Program) -> dict[str, ast.Assign]:
    """The names that get a value at the top level."""
    return {
        target.id: node
        for node in program.tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _locals(program: Program, function: Function) -> set[str]:
    declared = {name for node in program.own(function) if isinstance(node, ast.Global) for name in node.names}
    return {
        node.id for node in program.own(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    } - declared


def _changed_in(program: Program, function: Function, name: str) -> int | None:
    """The line of a function's own code that changes the value of a name in place, or by `global`."""
    declared = {n for node in program.own(function) if isinstance(node, ast.Global) for n in node.names}
    for node in program.own(function):
        if isinstance(node, ast.Assign | ast.AugAssign) and name in declared and name in stored(node):
            return node.lineno
        if isinstance(node, ast.Call) and dotted(node.func) in {f"{name}.{method}" for method in _CHANGES}:
            return node.lineno
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and dotted(node.value) == name:
            return node.lineno
    return None


LOOKS = (_unused, _overwritten, _unread, _sizes_written, _kept)
