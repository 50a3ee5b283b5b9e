"""Errors of objects that do not let their attributes be changed, in plain words: properties and named tuples."""

import ast

from graders.reasons.error_rules import MAX_NAME, ErrorContext, Rule
from graders.reasons.error_site import dotted, methods_of

_PROPERTY = "A property is computed, so nothing can be assigned to it: keep the value under another name."
_NAMED_TUPLE = "A named tuple cannot be changed: make another one, with `._replace(…)`."


def _property(context: ErrorContext) -> str | None:
    """For a property that the source defines."""
    name = context.group
    for owner in context.site.classes(context.match[2]):
        method = methods_of(owner).get(name)
        if method is not None and any(dotted(each) == "property" for each in method.decorator_list):
            return (
                f"`{name}` is a property, so nothing can be assigned to it: keep the value under another name, such as "
                f"`self._{name.lstrip('_')}`."
            )
    return None


def _named_tuple(context: ErrorContext) -> str | None:
    """For a source that makes a kind of named tuple, on a line that assigns to an attribute of a name."""
    if context.site.tree is None or not any(map(_makes_named_tuples, ast.walk(context.site.tree))):
        return None
    for statement in context.site.statements[-1:]:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        targets = [statement.target] if isinstance(statement, ast.AugAssign) else targets
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id != "self":
                name, field = target.value.id[:MAX_NAME], target.attr[:MAX_NAME]
                return (
                    f"`{name}` is a named tuple, which cannot be changed: make another one, "
                    f"`{name} = {name}._replace({field}=…)`."
                )
    return None


def _makes_named_tuples(node: ast.AST) -> bool:
    made = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
    return any(dotted(each).rpartition(".")[2] in ("namedtuple", "NamedTuple") for each in made)


RULES = (
    Rule("AttributeError", r"^property '(\w+)' of '(\w+)' object has no setter", "", _PROPERTY, tell=_property),
    Rule("AttributeError", "^can't set attribute", "", _NAMED_TUPLE, tell=_named_tuple),
)  # fmt: skip
