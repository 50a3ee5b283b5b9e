"""Errors of Python itself, in plain words, as the source around the line shows them.

A value that is None, a function that is not called or a value that is, loops over what changes, and arguments that are
missing or too many.
"""

import ast
import builtins
from collections.abc import Iterator

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule
from graders.reasons.error_site import (
    Function,
    attributes_of,
    dotted,
    is_module,
    methods_of,
    quoted,
    returns_of,
    yields,
)

_IN_PLACE = frozenset({
    "append", "extend", "insert", "sort", "reverse", "remove", "clear", "update", "add", "discard", "shuffle",
})  # fmt: skip
_CALLED = frozenset({
    "sum", "mean", "max", "min", "std", "var", "prod", "argmax", "argmin", "argsort", "any", "all", "copy",
    "item", "tolist", "flatten", "ravel", "transpose", "squeeze", "long", "float", "int", "bool", "size", "dim",
    "numel", "exp", "log", "abs", "sqrt", "append", "pop", "keys", "values", "items", "lower", "upper", "strip",
    "split", "sort", "clone", "detach", "numpy", "double", "t", "round", "cumsum", "norm", "unique", "nonzero",
    "square",
})  # fmt: skip
_NONE = (
    "A value on this line is None: a function without a `return` gives that, and so does a method that changes its "
    "object in place."
)
_UNCALLED = "A function is used here without being called: add its parentheses."
_LAZY = "This gives its items one at a time: make a list of it first, `list(…)`."

# ------------------------------------------------------------------ None


def _no_return(context: ErrorContext) -> str | None:
    """Names the function or the method on the line that returned None, if the source shows just one."""
    for node in _operands(context):
        call = context.site.origin(node)
        if not isinstance(call, ast.Call):
            continue
        name = dotted(call.func).rpartition(".")[2]
        found = context.site.functions(name)
        if len(found) == 1 and not yields(found[0]):
            return _of_function(found[0], name)
        if name == "apply" and (sentence := _of_module(context)):
            return sentence
        if not found and isinstance(call.func, ast.Attribute) and name in _IN_PLACE:
            return (
                f"`.{name}(…)` changes its object in place and returns None: use the object afterwards, not the result."
            )
        if not found and isinstance(call.func, ast.Attribute) and name == "get" and len(call.args) == 1:
            return "`.get(…)` returns None for a key that is not there."
    return None


def _operands(context: ErrorContext) -> Iterator[ast.AST]:
    """The expressions on the line that are used as values: operands, what is indexed, looped over or has attributes."""
    for node in context.site.nodes:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            yield node.value
        elif isinstance(node, ast.BinOp):
            yield from (node.left, node.right)
        elif isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.UnaryOp):
            yield node.operand
        elif isinstance(node, ast.comprehension):
            yield node.iter
        elif isinstance(node, ast.Call):
            yield from node.args
    for statement in context.site.heads:
        if isinstance(statement, ast.For):
            yield statement.iter
        elif isinstance(statement, ast.Assign | ast.AugAssign):
            yield statement.value


def _of_function(function: Function, name: str) -> str | None:
    values = [each.value for each in returns_of(function) if each.value is not None]
    if not values:
        return f"`{name[:MAX_NAME]}` returns nothing: no `return` in it has a value."
    if any(isinstance(value, ast.Constant) and value.value is None for value in values):
        return None
    if isinstance(function.body[-1], ast.Return):
        return None
    return f"`{name[:MAX_NAME]}` can reach its end without a `return`, and then it gives None."


def _of_module(context: ErrorContext) -> str | None:
    for owner in context.site.definitions:
        if isinstance(owner, ast.ClassDef) and is_module(owner):
            call = methods_of(owner).get("__call__")
            if call is not None and not any(each.value for each in returns_of(call)):
                return f"`__call__` of `{owner.name[:MAX_NAME]}` returns nothing: no `return` in it has a value."
    return None


# ------------------------------------------------------------------ what is called, and what is not


def _uncalled(context: ErrorContext) -> str | None:
    """For a method or function that is used as a value: `e / e.sum`."""
    for node in _values(context):
        value = context.site.origin(node)
        if isinstance(value, ast.Attribute) and value.attr in _CALLED | context.site.methods:
            text = quoted(value) or f".{value.attr}"
            inside = "…" if any(_needs_arguments(each) for each in context.site.functions(value.attr)) else ""
            return f"`{text}` is not called here: add parentheses, `{text}({inside})`."
        if isinstance(value, ast.Name) and context.site.functions(value.id):
            name = value.id[:MAX_NAME]
            return f"`{name}` is a function and is not called here: give it its arguments, `{name}(…)`."
    return None


def _needs_arguments(function: Function) -> bool:
    """Whether a method cannot be called without an argument."""
    return len(function.args.args) - len(function.args.defaults) > 1


def _values(context: ErrorContext) -> Iterator[ast.AST]:
    for node in context.site.nodes:
        if isinstance(node, ast.BinOp):
            yield from (node.left, node.right)
        elif isinstance(node, ast.UnaryOp):
            yield node.operand
        elif isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.Subscript):
            yield from (node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,))
        elif isinstance(node, ast.Attribute):
            yield node.value
        elif isinstance(node, ast.Call) and (
            "type <class" in context.match.string or dotted(node.func) in ("len", "list", "float", "int", "abs", "sum")
        ):
            yield from node.args
        elif isinstance(node, ast.comprehension):
            yield node.iter
    for statement in context.site.heads:
        if isinstance(statement, ast.For):
            yield statement.iter


def _indexed_function(context: ErrorContext) -> str | None:
    """For square brackets after a function: `np.zeros[3]`, `x.size[0]`."""
    for node in context.site.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        value = node.value
        name = dotted(value)
        is_function = (
            (isinstance(value, ast.Attribute) and (value.attr in _CALLED or context.site.module_of(value)))
            or (isinstance(value, ast.Name) and context.site.functions(value.id))
            or (name in dir(builtins) and name not in context.site.bound)
        )
        if is_function and (text := quoted(value)):
            return f"`{text}` is a function: call it with parentheses, `{text}(…)`, not with square brackets."
    return None


def _hidden_builtin(context: ErrorContext) -> str | None:
    """For a function of Python's own whose name the source has given another value."""
    site = context.site
    for call in site.calls:
        if isinstance(call.func, ast.Name) and call.func.id in dir(builtins) and call.func.id in site.bound:
            name = call.func.id
            if not site.functions(name) and not site.classes(name):
                return f"`{name}` is a variable here and hides Python's own `{name}`: give the variable another name."
    return None


def _called_attribute(context: ErrorContext) -> str | None:
    for call in context.site.calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in ("shape", "size") and call.args:
            return f"`.{name}` is no function here: write `x.shape[…]`, with square brackets."
        if name in ("shape", "size", "T", "ndim", "dtype", "mT", "nbytes", "values", "indices", "real", "imag"):
            return f"`.{name}` is no function here: leave out the parentheses after it."
    return None


def _called_array(context: ErrorContext) -> str | None:
    """Names the variable with parentheses in place of square brackets, if there is just one."""
    names = {
        call.func.id: call
        for call in context.site.calls
        if isinstance(call.func, ast.Name)
        and call.func.id in context.site.bound
        and not context.site.functions(call.func.id)
        and not context.site.classes(call.func.id)
        and call.func.id not in context.site.aliases
    }
    if len(names) != 1:
        return None
    name, call = next(iter(names.items()))
    inside = ", ".join(quoted(argument) or "…" for argument in call.args)
    shown = f"{name}[{inside}]" if inside and len(inside) < MAX_NAME else f"{name}[…]"
    return (
        f"`{name[:MAX_NAME]}` is no function: an index goes in square brackets, `{shown}`, and a product needs a `*`."
    )


def _called_number(context: ErrorContext) -> str | None:
    if any(isinstance(call.func, ast.Constant | ast.BinOp) for call in context.site.calls):
        return "A `*` is missing between a number and the parentheses after it."
    return None


def _called_module(context: ErrorContext) -> str | None:
    for call in context.site.calls:
        first, _, rest = dotted(call.func).partition(".")
        module = context.site.aliases.get(first)
        if module and (not rest or rest in ("random", "linalg", "nn", "functional", "fft", "numpy", "lax")):
            name = dotted(call.func)[:MAX_NAME]
            return f"`{name}` is a module: call one of its functions, `{name}.…(…)`."
    return None


# ------------------------------------------------------------------ local names


def _local(context: ErrorContext) -> str | None:
    name, site = context.group, context.site
    if site.function is None:
        return None
    if site.owner is not None and name in attributes_of(site.owner) and site.function in site.owner.body:
        return f"`{name}` belongs to the object: write `self.{name}`."
    if name in dir(builtins):
        return f"`{name}` is a variable of this function, which hides Python's own `{name}`: give it another name."
    places = [node for node in ast.walk(site.function) if _sets(node, name)]
    outside = site.tree is not None and any(_sets(node, name) for node in site.tree.body)
    if outside and places:
        return f"This function sets `{name}`, so it is another `{name}` than the one outside: pass it as an argument."
    blocks = [node for node in ast.walk(site.function) if isinstance(node, ast.If | ast.For | ast.While | ast.Try)]
    within = [block for block in blocks if any(_sets(node, name) for node in ast.walk(block))]
    if within and len(places) == sum(
        any(node is each for block in within for each in ast.walk(block)) for node in places
    ):
        word = {ast.If: "`if`", ast.For: "`for`", ast.While: "`while`", ast.Try: "`try`"}[type(within[0])]
        return f"`{name}` is set only inside the {word}, which did not get that far: give it a value before."
    return None


def _sets(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.For):
        return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node.target))
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return any(isinstance(each, ast.Name) and each.id == name for target in targets for each in ast.walk(target))


# ------------------------------------------------------------------ arguments


def _without_self(context: ErrorContext) -> str | None:
    """For a method whose first parameter is not `self`, by the name that the message gives: `A.f`."""
    owner_name, _, method = context.group.rpartition(".")
    for owner in context.site.classes(owner_name.rpartition(".")[2]):
        function = methods_of(owner).get(method)
        if function is None or any(dotted(each) in ("staticmethod", "classmethod") for each in function.decorator_list):
            continue
        arguments = function.args.args
        if not arguments or arguments[0].arg not in ("self", "cls", "_"):
            rest = ", ".join(["self", *(each.arg for each in arguments)])
            shown = f"def {method}({rest})"
            return f"The first parameter of a method is `self`: write `{shown[:MAX_NAME]}`."
    return None


def _count(context: ErrorContext) -> str | None:
    """For a function of the source: what it takes and what it was given, without `self`."""
    name, most, passed = context.group, int(context.match[2][:9]), int(context.match[3][:9])
    last = name.rpartition(".")[2]
    if "." in name and (last in context.site.methods):
        most, passed = most - 1, passed - 1
        name = name.rpartition(".")[0] if last == "__init__" else name
    elif last != "<lambda>" and not context.site.functions(last):
        return None
    if passed < most or most < 0:
        return None
    shown = "The `lambda`" if last == "<lambda>" else f"`{name[:MAX_NAME]}`"
    named = " without a name" if any(each.args.kwonlyargs for each in context.site.functions(last)) else ""
    return f"{shown} takes {_arguments(most)}{named}, but was given {passed}."


def _arguments(count: int) -> str:
    return {0: "no argument", 1: "one argument"}.get(count, f"{count} arguments")


def _expected(context: ErrorContext) -> str:
    count = int(context.match[3][:9])
    takes = f"{context.match[2]}{_arguments(count)}"
    passed = int(context.match[4][:9])
    return f"`{context.group}` takes {takes}{' without a name' if passed > count else ''}, but was given {passed}."


def _missing(context: ErrorContext) -> str | None:
    name, missing = context.group, context.match[2][:MAX_NAME]
    owner, _, last = name.rpartition(".")
    if missing == "'self'":
        return None
    if last == "__init__" and context.site.classes(owner.rpartition(".")[2]):
        return f"`{owner}(…)` makes an object and needs a value for {missing}."
    if last == "<lambda>":
        return f"The `lambda` was called without {missing}."
    if context.site.functions(last):
        return f"`{name[:MAX_NAME]}` was called without {missing}."
    return None


def _no_arguments(context: ErrorContext) -> str | None:
    for owner in context.site.classes(context.group):
        wrong = next((name for name in methods_of(owner) if name.strip("_") in ("init", "int", "inti")), None)
        if wrong is not None and wrong != "__init__":
            return (
                f"`{wrong[:MAX_NAME]}` is not the method that makes an object: write `__init__`, with two "
                f"underscores on each side."
            )
        return f"`{owner.name[:MAX_NAME]}` takes no arguments, since it defines no `__init__`."
    return None


def _twice(context: ErrorContext) -> str:
    return f"The argument `{context.match[2][:MAX_NAME]}` was given twice: by its place and by its name."


# ------------------------------------------------------------------ loops and unpacking


def _shortened(context: ErrorContext) -> str | None:
    """For a list that becomes shorter in a loop over its old length, and for `x[i + 1]` in the last round."""
    loops = [each for each in context.site.statements if isinstance(each, ast.For)]
    for loop in loops:
        for node in context.site.nodes:
            if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute)):
                continue
            name = dotted(node.value)
            if name not in [dotted(call.args[0]) for call in _lengths(loop.iter)]:
                continue
            if any(_shortens(each, name) for statement in loop.body for each in ast.walk(statement)):
                return f"`{name[:MAX_NAME]}` becomes shorter inside the loop, which still runs over its old length."
            if isinstance(node.slice, ast.BinOp) and isinstance(node.slice.op, ast.Add):
                return f"In the last round `{quoted(node) or name}` is past the end: let the loop stop earlier."
    return None


def _lengths(node: ast.AST) -> list[ast.Call]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Call) and dotted(each.func) == "len" and each.args]


def _shortens(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Delete):
        return any(isinstance(each, ast.Subscript) and dotted(each.value) == name for each in node.targets)
    if isinstance(node, ast.Assign):
        return any(dotted(each) == name for each in node.targets) or any(
            isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice) and dotted(each.value) == name
            for each in node.targets
        )
    return isinstance(node, ast.Call) and dotted(node.func) in (f"{name}.pop", f"{name}.remove")


def _unpacked_in_loop(context: ErrorContext) -> str | None:
    """For `for a, b in x`, where the items of `x` are not pairs."""
    loops: list[ast.For | ast.comprehension] = [
        *(each for each in context.site.heads if isinstance(each, ast.For)),
        *(each for each in context.site.nodes if isinstance(each, ast.comprehension)),
    ]
    for loop in loops:
        if isinstance(loop.target, ast.Tuple):
            if isinstance(loop.iter, ast.Name | ast.Attribute) and len(loop.target.elts) == 2:
                name = quoted(loop.iter) or "x"
                return (
                    f"The items of `{name}` are not pairs: `enumerate({name})` adds an index, `.items()` a dict's keys."
                )
            return (
                f"The loop unpacks each item into {len(loop.target.elts)} names, and an item has another number of "
                f"parts."
            )
    return None


def _unpacked_shape(context: ErrorContext) -> str | None:
    if not any(isinstance(node, ast.Attribute) and node.attr == "shape" for node in context.site.nodes):
        return None
    statement = context.site.heads[-1] if context.site.heads else None
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
        count = len(statement.targets[0].elts)
        few = "fewer" if context.match[0].startswith("not") else "more"
        return f"There are {count} names for the sizes of a `.shape`, and the array has {few} axes than that."
    return None


def _missing_key(context: ErrorContext) -> str | None:
    if "empty" in context.match[0]:
        return "There is nothing left to take: it is empty."
    for call in context.site.calls_of("remove"):
        return f"`{quoted(call.func) or 'remove'}` finds nothing to remove: the set has no such item."
    return None


def _nothing_left(context: ErrorContext) -> str | None:
    if not context.site.calls_of("next"):
        return None
    return "`next` found nothing left: the iterator is at its end."


_LAZY_TYPES = "(generator|map|filter|zip|enumerate|dict_keys|dict_values|dict_items|list_reverseiterator|reversed)"

RULES = (
    # None
    Rule("TypeError AttributeError", "^(?!unexpected PRNG|.*invalid combination)(?s:.)*NoneType", "",
         "A function returned None: look for one without a `return`, and for a method that changes its object in "
         "place.", tell=_no_return),
    Rule("TypeError AttributeError", "^(?!unexpected PRNG|.*invalid combination)(?s:.)*NoneType", _NONE),
    # called, and not called
    Rule("TypeError AttributeError IndexError", "'(?:builtin_function_or_method|function|method)'|got "
         "builtin_function_or_method|only integers, slices|type <class '(?:method|function)'>", "", _UNCALLED,
         tell=_uncalled),
    Rule("TypeError", r"object is not subscriptable|type '\w+' is not subscriptable", "",
         "A function is followed by square brackets: call it with parentheses.", tell=_indexed_function),
    Rule("TypeError", "object is not callable", "", "A variable hides a function of Python's own: give the "
         "variable another name.", tell=_hidden_builtin),
    Rule("TypeError", "object is not callable", "", "An attribute that is no function is called like one: leave "
         "out the parentheses.", tell=_called_attribute),
    Rule("TypeError", "'(?:int|float)' object is not callable", "", "A `*` is missing between a number and the "
         "parentheses after it.", tell=_called_number),
    Rule("TypeError", "'module' object is not callable", "", "A module is called like a function: call one of its "
         "functions.", tell=_called_module),
    Rule("TypeError", "'(?:list|dict|tuple|str|set|numpy.ndarray|jaxlib.*ArrayImpl|Tensor|numpy.float64)' object "
         "is not callable", "", "A value is called like a function: an index goes in square brackets, and a "
         "product needs a `*`.", tell=_called_array),
    # local names
    Rule("UnboundLocalError", r"variable '(\w+)'", "", "A name of this function is used before it has a value "
         "there.", tell=_local),
    # arguments
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) takes \d+ positional arguments? but \d+", "",
         "The first parameter of a method is `self`: write `def name(self)`.", tell=_without_self),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) "
         "(?:was|were) given", "", "A function was given more arguments than it takes.", tell=_count),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: "
         "(.+)", "", "A function was called with fewer arguments than it needs.", tell=_missing),
    Rule("TypeError", r"^(\w+)\(\) takes no arguments", "", "A class that defines no `__init__` takes no arguments.",
         tell=_no_arguments),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) got multiple values for argument '(\w+)'", "",
         "An argument was given twice: by its place and by its name.", tell=_twice),
    Rule("TypeError", r"^([\w.]+)\(\) takes (exactly|at least|at most) (\w+) (?:positional |keyword )?arguments? "
         r"\((\d+) given\)", "`{0}` takes {1} {2}, but was given {3}.", "A function was given too many arguments, "
         "or too few."),
    Rule("TypeError", r"^(\w+) expected (at least |at most |)(\d+) arguments?, got (\d+)", "",
         "A function was given too many arguments, or too few.", tell=_expected),
    Rule("TypeError", r"^(\w+)\(\) missing required argument '(\w+)'", "`{0}` was called without its argument "
         "`{1}`.", "A function was called with fewer arguments than it needs."),
    # loops
    Rule("IndexError", r"list index out of range|index \d+ is out of bounds", "",
         "An index lies outside of what it indexes: past its end, or a negative one beyond its beginning.",
         tell=_shortened),
    Rule("RuntimeError", "dictionary (?:changed size|keys changed) during iteration",
         "The dict changes while the loop runs over it: loop over a copy of its keys, `list(d)`."),
    Rule("RuntimeError", "Set changed size during iteration|mutated during iteration",
         "What the loop runs over changes inside the loop: loop over a copy, `list(…)`."),
    Rule("ValueError TypeError", r"(?:not enough|too many) values to unpack \(expected|cannot unpack non-iterable",
         "", "The loop unpacks each item into several names, and the items do not have that many parts.",
         tell=_unpacked_in_loop),
    Rule("ValueError", r"(?:not enough|too many) values to unpack \(expected", "",
         "There are more or fewer names than the array has axes.", tell=_unpacked_shape),
    Rule("ValueError", r"^not enough values to unpack \(expected (\d+), got (\d+)\)",
         "There are {0} names on the left, and the right side has {1}.", "There are fewer values than names for "
         "them."),
    Rule("KeyError", "^'pop from an empty set'|dictionary is empty", "", "There is nothing left to take: it is "
         "empty.", tell=_missing_key),
    Rule("KeyError", "^", "", "The set has no such item to remove.", tell=_missing_key),
    Rule("IndexError", "pop from empty list|Cannot choose from an empty sequence|pop from an empty deque",
         "There is nothing to take: the list is empty."),
    Rule("TypeError", "unhashable type: 'slice'", "A dict takes one key at a time: it cannot be sliced."),
    Rule("TypeError", "'(tuple|list|str|numpy.ndarray|Tensor)' object cannot be interpreted as an integer",
         "One whole number is needed here, and {a0} was given.", "One whole number is needed here, and something "
         "else was given."),
    Rule("StopIteration", "^$", "", "`next` found nothing left: the iterator is at its end.", tell=_nothing_left),
    # generators and other values
    Rule("TypeError", f"'{_LAZY_TYPES}' object is not subscriptable", "You cannot index {a0}, since it gives its "
         "items one at a time: make a list of it, `list(…)`.", _LAZY),
    Rule("TypeError", rf"object of type '{_LAZY_TYPES}' has no len", "You cannot take the length of {a0}, since "
         "it gives its items one at a time: make a list of it, `list(…)`.", _LAZY),
    Rule("TypeError AttributeError",
         rf"unsupported operand .*'{_LAZY_TYPES}'|'(?:generator|map|filter|zip)' object " rf"has no",
         "A generator, `map` or `zip` gives its items one at a time and is no array: make a list of it first, "
         "`list(…)`.", _LAZY),
    Rule("TypeError", r"Calling np.sum\(generator\)", "NumPy takes no generator: make a list of it first, `[…]`."),
    Rule("TypeError", r"'(\w+)' object is not an iterator", "`next` needs an iterator, and {a0} is none: a "
         "generator uses `yield`, and `iter(…)` makes an iterator.", "`next` needs an iterator: a generator uses "
         "`yield`, and `iter(…)` makes an iterator of a list."),
    Rule("TypeError", "'(tuple|str|range|generator|bytes)' object does not support item (?:assignment|deletion)",
         "You cannot change {a0}: make a list of it first, `list(…)`.",
         "This cannot be changed: make a list of it first, `list(…)`."),
    Rule("TypeError", "'(int|float|bool|complex)' object is not subscriptable",
         "A single {0} has no index: here it was taken for a list or an array.",
         "A single number has no index: here it was taken for a list or an array."),
    Rule("TypeError", r"'[<>]=?' not supported between instances of '(\w+)' and '(\w+)'",
         "Python cannot compare {a0} and {a1} by size.", "Two values of these types cannot be compared by size."),
    Rule("TypeError", r"bad operand type for (?:unary [-+]|abs\(\)): '(list|tuple|str)'",
         "Arithmetic does not work on {a0}: take its items one by one.", "A list or a string is no number: take "
         "its items one by one."),
    Rule("TypeError", r'can only concatenate (list|tuple) \(not \"([\w.]+)\"\)',
         "To a {0} only another {0} can be added with `+`, not {a1}.", "To a list only another list can be added "
         "with `+`, and to a tuple another tuple."),
    Rule("TypeError", r"(float|int)\(\) argument must be a string.*not '(\w+)'",
         "`{0}` takes one number or a string, not a {1}.", "`float` and `int` take one number or a string."),
    Rule("TypeError", r"must be real number, not (\w+)", "The functions of `math` take one number, not {a0}.",
         "The functions of `math` take one number."),
    Rule("TypeError", r"sequence item \d+: expected str instance, (\w+) found",
         "`join` takes strings, and an item is of the type {0}: make it a string with `str(…)`.",
         "`join` takes strings: make each item one with `str(…)`."),
    Rule("TypeError", r"can't multiply sequence by non-int of type 'str'|unsupported operand type\(s\) for "
         r"(?:[-/@]|//|\*\*)=?(?: or pow\(\))?: (?:'str' and|'\w+' and 'str')",
         "A string is no number: `float(text)` makes one of it."),
    Rule("ValueError OverflowError", "cannot convert float (?:NaN|infinity) to integer",
         "NaN and infinity have no whole part, so no integer can hold them. If they are meant, use floats; if not, "
         "look at where they come from."),
    Rule("RuntimeError", r"value cannot be converted to type u?int\w* without overflow",
         "The tensor holds integers, and this value does not fit: NaN and infinity never do. If it is meant, make it a "
         "tensor of floats."),
    Rule("OverflowError", "math range error|too large|Result too large|Numerical result out of range",
         "A number grew too large for a float: look at what makes it grow."),
)  # fmt: skip
