"""Something that was made and never called, or never used up: a layer, a method, a function, an iterator."""

import ast
from collections.abc import Iterator

from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Function, Program, dotted

_CALLABLES = {
    "builtin_function_or_method", "method", "function", "ufunc", "method-wrapper", "type", "ModuleMeta",
    "PjitFunction", "_ArrayFunctionDispatcher", "partial", "ABCMeta", "EnumMeta", "EnumType", "jnp_ufunc", "vectorize",
    "_VariableFunctionsClass", "method_descriptor",
}  # fmt: skip
_WRAPPERS = {"vmap", "jit", "grad", "value_and_grad", "partial", "vectorize", "pmap", "jacfwd", "jacrev", "compile"}
_ITERATORS = {"map", "filter", "zip", "reversed", "enumerate", "range", "dict_keys", "dict_values", "dict_items"}

_AT = "`.at[…]` only marks places: it is no array until a method such as `.get()` or `.set(…)` follows."


def _never_called(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A layer, a class, a function, a method or JAX's `.at` is returned."""
    names = {_class_name(case.odd) for case in evidence.wrong}
    if len(names) != 1 or "" in names or any(case.case.error is not None for case in evidence.wrong):
        return
    (name,) = names
    if name.endswith(("Error", "Exception")) or name in _ITERATORS:
        return
    for node in _returned(program):
        if text := _why_uncalled(program, node, name):
            hidden = "Your function returns an object that was made and never called."
            yield Finding("never_called", node.lineno, text, _AT if "IndexUpdate" in name else hidden)
            return


def _why_uncalled(program: Program, node: ast.expr, name: str) -> str | None:
    """The sentence, if this expression makes an object of the class `name`."""
    at = f"in line {node.lineno}"
    if isinstance(node, ast.Call) and name in dotted(node.func).split("."):
        made = f"`{dotted(node.func)}(…)` {at} makes "
        if _is_layer(program, dotted(node.func), name):
            return f"{made}a layer, and you return the layer itself: call it with your data, and return the result."
        return f"{made}an object of the class `{name}`, and you return the object itself: return what it computes."
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _WRAPPERS and name in _CALLABLES:
        made = dotted(node.func)
        return f"`{made}(…)` {at} makes a function, and you return the function itself: call it with your data."
    if "IndexUpdate" in name and isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        quoted = code(program, node, "`.at[…]`")
        return (
            f"{quoted} {at} only marks places: it is no array until a method such as `.get()`, which reads them, or "
            "`.set(…)` follows. To read, you need no `.at`."
        )
    if name not in _CALLABLES:
        return None
    if isinstance(node, ast.Attribute) and name not in ("type", "ModuleMeta"):
        quoted = code(program, node, f"`.{node.attr}`")
        return f"{quoted} {at} is a function that is never called: its parentheses are missing."
    if isinstance(node, ast.Lambda):
        return f"The `lambda` {at} is returned itself: it is never called."
    if isinstance(node, ast.Name | ast.Attribute):
        noun = "class" if name in ("type", "ModuleMeta", "ABCMeta", "EnumMeta", "EnumType") else "function"
        return f"{code(program, node, f'A {noun}')} {at} is the {noun} itself, and is never called."
    return None


def _is_layer(program: Program, made: str, name: str) -> bool:
    if made.startswith(("nn.", "torch.nn.", "flax.linen.", "linen.")):
        return True
    classes = [node for node in program.tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return any(dotted(base).endswith("Module") for node in classes for base in node.bases)


def _iterator_returned(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """`map(…)`, `zip(…)`, `range(…)` or `(… for …)` is returned where its items are wanted."""
    names = {_class_name(case.odd) for case in evidence.wrong}
    if len(names) != 1:
        return
    (name,) = names
    for node in _returned(program):
        at = f"in line {node.lineno}"
        if name in _ITERATORS and isinstance(node, ast.Call):
            called = dotted(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
            if called != name and name != f"dict_{called.rpartition('.')[2]}":
                continue
            quoted = code(program, node, f"`{called}(…)`")
            text = (
                f"{quoted} {at} hands out its items one at a time, and you return it before it has: put it in "
                "`list(…)`."
            )
        elif name == "generator" and isinstance(node, ast.GeneratorExp):
            text = f"`(… for …)` {at} makes a generator, which hands out its items later: in `[…]` it makes a list."
        else:
            continue
        yield Finding(
            "iterator_returned", node.lineno, text, "Your function returns an iterator in place of its items."
        )
        return


def _coroutine(program: Program, evidence: Evidence) -> Iterator[Finding]:
    if all(_class_name(case.odd) == "coroutine" for case in evidence.wrong):
        for function in program.entries:
            if isinstance(function, ast.AsyncFunctionDef):
                text = (
                    f"`async def` in line {function.lineno} makes a function that must be awaited: leave out `async`."
                )
                yield Finding(
                    "never_called", function.lineno, text, "`async def` makes a function that must be awaited."
                )


def _error_returned(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """An exception is returned where one is expected to be raised."""
    odd = [case for case in evidence.wrong if _class_name(case.odd) and case.case.error is not None]
    names = {_class_name(case.odd) for case in odd}
    if len(names) != 1 or any(case.odd and case.case.error is None for case in evidence.wrong):
        return
    (name,) = names
    for node in _returned(program):
        called = node.func if isinstance(node, ast.Call) else node
        if dotted(called).rpartition(".")[2] == name:
            text = (
                f"`return {dotted(called)}` in line {node.lineno} hands the exception back like any other value: "
                "`raise` it."
            )
            hidden = "Your function returns an exception: `raise` it."
            yield Finding("error_returned", node.lineno, text, hidden)
            return


def _returned(program: Program) -> Iterator[ast.expr]:
    """What the entries return: the expression, or the one that a returned name got its only value from."""
    for function in _returning(program):
        for node in program.own(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield _origin(program, function, node.value)


def _returning(program: Program) -> Iterator[Function]:
    """The entries, and then the functions whose calls they return."""
    yield from program.entries
    yield from (function for function in program.reached if function not in program.entries)


def _origin(program: Program, function: Function, value: ast.expr) -> ast.expr:
    for _ in range(3):
        if not isinstance(value, ast.Name):
            break
        name = value.id
        assigned = [
            node.value
            for node in program.own(function)
            if isinstance(node, ast.Assign) and [name] == [t.id for t in node.targets if isinstance(t, ast.Name)]
        ]
        if len(assigned) != 1:
            break
        value = assigned[0]
    return value


def _class_name(odd: str) -> str:
    """`Softmax` of “a Softmax”; of “a generator: the function yields …” it is `generator`; "" of other texts."""
    article, _, rest = odd.partition(" ")
    name = rest.split(":")[0]
    return name if article in ("a", "an") and " " not in name else ""


LOOKS = (_never_called, _iterator_returned, _coroutine, _error_returned)
