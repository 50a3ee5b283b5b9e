"""Errors of NumPy, JAX and PyTorch, in plain words, as the source around the line shows them.

Conditions on arrays, shapes that do not fit, sizes written as numbers, floats for integers,
and values that JAX does not
know yet.
"""

import ast
import math
import re

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule, with_article
from graders.reasons.error_site import Site, dotted, quoted
from graders.text import headline

_REDUCTIONS = frozenset({
    "sum", "mean", "max", "min", "std", "var", "prod", "any", "all", "amax", "amin", "norm", "logsumexp",
    "median", "argmax", "argmin",
})  # fmt: skip
_MAKERS = frozenset({
    "zeros", "ones", "empty", "full",
})  # fmt: skip
_JOINS = frozenset({
    "concatenate", "stack", "vstack", "hstack", "cat", "dstack", "column_stack",
})  # fmt: skip
_TRACED = "inside `jit`, `vmap` or `grad` a value is not known yet"
_KEEPS = "a reduction along an axis removes that axis, unless you ask to keep it"
_LITERAL = "An array was made with sizes written as numbers: take them from the shapes of the inputs."

# ------------------------------------------------------------------ one truth value


def _construct(site: Site) -> str | None:
    """What on the line asks for one truth value, as a student calls it; None if that is not sure."""
    found: list[str] = []
    for statement in site.heads:
        kind = {ast.If: "`if`", ast.While: "`while`", ast.Assert: "`assert`"}.get(type(statement))
        found += [kind] if kind else []
    for node in site.nodes:
        if isinstance(node, ast.IfExp):
            found.append("`if`")
        elif isinstance(node, ast.BoolOp):
            found.append("`and`" if isinstance(node.op, ast.And) else "`or`")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found.append("`not`")
        elif isinstance(node, ast.comprehension) and node.ifs:
            found.append("`if`")
        elif isinstance(node, ast.Compare) and any(isinstance(each, ast.In | ast.NotIn) for each in node.ops):
            found.append("`in`")
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            found.append("a chain of comparisons")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ("max", "min", "sorted", "bool", "any", "all") and name not in site.bound:
                found.append(f"Python's own `{name}`")
        elif isinstance(node, ast.Attribute) and node.attr in ("index", "remove", "count", "sort"):
            found.append(f"`.{node.attr}(…)`")
    return found[0] if len(set(found)) == 1 else None


_WAYS = {
    "Python's own `max`": "`{0}.maximum` compares two arrays number by number, and `{0}.max` finds the largest number",
    "Python's own `min`": "`{0}.minimum` compares two arrays number by number, and `{0}.min` finds the smallest number",
    "Python's own `any`": "`{0}.any` looks at a whole array",
    "Python's own `all`": "`{0}.all` looks at a whole array",
    "Python's own `sorted`": "`{0}.sort` sorts an array",
    "`and`": "`&` with each comparison in parentheses works number by number",
    "`or`": "`|` with each comparison in parentheses works number by number",
    "`not`": "`~` works number by number",
    "a chain of comparisons": "compare twice, in parentheses, with `&` between",
    "`in`": "compare with `==`, and then `.all()` or `.any()`",
    "`.index(…)`": "it compares with `==`; for the place of a number use `{0}.where`",
    "`.remove(…)`": "it compares with `==`, which arrays do number by number",
    "`.count(…)`": "it compares with `==`, which arrays do number by number",
    "`.sort(…)`": "it compares whole arrays with `<`",
    "`assert`": "use `.all()` or `.any()`",
    "Python's own `bool`": "use `.all()` or `.any()`",
    "`while`": "use `.all()` or `.any()`",
}


def _optional(site: Site) -> str | None:
    """The parameter with the default None whose truth the line asks for."""
    if site.function is None:
        return None
    arguments = site.function.args
    defaults = dict(zip(reversed(arguments.args), reversed(arguments.defaults), strict=False))
    optional = {each.arg for each, value in defaults.items() if isinstance(value, ast.Constant) and value.value is None}
    return _asked(site, optional)


def _parameter(site: Site) -> str | None:
    """The parameter whose truth the line asks for, alone and not in a comparison."""
    return _asked(site, {each.arg for each in site.function.args.args}) if site.function is not None else None


def _asked(site: Site, parameters: set[str]) -> str | None:
    asked: list[ast.AST] = [each.test for each in site.heads if isinstance(each, ast.If)]
    for node in site.nodes:
        asked += [node.test] if isinstance(node, ast.IfExp) else node.values if isinstance(node, ast.BoolOp) else []
    asked += [each.operand for each in asked if isinstance(each, ast.UnaryOp)]
    return next((each.id for each in asked if isinstance(each, ast.Name) and each.id in parameters), None)


def _truth(context: ErrorContext) -> str | None:
    tests = [each.test for each in context.site.heads if isinstance(each, ast.If)]
    bare = [each.operand if isinstance(each, ast.UnaryOp) else each for each in tests]
    if len(bare) == 1 and isinstance(bare[0], ast.Name) and (name := _optional(context.site)) == bare[0].id:
        return f"To ask whether `{name}` was given at all, write `{name} is not None`."
    construct = _construct(context.site)
    if construct is None:
        return None
    default = "use `{0}.where` for a choice number by number, or `.all()` or `.any()` for one answer"
    way = _WAYS.get(construct, default).format(context.own.short)
    if construct in ("`if`", "`not`", "`or`", "`and`") and (name := _optional(context.site)):
        way = f"to ask whether `{name}` was given at all, write `{name} is not None`"
    elif construct in ("`if`", "`not`", "`or`", "`and`") and (name := _parameter(context.site)):
        way += f"; to ask whether `{name}` is None, write `{name} is None`"
    subject = headline(construct)
    return f"{subject} needs one truth value, and this array holds many: {way}."


def _traced_truth(context: ErrorContext) -> str | None:
    construct = _construct(context.site)
    if construct is None:
        return None
    subject = headline(construct)
    ways = {
        "Python's own `max`": "write `jnp.maximum` or `jnp.max`", "Python's own `min`": "write `jnp.minimum` or "
        "`jnp.min`",
        "`and`": "write `&`", "`or`": "write `|`", "`not`": "write `~`",
    }  # fmt: skip
    return f"{subject} asks for a value, but {_TRACED}: {ways.get(construct, 'use `jnp.where`, or `jax.lax.cond`')}."


# ------------------------------------------------------------------ shapes


def _reduced(site: Site, node: ast.AST) -> ast.Call | None:
    """The reduction along an axis, without keeping the axis, that an operand is."""
    call = site.origin(node)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _REDUCTIONS:
        return None
    names = {each.arg for each in call.keywords}
    positional = len(call.args) - bool(site.module_of(call.func))
    if names & {"keepdims", "keepdim", None} or positional > 1 or not (names & {"axis", "dim"} or positional == 1):
        return None
    return call


def _without_keepdims(context: ErrorContext) -> str | None:
    """For an operation between an array and what a reduction left of it."""
    for node in context.site.nodes:
        if not isinstance(node, ast.BinOp):
            continue
        sides = [(_reduced(context.site, node.left), node.right), (_reduced(context.site, node.right), node.left)]
        for call, _ in sides:
            if call is not None and sum(reduction is not None for reduction, _ in sides) == 1:
                if not _one_axis_less(context.match):
                    return None
                word = "keepdim" if context.framework == "torch" else "keepdims"
                text = quoted(call)
                subject = f"`{text}`" if text else "The reduction"
                return (
                    f"{subject} removes an axis, so its shape does not fit the other one: `{word}=True` keeps it, "
                    f"with size 1."
                )
    return None


def _one_axis_less(match: re.Match[str]) -> bool:
    """Whether the message gives two shapes of which one has lost one axis of the other; True where it gives none."""
    shapes = [
        tuple(int(size) for size in re.findall(r"\d{1,9}", text)) for text in re.findall(r"\(([\d, ]*)\)", match.string)
    ]
    if len(shapes) < 2 or "size of tensor a" in match.string:
        return "size of tensor a" in match.string
    long, short = sorted(shapes[:2], key=len, reverse=True)
    return any(long[:axis] + long[axis + 1 :] == short for axis in range(len(long)))


def _literal_sizes(site: Site, node: ast.AST | None) -> tuple[ast.Call, tuple[int, ...]] | None:
    """The call that made an array of sizes written as numbers, and the sizes."""
    call = site.origin(node)
    if not isinstance(call, ast.Call) or dotted(call.func).rpartition(".")[2] not in _MAKERS or not call.args:
        return None
    first = call.args[0]
    parts = first.elts if isinstance(first, ast.Tuple | ast.List) else [first]
    sizes = tuple(each.value for each in parts if isinstance(each, ast.Constant) and type(each.value) is int)
    return (call, sizes) if sizes else None


def _sizes_as_numbers(context: ErrorContext) -> str | None:
    """For an array with a place of the wrong size, where the source makes the array with that size as a number."""
    place = {int(size) for size in re.findall(r"\d{1,9}", context.match[1] or "")}
    for node in context.site.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
            continue
        if any(isinstance(each, ast.Slice) and (each.lower or each.upper) for each in ast.walk(node)):
            continue
        base: ast.AST = node
        while isinstance(base, ast.Subscript):
            base = base.value
        made = _literal_sizes(context.site, base)
        if made is not None and place & set(made[1]) and isinstance(base, ast.Name):
            text = quoted(made[0])
            maker = f" by `{text}`" if text else ""
            return (
                f"`{base.id[:MAX_NAME]}` was made{maker}, with sizes written as numbers: take them from the inputs' "
                f"shapes."
            )
    return None


def _range_as_number(context: ErrorContext) -> str | None:
    """For an index out of bounds in a loop over a `range` of a number in the source."""
    index = int(context.match[2][:9])
    for statement in context.site.statements:
        if not isinstance(statement, ast.For) or dotted(getattr(statement.iter, "func", None)) != "range":
            continue
        call = statement.iter
        names = {node.id for node in context.site.nodes if isinstance(node, ast.Name)}
        last = call.args[-1] if isinstance(call, ast.Call) and len(call.args) in (1, 2) else None
        if (
            isinstance(last, ast.Constant)
            and type(last.value) is int
            and 0 <= index < last.value
            and isinstance(statement.target, ast.Name)
            and statement.target.id in names
        ):
            return (
                f"The loop runs over `{quoted(call) or 'range(…)'}`, a number in your code: take the size from the "
                f"array's `.shape`."
            )
    return None


def _reshape_to_numbers(context: ErrorContext) -> str | None:
    for call in context.site.calls_of("reshape", "view"):
        arguments = call.args[1:] if context.site.module_of(call.func) else call.args
        sizes = [part for each in arguments for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
        literal = [each.value for each in sizes if isinstance(each, ast.Constant) and type(each.value) is int]
        if sizes and len(literal) == len(sizes) and min(literal) > 0:
            return (
                "The sizes asked for are numbers in your code, and this array has another size: take them from "
                "`.shape`, or write -1 for one of them."
            )
    return None


def _end_of_shape(context: ErrorContext) -> str | None:
    site = context.site
    if any(isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
           for node in site.nodes) or any(dotted(call.func).endswith(".size") for call in site.calls):  # fmt: skip
        return "The `.shape` has fewer sizes than that index: the array has fewer axes than this line expects."
    for call in site.calls:
        if any(each.arg == "axis" for each in call.keywords):
            name = dotted(call.func).rpartition(".")[2][:MAX_NAME]
            return f"The array has no axis of the number that `{name}` is given: it has fewer axes."
    return None


def _two_arrays(context: ErrorContext) -> str | None:
    """For `np.max(a, b)`, which takes an axis where `np.maximum` takes the second array."""
    for call in context.site.calls:
        name = dotted(call.func).rpartition(".")[2]
        module = context.site.module_of(call.func)
        if module in ("numpy", "jax.numpy", "torch") and len(call.args) == 2 and not call.keywords:
            short = dotted(call.func).rpartition(".")[0]
            if name in ("max", "min"):
                return (
                    f"`{short}.{name}` takes an axis second: `{short}.{name}imum` compares two arrays, or an array "
                    f"and a number."
                )
            if name in ("sum", "mean", "prod"):
                return f"`{short}.{name}` takes an axis second, not another array."
    return None


def _joined_apart(context: ErrorContext) -> str | None:
    for call in context.site.calls_of(*_JOINS):
        if len(call.args) > 1 or (call.args and not isinstance(call.args[0], ast.List | ast.Tuple | ast.Name)):
            name = dotted(call.func)[:MAX_NAME]
            return f"`{name}` takes the arrays in one list, `{name}([a, b])`."
    return None


def _shape_apart(context: ErrorContext) -> str | None:
    """For `np.zeros(2, 3)`: the call with its shape in parentheses."""
    for call in context.site.calls_of(*_MAKERS):
        name, sizes = dotted(call.func), [quoted(each) for each in call.args]
        if len(sizes) > 1 and all(sizes) and len(", ".join(sizes)) < MAX_NAME and not call.keywords:
            if isinstance(call.args[0], ast.Tuple) or name.endswith("full"):
                return None
            return (
                f"The shape goes in parentheses of its own, `{name}(({', '.join(sizes)}))`: what follows it is a dtype."
            )
    return None


# ------------------------------------------------------------------ floats for integers, masks


def _division(context: ErrorContext) -> str | None:
    """For a size or an index that `/` made a float."""
    for node in context.site.nodes:
        value = context.site.origin(node)
        if not (
            isinstance(node, ast.BinOp | ast.Name) and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div)
        ):
            continue
        if text := quoted(value):
            shown = text.replace(" / ", " // ") if text.count("/") == 1 else "//"
            return f"`{text}` is a float, and a whole number is needed here: write `{shown}`."
    return None


def _index_kind(context: ErrorContext) -> str | None:
    for node in context.site.nodes:
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            return "An array has no index that is a string: only a dict has keys like that."
    return None


def _bitwise(context: ErrorContext) -> str | None:
    words = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Invert: "~"}
    found = {words[type(node.op)] for node in context.site.nodes if isinstance(node, ast.BinOp | ast.UnaryOp)
             and type(node.op) in words}  # fmt: skip
    if len(found) != 1:
        return None
    sign = found.pop()
    if sign == "^":
        return "`^` is no power: it works on the bits of integers; for a power write `**`."
    compares = any(isinstance(node, ast.Compare) for node in context.site.nodes)
    way = "put each comparison around it in parentheses" if compares else "compare first, or cast"
    return f"`{sign}` works on booleans and integers, not on floats: {way}."


def _stack_of_tensors(context: ErrorContext) -> str | None:
    for call in context.site.calls_of("tensor", "as_tensor"):
        if call.args and not isinstance(call.args[0], ast.Constant):
            return (
                f"`{dotted(call.func)[:MAX_NAME]}` makes a tensor of numbers: a list of tensors becomes one by "
                f"`torch.stack(…)`."
            )
    return None


def _one_number(context: ErrorContext) -> str | None:
    """Names the function on the line that takes one number and was given an array."""
    found = set()
    for call in context.site.calls:
        name = dotted(call.func)
        if name in ("int", "float", "complex") or context.site.aliases.get(name.split(".")[0]) == "math":
            found.add(f"`{name[:MAX_NAME]}`")
        elif name.endswith(".item"):
            found.add("`.item()`")
    if len(found) != 1:
        return None
    name = found.pop()
    cast = {
        "`int`": context.own.integers,
        "`float`": "x.float()" if context.framework == "torch" else "x.astype(float)",
    }
    way = f"cast an array with `{cast[name]}`" if name in cast else f"use a function of `{context.own.short}`"
    return f"{name} takes one number, and this is an array: {way}, or index it first."


def _no_tensor(context: ErrorContext) -> str | None:
    name = context.group
    if not re.search(rf"\b{re.escape(name)}\b", context.source):
        return None
    instead = f"use `math.{name}`, or " if name in dir(math) else ""
    return f"`torch.{name}` takes a tensor, not a number: {instead}wrap it in `torch.tensor(…)`."


def _values_and_indices(context: ErrorContext) -> str | None:
    """For an operation with what `sort`, `topk` or a `max` along a dimension returns."""
    for node in context.site.nodes:
        for operand in (node.left, node.right) if isinstance(node, ast.BinOp) else ():
            call = context.site.origin(operand)
            name = dotted(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
            if context.framework == "torch" and name in ("sort", "topk", "max", "min", "median", "mode"):
                return f"`{name}` returns values and indices here: take the first, `.values`."
    return None


def _mask_of_bytes(context: ErrorContext) -> str | None:
    for node in context.site.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        index = context.site.origin(node.slice)
        for each in ast.walk(index) if index is not None else ():
            if isinstance(each, ast.Attribute) and each.attr in ("uint8", "byte"):
                return "PyTorch takes a tensor of uint8 as a mask, not as indices: cast the indices with `.long()`."
    return None


# ------------------------------------------------------------------ JAX


def _vmap_sizes(context: ErrorContext) -> str:
    size, axis, name, other_size, other_axis, other = (context.match[n][:MAX_NAME] for n in range(1, 7))
    return (
        f"`vmap` maps over axis {axis} of `{name}`, of size {size}, and over axis {other_axis} of `{other}`, of size "
        f"{other_size}: set `in_axes`, with None for what is not mapped."
    )


def _vmap_rank(context: ErrorContext) -> str:
    axis, rank = context.match[1][:9], context.match[2][:9]
    if rank == "0":
        return "`vmap` maps over an axis, and an argument is one number: set `in_axes` to None for it."
    return f"`vmap` is to map over axis {axis}, and an argument has only {rank}: they count from 0."


def _no_abstract_array(context: ErrorContext) -> str | None:
    kind = context.match[1].rpartition(".")[2]
    if kind in ("dict", "function", "method") or (kind in ("list", "str", "tuple") and "jit" not in context.source):
        return f"A JAX function was given {with_article(kind)} where an array is needed."
    return None if "jit" in context.source else "A JAX function was given something that is no array."


def _not_a_function(context: ErrorContext) -> str | None:
    for call in context.site.calls_of("grad", "jit", "vmap", "value_and_grad"):
        name = dotted(call.func)[:MAX_NAME]
        return f"`{name}` takes a function, not its result: write `{name}(f)(x)`."
    return None


_ONE_TRUTH = (
    "One truth value is needed here, and an array holds many: use `.all()`, `.any()` or a `where`. To ask whether an "
    "argument was given, write `is None`."
)

_GATHERED = "One number is taken for each index here: for whole rows, index the array itself."


def _gathered(context: ErrorContext) -> str | None:
    """For a function that takes one number for each index, along one axis."""
    for call in context.site.calls_of("take_along_axis"):
        return (
            f"`{dotted(call.func)[:MAX_NAME]}` takes one number for each index: for whole rows, index the array "
            "itself, such as `table[ids]`."
        )
    return None


RULES = (
    # truth
    Rule("ValueError RuntimeError", "truth value of an array|Boolean value of Tensor", "", _ONE_TRUTH, tell=_truth),
    Rule("TracerBoolConversionError", "", "", f"A truth value is asked for, but {_TRACED}: use `jnp.where`.",
         tell=_traced_truth),
    # shapes
    Rule("ValueError RuntimeError TypeError", "could not be broadcast together|incompatible shapes for "
         "broadcasting|size of tensor a", "", f"Two shapes do not fit each other: {_KEEPS}.", tell=_without_keepdims),
    Rule("ValueError", r"could not broadcast input array from shape \(.*?\) into shape (\(.*?\))", "", _LITERAL,
         tell=_sizes_as_numbers),
    Rule("RuntimeError", r"The expanded size of the tensor \((\d+)\)", "", _LITERAL, tell=_sizes_as_numbers),
    Rule("IndexError", r"is out of bounds for (?:axis|dimension) \d+ with size (\d+)", "", _LITERAL,
         tell=_sizes_as_numbers),
    Rule("IndexError", r"(index) (\d+) is out of bounds", "", "A loop runs over a number in your code: take the "
         "size from the array's `.shape`.", tell=_range_as_number),
    Rule("ValueError TypeError RuntimeError", "cannot reshape array|is invalid for input of size", "",
         "The sizes asked for are numbers in your code: take them from the `.shape` of the input.",
         tell=_reshape_to_numbers),
    Rule("IndexError", "^tuple index out of range", "", "An array has fewer axes than this line expects.",
         tell=_end_of_shape),
    Rule("TypeError AxisError ValueError", "(?i)only integer scalar arrays|cannot be interpreted as an "
         r"integer|'(?:float|int)' object is not iterable|max\(\) received an|min\(\) received an", "",
         "The second argument of `max` and `min` is an axis: `maximum` and `minimum` compare two arrays.",
         tell=_two_arrays),
    Rule("TypeError ValueError", "(?i)only integer scalar arrays|zero-dimensional arrays cannot be conc|did not "
         r"return an iterable|stack\(\) takes 1 positional argument", "", "Functions that join arrays take them "
         "in one list.", tell=_joined_apart),
    Rule("TypeError ValueError", "(?i)zero-dimensional arrays cannot be conc",
         "Single numbers cannot be joined end to end: make one array of them, `{make}`."),
    Rule("TypeError", r"Cannot interpret '.+?' as a data type|(?:zeros|ones|empty)\(\) takes from", "",
         "A shape goes in parentheses of its own; what follows it is a dtype.", tell=_shape_apart),
    Rule("IndexError", r"indexing arrays could not be broadcast together", "", _GATHERED, tell=_gathered),
    Rule("IndexError", r"indexing arrays could not be broadcast together with shapes (\(.*?\)) (\(.*?\))",
         "The lists of indices have different lengths, {0} and {1}: each row index needs one column index.",
         "The lists of indices have different lengths: each row index needs one column index."),
    Rule("ValueError", "either both or neither of x and y", "`where` takes a condition alone, or a condition and "
         "two values."),
    Rule("ValueError RuntimeError", "too many subscripts for operand|number of subscripts in the equation",
         "The `einsum` names more axes than an array has: write one letter for each axis."),
    Rule("ValueError", "must specify the ein|must specify the equation", "`einsum` was given no array after its "
         "letters."),
    Rule("ValueError RuntimeError", "and `arr` must have the same number of dimensions",
         "The indices need as many axes as the array: give them another one with `[..., None]`."),
    Rule("RuntimeError", "1D tensors expected", "`dot` multiplies two vectors: for matrices write `@`."),
    Rule("RuntimeError LinAlgError", "(?:must have|input tensor must have) at least 2 dim|must be at least "
         "two-dimensional", "A matrix is needed here, and this has fewer than two axes."),
    # integers, masks
    Rule("TypeError IndexError", "cannot be interpreted as an integer|only integers, slices|integers or slices, "
         "not float|slice indices must be integers|expected a sequence of integers|must be tuple of ints|multiply "
         "sequence by non-int of type 'float'|got indexer with type float", "",
         "A division with `/` gives a float, and a whole number is needed here: `//` gives one.", tell=_division),
    Rule("IndexError", "only integers, slices", "", "An array has no index that is a string.", tell=_index_kind),
    Rule("IndexError", "shape of the mask", "", "PyTorch takes a tensor of uint8 as a mask, not as indices: cast "
         "the indices with `.long()`.", tell=_mask_of_bytes),
    Rule("TypeError NotImplementedError", r"ufunc '(?:bitwise_\w+|invert)' not supported|unsupported operand "
         r'type\(s\) for [&|^]|\(operator.invert\) is only|bitwise_\w+\" not implemented|bad operand type for '
         "unary ~", "", "`&`, `|`, `^` and `~` work on booleans and integers, not on floats.", tell=_bitwise),
    Rule("TypeError", "numpy boolean (?:negative|subtract)", "Booleans have no `-`: use `~mask` for not, and `^` "
         "for one or the other."),
    Rule("RuntimeError", "on a bool tensor is not supported", "Booleans have no `-`: use `~mask` for not."),
    Rule("ValueError", "only one element tensors can be converted", "", "`torch.tensor` makes a tensor of "
         "numbers: a list of tensors becomes one by `torch.stack(…)`.", tell=_stack_of_tensors),
    Rule("TypeError ValueError RuntimeError", "(?i)only (?:0-dimensional|length-1|scalar) arrays can be "
         "converted|only one element tensors can be converted|cannot be converted to Scalar|can only convert an "
         "array of size 1", "", "One number is needed here, and this is an array.", tell=_one_number),
    # torch
    Rule("TypeError", "must be tuple of ints.*(?:not|got|type) Tensor", "A size is a whole number, and here a "
         "tensor was given: a layer is made with sizes, and then called with the tensor."),
    Rule("TypeError", r"argument '(\w+)' \(position \d+\) must be int, not Tensor",
         "The argument {0} is one whole number, and here a tensor was given.",
         "One whole number is needed here, and a tensor was given."),
    Rule("TypeError", r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (int|float|bool)", "",
         "A torch function takes a tensor, not a number: wrap it in `torch.tensor(…)`.", tell=_no_tensor),
    Rule("TypeError", r"can only concatenate tuple|unsupported operand type\(s\) for \S+: '(?:tuple|Tensor)' and "
         "'(?:tuple|Tensor)'", "", "With a dimension, this returns values and indices: take the first, `.values`.",
         tell=_values_and_indices),
    Rule("TypeError", "must be Tensor, not NoneType", "A torch function was given None: look at where the value "
         "comes from."),
    Rule("TypeError", "argument 'dtype' must be torch.dtype, not (?:str|type)",
         "A dtype of PyTorch is written `torch.float32`, without quotation marks and not as NumPy's."),
    Rule("RuntimeError", "Invalid device string: '(?:float|int|double|long|bool)",
         "A dtype of PyTorch is written `torch.float32`, without quotation marks."),
    Rule("TypeError", "'torch.dtype' object is not callable", "A dtype of PyTorch is no function: cast with "
         "`x.to(dtype)`, or give `dtype=…` when you make the tensor."),
    Rule("TypeError", r"(?:tile|flip|permute)\(\): argument 'dims' .*must be tuple of ints, not int",
         "The dimensions go in a tuple, even a single one: `(0,)`."),
    Rule("TypeError", r"expected Tensor as element \d+ in argument 0, but got (\w+)",
         "The list holds a {0} where tensors are needed: make each item a tensor first.",
         "The list holds something other than tensors."),
    Rule("TypeError", "only integer tensors of a single element can be converted",
         "One integer is needed here, and this tensor holds floats, or more than one number."),
    Rule("RuntimeError", "only support floating point and complex", "This is not defined for integers: cast with "
         "`x.float()` first."),
    Rule("RuntimeError", "selected index k out of range", "`topk` was asked for more numbers than there are."),
    Rule("RuntimeError", "of floating point and complex dtype can require gradients",
         "Only floats can have gradients: make the tensor of floats, or cast it with `.float()`."),
    Rule("TypeError", r"unsupported operand type\(s\) for \S+: 'numpy.ndarray' and 'Tensor'",
         "A NumPy array and a PyTorch tensor do not multiply: make both tensors, `torch.as_tensor(…)`."),
    # JAX
    Rule("TypeError", "_IndexUpdateHelper' object is not callable", "`x.at` takes square brackets: "
         "`x.at[index].set(value)`."),
    Rule("TypeError", "_IndexUpdateHelper' object does not support item", "A JAX array cannot be changed in "
         "place: write `x = x.at[index].set(value)`."),
    Rule("TypeError AttributeError", "_IndexUpdate(?:Ref|Helper)", "`x.at[index]` only names a place: end it with "
         "`.set(value)`, `.add(value)` or `.get()`."),
    Rule("ValueError", r"(?s)^vmap got inconsistent sizes.*?had size (\d+): axis (\d+) of argument (\w+).*?had "
         r"size (\d+): axis (\d+) of argument (\w+)", "", "`vmap` maps over axes of different sizes: set "
         "`in_axes`, with None for what is not mapped.", tell=_vmap_sizes),
    Rule("ValueError", r"vmap was requested to map its argument along axis (\d+),.*is only (\d+)", "",
         "`vmap` maps over an axis that an argument does not have: set `in_axes`.", tell=_vmap_rank),
    Rule("ValueError", r"vmap in_axes must be .*len\(in_axes\)=(\d+), len\(args\)=(\d+)",
         "`in_axes` has {0} entries for {1} arguments: it needs one for each.",
         "`in_axes` needs one entry for each argument."),
    Rule("TypeError", "(?s)Error interpreting argument to .*type <class '([^']+)'>", "",
         "A JAX function was given something that is no array.", tell=_no_abstract_array),
    Rule("TypeError", "Expected a callable value, got", "", "`grad`, `jit` and `vmap` take a function, not its "
         "result.", tell=_not_a_function),
    Rule("TypeError", "scan body output must be a pair", "The function that `scan` calls returns a pair: what it "
         "carries on, and an output."),
    Rule("ValueError", "arguments must be scalars; got", "`arange` takes single numbers, and this is an array."),
)  # fmt: skip
