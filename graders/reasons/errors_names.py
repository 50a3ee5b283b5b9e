"""Errors about names, in plain words: a name that nothing defines, and an attribute or argument that is not there."""

import ast
import builtins
import math

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule, with_article
from graders.reasons.error_site import Site, attributes_of, dotted, quoted
from graders.reasons.library_names import lives_in, names_in, nearest
from graders.text import headline

_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
_FUNCTIONS = frozenset({
    "abs", "all", "any", "bool", "enumerate", "float", "int", "len", "list", "max", "min", "print", "range",
    "round", "set", "sorted", "str", "sum", "tuple", "zip", "map", "filter", "reversed", "dict",
})  # fmt: skip
_FROM = {
    "collections": "deque Counter defaultdict OrderedDict namedtuple",
    "functools": "lru_cache cache reduce partial wraps total_ordering",
    "itertools": "combinations permutations product chain accumulate zip_longest islice groupby count cycle pairwise",
    "heapq": "heappush heappop heapify heapreplace nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort",
    "typing": "List Dict Tuple Set Any Callable Iterable Iterator Union Optional Sequence Generator Literal NamedTuple",
    "dataclasses": "dataclass field", "abc": "ABC abstractmethod", "enum": "Enum", "fractions": "Fraction",
    "decimal": "Decimal", "copy": "deepcopy", "statistics": "mean median stdev", "operator": "itemgetter attrgetter",
    "math": "sqrt exp log log2 log10 sin cos tan tanh floor ceil pi inf nan gcd lcm isclose hypot factorial comb prod",
}  # fmt: skip
_HOME = {name: module for module, names in _FROM.items() for name in names.split()}
_STANDARD = frozenset({
    "heapq", "bisect", "collections", "statistics", "operator", "string", "copy", "time", "sys", "os",
    "datetime", "decimal", "fractions", "typing", "dataclasses", "enum", "abc", "json", "contextlib",
    "warnings",
})  # fmt: skip
_PYTHON_2 = {"xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str", "unichr": "chr"}
_CONSTANTS = frozenset({
    "pi", "inf", "nan", "newaxis", "ndarray", "float32", "float64", "int32", "int64",
})  # fmt: skip
_MAIN = {  # the modules of each framework that a bare name may come from, the first that has it
    "numpy": ("numpy",), "jax": ("jax.numpy", "jax", "jax.nn", "flax.linen"), "torch": ("torch", "torch.nn.functional"),
}  # fmt: skip
_SHORT = {
    "numpy": "np", "jax.numpy": "jnp", "jax": "jax", "jax.nn": "jax.nn", "flax.linen": "nn", "torch": "torch",
    "torch.nn.functional": "torch.nn.functional",
}  # fmt: skip

# What code calls these in another library, by what the library at hand calls them. Methods end in parentheses.
_INSTEAD = {
    "numpy": {
        "product": "np.prod", "in1d": "np.isin", "trapz": "np.trapezoid",
        "masked_fill": "np.where(mask, value, x)", "gather": "np.take_along_axis", "asscalar": "x.item()",
        "cumproduct": "np.cumprod",
        "inverse": "np.linalg.inv", "from_numpy": "np.asarray", "randn": "np.random.randn", "is_tensor": "",
    },
    "jax.numpy": {"lax": "jax.lax", "inverse": "jnp.linalg.inv", "from_numpy": "jnp.asarray",
    "masked_fill": "jnp.where(mask, value, x)",
                  "gather": "jnp.take_along_axis", "topk": "jax.lax.top_k", "normal": "jax.random.normal"},
    "jax": {"linen": "flax.linen", "array": "jnp.array", "tensor": "jnp.array", "randn": "jax.random.normal"},
    "jax.random": {"randn": "jax.random.normal(key, shape)", "rand": "jax.random.uniform(key, shape)",
                   "seed": "jax.random.PRNGKey(seed)", "default_rng": "jax.random.PRNGKey(seed)",
                   "shuffle": "jax.random.permutation(key, x)", "random": "jax.random.uniform(key, shape)"},
    "flax": {"nn": "flax.linen"},
    "flax.linen": {
        "Linear": "nn.Dense", "Embedding": "nn.Embed", "Parameter": "self.param", "Softmax": "nn.softmax",
        "ReLU": "nn.relu", "GELU": "nn.gelu", "Sigmoid": "nn.sigmoid", "Tanh": "nn.tanh", "SiLU": "nn.silu",
        "LogSoftmax": "nn.log_softmax", "Conv1d": "nn.Conv", "Conv2d": "nn.Conv", "BatchNorm1d": "nn.BatchNorm",
        "BatchNorm2d": "nn.BatchNorm", "MultiheadAttention": "nn.MultiHeadDotProductAttention", "module": "nn.Module",
        "Dropout2d": "nn.Dropout", "functional": "nn",
    },
    "torch": {
        "vstack_": "", "max_along_axis": "", "asfarray": "", "inv": "torch.linalg.inv", "invert": "torch.logical_not",
        "absolute_": "", "mod": "torch.remainder", "matrix": "torch.tensor", "float_power_": "",
    },
    "torch.nn": {"Dense": "nn.Linear", "Embed": "nn.Embedding", "Conv": "nn.Conv2d", "module": "nn.Module"},
}  # fmt: skip


# ------------------------------------------------------------------ names that nothing defines


def _of_self(context: ErrorContext) -> str | None:
    name, site = context.group, context.site
    if site.owner is None or site.function is None or name not in attributes_of(site.owner):
        return None
    arguments = site.function.args.args
    if not arguments or arguments[0].arg != "self":
        return None
    return f"`{name}` belongs to the object: write `self.{name}`."


def _self_outside(context: ErrorContext) -> str | None:
    if context.group != "self":
        return None
    return "`self` exists only in a method that has it as its first parameter."


def _of_library(context: ErrorContext) -> str | None:
    name = context.group
    if name in context.site.bound:
        return None
    if name.lower() in ("nan", "inf"):
        plain = f'float("{name.lower()}")'
        return (
            f"There is no `{name}`: write "
            f"`{f'{context.own.short}.{name.lower()}' if context.own.has_arrays else plain}`."
        )
    for module in _MAIN.get(context.framework, ()):
        if name in names_in(module) or (name in _CONSTANTS and module in ("numpy", "jax.numpy", "torch")):
            short = context.site.imported(module) or _SHORT[module]
            return f"`{name}` belongs to {context.own.title}: write `{short}.{name}`."
    return None


def _of_standard_library(context: ErrorContext) -> str | None:
    name = context.group
    if name in context.site.bound:
        return None
    if name in _PYTHON_2:
        return f"`{name}` is Python 2: write `{_PYTHON_2[name]}`."
    if name in _STANDARD:
        return f"`{name}` was never imported: put `import {name}` at the top."
    if name in _HOME:
        return f"`{name}` was never imported: put `from {_HOME[name]} import {name}` at the top."
    return None


def _elsewhere(context: ErrorContext) -> str | None:
    """For a name that the source gives a value, but not where the line can see it."""
    name, site = context.group, context.site
    if name not in site.bound or site.tree is None:
        return None
    for definition in site.definitions:
        inside = definition is site.function or isinstance(definition, ast.ClassDef)
        if not inside and name in _variables(definition):
            return (
                f"`{name}` has a value only inside `{definition.name[:MAX_NAME]}`: return it, or pass it as an "
                f"argument."
            )
    if any(isinstance(node, ast.comprehension) and name in _variables(node) for node in ast.walk(site.tree)):
        return f"`{name}` has a value only inside the brackets of the comprehension."
    return f"`{name}` has no value yet where this line runs."


def _variables(definition: ast.AST) -> frozenset[str]:
    stored = (node for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    arguments = (node.arg for node in ast.walk(definition) if isinstance(node, ast.arg))
    return frozenset({*(node.id for node in stored), *arguments})


def _misspelt(context: ErrorContext) -> str | None:
    if context.site.tree is None:
        return None
    near = nearest(context.group, context.site.bound | _BUILTINS | context.site.aliases.keys(), 0.75)
    if near is None:
        return None
    return f"There is no `{context.group}`: did you mean `{near}`?"


# ------------------------------------------------------------------ attributes of modules


def _not_in_module(context: ErrorContext) -> str | None:
    module, name = context.match[1], context.match[2][:MAX_NAME]
    if instead := _INSTEAD.get(module, {}).get(name):
        return f"`{module}` has no `{name}`: write `{instead}`."
    if found := lives_in(module, name):
        return f"`{module}` has no `{name}`: write `{found}`."
    if name in _FUNCTIONS:
        return f"`{module}` has no `{name}`: it is Python's own, `{name}(…)`."
    if not name.startswith("_") and name in dir(math):
        return f"`{module}` has no `{name}`: write `math.{name}`, for one number at a time."
    known = names_in(module) or tuple(dir(math) if module == "math" else ())
    if len(name) > 2 and (near := nearest(name, known)):
        return f"`{module}` has no `{name}`: did you mean `{near}`?"
    return None


def _not_in_own_words(context: ErrorContext) -> str:
    return f"`{context.match[1][:MAX_NAME]}` has no `{context.match[2][:MAX_NAME]}`: check its spelling."


def _to_be_written(context: ErrorContext) -> str:
    return f"NumPy has no `{context.group}`: it is yours to write, from NumPy's own functions."


def _from_module(context: ErrorContext) -> str | None:
    name, module = context.group, context.match[2]
    if found := _INSTEAD.get(module, {}).get(name) or lives_in(module, name):
        return f"`{module}` has no `{name}`: write `{found}`."
    if near := nearest(name, names_in(module)):
        return f"`{module}` has no `{name}`: did you mean `{near}`?"
    return None


_SHORTS = {
    "np": "import numpy as np",
    "jnp": "import jax.numpy as jnp",
    "nn": "",
    "F": "import torch.nn.functional as F",
}


def _import_of_a_short_name(context: ErrorContext) -> str | None:
    name = context.group
    line = f"import {context.own.nn} as nn" if name == "nn" else _SHORTS.get(name)
    return f"`{name}` is a short name, not a module: write `{line}`." if line else None


# ------------------------------------------------------------------ attributes of values

_KINDS = {"ndarray": ("A NumPy array", "numpy"), "ArrayImpl": ("A JAX array", "jax.numpy"),
          "Tensor": ("A PyTorch tensor", "torch")}  # fmt: skip
_WRITTEN = frozenset({
    "softmax", "log_softmax", "sigmoid", "relu", "gelu", "layer_norm", "cross_entropy", "logsumexp",
})  # fmt: skip


def _not_in_array(context: ErrorContext) -> str | None:
    kind, name = context.match[1].rpartition(".")[2], context.match[2][:MAX_NAME]
    kind = "ArrayImpl" if kind.endswith("Tracer") else kind
    if kind not in _KINDS:
        return None
    subject, module = _KINDS[kind]
    if module == "numpy" and name in _WRITTEN:
        return f"{subject} has no `.{name}`: it is yours to write, from NumPy's own functions."
    if name in ("set", "get") and module == "jax.numpy":
        return f"{subject} has no `.{name}`: name the place first, `x.at[index].{name}(…)`."
    if name in names_in(module):
        return f"{subject} has no `.{name}`: write `{_SHORT[module]}.{name}(…)`."
    if found := lives_in(module, name):
        return f"{subject} has no `.{name}`: write `{found}(…)`."
    if near := nearest(name, names_in(kind)):
        return f"{subject} has no `.{name}`: did you mean `.{near}`?"
    if any(name in names_in(other) for other in _KINDS):
        owner = next(words for other, (words, _) in _KINDS.items() if name in names_in(other))
        return f"{subject} has no `.{name}`: {owner[0].lower()}{owner[1:]} has it."
    return f"{subject} has no `.{name}`: check its spelling."


_OF_TYPES = {
    "list": {"push": "`.append(…)`", "add": "`.append(…)`", "length": "`len(…)`", "size": "`len(…)`",
             "push_back": "`.append(…)`", "concat": "`+`", "contains": "`in`", "join": "`''.join(…)`",
             "map": "a comprehension, `[f(x) for x in …]`", "appendleft": "`.insert(0, …)`", "popleft": "`.pop(0)`",
             "split": "a slice", "len": "`len(…)`", "slice": "a slice, `x[a:b]`", "tolist": "nothing, it is a list"},
    "tuple": {"append": "`t + (x,)`", "length": "`len(…)`", "add": "`t + (x,)`", "sort": "`sorted(…)`"},
    "set": {"append": "`.add(…)`", "push": "`.add(…)`", "extend": "`.update(…)`", "sort": "`sorted(…)`"},
    "dict": {"has_key": "`key in d`", "iteritems": "`.items()`", "itervalues": "`.values()`", "iterkeys": "`.keys()`",
             "append": "`d[key] = value`", "add": "`d[key] = value`", "length": "`len(…)`", "sort": "`sorted(…)`",
             "contains": "`key in d`"},
    "str": {"length": "`len(…)`", "reverse": "`text[::-1]`", "decode": "nothing, it is text", "append": "`+`",
            "contains": "`in`", "sort": "`sorted(…)`", "push": "`+`", "size": "`len(…)`"},
    "range": {"append": "`list(…)` first", "reverse": "`reversed(…)`"},
}  # fmt: skip
_TYPES = {"list": list, "tuple": tuple, "set": set, "dict": dict, "str": str, "int": int, "float": float, "bool": bool,
          "range": range}  # fmt: skip
_ARRAY_WORDS = frozenset({
    "shape", "reshape", "dtype", "ndim", "T", "astype", "sum", "mean", "max", "min", "transpose", "size",
    "view", "unsqueeze", "item", "tolist", "std", "argmax", "argsort", "squeeze", "flatten", "exp", "dot",
    "long", "permute", "float", "numel", "clone", "detach", "cpu", "numpy", "at",
})  # fmt: skip


def _not_in_type(context: ErrorContext) -> str | None:
    kind, name = context.group, context.match[2][:MAX_NAME]
    noun = with_article(kind)
    subject = headline(noun)
    if name in _ARRAY_WORDS and context.own.has_arrays and name not in _OF_TYPES.get(kind, {}):
        return None
    if (instead := _OF_TYPES.get(kind, {}).get(name)) and instead.startswith("nothing"):
        return f"{subject} has no `.{name}` and needs none: leave it out."
    if instead:
        return f"{subject} has no `.{name}`: write {instead}."
    if near := nearest(name, tuple(dir(_TYPES[kind])), 0.7):
        return f"{subject} has no `.{name}`: did you mean `.{near}`?"
    return f"{subject} has no `.{name}`."


def _not_in_own_class(context: ErrorContext) -> str | None:
    kind, name = context.group, context.match[2][:MAX_NAME]
    owners = context.site.classes(kind)
    if len(owners) != 1:
        return None
    known = attributes_of(owners[0])
    if name in known:
        return f"`{kind}` sets `self.{name}` only later: no value has been given to it when this line runs."
    if owners[0].bases and not any(dotted(base).rpartition(".")[2] in ("Module", "object") for base in owners[0].bases):
        return None
    near = nearest(name, known, 0.7)
    hint = f"did you mean `{near}`?" if near else f"nothing in the class sets `self.{name}` or defines it."
    return f"`{kind}` has no `{name}`: {hint}"


# ------------------------------------------------------------------ named arguments

_ARGUMENTS = {  # by what is written; what NumPy and JAX call it, and what PyTorch calls it
    "dim": ("axis", "dim"), "dims": ("axis", "dim"), "axis": ("axis", "dim"), "axes": ("axis", "dim"),
    "keepdim": ("keepdims", "keepdim"), "keepdims": ("keepdims", "keepdim"), "keep_dims": ("keepdims", "keepdim"),
    "unbiased": ("ddof", "correction"), "ddof": ("ddof", "correction"), "correction": ("ddof", "correction"),
}  # fmt: skip
_ALONG_AXIS = frozenset(
    {
        "sum", "mean", "max", "min", "amax", "amin", "std", "var", "prod", "any", "all", "argmax", "argmin", "sort",
        "argsort",
        "softmax", "log_softmax", "logsumexp", "norm", "concatenate", "cat", "stack", "cumsum", "cumprod", "median",
        "split",
        "squeeze", "expand_dims", "unsqueeze", "take", "take_along_axis", "gather", "roll", "diff", "count_nonzero",
        "topk",
    }
)  # fmt: skip
_ORDER = frozenset({
    "reverse", "reversed", "descending", "ascending",
})  # fmt: skip


def _call_with(context: ErrorContext, name: str) -> ast.Call | None:
    calls = [call for call in context.site.calls if any(each.arg == name for each in call.keywords)]
    return calls[0] if len(calls) == 1 else None


def _is_own(site: Site, call: ast.Call) -> bool:
    """Whether the source defines the function that is called."""
    name = dotted(call.func).rpartition(".")[2]
    return bool(site.functions(name) or site.classes(name))


def _keyword_of_library(context: ErrorContext) -> str | None:
    name = context.match[2][:MAX_NAME]
    call = _call_with(context, name)
    if call is None or _is_own(context.site, call):
        return None
    function, module = dotted(call.func).rpartition(".")[2], context.site.module_of(call.func)
    if context.group.rpartition(".")[2].lstrip("_") not in (function, f"a{function}"):
        return None
    if module == "numpy" and context.framework == "torch" and name in ("axis", "keepdims"):
        return f"`{dotted(call.func)}` was given a PyTorch tensor: write `torch.{function}`, with `dim` for `axis`."
    is_torch = module.startswith("torch") or (context.framework == "torch" and not module)
    if name in _ORDER and function in ("sort", "argsort") and not is_torch:
        return f"`{function}` puts the smallest first and has no `{name}`: turn its result round for the largest first."
    instead = _ARGUMENTS.get(name, ("", ""))[is_torch]
    fits = function in ("std", "var") or (function in _ALONG_AXIS and instead in ("axis", "dim", "keepdims", "keepdim"))
    if instead and instead != name and fits and context.own.has_arrays:
        library = {"numpy": "NumPy", "jax": "JAX", "torch": "PyTorch"}.get(module.split(".")[0], context.own.title)
        return f"{library}'s `{function}` calls it `{instead}`, not `{name}`."
    return f"`{function}` has no argument `{name}`: check the names of its arguments." if function else None


def _keyword_of_torch(context: ErrorContext) -> str | None:
    """For `got (Tensor, reverse=bool), but expected one of: …`, where a name is in none of those expected."""
    function, passed, expected = context.match[1], context.match[2], context.match[3]
    if any(context.site.module_of(call.func) == "numpy" for call in context.site.calls_of(function)):
        return None
    names = [each.split("=")[0].strip() for each in passed.split(",") if "=" in each]
    for name in names[:10]:
        if f" {name}" in expected or f"({name}" in expected or name not in context.source:
            continue
        if name in _ORDER:
            return f"PyTorch's `{function}` calls it `descending`, not `{name[:MAX_NAME]}`."
        instead = _ARGUMENTS.get(name, ("", ""))[1]
        if instead and instead != name and f" {instead}" in expected:
            return f"PyTorch's `{function}` calls it `{instead}`, not `{name}`."
        return f"PyTorch's `{function}` has no argument `{name[:MAX_NAME]}`."
    return None


def _keyword_of_builtin(context: ErrorContext) -> str | None:
    name, function = context.group, context.match[2]
    call = _call_with(context, name)
    if call is None:
        return None
    if name in _ORDER or function == "sort":
        return f"Python's own sorting has no `{name}`: its named arguments are `key` and `reverse`."
    if name in _ARGUMENTS and context.own.has_arrays and isinstance(call.func, ast.Name):
        return f"This `{function}` is Python's own and has no `{name}`: write `{context.own.short}.{function}`."
    return f"`{function}` has no argument `{name}`."


# ------------------------------------------------------------------ layers taken for functions


def _layer_as_value(context: ErrorContext) -> str | None:
    """For a layer with which the line computes, although only its result is an array."""
    names = {context.match[n] for n in range(1, (context.match.lastindex or 0) + 1)}
    for node in context.site.nodes:
        used: tuple[ast.expr, ...] = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
        if isinstance(node, ast.Attribute | ast.Subscript):
            used = (node.value,)
        for operand in used:
            call = context.site.origin(operand)
            name = dotted(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
            if (
                name in names
                and name[:1].isupper()
                and (name in names_in("torch.nn") or name in names_in("flax.linen"))
            ):
                made = quoted(call) or f"{name}(…)"
                return f"`{made}` makes a layer and computes nothing yet: first make the layer, then call it."
    return None


def _not_able(context: ErrorContext) -> str:
    done = {"callable": "called like a function", "iterable": "looped over", "subscriptable": "indexed"}
    noun = with_article(context.group)
    return f"{headline(noun)} cannot be {done[context.match[2]]}."


_NOT_DEFINED = r"name '(\w+)' is not defined"
_OBJECT = r"'([\w.]+)' object has no attribute '(\w+)'"
_MODULE = r"module '([\w.]+)' has no attribute '(\w+)'"
_YOURS = "NumPy has no function of that name: it is yours to write, from NumPy's own functions."
_LAYER = "A layer was made and never called: first make the layer, then call it."

FIRST = (
    Rule("NameError", _NOT_DEFINED, "", "A name belongs to the object: write `self.` in front of it.", tell=_of_self),
    Rule("NameError", _NOT_DEFINED, "", "`self` exists only in a method that has it as its first parameter.",
         tell=_self_outside),
    Rule("NameError", _NOT_DEFINED, "", "A function of a library is called without the library's name in front of "
         "it.", tell=_of_library),
    Rule("AttributeError", r"module 'numpy(?:\.\w+)?' has no attribute "
         "'(softmax|log_softmax|sigmoid|relu|gelu|layer_norm|cross_entropy|logsumexp)'", "", _YOURS,
         tell=_to_be_written),
    Rule("ImportError", "cannot import name "
         "'(softmax|log_softmax|sigmoid|relu|gelu|layer_norm|cross_entropy|logsumexp)' from 'numpy", "", _YOURS,
         tell=_to_be_written),
    Rule("AttributeError", r"^`(np\.\w+)` was removed in the NumPy 2.0 release. Use `?([\w.]+)`? instead",
         "NumPy no longer has `{0}`: write `{1}`.", "NumPy no longer has this name."),
    Rule("ImportError", r"cannot import name '(\w+)' from '([\w.]+)'", "", "Something is imported that its module "
         "does not have.", tell=_from_module),
    Rule("ModuleNotFoundError", r"No module named '(\w+)'", "", "A short name is imported as if it was a module: "
         "write `import … as …`.", tell=_import_of_a_short_name),
    Rule("AttributeError", r"'(list|tuple|set|int|float|dict|str|bool|range)' object has no attribute '(\w+)'", "",
         "A value of Python's own types has no attribute of that name.", tell=_not_in_type),
    Rule("AttributeError", r"'(\w+)' object has no attribute '(\w+)'", "", _LAYER, tell=_layer_as_value),
    Rule("TypeError", r"unsupported operand type\(s\) for \S+: '(\w+)' and '(\w+)'|'(\w+)' object is not "
         "subscriptable", "", _LAYER, tell=_layer_as_value),
    Rule("AttributeError", r"'(\w+)' object has no attribute '(\w+)'", "", "An object of your class has no "
         "attribute of that name: check what the class sets.", tell=_not_in_own_class),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'", "",
         "A function was given a named argument that it does not have.", tell=_keyword_of_library),
    Rule("TypeError", r"(?<![\w.])(\w+)\(\) received an invalid combination of arguments - got \(([^)]*)\), but "
         "expected((?s:.*))", "", "A function was given a named argument that it does not have.",
         tell=_keyword_of_torch),
    Rule("TypeError", r"'(\w+)' is an invalid keyword argument for (\w+)\(\)", "",
         "One of Python's own functions was given a named argument that it does not have.", tell=_keyword_of_builtin),
)  # fmt: skip

LAST = (
    Rule("NameError", _NOT_DEFINED, "", "A name of Python's own library is used that was never imported.",
         tell=_of_standard_library),
    Rule("NameError", _NOT_DEFINED, "", "A name is used where it has no value.", tell=_elsewhere),
    Rule("NameError", _NOT_DEFINED, "", "A name is used that was never defined or imported.", tell=_misspelt),
    Rule("NameError", _NOT_DEFINED, "There is no `{0}`: nothing in your program gives it a value.",
         "A name is used that was never defined or imported."),
    Rule("AttributeError", _MODULE, "", "The module has nothing with that name: check its spelling.",
         tell=_not_in_module),
    Rule("AttributeError", _MODULE, "", "The module has nothing with that name: check its spelling.",
         tell=_not_in_own_words),
    Rule("TypeError", r"unsupported operand type\(s\) for (\S+?)=?(?: or pow\(\))?: '([\w.]+)' and '([\w.]+)'",
         "`{0}` does not work between {a1} and {a2}.", "An operator does not work between values of these types."),
    Rule("TypeError", r"'([\w.]+)' object is not (callable|iterable|subscriptable)", "",
         "A value is called, indexed or looped over whose type does not allow it.", tell=_not_able),
    Rule("TypeError", r"object of type '([\w.]+)' has no len", "There is no length of {a0}.",
         "A value without a length is given to `len`."),
    Rule("AttributeError", _OBJECT, "", "This name belongs to another framework: look up what this one calls it.",
         tell=_not_in_array),
)  # fmt: skip
