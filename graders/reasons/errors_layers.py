"""Errors of layers, in plain words: an array where sizes are asked for, and parameters of a module inside yours."""

import ast
import re

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule
from graders.reasons.error_site import dotted

# a layer of torch: the function that does the same with weights that are passed in
_FUNCTIONS = {
    "Conv1d": "F.conv1d(x, weight)", "Conv2d": "F.conv2d(x, weight)", "Conv3d": "F.conv3d(x, weight)",
    "ConvTranspose1d": "F.conv_transpose1d(x, weight)", "ConvTranspose2d": "F.conv_transpose2d(x, weight)",
    "Linear": "F.linear(x, weight)", "Bilinear": "F.bilinear(x, y, weight)",
    "Embedding": "F.embedding(ids, table)", "EmbeddingBag": "F.embedding_bag(ids, table)",
}  # fmt: skip
_FROM_SIZES = (
    "A layer of `torch.nn` makes weights of its own from sizes: to apply an array that you have, use the function of "
    "`torch.nn.functional`."
)


def _from_sizes(context: ErrorContext) -> str | None:
    """For a layer that is given an argument of the function, as it is, in place of its sizes."""
    layer = context.group
    function = context.site.function
    if layer not in _FUNCTIONS or function is None:
        return None
    arguments = {argument.arg for argument in function.args.args} - {"self"}
    for call in context.site.calls_of(layer):
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Name) and first.id in arguments:
            made, name = dotted(call.func)[:MAX_NAME], first.id[:MAX_NAME]
            text = f"`{made}(…)` makes a new layer from sizes, and `{name}` is no size: to apply an array that you have"
            return f"{text}, use `{_FUNCTIONS[layer]}`, with `import torch.nn.functional as F`."
    return None


_INSIDE = "A parameter is in a module inside yours: declare it in the module itself, with `self.param`."


def _inside(context: ErrorContext) -> str | None:
    """For a parameter of a module inside another, where the source itself calls no `apply`: what `apply` is given is
    the exercise's, and has it in the outer module."""
    module = re.sub(r"_\d+$", "", context.match[2])
    if ".apply(" in context.source or not re.search(rf"\b{module}\b", context.source):
        return None
    name = context.group
    return (
        f"`{name}` is declared in `{module[:MAX_NAME]}`, a module inside yours, so its path is "
        f"`params/{context.match[2][:MAX_NAME]}/{name}`: declare it in the module itself."
    )


RULES = (
    Rule("TypeError", r"^(\w+)\.__init__\(\) missing \d+ required", "", _FROM_SIZES, tell=_from_sizes),
    Rule("ScopeCollectionNotFound ScopeParamNotFoundError", r'parameter named "(\w+)" in scope "/(\w+)', "", _INSIDE,
         tell=_inside),
)  # fmt: skip
