"""The slips that people make in a formula, each with a sentence that says what was done: a sum for a product, a factor
that is missing, two names mixed up. A formula is changed as a tree and read again; it is never run."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from app.content.expression import UnreadableAnswer, tree_of

MOST_SLIPS = 24  # what bounds the time of a wrong answer
Change = tuple[ast.expr, str]


@dataclass(frozen=True)
class Slip:
    formula: str
    sentence: str


@lru_cache(maxsize=1024)
def slips(formula: str) -> tuple[Slip, ...]:
    """At most MOST_SLIPS; none of a formula that cannot be read."""
    try:
        tree = tree_of(formula)
    except UnreadableAnswer:
        return ()
    changes = [*_changed(tree), *_mixed_up(tree)]
    found = {Slip(ast.unparse(changed), sentence): None for changed, sentence in islice(changes, MOST_SLIPS)}
    return tuple(found)


def _changed(node: ast.expr) -> Iterator[Change]:
    """The tree with one change in it."""
    if isinstance(node, ast.BinOp):
        yield from _changed_sign(node)
        yield from _forgotten(node)
        yield from ((ast.BinOp(left, node.op, node.right), why) for left, why in _changed(node.left))
        yield from ((ast.BinOp(node.left, node.op, right), why) for right, why in _changed(node.right))
    elif isinstance(node, ast.UnaryOp):
        yield from ((ast.UnaryOp(node.op, operand), why) for operand, why in _changed(node.operand))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        yield from _changed_function(node.func.id, node.args[0])
        yield from ((ast.Call(node.func, [inner], []), why) for inner, why in _changed(node.args[0]))


_SIGNS: dict[type[ast.operator], tuple[tuple[type[ast.operator], str], ...]] = {
    ast.Mult: ((ast.Add, "You get that if you add where you should multiply."),
               (ast.Div, "You get that if you divide where you should multiply.")),
    ast.Div: ((ast.Mult, "You get that if you multiply where you should divide."),),
    ast.FloorDiv: ((ast.Mult, "You get that if you multiply where you should divide."),),
    ast.Add: ((ast.Mult, "You get that if you multiply where you should add."),
              (ast.Sub, "You get that if you subtract where you should add.")),
    ast.Sub: ((ast.Add, "You get that if you add where you should subtract."),),
    ast.Pow: ((ast.Mult, "You get that if you multiply where you should take a power."),),
}  # fmt: skip


def _changed_sign(node: ast.BinOp) -> Iterator[Change]:
    for sign, sentence in _SIGNS.get(type(node.op), ()):
        yield ast.BinOp(node.left, sign(), node.right), sentence
    if isinstance(node.op, ast.Mult):
        yield from ((tree, "You get that without the brackets.") for tree in _without_brackets(node))


def _without_brackets(node: ast.BinOp) -> Iterator[ast.expr]:
    """`a + b*c` of `(a + b)*c`, and `a*b + c` of `a*(b + c)`."""
    left, right = node.left, node.right
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add | ast.Sub):
        yield ast.BinOp(left.left, left.op, ast.BinOp(left.right, ast.Mult(), right))
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add | ast.Sub):
        yield ast.BinOp(ast.BinOp(left, ast.Mult(), right.left), right.op, right.right)


def _forgotten(node: ast.BinOp) -> Iterator[Change]:
    """Without one of its sides. Without a 1 the number is off by one, which is said elsewhere."""
    match node.op:
        case ast.Mult():
            yield from ((side, "You get that if you forget a factor.") for side in (node.left, node.right))
        case ast.Add():
            sides = ((node.left, node.right), (node.right, node.left))
            yield from ((kept, "You get that if you forget a term.") for kept, lost in sides if not _is_one(lost))
        case ast.Sub() if not _is_one(node.right):
            yield node.left, "You get that if you forget a term."
        case ast.Div() | ast.FloorDiv():
            yield node.left, "You get that if you forget to divide."
        case ast.Pow():
            yield node.left, "You get that if you forget a power."


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


_LOGARITHMS = ("log", "log2", "log10")
_ANGLES = ("sin", "cos", "tan")


def _changed_function(name: str, inner: ast.expr) -> Iterator[Change]:
    if name == "sqrt":
        yield inner, "You get that if you forget the square root."
    if name in (*_LOGARITHMS, "ln"):
        others = (other for other in _LOGARITHMS if other != name and (name, other) != ("ln", "log"))
        yield from ((_call(other, inner), "Check the base of the logarithm.") for other in others)
    if name in ("sin", "cos"):
        yield _call("cos" if name == "sin" else "sin", inner), "You have the sine and the cosine the wrong way round."
    if name in _ANGLES:
        for over, under in (("pi", "180"), ("180", "pi")):
            factor = tree_of(f"{over}/{under}")
            yield (
                _call(name, ast.BinOp(inner, ast.Mult(), factor)),
                "Check the unit of the angle: degrees or radians?",
            )


def _call(name: str, inner: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name), [inner], [])


# ---- names ----------------------------------------------------------------------------------------------------


def _mixed_up(tree: ast.expr) -> Iterator[Change]:
    names = sorted(_names(tree))
    for first in names:
        for second in names:
            if first < second:
                yield _renamed(tree, {first: second, second: first}), _MIXED_UP
            if first != second:
                yield _renamed(tree, {first: second}), _MIXED_UP


_MIXED_UP = "You get that if you mix up two of the quantities."


def _names(tree: ast.expr) -> set[str]:
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called}


def _renamed(node: ast.expr, names: dict[str, str]) -> ast.expr:
    match node:
        case ast.Name(id=name):
            return ast.Name(names.get(name, name))
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_renamed(left, names), op, _renamed(right, names))
        case ast.UnaryOp(op=sign, operand=operand):
            return ast.UnaryOp(sign, _renamed(operand, names))
        case ast.Call(func=function, args=[inner]):
            return ast.Call(function, [_renamed(inner, names)], [])
        case _:
            return node
