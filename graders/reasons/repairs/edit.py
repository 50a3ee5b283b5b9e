"""One small change to a submission's source, and how its text is made."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graders.reasons.source.program import Function, Program, dotted

Replacement = tuple[ast.AST, str]  # a node, and the text that stands in its place

# what changes another place of the source beside its own, or puts something before it
_OF_ONE_PLACE = {
    "factor_place", "statements_order", "first_of_equal", "made_in_loop", "not_reset", "input_changed", "loop_name",
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """`kind` is a key of SENTENCES in sentences.py. `old` and `new` are what a student reads of it."""

    kind: str
    line: int
    old: str
    new: str
    parts: tuple[Replacement, ...] = field(compare=False)
    is_whole: bool = True  # every case is right with it; else all samples and most others are
    rank: int = 0  # of those that make it right, the lowest is told
    hint: str = ""  # names of ours, such as `min` and `max`: they may be told for a hidden case too

    @property
    def is_at_several(self) -> bool:
        """Whether it changes several places in the same way."""
        return len(self.parts) > 1 and self.kind not in _OF_ONE_PLACE

    @property
    def lines(self) -> list[int]:
        """Where it changes the source, in order."""
        return sorted({start_of(node)[0] for node, _ in self.parts})

    def applied(self, program: Program) -> str:
        """The changed source."""
        lines = [f"{line}\n".encode() for line in program.lines]
        for node, text in sorted(self.parts, key=lambda part: start_of(part[0]), reverse=True):
            (first, from_), (last, to) = start_of(node), end_of(node)
            lines[first - 1 : last] = [lines[first - 1][:from_] + text.encode() + lines[last - 1][to:]]
        return b"".join(lines).decode(errors="replace")


def start_of(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def end_of(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def text_of(node: ast.AST) -> str:
    return ast.unparse(node)


def operand(node: ast.AST) -> str:
    """The text of a node that may stand as an operand."""
    simple = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.Constant
    text = text_of(node)
    return text if isinstance(node, simple) and not text.startswith("-") else f"({text})"


def changed(kind: str, node: ast.AST, new: str, shown: tuple[str, str] | None = None) -> Edit:
    old, to = shown or (text_of(node), new)
    is_nested = not isinstance(node, ast.stmt | ast.keyword | ast.Slice | ast.arg) and not _is_closed(new)
    return Edit(kind, start_of(node)[0], old, to, ((node, f"({new})" if is_nested else new),))


def _is_closed(text: str) -> bool:
    return all(character.isalnum() or character in "._" for character in text)


def calls(program: Program) -> Iterator[ast.Call]:
    return (node for node in program.nodes if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


_DIVIDING = {
    "mean", "average", "nanmean", "divide", "true_divide", "div", "reciprocal", "softmax", "log_softmax", "normalize",
    "sigmoid", "std", "var", "norm", "rsqrt", "standardize", "scaled_dot_product_attention", "LayerNorm", "layer_norm",
}  # fmt: skip


def divides(nodes: Iterable[ast.AST]) -> bool:
    """Whether something is divided: by an operator, by a negative power, or by a function that does it."""
    for node in nodes:
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.UnaryOp):
            return True
        if isinstance(node, ast.Call) and name_of(node) in _DIVIDING:
            return True
    return False


def in_functions(program: Program) -> Iterator[ast.AST]:
    """The nodes inside functions, in the order of the source."""
    for node in program.nodes:
        if any(isinstance(above, Function) for above in program.above(node)) and hasattr(node, "lineno"):
            yield node


def gap(node: ast.stmt) -> ast.AST:
    """The empty place before a statement."""
    return ast.Pass(
        lineno=node.lineno, col_offset=node.col_offset, end_lineno=node.lineno, end_col_offset=node.col_offset
    )


def whole_number(node: ast.AST) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    return value if type(value) is int else None


def with_argument(call: ast.Call, inner: ast.AST, new: str) -> str:
    """The text of a call with one of its arguments replaced."""
    arguments = [new if argument is inner else text_of(argument) for argument in call.args]
    for keyword in call.keywords:
        value = new if keyword.value is inner else text_of(keyword.value)
        arguments.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
    return f"{text_of(call.func)}({', '.join(arguments)})"
