"""Noise, or a layer of its own with random numbers, where the answer is not random."""

import ast
from collections.abc import Iterator

from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding, code
from graders.reasons.source.program import Program, dotted

_NOISE = {
    "gumbel_softmax", "dropout", "Dropout", "rand", "randn", "randint", "random", "normal", "uniform", "bernoulli",
    "multinomial", "rand_like", "randn_like", "shuffle", "permutation", "randperm", "choice", "categorical",
    "standard_normal", "alpha_dropout", "feature_dropout", "sample", "gauss",
}  # fmt: skip
_LAYERS = {"Linear", "Embedding", "Conv1d", "Conv2d", "Bilinear", "MultiheadAttention", "LSTM", "GRU", "RNN"}
_FILLS = {"from_pretrained", "load_state_dict", "copy_", "weight", "data", "_weight", "in_proj_weight", "Parameter"}
_SOURCES = (
    "np.random",
    "numpy.random",
    "jax.random",
    "random",
    "torch",
    "F",
    "nn.functional",
    "torch.nn.functional",
    "nn",
    "torch.nn",
)
_KEYS = ("seed", "key", "rng", "generator")


def _is_answer_random(evidence: Evidence) -> bool:
    names = [parameter.name for parameter in evidence.exercise.signature.parameters]
    return (
        evidence.exercise.is_seeded
        or evidence.exercise.is_scripted
        or any(key in name for name in names for key in _KEYS)
    )


def _noise(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A function that draws random numbers."""
    if _is_answer_random(evidence) or not evidence.is_mostly_wrong or not evidence.has_right_shapes:
        return
    for node in program.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _NOISE:
            continue
        owner = dotted(node.func.value)
        if owner not in _SOURCES and not _is_generator(program, owner):
            continue
        if program.function_of(node) is None or _is_switched_off(program, node):
            continue
        text = (
            f"{code(program, node.func, '`' + node.func.attr + '`')} in line {node.lineno} draws random numbers, "
            "and the answer here is not random."
        )
        yield Finding(
            "noise", node.lineno, text, "Your source draws random numbers, and the answer here is not random."
        )
        return


def _is_generator(program: Program, name: str) -> bool:
    """Whether a name stands for a generator of random numbers."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and dotted(node.value.func).rpartition(".")[2] in ("default_rng", "RandomState", "Random", "Generator")
        and name in {target.id for target in node.targets if isinstance(target, ast.Name)}
        for node in program.nodes
    )


def _is_switched_off(program: Program, call: ast.Call) -> bool:
    """Whether dropout may drop nothing: `training=False`, `p=0`, `deterministic=True`, `.eval()`."""
    if not dotted(call.func).lower().endswith("dropout"):
        return False
    if any(isinstance(node, ast.Attribute) and node.attr in ("eval", "train") for node in program.nodes):
        return True
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    is_on = isinstance(flag := named.get("training"), ast.Constant) and flag.value is True
    share = named.get("p", call.args[-1] if call.args else None)
    return (
        not (is_on or "training" not in named)
        or "deterministic" in named
        or (isinstance(share, ast.Constant) and share.value in (0, False))
    )


def _own_layer(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A torch layer whose weights are random, and to which nothing gives other weights."""
    if (
        evidence.framework != "torch"
        or _is_answer_random(evidence)
        or not evidence.is_mostly_wrong
        or not evidence.has_right_shapes
    ):
        return
    if any(isinstance(node, ast.Attribute) and node.attr in _FILLS for node in program.nodes):
        return
    if any(isinstance(node, ast.keyword) and node.arg in _FILLS for node in program.nodes):
        return
    if any(
        isinstance(node, ast.Attribute) and dotted(node).startswith(("nn.init", "torch.nn.init", "init."))
        for node in program.nodes
    ):
        return
    for node in program.nodes:
        if (
            isinstance(node, ast.Call)
            and dotted(node.func).rpartition(".")[2] in _LAYERS
            and dotted(node.func).startswith(("nn.", "torch.nn."))
        ):
            made = dotted(node.func)
            text = (
                f"`{made}(…)` in line {node.lineno} makes a new layer with random weights of its own, and nothing "
                "puts the numbers of your arguments into it."
            )
            hidden = "A new layer in your source has random weights of its own."
            yield Finding("own_layer", node.lineno, text, hidden, frozenset({"argument_ignored", "input_ignored"}))
            return


LOOKS = (_noise, _own_layer)
