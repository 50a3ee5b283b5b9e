"""Looks at the Flax module that a function makes: which parameters it has, and whether its output comes from them."""

import flax.linen as nn
import jax
from flax.traverse_util import flatten_dict


class Watched:
    """What `function(*arguments)` did with its module."""

    def __init__(self, function, *arguments):
        self.calls = []  # the module, what it was called with, and its variables
        with nn.intercept_methods(self._note):
            self.output = function(*arguments)

    def _note(self, call, arguments, keywords, context):
        output = call(*arguments, **keywords)
        if context.module.path == () and context.method_name != "setup":
            self.calls.append((context.module, context.method_name, arguments, keywords, context.module.variables))
        return output

    def parameters(self):
        """Each parameter's shape and dtype, by name: `{"pos_embed": ((32, 3), "float32")}`."""
        if not self.calls:
            return {}
        *_, variables = self.calls[-1]
        tables = flatten_dict(variables.get("params", {}), sep="/")
        return {name: (table.shape, str(table.dtype)) for name, table in tables.items()}

    def output_with(self, **parameters):
        """What the module returns when these are its parameters."""
        if not self.calls:
            return None
        module, method, arguments, keywords, _ = self.calls[-1]
        return module.clone(parent=None).apply({"params": parameters}, *arguments, method=method, **keywords)


def watch(function, *arguments):
    """Call the function, and look at the module that it makes."""
    return Watched(function, *arguments)
