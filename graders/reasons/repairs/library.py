"""Functions of Python and of the frameworks: which are mistaken for which, and whose names may be told."""

import ast

from graders.reasons.repairs.edit import name_of
from graders.reasons.source.program import dotted

# a function's name: those that were perhaps meant
LIKE: dict[str, tuple[str, ...]] = {
    "max": ("min",), "min": ("max",), "argmax": ("argmin",), "argmin": ("argmax",), "sum": ("mean", "max"),
    "mean": ("sum",), "sin": ("cos",), "cos": ("sin",), "tan": ("tanh",), "log": ("log2", "exp"), "log2": ("log",),
    "log10": ("log",), "log1p": ("log",), "exp2": ("exp",), "expm1": ("exp",), "square": ("sqrt",),
    "floor": ("ceil", "round"), "ceil": ("floor",), "round": ("floor",), "trunc": ("floor",), "int": ("round",),
    "var": ("std",), "std": ("var",), "median": ("mean",), "tril": ("triu",), "triu": ("tril",), "zeros": ("ones",),
    "ones": ("zeros",), "zeros_like": ("ones_like",), "ones_like": ("zeros_like",), "append": ("extend",),
    "extend": ("append",), "any": ("all",), "all": ("any",), "vstack": ("hstack",), "hstack": ("vstack",),
    "maximum": ("minimum",), "minimum": ("maximum",), "cumsum": ("cumprod",), "outer": ("dot",), "eig": ("eigh",),
    "lstrip": ("strip",), "repeat": ("tile",), "tile": ("repeat",), "sigmoid": ("tanh",), "log_softmax": ("softmax",),
    "uniform": ("normal",), "truncated_normal": ("normal",), "lecun_normal": ("normal",), "sample": ("sorted",),
    "int8": ("int64",), "uint8": ("int64",), "int16": ("int64",), "half": ("float",), "float16": ("float32",),
    "bfloat16": ("float32",), "float32": ("float64",), "float": ("double",), "heappop": ("nsmallest",),
    "nlargest": ("nsmallest",), "nsmallest": ("nlargest",), "setdefault": ("get",), "abs": ("square",),
}  # fmt: skip
_LIBRARY = set(LIKE) | {
    "clip", "clamp", "sort", "sorted", "squeeze", "unsqueeze", "relu", "astype", "reshape", "ravel", "flatten",
    "unique", "nan_to_num", "transpose", "list", "tuple", "set", "dict", "str", "reversed", "exp", "sqrt", "softmax",
    "normalize", "view", "long", "double", "item", "numpy", "tolist", "strip", "lower", "upper", "round", "flip",
    "roll", "to",
}  # fmt: skip
MODULES = {"np", "numpy", "jnp", "torch", "F", "math", "nn", "jax"}


def known_name(call: ast.Call) -> str:
    """The name of what is called, in backticks, if it is a library's or Python's own; else ""."""
    name = name_of(call)
    return f"`{name}`" if name in _LIBRARY else ""


def is_of_module(function: ast.Attribute) -> bool:
    """Whether it is a function of a library's module, and not a method."""
    return dotted(function.value).partition(".")[0] in MODULES
