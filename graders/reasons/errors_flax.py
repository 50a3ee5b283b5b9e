"""Errors of Flax modules, in plain words: what `init` returns, how a parameter is declared, what a field is."""

import ast

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule
from graders.reasons.error_site import attributes_of, dotted, fields_of, is_module, methods_of, plain_values_of, quoted
from graders.reasons.library_names import names_in, nearest

# Initializers that a call with settings makes. `zeros` and `ones` are initializers as they are.
_MADE_BY_CALL = frozenset({
    "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform",
    "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "orthogonal",
    "truncated_normal", "uniform", "variance_scaling", "xavier_normal", "xavier_uniform",
})  # fmt: skip
_INIT_RESULT = (
    "`init` returns a dict of parameters, not the module's output: pass it to `apply`, `model.apply(variables, x)`."
)
_PARAM_ORDER = "`self.param` takes a name, an initializer and a shape, in this order."
_PARAM_ARRAY = "`self.param` takes an initializer, the function that makes the array, not an array."
_VARIABLES = "`apply` takes first the whole dict that `init` returned, then the inputs."
_NO_INIT = (
    "A Flax module has no `__init__` of its own: declare its values as fields, `name: type`, under the `class` line."
)
_NO_TYPE = "A name without a type is no field of a Flax module: write `name: type = value`."


def _last_name(node: ast.AST | None) -> str:
    return dotted(node).rpartition(".")[2]


def _is_init_result(context: ErrorContext, node: ast.AST | None) -> bool:
    value = context.site.origin(node)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "init"


def _init_result(context: ErrorContext) -> str | None:
    """For an attribute, an operation or an index that an array has and a dict has not."""
    for node in context.site.nodes:
        used: tuple[ast.AST, ...] = ()
        if isinstance(node, ast.Attribute):
            used = (node.value,) if len(context.match.groups()) and node.attr == context.group else ()
        elif isinstance(node, ast.BinOp):
            used = (node.left, node.right)
        elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            used = (node.value,)
        if any(_is_init_result(context, each) for each in used):
            return _INIT_RESULT
    return None


def _key_of_init_result(context: ErrorContext) -> str | None:
    for node in context.site.nodes:
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and repr(node.slice.value) == context.match[1]
            and node.slice.value != "params"
            and _is_init_result(context, node.value)
        ):
            return 'The parameters are one level deeper in what `init` returns, under the key `"params"`.'
    return None


def _param_arguments(context: ErrorContext) -> list[ast.expr] | None:
    """The arguments of the only `self.param(…)` on the line."""
    calls = [call for call in context.site.calls if dotted(call.func) == "self.param"]
    return calls[0].args if len(calls) == 1 else None


def _param_order(context: ErrorContext) -> str | None:
    arguments = _param_arguments(context)
    if arguments is None or len(arguments) < 2:
        return None
    second = context.site.origin(arguments[1])
    makes = any("initializers" in dotted(getattr(each, "func", each)) for each in arguments[2:])
    return _PARAM_ORDER if makes or isinstance(second, ast.Tuple | ast.List | ast.Constant | ast.Subscript) else None


def _param_array(context: ErrorContext) -> str | None:
    arguments = _param_arguments(context)
    if arguments is None or len(arguments) < 2:
        return None
    second = context.site.origin(arguments[1])
    is_array = isinstance(second, ast.Call) and context.site.module_of(second.func) in ("jax.numpy", "numpy")
    return _PARAM_ARRAY if is_array else None


def _param_shape_apart(context: ErrorContext) -> str | None:
    arguments = _param_arguments(context)
    if arguments is None or len(arguments) < 4 or isinstance(arguments[2], ast.Tuple):
        return None
    return "`self.param` takes the shape as one tuple: put its sizes in parentheses."


def _param_no_initializer(context: ErrorContext) -> str | None:
    arguments = _param_arguments(context)
    if arguments is None or len(arguments) < 2 or not isinstance(arguments[1], ast.Attribute):
        return None
    name = dotted(arguments[1])
    if context.site.module_of(arguments[1]) not in ("jax.numpy", "numpy"):
        return None
    return f"`{name[:MAX_NAME]}` is no initializer, since it takes no key: use one of `nn.initializers`."


def _uncalled_initializer(context: ErrorContext) -> str | None:
    """For a parameter that is a function: its initializer was passed as it is, where a call makes one."""
    for node in ast.walk(context.site.tree) if context.site.tree else ():
        if isinstance(node, ast.Call) and dotted(node.func) == "self.param" and len(node.args) > 1:
            initializer = node.args[1]
            first = dotted(initializer).partition(".")[0]
            is_library = isinstance(initializer, ast.Attribute) or "initializers" in context.site.aliases.get(first, "")
            if is_library and _last_name(initializer) in _MADE_BY_CALL:
                name = dotted(initializer)[:MAX_NAME]
                inside = "…" if _last_name(initializer) in ("constant", "variance_scaling") else ""
                return f"`{name}` makes an initializer and is none itself: call it, `{name}({inside})`."
    return None


def _called_initializer(context: ErrorContext) -> str | None:
    for call in context.site.calls_of("ones", "zeros"):
        if "initializers" in dotted(call.func) and not call.args and not call.keywords:
            name = dotted(call.func)[:MAX_NAME]
            return f"`{name}` already is an initializer: leave out the parentheses after it."
    return None


def _lambda_initializer(context: ErrorContext) -> str | None:
    arguments = _param_arguments(context)
    if arguments is None or len(arguments) < 2 or not isinstance(arguments[1], ast.Lambda):
        return None
    return "An initializer is called with a key and a shape: your `lambda` must take them as parameters."


def _inner_params(context: ErrorContext) -> str:
    for call in context.site.calls_of("apply"):
        first = context.site.origin(call.args[0]) if call.args else None
        if isinstance(first, ast.Subscript) and isinstance(first.slice, ast.Constant) and first.slice.value == "params":
            return f'{_VARIABLES[:-1]}; `["params"]` of it is only a part.'
    return _VARIABLES


def _apply_without_variables(context: ErrorContext) -> str | None:
    return _VARIABLES if context.site.calls_of("apply") else None


def _own_init(context: ErrorContext) -> str | None:
    site = context.site
    if context.framework != "jax" or any(isinstance(each, ast.Assert) for each in site.statements):
        return None
    for owner in site.definitions:
        if isinstance(owner, ast.ClassDef) and is_module(owner) and "__init__" in methods_of(owner):
            inside = site.owner is owner and site.function is methods_of(owner)["__init__"]
            here = inside or owner.name in [dotted(call.func) for call in site.calls]
            return _NO_INIT if here and "__post_init__" not in methods_of(owner) else None
    return None


def _twice(context: ErrorContext) -> str | None:
    name = context.group
    for owner in context.site.definitions:
        if not (isinstance(owner, ast.ClassDef) and is_module(owner) and "setup" in methods_of(owner)):
            continue
        places = [method for method, function in methods_of(owner).items() if _declares(function, name)]
        if "setup" in places and len(places) > 1:
            other = next(place for place in places if place != "setup")
            return f"`{name}` is declared twice, in `setup` and in `{other[:MAX_NAME]}`: keep one of them."
    return None


def _declares(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Call) and any(isinstance(each, ast.Constant) and each.value == name for each in node.args)
        for node in ast.walk(function)
    )


def _method_without_compact(context: ErrorContext) -> str:
    owner = context.site.owner
    if owner is not None and "setup" in methods_of(owner):
        return "Make this layer in `setup` too: a method without `@nn.compact` above it makes no layers."
    return "Put `@nn.compact` on the line above this method's `def`: only there, or in `setup`, are layers made."


def _no_such_attribute(context: ErrorContext) -> str | None:
    name, attribute = context.group, context.match[2][:MAX_NAME]
    for owner in context.site.classes(name):
        methods = methods_of(owner)
        if attribute == "__call__":
            forward = "forward" in methods
            return f"Flax calls `__call__`{', not `forward`: rename the method' if forward else ': define it'}."
        if "setup" in methods and _assigns(methods["setup"], attribute):
            return f"In `setup`, `{attribute}` is a variable of that method only: write `self.{attribute} = …`."
        if attribute not in attributes_of(owner):
            near = nearest(attribute, attributes_of(owner), 0.7)
            hint = f"did you mean `self.{near}`?" if near else f"nothing in `{name}` sets `self.{attribute}`."
            return f"`{name}` has no `{attribute}`: {hint}"
    return None


def _assigns(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        for node in ast.walk(function)
    )


def _unbound(context: ErrorContext) -> str | None:
    """For a library's layer that is used outside `init` and `apply`, as an array or as a function."""
    name = context.group
    if context.site.classes(name) or not context.site.words:
        return None
    if context.match[2] in names_in("ArrayImpl"):
        return _layer(name)
    if context.match[2] in context.site.words:
        return None
    return (
        "A Flax module holds no numbers, so it cannot be called by itself: `variables = model.init(key, x)`, then "
        "`model.apply(variables, x)`."
    )


def _layer(name: str) -> str:
    return f"`{name[:MAX_NAME]}(…)` makes a layer and computes nothing yet: its call takes settings, not the input."


def _field(context: ErrorContext) -> str | None:
    name, argument = context.group.rpartition(".")[0], context.match[2][:MAX_NAME]
    for owner in context.site.classes(name):
        if is_module(owner) and "__init__" not in methods_of(owner) and argument not in fields_of(owner):
            if argument in plain_values_of(owner):
                return f"`{argument}` has no type in `{name}`, so it is no field: write `{argument}: type = value`."
            return f"`{name}` declares no field `{argument}`: add a line `{argument}: type` under its `class` line."
    return None


def _too_many_fields(context: ErrorContext) -> str | None:
    for call in context.site.calls:
        for owner in context.site.classes(dotted(call.func)):
            if is_module(owner) and "__init__" not in methods_of(owner) and len(call.args) > len(fields_of(owner)):
                count = len(fields_of(owner)) or "no"
                return (
                    f"`{owner.name[:MAX_NAME]}` declares {count} fields with a type: each value that you pass needs "
                    f"one."
                )
    return None


def _inputs_missing(context: ErrorContext) -> str | None:
    method = context.group.rpartition(".")[2]
    for call in context.site.calls_of("init", "apply"):
        if method == "__call__" and isinstance(call.func, ast.Attribute):
            return (
                f"`{call.func.attr}` passes what follows its first argument to `__call__`, which also needs "
                f"{context.match[2][:MAX_NAME]}."
            )
    return None


def _key_for_drawing(context: ErrorContext) -> str | None:
    for call in context.site.calls_of("make_rng"):
        name = quoted(call)
        text = f"`{name}` draws from a key that this call was not given: `init` has one for parameters, "
        draws_parameters = 'PRNG for "params"' in context.match.string
        if draws_parameters and ".param(" not in context.source:
            return f"{text}`apply` has none. What should stay the same is a parameter: declare it with `self.param`."
        return f"{text}`apply` needs `rngs`."
    return None


def _array_as_end(context: ErrorContext) -> str | None:
    """For a truth value that no condition asks for: the end of a slice is compared inside the library."""
    nodes = context.site.nodes
    asks = any(isinstance(each, ast.If | ast.While | ast.Assert) for each in context.site.heads)
    if asks or any(isinstance(each, ast.Compare | ast.BoolOp | ast.IfExp | ast.Not) for each in nodes):
        return None
    ends = [end for each in nodes if isinstance(each, ast.Slice) for end in (each.lower, each.upper, each.step)]
    names = [end for end in ends if isinstance(end, ast.Name)]
    if len(names) != 1 or any(dotted(call.func) in ("max", "min", "sorted", "any", "all", "bool") for call in
                              context.site.calls):  # fmt: skip
        return None
    return f"The end of a slice is one whole number, but `{names[0].id[:MAX_NAME]}` is an array."


_DICT = "'dict' object has no attribute '(\\w+)'"

RULES = (
    Rule("AttributeError", _DICT, "", _INIT_RESULT, tell=_init_result),
    Rule("TypeError", r"unsupported operand type\(s\) for \S+: (?:'dict' and|'\S+' and 'dict')|unhashable type: "
         "'slice'", "", _INIT_RESULT, tell=_init_result),
    Rule("KeyError", "^('[^']{1,60}')$", "", "The parameters are one level deeper in what `init` returns, under "
         'the key `"params"`.', tell=_key_of_init_result),
    Rule("TypeError", "'(?:tuple|list|int)' object is not callable", "", _PARAM_ORDER, tell=_param_order),
    Rule("TypeError", "The type of scope", _PARAM_ORDER),
    Rule("TypeError", "'jaxlib.*ArrayImpl' object is not callable", "", _PARAM_ARRAY, tell=_param_array),
    Rule("TypeError", "Cannot interpret '.+?' as a data type", "", "`self.param` takes the shape as one tuple: "
         "put its sizes in parentheses.", tell=_param_shape_apart),
    Rule("TypeError", "Cannot interpret '.+?' as a data type", "", "A function of `jax.numpy` is no initializer: "
         "use one of `nn.initializers`.", tell=_param_no_initializer),
    Rule("TypeError AttributeError", "'function' object (?:is not|has no)|unsupported operand.*'function'|type "
         "<class 'function'>", "", "An initializer was passed without a call: some of `nn.initializers` are made "
         "by calling them.", tell=_uncalled_initializer),
    Rule("TypeError", r"(?:ones|zeros)\(\) missing 2 required positional arguments: 'key' and 'shape'", "",
         "`ones` and `zeros` of `nn.initializers` are initializers already: leave out the parentheses after them.",
         tell=_called_initializer),
    Rule("ValueError", "Can't compute input and output sizes of a", "This initializer needs a shape of two sizes "
         "or more, and this shape has fewer."),
    Rule("TypeError", r"<lambda>\(\) takes 0 positional arguments but", "", "An initializer is called with a key "
         "and a shape: your `lambda` must take them as parameters.", tell=_lambda_initializer),
    Rule("ApplyScopeInvalidVariablesTypeError", "", "", _VARIABLES, tell=_inner_params),
    Rule("TypeError", "__contains__: unsupported operand type <class 'str'>", "", _VARIABLES,
         tell=_apply_without_variables),
    Rule("IncorrectPostInitOverrideError", "", "", _NO_INIT, tell=_own_init),
    Rule("AssertionError", "^$", "", _NO_INIT, tell=_own_init),
    Rule("SetAttributeFrozenModuleError", "", "A Flax module is given attributes only in `setup`: in other "
         "methods use a variable, without `self.`."),
    Rule("NameInUseError", r'create \w+ "(\w+)"', "", "A parameter or layer is declared both in `setup` and in "
         "another method: keep one of them.", tell=_twice),
    Rule("AssignSubModuleError", "", "", "Layers are made in `setup`, or in a method with `@nn.compact` above it.",
         tell=_method_without_compact),
    Rule("AttributeError", r'^"(\w+)" object has no attribute "(\w+)"', "", "The module has no attribute of that "
         "name: check its fields and what `setup` sets.", tell=_no_such_attribute),
    Rule("AttributeError", r'^"(\w+)" object has no attribute "(\w+)"', "", "A Flax module is no array: it "
         "computes in `init` and `apply`.", tell=_unbound),
    Rule("TypeError", r"(?<![\w.])([\w.]+\.__init__)\(\) got an unexpected keyword argument '(\w+)'", "", _NO_TYPE,
         tell=_field),
    Rule("TypeError", r"__init__\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given", "",
         "A Flax module takes as many values as it declares fields with a type.", tell=_too_many_fields),
    Rule("TypeError", r"(?<![\w.])([\w.]+\.__call__)\(\) missing \d+ required positional arguments?: (.+)", "",
         "`init` and `apply` pass what follows their first argument to `__call__`, and it needs more.",
         tell=_inputs_missing),
    Rule("InvalidRngError", "needs PRNG for", "", "`make_rng` draws from a key that this call was not given. If what "
         "is drawn should stay the same, declare it with `self.param`; if not, give `apply` its key in `rngs`.",
         tell=_key_for_drawing),
    Rule("TypeError", r"^non-default argument '(\w+)' follows default", "`{0}` has no default value and follows a "
         "field that has one: put it first, or give it a default.", "A field without a default value follows one "
         "that has one: put it first."),
    Rule("ValueError", r"^mutable default <class '(\w+)'> for field (\w+)", "The default of `{1}` is a {0}, which "
         "all objects would share: use a tuple.", "The default of a field is a list or dict, which all objects "
         "would share: use a tuple."),
    Rule("ValueError TypeError", "truth value of an array", "", "The end of a slice is one whole number, and here "
         "an array was given.", tell=_array_as_end),
)  # fmt: skip
