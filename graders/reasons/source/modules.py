"""A Flax module whose parameters are in a module inside it, where they belong to the module itself."""

import ast
from collections.abc import Iterator

from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding
from graders.reasons.source.program import Program, dotted


def _inner_module(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A module that declares no parameter and makes another one that does; the reference declares it in the module.

    The path of a parameter, `params/Inner_0/table`, changes the key that it is drawn with.
    """
    if evidence.framework != "jax" or not evidence.is_mostly_wrong:
        return
    reference = _parameters(ast.parse(evidence.exercise.reference.text))
    own = _parameters(program.tree)
    for name, owner in own.items():
        if owner or not reference.get(name):
            continue
        inner = [
            (call, made)
            for node in ast.walk(program.tree)
            if isinstance(node, ast.ClassDef) and node.name == name
            for call in ast.walk(node)
            if isinstance(call, ast.Call) and own.get(made := dotted(call.func))
        ]
        if len({made for _, made in inner}) == 1:
            call, made = inner[0]
            parameters = " and ".join(f"`{parameter}`" for parameter in own[made])
            are, them = ("are", "them") if len(own[made]) > 1 else ("is", "it")
            text = (
                f"{parameters} {are} declared in `{made}`, a module that line {call.lineno} makes inside `{name}`, so "
                f"the path is `params/…/{own[made][0]}`: declare {them} in `{name}` itself."
            )
            hidden = "A parameter is declared in a module inside yours: declare it in the module itself."
            yield Finding("inner_module", call.lineno, text, hidden, frozenset({"drawn_again"}))
            return


def _parameters(tree: ast.Module) -> dict[str, list[str]]:
    """The names of the parameters that each class declares with `self.param`."""
    return {
        owner.name: [
            call.args[0].value
            for call in ast.walk(owner)
            if isinstance(call, ast.Call) and dotted(call.func) == "self.param" and call.args
            if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
        ]
        for owner in tree.body
        if isinstance(owner, ast.ClassDef)
    }


LOOKS = (_inner_module,)
