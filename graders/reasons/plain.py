"""What a framework's error means, in one plain sentence: what was wrong, and what to write instead.

A rule is an exception's type, a pattern for its message, and a sentence. The first rule that fits is used. The patterns
match the messages of the pinned versions (tests/graders/test_plain.py raises each of them).

    attack: raise an exception whose message is a hidden input, and read it back in the sentence about it.
    defence: for a hidden case only a sentence without a gap (`fixed`) is shown, which quotes nothing of the message. A
             program can still choose which of them it is: a few bits, no more.

    attack: a source or a message that a pattern takes a minute to give up on, while `re` blocks every thread.
    defence: the texts are short (MAX_MESSAGE, MAX_LINE). No pattern begins with a run that could begin at each of its
             characters. The one pattern that sees a whole source reads no character twice. A misspelt name is
             compared with a bounded number of others (library_names.py).
"""

import difflib
import keyword
import re
from collections.abc import Mapping

from graders.frameworks import BY_NAME
from graders.reasons import errors_arrays, errors_flax, errors_layers, errors_names, errors_objects, errors_python
from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule

MAX_MESSAGE = 2_000  # characters that patterns see
MAX_LINE = 500  # characters of the student's own line

HERE = "NumPy, SciPy, JAX, Flax, PyTorch and Python's own library"


def plain(
    error_type: str, message: str | None, framework: str, source: str = "", line: int | None = None, fixed: bool = False
) -> str | None:
    """One sentence for an exception of `error_type` with `message`, or None where no rule fits.

    `line` is the student's own, in `source`. `fixed`: only sentences that quote nothing of the message.
    """
    lines = source.splitlines()
    own = lines[line - 1][:MAX_LINE] if line and line <= len(lines) else ""
    message = (message or "")[:MAX_MESSAGE]
    if re.match(rf"\s*raise {re.escape(error_type)}\b", own) and error_type in _RAISED_BY_LIBRARIES:
        return f"Your own line raises this `{error_type}`."
    for rule in (*SYNTAX_RULES, *RULES) if error_type in _UNREADABLE else RULES:
        if rule.types and error_type not in rule.types.split():
            continue
        match = re.search(rule.pattern, message)
        if match and (text := rule.sentence_for(ErrorContext(framework, source, own, match, line), fixed)):
            return text
    return None


# What a rule would explain as Python's or a library's. A student who writes `raise KeyError(kind)` has no dict.
_RAISED_BY_LIBRARIES = (
    "AttributeError", "IndexError", "KeyError", "NameError", "OverflowError", "RuntimeError", "TypeError", "ValueError",
    "ZeroDivisionError",
)  # fmt: skip

# ------------------------------------------------------------------ source that Python cannot read

_UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
_QUOTES = "\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"


def _fence(context: ErrorContext) -> str | None:
    if re.search(r"^[ \t]*+(?:```|~~~)", context.source, re.MULTILINE):
        return "Lines of ``` are Markdown, not Python: delete them and keep what is between them."
    return None


def _pasted(context: ErrorContext) -> str | None:
    line = context.line.strip()
    if line.startswith((">>>", "...")) and not line.startswith("...)"):
        return "The `>>>` in front of the line is the interpreter's prompt: delete it."
    if line.startswith(("%", "!")):
        return f"A line that begins with `{line[0]}` is a notebook command, not Python: delete it."
    for foreign, own in (("&&", "and"), ("||", "or"), ("++", "+= 1"), ("<>", "!=")):
        if foreign in line:
            return f"Python has no `{foreign}`: write `{own}`."
    if re.match(r"else\s+if\b", line):
        return "Python writes `elif` for `else if`."
    if re.search(r"lambda[^:]*:\s*return\b", line):
        return "A `lambda` returns its expression by itself: leave out `return`."
    if re.match(r"raise\s+\w+\s*,", line):
        return "This is Python 2: write `raise Error(text)`, with parentheses."
    return None


def _colon(context: ErrorContext) -> str | None:
    line = context.line.split("#")[0].strip()
    begins = re.match(r"(if|elif|else|for|while|def|class|with|try|except|finally)\b", line)
    return f"A line that begins with `{begins[1]}` ends in a colon." if begins and ":" not in line else None


def _misspelt(context: ErrorContext) -> str | None:
    words = re.match(r"\s*([a-z]+)\s+[\w(\[]", context.line)
    if words is None or keyword.iskeyword(words[1]):
        return None
    same = [word for word in keyword.kwlist if sorted(word) == sorted(words[1])]
    near = same or difflib.get_close_matches(words[1], keyword.kwlist, 1, 0.7)
    return f"`{words[1][:MAX_NAME]}` is not a Python keyword: `{near[0]}` is." if near else None


def _character(context: ErrorContext) -> str:
    character = context.group
    if character in _QUOTES:
        return f"{character} is a curly quotation mark: type a straight one, ' or \"."
    if character in _DASHES:
        return f"{character} is a dash, not a minus: type `-`."
    return f"{character} cannot be part of Python code here: it may have come along when the code was pasted."


SYNTAX_RULES = (
    Rule("", "", "", tell=_fence),
    Rule("SyntaxError", "invalid character '(.)'", "", tell=_character),
    Rule("", r"non-printable character U\+(\w+)", "An invisible character (U+{0}) came along when the "
          "code was pasted: delete the spaces on this line and type them again."),
    Rule("", r"Missing parentheses in call to '(\w+)'", "This is Python 2: `{0}` is a function, so put what "
          "follows it in parentheses, `{0}(…)`."),
    Rule("TabError", "", "Some lines are indented with tabs and some with spaces: use four spaces everywhere."),
    Rule("IndentationError", "expected an indented block", "The line after a colon is indented further than the "
          "one with the colon: put four spaces in front of it."),
    Rule("IndentationError", "unexpected indent", "This line is indented further than the one above it, which "
          "does not end in a colon: remove the spaces in front of it."),
    Rule("IndentationError", "unindent does not match", "This line is indented less than the one above it, but "
          "lines up with no line before that: all lines of a block start in the same column."),
    Rule("", "", "", tell=_pasted),
    Rule("", "'(.)' was never closed", "The bracket `{0}` opened here has no partner: close it, on this line or "
          "a later one."),
    Rule("", "unmatched '(.)'", "The bracket `{0}` closes what was never opened: delete it, or add the opening "
          "bracket."),
    Rule("", "closing parenthesis '(.)' does not match opening parenthesis '(.)'", "`{0}` cannot close `{1}`: "
          "the bracket opened last must be closed first."),
    Rule("", "unterminated triple-quoted", "A string in triple quotes is never closed: end it with the same three "
          "quotes."),
    Rule("", "unterminated string", "A string is never closed on this line: end it with the quotation mark that it "
          "starts with."),
    Rule("", "expected ':'", "A line that begins a block (`def`, `if`, `for`, …) ends in a colon."),
    Rule("", "Maybe you meant '=='", "One `=` gives a name a value; two, `==`, compare."),
    Rule("", "Perhaps you forgot a comma", "Something is missing between two values here: a comma, or an operator "
          "such as `*`."),
    Rule("", "'return' outside function", "This `return` is outside the function: indent it like the function's "
          "other lines."),
    Rule("", "'(yield|await)' outside", "This `{0}` is outside any function."),
    Rule("", "positional argument follows keyword", "Named arguments come last in a call: put the others before "
          "them."),
    Rule("", "invalid decimal literal", "A name cannot begin with a digit, and a product needs a `*`: `5 * y`, "
          "not `5y`."),
    Rule("", "leading zeros", "A number is written without zeros in front: `3`, not `03`."),
    Rule("", "expected 'else' after 'if'", "An `if` inside an expression needs an `else`: `a if condition else "
          "b`."),
    Rule("", "cannot assign to", "What is to the left of `=` cannot be given a value: it must be a name, or "
          "a place such as `x[0]`; to compare, write `==`."),
    Rule("", r"duplicate argument '(\w+)'", "Two parameters have the same name, `{0}`: rename one."),
    Rule("", "invalid syntax", "", tell=_misspelt),
    Rule("", "invalid syntax", "", tell=_colon),
)  # fmt: skip


# ------------------------------------------------------------------ one framework's words in another


_ARRAYS = {  # for NumPy and JAX, by torch's name; {short} is np or jnp
    "unsqueeze": "`{short}.expand_dims(x, axis)`, or `x[None]` for a new first axis",
    "permute": "`x.transpose(…)`, with the same order of axes",
    "long": "`{integers}`", "int": "`x.astype({short}.int32)`",
    "float": "`x.astype({short}.float32)`", "double": "`x.astype({short}.float64)`",
    "half": "`x.astype({short}.float16)`", "bool": "`x.astype(bool)`",
    "type": "`x.astype(…)`", "to": "`x.astype(…)` for another dtype",
    "detach": "nothing in its place", "cpu": "nothing in its place", "cuda": "nothing in its place",
    "contiguous": "nothing in its place", "clone": "`x.copy()`", "requires_grad_": "nothing in its place",
    "dim": "`x.ndim`", "numel": "`x.size`", "t": "`x.T`", "mm": "`x @ y`", "bmm": "`x @ y`", "matmul": "`x @ y`",
    "mul": "`x * y`", "add": "`x + y`", "sub": "`x - y`", "div": "`x / y`", "pow": "`x ** n`",
    "expand": "`{short}.broadcast_to(x, shape)`", "expand_as": "`{short}.broadcast_to(x, y.shape)`",
    "view_as": "`x.reshape(y.shape)`", "masked_fill": "`{short}.where(mask, value, x)`",
    "gather": "`{short}.take_along_axis(x, index, axis)`", "clamp": "`{short}.clip(x, low, high)`",
    "norm": "`{short}.linalg.norm(x)`", "append": "`{short}.concatenate([x, y])`, which returns a new array",
    "chunk": "`{short}.split(x, n)`", "index_select": "`{short}.take(x, index, axis)`",
    "repeat_interleave": "`{short}.repeat(x, n)`",
}  # fmt: skip
_FUNCTIONS = {
    "exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "square", "tril", "triu", "outer", "flip", "roll", "where",
    "stack", "concatenate", "split", "maximum",
}  # fmt: skip
_TENSORS = {  # for torch, by NumPy's and JAX's name
    "astype": "`x.to(dtype)`, such as `x.to(torch.float32)`", "copy": "`x.clone()`",
    "at": "`x[index] = value`, on a `x.clone()` if the input must stay as it is",
    "expand_dims": "`x.unsqueeze(dim)`", "append": "`torch.cat([x, y])`, which returns a new tensor",
    "concatenate": "`torch.cat([x, y])`", "fill": "`x.fill_(value)`", "float32": "`x.float()`",
    "float64": "`x.double()`",
    "int64": "`x.long()`", "int32": "`x.int()`", "block_until_ready": "nothing in its place",
    "swap": "`x.transpose(0, 1)`", "array": "nothing, it already is a tensor", "items": "`x.tolist()`",
}  # fmt: skip
_MODULES: Mapping[str, Mapping[str, str]] = {
    module: names for framework in BY_NAME.values() for module, names in framework.instead.items()
}


def _attribute(context: ErrorContext) -> str | None:
    class_name, name = context.match[1].rpartition(".")[2], context.match[2][:MAX_NAME]
    if class_name == "Tensor":
        subject, instead = "A PyTorch tensor", _TENSORS.get(name)
        if instead is None and name in _FUNCTIONS:
            instead = f"`torch.{name}(x)`"
    elif class_name in ("ndarray", "ArrayImpl") or class_name.endswith("Tracer"):
        subject = "A NumPy array" if class_name == "ndarray" else "A JAX array"
        short = "np" if class_name == "ndarray" else "jnp"
        integers = "x.astype(np.int64)" if short == "np" else "x.astype(jnp.int32)"
        instead = _ARRAYS.get(name, "").format(short=short, integers=integers) or None
        if name == "numpy":
            instead = "nothing, it already is one" if short == "np" else "`np.asarray(x)`"
        elif name == "at":
            instead = "`x[index] = value`"
        elif name in ("softmax", "relu", "sigmoid") and short == "jnp":
            instead = f"`jax.nn.{name}(x)`"
        elif instead is None and name in _FUNCTIONS:
            instead = f"`{short}.{name}(x)`"
    else:
        return None
    return f"{subject} has no `.{name}`: write {instead}." if instead else None


def _module(context: ErrorContext) -> str | None:
    module, name = context.match[1], context.match[2][:MAX_NAME]
    if instead := _MODULES.get(module, {}).get(name):
        return f"`{module}` has no `{name}`: write {instead}."
    return None


_IMPORTS = {
    "np": "import numpy as np", "jnp": "import jax.numpy as jnp", "F": "import torch.nn.functional as F",
    **{name: f"import {name}" for name in ("math", "jax", "torch", "numpy", "functools", "itertools", "random", "re")},
    "partial": "from functools import partial", "lax": "from jax import lax", "dataclass":
    "from dataclasses import dataclass", "Optional": "from typing import Optional", "optax": "",
}  # fmt: skip
_WORDS = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None", "NULL": "None"}


def _name(context: ErrorContext) -> str | None:
    name = context.group
    if name == "nn":
        return f"`nn` was never imported: put `import {context.own.nn} as nn` at the top."
    if line := _IMPORTS.get(name):
        return f"`{name}` was never imported: put `{line}` at the top."
    if name in _WORDS:
        return f"Python spells it `{_WORDS[name]}`."
    if name in ("exit", "quit"):
        return "There is no program to leave here: write `return`, with the answer after it."
    return None


def _no_module(context: ErrorContext) -> str:
    package, _, name = context.group.rpartition(".")
    if package:
        return f"`{package}` has no module `{name}`: check its spelling."
    return f"`{name}` is not available here: only {HERE} are."


def _called(context: ErrorContext) -> str:
    if re.search(r"\.(shape|size)\s*\(", context.line):
        return "`.shape` and `.size` are not functions here: write `x.shape[0]`, with square brackets."
    noun = f"{'an' if context.group == 'int' else 'a'} {context.group}"
    return f"Here {noun} is called like a function: leave out the parentheses, or write the `*` that is missing."


def _argument_count(context: ErrorContext) -> str:
    name, most, passed = context.group, int(context.match[2][:9]), int(context.match[3][:9])
    if passed < most:
        return f"`{name}` was given too few arguments: {passed}, of at most {most}."
    return f"`{name}` takes at most {most} arguments but was given {passed}."


def _outside(context: ErrorContext) -> str:
    index, axis, size = context.match[1], context.match[2], int(context.match[3][:18])
    if not size:
        return f"Axis {axis[:9]} is empty: there is no index {index[:18]}."
    return f"Axis {axis[:9]} has the indices 0 to {size - 1}, since counting starts at 0: there is no {index[:18]}."


def _without_arithmetic(context: ErrorContext) -> str | None:
    if context.own.has_arrays:
        return None
    return "Lists do not support arithmetic: go through their items in a loop or a comprehension."


def _no_dtype(context: ErrorContext) -> str:
    if ".view(" in context.line:
        title = BY_NAME["jax" if context.framework == "jax" else "numpy"].title
        return f"In {title} `.view` changes the dtype: for another shape write `.reshape(…)`."
    return "Something stands here in the place of a dtype: check the order of the arguments."


# ------------------------------------------------------------------ the rest

_TRACED = "inside `jit`, `vmap` or `grad` a value is not known yet"
_KEY = "A JAX random function is given a key first, as `jax.random.PRNGKey(seed)` makes one"
_PAIRS = "lined up from the last axis, each pair of sizes must be equal or 1"
_BROADCAST = f"The shapes do not fit each other: {_PAIRS}."
_INNER = "a matrix product needs the last size of the left to equal the second-to-last size of the right"

_GENERAL = (
    # indices
    Rule("IndexError TypeError", "arrays used as indices must be of integer|Indexer must have integer",
          "Indices must be integers: cast them first, `{integers}`."),
    Rule("IndexError", "tensors used as indices must be long", "PyTorch indexes with int64 or int32: cast the "
          "indices first, `x.long()`."),
    Rule("IndexError", r"index_select\(\): Index is supposed to be a vector", "`index_select` takes a vector of "
          "indices: for more axes write `x[index]`."),
    Rule("IndexError", "invalid index to scalar variable", "A single number has no axes left to index: print the "
          "shape of what it came from."),
    Rule("TypeError", r"Cannot cast array data from dtype\('float\d+'\) to dtype\('int\d+'\)",
          "Floats were given where integers are needed: cast them first, `{integers}`."),
    Rule("ValueError", "indices must have an integer type|Input type must be an integer",
          "Indices must be integers: cast them first, `{integers}`."),
    Rule("RuntimeError", "Expected tensor for argument .* scalar types: Long|Expected dtype int32.int64 for "
          "index|Expected dtype int32 or int64 for index|index tensor of type LongTensor",
          "PyTorch takes indices as integers (Long): cast them first, `x.long()`."),
    Rule("RuntimeError", "expected target dtype to be Long", "Class numbers must be integers (Long): cast the "
          "targets first, `target.long()`."),
    Rule("IndexError", "only integers, slices", "An index must be an integer, a slice or an array of integers or "
          "booleans, and a float is none of them."),
    Rule("TypeError", "slice indices must be integers", "The ends of a slice must be integers: `//` gives one, and "
          "`int(…)` makes one."),
    Rule("TypeError", r"(list|tuple|str\w*) indices must be integers(?: or slices)?, not tuple",
          "A list takes one index at a time, `x[i][j]`; only an array takes `x[i, j]`."),
    Rule("TypeError", r"(list|tuple|str\w*) indices must be integers", "The index of a list must be an integer: "
          "`//` gives one, and `int(…)` makes one."),
    Rule("TypeError", "Using a non-tuple sequence for multidimensional", "JAX is not indexed with a list: make "
          "it an array first, `x[jnp.array(indices)]`."),
    Rule("TypeError IndexError", "(?i)only integer scalar arrays can be converted to a scalar index",
          "There is an array where one integer is needed."),
    Rule("IndexError", r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with size (\d+)", "",
          "An index is larger than its axis allows: the last one is the size minus 1, since counting starts at 0.",
          tell=_outside),
    Rule("IndexError", "index out of range in self", "An id is as large as the table or larger: the last row is "
          "its number of rows minus 1, since counting starts at 0."),
    Rule("IndexError", "Target .*is out of bounds", "A class number is as large as the number of classes or "
          "larger: they count from 0."),
    Rule("RuntimeError", "Class values must be smaller than num_classes", "A class number is as large as "
          "`num_classes` or larger: they count from 0."),
    Rule("IndexError", "(list|tuple|string|range object) index out of range", "The {0} is shorter than that "
          "index: its last one is `len(…) - 1`.", "That index lies outside: the last one is `len(…) - 1`, and "
          "a negative one counts from the end."),
    Rule("IndexError", "(?i)too many indices for (array|tensor)|^Too many indices", "There are more indices than "
          "axes: print the `.shape` before this line, it has fewer axes than you think."),
    Rule("IndexError", "boolean index did not match|shape of the mask", "A mask must have the shape of what it "
          "picks from: print both shapes."),
    Rule("AxisError ValueError", r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
          "There is no axis {0}: the array has {1}, and they count from 0.", "The array has fewer axes than that: "
          "they count from 0."),
    Rule("IndexError", r"Dimension out of range .*but got (-?\d+)", "There is no dimension {0}: they count from "
          "0, and the tensor has fewer.", "The tensor has fewer dimensions than that: they count from 0."),
    # shapes
    Rule("ValueError", r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
          "What is assigned has the shape {0}, and the place for it {1}: they must match.",
          "What is assigned has a different shape from the place for it."),
    Rule("ValueError", r"operands could not be broadcast together with shapes? ((?:\([\d,]*\) ?)*)(\([\d,]*\))",
          "The shapes {0} and {1} do not fit each other: " + _PAIRS + ".", _BROADCAST),
    Rule("ValueError", "remapped shapes.*requested shape", "An axis can be stretched to another size only if its "
          "own is 1: compare the two shapes from the last axis."),
    Rule("ValueError RuntimeError", r"broadcast together with remapped|Size of label|einsum\(\): subscript",
          "A letter of the `einsum` stands for two different sizes: print both shapes and write one letter for "
          "each axis."),
    Rule("RuntimeError", r"einsum\(\): subscript", "A letter of the `einsum` stands for two different sizes: "
          "print both shapes and write one letter for each axis."),
    Rule("TypeError ValueError", r"(?i)incompatible shapes for broadcasting: "
          r"(?:shapes=\[)?(\([\d, ]*\)), (\([\d, ]*\))",
          "The shapes {0} and {1} do not fit each other: " + _PAIRS + ".", _BROADCAST),
    Rule("RuntimeError", r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
          "The sizes {0} and {1} meet on one axis: " + _PAIRS + ".", _BROADCAST),
    Rule("RuntimeError", "expanded size of the tensor", "A dimension can be stretched to another size only if "
          "its own is 1: compare the two shapes from the last dimension."),
    Rule("ValueError", r"shapes (\(.*?\)) and (\(.*?\)) not aligned",  "{0} and {1} cannot be multiplied: " + _INNER
          + ".",  "These cannot be multiplied: " + _INNER + "."),
    Rule("ValueError", r"matmul: .*core dimension \d+.*\(size (\d+) is different from (\d+)\)",  "The sizes {0} "
          "and {1} meet in this product: " + _INNER + ".",  "These cannot be multiplied: " + _INNER + "."),
    Rule("ValueError", "matmul: .*does not have enough dimensions", "`@` multiplies arrays, not single numbers: "
          "for a number write `*`."),
    Rule("TypeError", r"dot_general requires contracting dimensions to have the same shape, got \((\d+),\) and "
          r"\((\d+),\)",  "The sizes {0} and {1} meet in this product: " + _INNER + ".",
          "These cannot be multiplied: " + _INNER + "."),
    Rule("ValueError", r"Incompatible types for matmul arguments: \w+(\[[\d,]*\]) and \w+(\[[\d,]*\])",
          "{0} and {1} cannot be multiplied: the last two axes of each are the matrices, and the axes before them must "
          "be equal.",
          "These cannot be multiplied: the last two axes of each are the matrices, and the axes before them must be "
          "equal."),
    Rule("RuntimeError", r"mat1 and mat2 shapes cannot be multiplied \((\w+) and (\w+)\)",
          "{0} and {1} cannot be multiplied: " + _INNER + ".",  "These cannot be multiplied: " + _INNER + "."),
    Rule("RuntimeError", "Expected size for first two dimensions of batch2|inconsistent tensor size, expected "
          "tensor",  "These cannot be multiplied: " + _INNER + "."),
    Rule("RuntimeError", "must be a 3D tensor|self must be a matrix|self must be a vector",
          "`mm` multiplies two matrices and `bmm` two batches of them; `@` does both."),
    Rule("ValueError TypeError", r"cannot reshape array of (?:size (\d+)|shape .*?\(size (\d+)\))",
          "A reshape keeps every number: the sizes asked for must multiply to as many as there are, and one of "
          "them may be -1."),
    Rule("RuntimeError", "shape '.*' is invalid for input of size", "A reshape keeps every number: the sizes "
          "asked for must multiply to as many as there are, and one of them may be -1."),
    Rule("RuntimeError", "view size is not compatible", "After a transpose `view` cannot be used: write "
          "`.reshape(…)`."),
    Rule("ValueError RuntimeError", "axes don't match array|does not match the length of the desired ordering",
          "A transpose names every axis once: there are more or fewer names than axes."),
    Rule("ValueError TypeError", "array dimensions except for the concatenation axis|Cannot concatenate arrays "
          "with shapes", "Arrays that are joined must have equal sizes on every axis but the one they are joined "
          "along: check `axis`."),
    Rule("ValueError TypeError", "must have same number of dimensions|different numbers of dimensions",
          "Arrays that are joined must have the same number of axes: give the smaller one another axis with `[None]`."),
    Rule("RuntimeError", "Sizes of tensors must match except", "Tensors that are joined must have equal sizes on "
          "every dimension but the one they are joined along: check `dim`."),
    Rule("RuntimeError", "must have same number of dimensions: got", "Tensors that are joined must have the same "
          "number of dimensions: give the smaller one another dimension with `[None]`."),
    Rule("ValueError RuntimeError", "(?i)input arrays must have the same shape|expects each tensor to be equal "
          "size", "`stack` needs arrays of the same shape: to join different sizes use `{short}.concatenate`.",
          "`stack` needs arrays of the same shape."),
    Rule("ValueError", "need at least one array to", "There is nothing to join: the list is empty."),
    Rule("ValueError", "not result in an equal division", "`split` makes equal parts, but the size is not a "
          "multiple of their number."),
    Rule("ValueError", "cannot select an axis to squeeze", "`squeeze` removes an axis of size 1 only; this one "
          "is larger."),
    Rule("ValueError", "inhomogeneous shape", "The parts have different shapes, so they do not make one array: give "
          "all of them the same shape."),
    Rule("ValueError", "setting an array element with a sequence", "A place for one number was given several numbers: "
          "assign a single number, or a slice as long as the values."),
    Rule("ValueError", r"expected sequence of length \d+ at dim", "The rows have different lengths, so they do not "
          "make a tensor: give them the same length."),
    Rule("ValueError", "negative dimensions", "A size is negative: it was computed wrongly before this line."),
    Rule("ValueError", "zero-size array|of an empty sequence|arg is an empty", "There is nothing to take the "
          "largest or smallest of: what it is taken of is empty."),
    Rule("RuntimeError", "Given normalized_shape", "A normalisation layer is given the size of the last axis, but "
          "here that axis has another size."),
    Rule("ValueError", "Expected input batch_size", "There must be one target for each row of the input: here there "
          "are more of one than of the other."),
    Rule("RuntimeError", "Index tensor must have the same number of dimensions", "`gather` needs an index with "
          "as many dimensions as the input: add one with `.unsqueeze`."),
    # truth and single numbers
    Rule("ValueError RuntimeError", "truth value of an array|Boolean value of Tensor", "One truth value is needed "
         "here, "
          "and an array holds many: use `{short}.where`, or `.all()` and `.any()`. To ask whether an "
          "argument was given, write `is None`."),
    Rule("TypeError ValueError RuntimeError", "(?i)only (0-dimensional|length-1|scalar) arrays can be converted|"
          "only one element tensors can be converted|cannot be converted to Scalar|can only convert an array of "
          "size 1", "One number is needed here, and this is an array: use a function of `{short}`, or index "
          "it first."),
    # JAX
    Rule("TypeError", "JAX arrays are immutable", "A JAX array cannot be changed in place: write `x = "
          "x.at[index].set(value)`, which returns a new one."),
    Rule("TracerBoolConversionError", "",  f"A truth value is asked for, but {_TRACED}: use "
          f"`jnp.where`, or " "`jax.lax.cond`."),
    Rule("TracerArrayConversionError", "",  f"A NumPy function was given a JAX value, but {_TRACED}: use `jnp` "
          f"in place of " "`np`."),
    Rule("TracerIntegerConversionError", "",  f"An integer is needed here, for a `range` or an index, but "
          f"{_TRACED}: mark " "the argument static with `static_argnums`."),
    Rule("NonConcreteBooleanIndexError", "", "Inside `jit` a mask cannot pick elements, since their number would "
          "not be known: use `jnp.where(mask, x, 0)`."),
    Rule("ConcretizationTypeError", r"`(float|int|bool|complex)` function|item\(\) method",
          f"A plain number is needed, but {_TRACED}: leave out `float`, `int` or `.item()`, or use "
          f"`.astype`."),
    Rule("ConcretizationTypeError", "",  f"A size must be a plain integer, but {_TRACED}: mark the argument "
          f"static with " "`static_argnums`."),
    Rule("TypeError", "Shapes must be 1D sequences of concrete values.*Tracer",  f"A shape must be made of plain "
          f"integers, " f"but {_TRACED}: mark the argument static with `static_argnums`."),
    Rule("IndexError", "Slice entries must be static integers",  f"The ends of a slice must be plain integers, "
          f"but " f"{_TRACED}: mark the argument static with `static_argnums`, or use `jax.lax.dynamic_slice`."),
    Rule("UnexpectedTracerError", "", "A value from inside `jit`, `vmap` or `grad` was kept and used "
          "outside: return it instead of storing it."),
    Rule("ValueError", "Non-hashable static arguments", "A static argument must be a number, a string or a tuple: "
          "arrays and lists are passed as ordinary arguments."),
    Rule("TypeError", "Gradient only defined for scalar-output", "`jax.grad` needs a function that returns one "
          "number: sum or average what it returns."),
    Rule("TypeError", "grad requires real- or complex-valued inputs", "`jax.grad` needs floats, but was given "
          "integers: write `3.0`, or cast with `.astype(jnp.float32)`."),
    Rule("TypeError", "expected key_data to have ndim|key_data.shape|key_data.dtype|unexpected PRNG key type",  _KEY
          + ": a seed, a shape or nothing is in its place."),
    Rule("ValueError", "accepts a single key, but was given a key array", "`split` returns several keys: unpack "
          "them, `key, other = jax.random.split(key)`, and pass one."),
    Rule("TypeError", "PRNG key seed must be an integer|PRNGKey accepts a scalar seed", "`PRNGKey` is made from "
          "one integer: pass the seed itself."),
    Rule("TypeError", "does not accept dtypes? key<", "A key is not a number: pass it to a function of "
          "`jax.random`, or split it."),
    Rule("TypeError", "requires ndarray or scalar arguments, got <class 'list'>", "`jnp` takes no lists: wrap it in "
          "`jnp.array(…)`, or `jnp.stack(…)` for a list of arrays."),
    Rule("TypeError", "must have equal types|must have equal output types", "What a loop or a branch returns "
          "must have the shape and dtype of what it was given: compare the two that the message names.",
          "What a loop or a branch returns must have the shape and dtype of what it was given."),
    Rule("TypeError", "Error interpreting argument to .* as an abstract array", "`jit` takes arrays and numbers: "
          "mark any other argument static with `static_argnums`."),
    # Flax
    Rule("CallCompactUnboundModuleError", "", "A Flax module holds no numbers, so it cannot be called by itself: "
          "`variables = model.init(key, x)`, then `model.apply(variables, x)`."),
    Rule("InvalidInstanceModuleError", "", "`init` and `apply` belong to a module that was made: write "
          "`Model(…).init(key, x)`, with the parentheses."),
    Rule("ScopeCollectionNotFound ScopeParamNotFoundError", "", "The parameter is missing from what `apply` was "
          "given: "
          "pass it all that `model.init(key, x)` returned."),
    Rule("ScopeParamShapeError", "", "A parameter has another shape now than when it was made: give `init` and "
          "`apply` inputs of the same last size."),
    Rule("InvalidRngError", "RNGs should be of shape", "`init` is given a key first: "
          "`model.init(jax.random.PRNGKey(seed), x)`."),
    Rule("InvalidRngError", 'needs PRNG for "params"', "`init` needs a key for the parameters: pass a key "
          'itself, or `{{"params": key}}`.'),
    Rule("InvalidRngError", r'needs PRNG for "(\w+)"', 'A layer draws random numbers: pass `rngs={{"{0}": key}}`.',
          "A layer draws random numbers: pass it a key in `rngs`."),
    Rule("ValueError", "Parameters must be initialized in `setup", "Put `@nn.compact` on the line above `def "
          "__call__`: only there, or in `setup`, may a module declare parameters."),
    Rule("NameInUseError", "", "Two parameters or layers of one module have the same name: rename one."),
    Rule("ModifyScopeVariableError", "", "`apply` changes nothing unless you say so: name the collection, "
          '`mutable=["batch_stats"]`.'),
    Rule("ValueError", '"deterministic" must be passed', "Dropout must know whether it is training: pass "
          "`deterministic=True` or False."),
    Rule("AttributeError", r"is defined in '.setup\(\)'", "What `setup` makes exists only inside `init` and "
          "`apply`: use it in the module's own methods."),
    Rule("TypeError", r"init\(\) missing 1 required positional argument: 'shape'", "`self.param` is given a "
          "name, an initializer and a shape: the shape is missing."),
    # torch
    Rule("RuntimeError", "leaf Variable that requires grad is being used in an in-place",
          "A tensor that requires gradients cannot be changed in place: compute a new one, `y = x + 1`, or work "
          "on `x.clone()`."),
    Rule("RuntimeError", "has been modified by an inplace operation", "A value that the gradient needs was "
          "changed in place afterwards: write `y = y + 1` instead of `y += 1`."),
    Rule("RuntimeError", r"Can't call numpy\(\) on Tensor that requires grad", "A tensor that requires gradients "
          "is not converted to NumPy automatically: write `x.detach().numpy()`."),
    Rule("RuntimeError", "does not require grad and does not have a grad_fn", "Nothing here requires gradients: "
          "call `x.requires_grad_()` before computing with it."),
    Rule("RuntimeError", "grad can be implicitly created only for scalar", "`backward` starts from one number: "
          "sum or average first."),
    Rule("RuntimeError", "backward through the graph a second time", "`backward` can be called once for each "
          "computation: compute again, or pass `retain_graph=True`."),
    Rule("RuntimeError", "expected m1 and m2 to have the same dtype, but got: (?:(?:long )?int|long|short|bool|"
          "char)|!= (?:(?:long )?int|long)", "Integers and floats cannot be multiplied with each other: cast with "
          "`x.float()`."),
    Rule("RuntimeError", "to have the same dtype|must have the same dtype|expected scalar type (?:Float|Double)",
          "The two tensors differ in dtype, float32 and float64 perhaps: cast one, `x.to(y.dtype)`."),
    Rule("RuntimeError NotImplementedError", "could not infer output dtype|not implemented for '(Long|Int|Bool)'",
          "This is not defined for integers: cast with `x.float()` first."),
    Rule("RuntimeError", "can't be cast to the desired output type", "A float result does not fit into a tensor "
          "of integers: cast it with `x.float()` first."),
    Rule("RuntimeError", "only supports boolean masks|condition to be a boolean", "A mask must hold booleans: "
          "compare, `mask == 1`, or cast with `mask.bool()`."),
    Rule("RuntimeError", "with two bool tensors is not supported", "Booleans cannot be subtracted: use `~mask` for "
          "not, `^` for exclusive or."),
    Rule("AssertionError RuntimeError", "not compiled with CUDA|device type at start of device string|No CUDA",
          "There is no GPU here: leave out `.cuda()` and `device`."),
    Rule("TypeError", r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (?:list|numpy.ndarray)",
          "`{0}` takes a tensor: wrap it in `torch.as_tensor(…)`.", "A torch function takes a tensor: wrap it in "
          "`torch.as_tensor(…)`."),
    Rule("TypeError", r"\(\): argument 'tensors' \(position 1\) must be tuple of Tensors",
          "The tensors to join go in one list: `torch.cat([a, b])`."),
    Rule("TypeError", "argument 'size' .*must be tuple of ints", "A size must be an integer: `//` gives one, and "
          "`int(…)` makes one."),
    Rule("TypeError", r'softmax\(\) missing 1 required positional arguments?: "dim"', "Say along which "
          "dimension: `torch.softmax(x, dim=-1)`."),
    Rule("TypeError", r"transpose\(\) (?:takes 2 positional arguments|missing 2 required)",
          "A tensor's `transpose` swaps two dimensions, `x.transpose(0, 1)`; to reorder all of them write "
          "`x.permute(…)`."),
    Rule("TypeError", "expected np.ndarray", "`torch.from_numpy` takes a NumPy array: for anything else write "
          "`torch.as_tensor(…)`."),
    Rule("ValueError", "step must be greater than zero", "A tensor cannot be sliced backwards: write `x.flip(0)`."),
    Rule("NotImplementedError", 'missing the required "forward"', "A torch module computes in `forward`: define "
          "`def forward(self, x)`."),
    Rule("AttributeError", "cannot assign (?:module|parameters?) before Module.__init__",
          "Call `super().__init__()` first in `__init__`."),
    Rule("AttributeError", "'torch.return_types.(?:max|min|sort|topk|median|mode)'", "With a dimension, this "
          "returns values and indices: take the first, `values, indices = …`."),
    # NumPy
    Rule("UFuncTypeError _UFuncOutputCastingError", r"Cannot cast ufunc '?(\w+)'? output",
          "A float result does not fit into an array of integers: write `x = x + y` instead of `x += y`, or cast "
          "first."),
    Rule("TypeError", "Cannot interpret '.+?' as a data type", "",
          "Something stands here in the place of a dtype.", tell=_no_dtype),
    Rule("TypeError", "data type '(.+?)' not understood", "There is no dtype {0}: the usual ones are float32, "
          "float64, int32, int64 and bool.", "There is no such dtype: the usual ones are float32, float64, int32, "
          "int64 and bool."),
    Rule("LinAlgError _LinAlgError", "[Ss]ingular", "The matrix has no inverse: its rows depend on each other."),
    Rule("LinAlgError", "must be square", "Only a square matrix has an inverse or a determinant."),
    Rule("ValueError", "assignment destination is read-only", "This array may not be changed: work on `x.copy()`."),
    Rule("TypeError", r"ufunc '(\w+)' not supported for the input types|did not contain a loop with signature",
          "This is not defined for its input, perhaps a string or a list of mixed types: print the dtype."),
    # Python
    Rule("AttributeError", r"'([\w.]+)' object has no attribute '(\w+)'", "", "This name belongs to another "
          "framework: look up what this one calls it.", tell=_attribute),
    Rule("AttributeError", r"module '([\w.]+)' has no attribute '(\w+)'", "", "The module has nothing with that "
          "name: check its spelling.", tell=_module),
    Rule("TypeError", r"unsupported operand type.*'torch\.return_types\.(max|min|median|mode|sort|topk)'", "With a "
          "dimension, `{0}` returns values and indices: take the first, `.values`.", "With a dimension, this returns "
          "values and indices: take the first, `.values`."),
    Rule("TypeError", r"invalid combination of arguments - got \([^)]*\b(?:keepdims|axis|out)=\w+", "A NumPy function "
          "was given a PyTorch tensor: use the `torch` function, with `dim` and `keepdim` for `axis` and `keepdims`."),
    Rule("TypeError", r"can't multiply sequence by non-int|unsupported operand type\(s\) for \S+: '(list|tuple)' "
          r"and|unsupported operand type\(s\) for \S+: '\w+' and '(list|tuple)'", "", "Lists do not support "
          "arithmetic: go through their items in a loop or a comprehension.", tell=_without_arithmetic),
    Rule("AttributeError", "'(list|tuple|int|float|dict|str)' object has no attribute '(shape|reshape|dtype|ndim|"
          "T|astype|sum|mean|max|min|transpose|size|view|unsqueeze)'", "This is a Python {0}, not an array: make "
          "one with `{make}`.", "This is not an array: make one with `array(…)`, or `torch.tensor(…)`."),
    Rule("TypeError", r"can't multiply sequence by non-int|unsupported operand type\(s\) for \S+: '(list|tuple)' "
          r"and|unsupported operand type\(s\) for \S+: '\w+' and '(list|tuple)'", "Lists do not support arithmetic: "
                "turn them into arrays first."),
    Rule("TypeError", "'(int|float|tuple|torch.Size)' object is not callable", "", "A number or a tuple is "
          "called like a function: a `*` is missing, or `.shape` and `.size` were given parentheses.", tell=_called),
    Rule("TypeError", "'(?:numpy.ndarray|jaxlib.*ArrayImpl|Tensor)' object is not callable",
          "An array is called like a function: indices go in square brackets, `x[0]`."),
    Rule("TypeError", "unhashable type: '(?:jaxlib|numpy|Tensor|.*ArrayImpl)", "An array cannot be a key of a dict "
          "or set, or a static argument: use a number, a string or a tuple."),
    Rule("TypeError", "unhashable type: '(list|dict|set)'", "A {0} cannot be a key of a dict or set: use a tuple.",
          "A list or dict cannot be a key of a dict or set: use a tuple."),
    Rule("TypeError", r"'(\w+)' object cannot be interpreted as an integer|expected a sequence of integers or a "
          "single", "A whole number is needed here: `//` gives one, and `int(…)` makes one."),
    Rule("TypeError", "'(int|float)' object is not iterable", "A single {0} cannot be looped over: write "
          "`range(n)` for the numbers below n.", "A single number cannot be looped over: write `range(n)` for the "
          "numbers below n."),
    Rule("TypeError", r"cannot unpack non-iterable ([\w.]+)", "Only one value is on the right, {a0}, and there are "
         "several names on the left.",
          "One value cannot be unpacked into several names."),
    Rule("TypeError", r"object of type '(int|float|bool|complex|numpy\.\w+)' has no len\(\)|len\(\) of (?:a 0-d "
         r"tensor|unsized)|0-d "
          "(?:tensor|array)", "A single number has no length and cannot be looped over: it has lost its axes "
          "before this line."),
    Rule("ValueError", r"too many values to unpack \(expected (\d+)\)", "There are more values than the {0} "
          "names on the left.", "There are more values than names for them."),
    Rule("TypeError", r"(?<![\w.])([\w.]+)\(\) missing \d+ required positional arguments?: 'self'",
          "`{0}` is called on the class: make an object first, with parentheses.", "A method is called on the "
          "class: make an object first."),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) missing \d+ required positional arguments?: (.+)",
          "`{0}` was called without {1}.",
          "A function was called with fewer arguments than it needs."),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) "
          "(?:was|were) given", "", "A function was given more or fewer arguments than it takes; in a method, `self` "
          "counts as one.", tell=_argument_count),
    Rule("TypeError", r"(?<![\w.<>])([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'",
          "`{0}` has no parameter `{1}`: check the names of its parameters.", "A function was given a named argument "
          "that it does not have."),
    Rule("TypeError", "can only concatenate str|unsupported operand type.*'str'", "A string and a number "
          'cannot be added: write `f"{{x}}"` for a string, or `float(text)` for a number.'),
    Rule("UnboundLocalError", r"variable '(\w+)'", "`{0}` is given a value somewhere in this function, so it is "
          "local to the function, and here it has no value yet.", "A name is given a value later in this function, "
          "but here it has no value yet."),
    Rule("NameError", r"name '(\w+)' is not defined", "", "A name is used that was never defined or imported.",
          tell=_name),
    Rule("ModuleNotFoundError", r"No module named '([\w.]+)'", "",  f"A module is not available here: only {HERE} "
          f"are.",
          tell=_no_module),
    Rule("ImportError", r"cannot import name '(\w+)' from '([\w.]+)'", "`{1}` has no `{0}`: check its "
          "spelling.", "Something is imported that its module does not have."),
    Rule("EOFError", "", "There is no keyboard input here: your function is given its inputs as arguments."),
    Rule("SystemExit", "", "`exit` ends the program before it has answered: write `return`, with the answer "
          "after it."),
    Rule("KeyboardInterrupt", "", "Your program interrupted itself: write `return`, with the answer after it."),
    Rule("RecursionError", "", "The function calls itself without end: it needs a case that returns without "
          "calling."),
    Rule("ZeroDivisionError", "", "Something was divided by zero: look at the denominator for this input."),
    Rule("ValueError", "math domain error", "A square root or a logarithm was taken of a number that has none: look "
          "at its sign."),
    Rule("ValueError", "invalid literal for int|could not convert string to float", "This string is not a number."),
    Rule("KeyError", "^(.{1,60})$", "The dict has no key {0}: print its `.keys()`.", "The dict has no such key."),
    Rule("NotImplementedError", "^$", "`raise NotImplementedError` is still there: put your own code in its "
          "place."),
    Rule("FileNotFoundError PermissionError", "", "There is no such file here: only those in `data/` can be read, "
          "if the exercise names any. All else is an argument."),
)  # fmt: skip

RULES = (
    *errors_layers.RULES,
    *errors_objects.RULES,
    *errors_flax.RULES,
    *errors_names.FIRST,
    *errors_arrays.RULES,
    *errors_python.RULES,
    *_GENERAL,
    *errors_names.LAST,
)
