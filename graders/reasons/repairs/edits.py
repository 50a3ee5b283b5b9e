"""Small changes to a submission's source, each of which would undo one common slip, the likeliest slips first.

An edit replaces one part of the text and leaves every line where it was. Whether it makes the answers right is found
out by calling the changed program (`repair.py`); so an edit that is pointless costs time, and is never a wrong reason.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, product, zip_longest

from graders.reasons.source.program import Function, Program, dotted

MAX_EDITS = 200
MAX_OF_ONE = 32  # of one way to change a source
MAX_JOINT = 4  # places that are changed at once

Replacement = tuple[ast.AST, str]  # a node, and the text that stands in its place


@dataclass(frozen=True)
class Edit:
    """`kind` is a key of SENTENCES in sentences.py. `old` and `new` are what a student reads of it."""

    kind: str
    line: int
    old: str
    new: str
    parts: tuple[Replacement, ...] = field(compare=False)
    is_whole: bool = True  # every case is right with it; else all samples and most others are
    hint: str = ""  # names of ours, such as `min` and `max`: they may be told for a hidden case too

    @property
    def lines(self) -> list[int]:
        """Where it changes the source, in order."""
        return sorted({_start(node)[0] for node, _ in self.parts})

    def applied(self, program: Program) -> str:
        """The changed source."""
        lines = [f"{line}\n".encode() for line in program.lines]
        for node, text in sorted(self.parts, key=lambda part: _start(part[0]), reverse=True):
            (first, from_), (last, to) = _start(node), _end(node)
            lines[first - 1 : last] = [lines[first - 1][:from_] + text.encode() + lines[last - 1][to:]]
        return b"".join(lines).decode(errors="replace")


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def edits(program: Program, framework: str) -> list[Edit]:
    """The edits of the functions that the exercise reaches, without those that change nothing."""
    made = (islice(_distinct(_in_turn(make(program, framework))), MAX_OF_ONE) for make in _MAKERS)
    return list(islice(_distinct(chain.from_iterable(_with_joint(list(edits)) for edits in made)), MAX_EDITS))


def _with_joint(made: Sequence[Edit]) -> Iterator[Edit]:
    """Each edit; and where the same change is made at several places, after them all of these at once."""
    yield from made
    alike: dict[tuple[str, str, str], list[Edit]] = {}
    for edit in made:
        alike.setdefault((edit.kind, edit.old, edit.new), []).append(edit)
    for several in alike.values():
        if 1 < len(several) <= MAX_JOINT and not any(_overlap(one, other) for one, other in combinations(several, 2)):
            yield replace(several[0], parts=tuple(part for edit in several for part in edit.parts))


def _overlap(one: Edit, other: Edit) -> bool:
    return any(_start(a) < _end(b) and _start(b) < _end(a) for (a, _), (b, _) in product(one.parts, other.parts))


def _in_turn(found: Iterator[Edit]) -> Iterator[Edit]:
    """The edits of one maker, those of each place in turn: the first of each, then the second of each."""
    places: dict[tuple[int, str], list[Edit]] = {}
    for edit in found:
        places.setdefault((edit.line, edit.old), []).append(edit)
    for row in zip_longest(*places.values()):
        yield from (edit for edit in row if edit is not None)


def _distinct(found: Iterator[Edit]) -> Iterator[Edit]:
    seen = set[tuple[object, ...]]()
    for edit in found:
        key = tuple((*_start(node), *_end(node), text) for node, text in edit.parts)
        if edit.old != edit.new and key not in seen:
            seen.add(key)
            yield edit


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _operand(node: ast.AST) -> str:
    """The text of a node that may stand as an operand."""
    simple = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.Constant
    text = _text(node)
    return text if isinstance(node, simple) and not text.startswith("-") else f"({text})"


def _one(kind: str, node: ast.AST, new: str, shown: tuple[str, str] | None = None) -> Edit:
    old, to = shown or (_text(node), new)
    is_nested = not isinstance(node, ast.stmt | ast.keyword | ast.Slice | ast.arg) and not _is_closed(new)
    return Edit(kind, _start(node)[0], old, to, ((node, f"({new})" if is_nested else new),))


def _is_closed(text: str) -> bool:
    return all(character.isalnum() or character in "._" for character in text)


def _calls(program: Program) -> Iterator[ast.Call]:
    return (node for node in program.nodes if isinstance(node, ast.Call))


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


def _in(program: Program) -> Iterator[ast.AST]:
    """The nodes inside functions, in the order of the source."""
    for node in program.nodes:
        if any(isinstance(above, Function) for above in program.above(node)) and hasattr(node, "lineno"):
            yield node


# ------------------------------------------------------------------ results that are dropped, shared or local


def _kept(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        call, text = node.value, _text(node.value)
        names = [argument.id for argument in call.args if isinstance(argument, ast.Name)]
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        while isinstance(owner, ast.Attribute | ast.Subscript):
            owner = owner.value
        if isinstance(owner, ast.Name):
            names.insert(0, owner.id)
        for name in dict.fromkeys(names):
            yield _one("dropped", node, f"{name} = {text}", (text, f"{name} = {text}"))


def _copied(program: Program, framework: str) -> Iterator[Edit]:
    """What is shared is copied: an item that is put into a list, a name for something that is changed later."""
    for node in _in(program):
        if isinstance(node, ast.Call) and _name_of(node) in ("append", "add", "insert") and node.args:
            item = node.args[-1]
            if isinstance(item, ast.Name | ast.Subscript | ast.Attribute):
                yield _one("shared", item, _copy(item))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            if len(node.left.elts) == 1 and not isinstance(node.left.elts[0], ast.Constant):
                row = _text(node.left.elts[0])
                yield _one("shared_rows", node, f"[{row} for _ in range({_text(node.right)})]")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Subscript):
            yield _one("shared", node.value, _copy(node.value))
    for function in program.entries:
        first = next((node for node in function.body if not _is_docstring(node)), None)
        if first is None:
            continue
        for argument in function.args.args:
            copied = _copy(ast.Name(argument.arg), deep=True)
            before = f"{argument.arg} = {copied}\n{' ' * first.col_offset}"
            yield Edit("input_changed", function.lineno, argument.arg, copied, ((_gap(first), before),))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _copy(node: ast.AST, deep: bool = False) -> str:
    return f"__import__('copy').{'deepcopy' if deep else 'copy'}({_text(node)})"


def _gap(node: ast.stmt) -> ast.AST:
    """The empty place before a statement."""
    return ast.Pass(
        lineno=node.lineno, col_offset=node.col_offset, end_lineno=node.lineno, end_col_offset=node.col_offset
    )


def _of_self(program: Program, framework: str) -> Iterator[Edit]:
    """In a method: a local name that is meant as the object's, and the class where the object belongs."""
    for function in program.reached:
        outer = program.parents.get(function)
        if not isinstance(outer, ast.ClassDef) or not function.args.args:
            continue
        own = function.args.args[0].arg
        attributes = {node.attr for node in ast.walk(outer) if isinstance(node, ast.Attribute)}
        for node in program.own(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in attributes:
                yield _one("self_missing", node, f"{own}.{node.id}")
            if isinstance(node, ast.Name) and node.id == outer.name:
                yield _one("class_for_self", node, own)


# ------------------------------------------------------------------ axes

_ALONG = {
    "max", "min", "sum", "mean", "std", "var", "prod", "amax", "amin", "argmax", "argmin", "argsort", "sort", "softmax",
    "log_softmax", "cumsum", "norm", "any", "all", "median", "flip", "roll", "concatenate", "stack", "cat", "logsumexp",
    "take", "repeat", "expand_dims", "unsqueeze", "squeeze", "take_along_axis", "gather", "diff", "topk", "unfold",
}  # fmt: skip
_REDUCE = {"max", "min", "sum", "mean", "std", "var", "prod", "amax", "amin", "norm", "any", "all", "logsumexp"}


def _axes(program: Program, framework: str) -> Iterator[Edit]:
    torch = framework == "torch"
    axis_word, keep_word = ("dim", "keepdim") if torch else ("axis", "keepdims")
    joint: dict[int, list[ast.AST]] = {}
    for call in _calls(program):
        if _name_of(call) not in _ALONG:
            continue
        keywords = {keyword.arg: keyword for keyword in call.keywords if keyword.arg}
        axis = next((keywords[word].value for word in ("axis", "dim") if word in keywords), None)
        if axis is None:
            axis = next((argument for argument in call.args if _int(argument) is not None), None)
        if axis is not None and (number := _int(axis)) is not None:
            joint.setdefault(number, []).append(axis)
            for other in (-1, 0, 1, 2, -2):
                if other != number:
                    yield _one("axis", axis, str(other), (_text(call), _replaced(call, axis, str(other))))
        keep = next((keywords[word] for word in ("keepdims", "keepdim") if word in keywords), None)
        if keep is None and axis is not None and _name_of(call) in _REDUCE and framework != "python":
            yield _with(call, "keepdims", f"{keep_word}=True")
            for place in ("-1", "0"):
                yield _one("axis", call, f"{_replaced(call, axis, place)[:-1]}, {keep_word}=True)")
        elif keep is not None:
            yield _without(program, call, keep, "keepdims_extra")
        is_method = isinstance(call.func, ast.Attribute)
        is_whole = axis is None and _name_of(call) in _REDUCE and not keywords.keys() & {"axis", "dim"}
        if is_whole and is_method and framework != "python":
            for choice in ("-1", "0", "(1, 2)", "1"):
                name = {"max": "amax", "min": "amin"}.get(_name_of(call), _name_of(call)) if torch else _name_of(call)
                for kept in (f", {keep_word}=True", ""):
                    new = _text(call).replace(f".{_name_of(call)}(", f".{name}(", 1)
                    new = f"{new[:-1]}{', ' if call.args or call.keywords else ''}{axis_word}={choice}{kept})"
                    yield _one("axis_missing", call, new)
    for number, axes in joint.items():
        for other in (-1, 0, 1):
            if len(axes) > 1 and other != number:
                first = min(axes, key=_start)
                parts = tuple((axis, str(other)) for axis in axes)
                shown = f"{axis_word}={number}", f"{axis_word}={other}"
                yield Edit("axes", _start(first)[0], *shown, parts)


def _int(node: ast.AST) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    return value if type(value) is int else None


def _replaced(call: ast.Call, inner: ast.AST, new: str) -> str:
    """The text of a call with one of its arguments replaced."""
    arguments = [new if argument is inner else _text(argument) for argument in call.args]
    for keyword in call.keywords:
        value = new if keyword.value is inner else _text(keyword.value)
        arguments.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
    return f"{_text(call.func)}({', '.join(arguments)})"


def _with(call: ast.Call, kind: str, keyword: str) -> Edit:
    text = _text(call)
    return _one(kind, call, f"{text[:-1]}{', ' if call.args or call.keywords else ''}{keyword})")


def _without(program: Program, call: ast.Call, keyword: ast.keyword, kind: str) -> Edit:
    kept = [_text(argument) for argument in call.args]
    kept += [_text(other) for other in call.keywords if other is not keyword]
    return _one(kind, call, f"{_text(call.func)}({', '.join(kept)})")


# ------------------------------------------------------------------ arguments and operands in the wrong order


def _orders(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            pairs = [(len(node.args) - 2, len(node.args) - 1)]
            if len(node.args) > 2 and _name_of(node) not in ("where", "select"):
                pairs.append((0, 1))
            for one, other in pairs:
                arguments = list(node.args)
                arguments[one], arguments[other] = arguments[other], arguments[one]
                if not any(isinstance(argument, ast.Starred) for argument in arguments):
                    texts = [*map(_text, arguments), *map(_text, node.keywords)]
                    yield _one("exchanged", node, f"{_text(node.func)}({', '.join(texts)})")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Sub | ast.Div | ast.Pow):
            symbol = _SYMBOLS[type(node.op)]
            yield _one("operands", node, f"{_operand(node.right)} {symbol} {_operand(node.left)}")
        if isinstance(node, ast.IfExp):
            yield _one("branches", node, f"{_text(node.orelse)} if {_text(node.test)} else {_text(node.body)}")
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            texts = list(map(_text, node.elts))
            parent = program.parents.get(node)
            kind = "indices" if isinstance(parent, ast.Subscript) else "exchanged_items"
            for n in range(len(texts) - 1):
                turned = [*texts[:n], texts[n + 1], texts[n], *texts[n + 2 :]]
                new = ", ".join(turned)
                bare = isinstance(parent, ast.Subscript | ast.For | ast.Assign | ast.Return | ast.comprehension)
                edit = _one(kind, node, f"({new})")
                if bare and isinstance(parent, ast.Subscript):
                    edit = Edit(kind, node.lineno, _text(node), new, ((node, new),))
                yield edit


def _transposed(program: Program, framework: str) -> Iterator[Edit]:
    if framework == "python":
        return
    for node in _in(program):
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            yield _one("transposed", node, _text(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            for side in (node.right, node.left):
                if not (isinstance(side, ast.Attribute) and side.attr == "T"):
                    yield _one("not_transposed", side, f"{_operand(side)}.T")
        elif isinstance(node, ast.Call) and _name_of(node) == "einsum" and node.args:
            yield from _einsum(node.args[0])
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield _one("not_transposed", node.value, f"{_operand(node.value)}.T")


def _einsum(letters: ast.expr) -> Iterator[Edit]:
    if not isinstance(letters, ast.Constant) or not isinstance(letters.value, str) or "->" not in letters.value:
        return
    left, _, right = letters.value.partition("->")
    operands = left.split(",")
    for n, operand in enumerate([*operands, right]):
        for one in range(len(operand) - 1):
            turned = list(operand)
            turned[one], turned[one + 1] = turned[one + 1], turned[one]
            parts = [*operands, right]
            parts[n] = "".join(turned)
            text = f"{','.join(parts[:-1])}->{parts[-1]}"
            yield Edit("einsum", letters.lineno, repr(letters.value), repr(text), ((letters, repr(text)),))


# ------------------------------------------------------------------ comparisons and conditions

_COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"), ast.LtE: ("<", ">="), ast.Gt: (">=", "<"), ast.GtE: (">", "<="), ast.Eq: ("!=",),
    ast.NotEq: ("==",), ast.In: ("not in",), ast.NotIn: ("in",), ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip
_EQUALITY = {("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")}
_OF_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def _conditions(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right, old = _text(node.left), _text(node.comparators[0]), _OF_COMPARISON[type(node.ops[0])]
            if isinstance(node.ops[0], ast.Is | ast.IsNot) and right != "None":
                continue
            for new in _COMPARED[type(node.ops[0])]:
                kind = "equality" if (old, new) in _EQUALITY else "comparison"
                yield replace(_one(kind, node, f"{left} {new} {right}"), hint=f"`{old}` where `{new}` belongs")
        elif isinstance(node, ast.BoolOp):
            word = "or" if isinstance(node.op, ast.And) else "and"
            yield _one("and_or", node, f" {word} ".join(map(_operand, node.values)))
            for value in node.values:
                rest = [_operand(other) for other in node.values if other is not value]
                joined = (" and " if isinstance(node.op, ast.And) else " or ").join(rest)
                yield _one("condition_extra", node, joined)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            yield _one("negation", node, _text(node.operand))
        elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare):
            if not isinstance(node, ast.While) and not isinstance(node.test, ast.UnaryOp):
                yield _one("negation", node.test, f"not {_operand(node.test)}")
            if isinstance(node.test, ast.Name | ast.Subscript | ast.Attribute | ast.UnaryOp):
                inner = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
                is_ = "is" if isinstance(node.test, ast.UnaryOp) else "is not"
                yield _one("truth", node.test, f"{_text(inner)} {is_} None")
        if isinstance(node, ast.Call) and _name_of(node) in ("where", "masked_fill") and node.args:
            place = node.args[0]
            inverted = _text(place.operand) if isinstance(place, ast.UnaryOp) else f"~{_operand(place)}"
            yield _one("mask_inverted", place, inverted)


# ------------------------------------------------------------------ off by one


def _off_by_one(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.Call) and dotted(node.func).endswith("range"):
            for n, argument in enumerate(node.args[:2]):
                kind = "range_end" if n == len(node.args) - 1 or n == 1 else "range_start"
                for step in (1, -1):
                    moved = _moved(argument, step)
                    yield _one(kind, argument, moved, (_text(node), _replaced(node, argument, moved)))
            if len(node.args) == 2 and _int(node.args[0]) is not None:
                yield _one("range_start", node.args[0], "0", (_text(node), _replaced(node, node.args[0], "0")))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in inside:
                yield from _of_index(node, part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            yield _one("one_less", node, f"{_text(node)} + 1")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _int(node.right) == 1:
            yield _one("one_more", node, _text(node.left))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _int(node.right) is not None:
            for step in (-1, 1):
                moved = _moved(node.right, step)
                shown = _text(node), f"{_text(node.left)} {_SYMBOLS[type(node.op)]} {moved}"
                yield _one("one_more", node.right, moved, shown)


def _of_index(node: ast.Subscript, part: ast.expr) -> Iterator[Edit]:
    if isinstance(part, ast.Slice):
        for bound in (part.upper, part.lower):
            for step in (1, -1) if bound is not None else ():
                yield _one("slice", bound, _moved(bound, step), (_text(node), ""))  # type: ignore[arg-type]
        if part.step is not None and _int(part.step) == -1 and part.lower is part.upper is None:
            yield Edit("turned_round", node.lineno, _text(node), "", ((part.step, "1"),))
    elif not isinstance(part, ast.Constant) or isinstance(part.value, int):
        if not isinstance(part, ast.Constant | ast.Name | ast.BinOp | ast.UnaryOp):
            return
        for step in (1, -1):
            yield _one("index", part, _moved(part, step))


def _moved(node: ast.AST, step: int) -> str:
    """The text of an expression that is larger or smaller by one."""
    number = _int(node)
    if number is not None:
        return str(number + step)
    is_moved = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _int(node.right) == 1
    if is_moved and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) == (step < 0):
        return _text(node.left)
    return f"{_text(node)} {'+' if step > 0 else '-'} 1"


# ------------------------------------------------------------------ operators, functions, constants

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@",
}  # fmt: skip
_INSTEAD: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.MatMult), ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mod), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.MatMult: (ast.Mult,),
}  # fmt: skip


def _operators(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.BinOp) and type(node.op) in _INSTEAD:
            for other in _INSTEAD[type(node.op)]:
                if framework == "python" and other is ast.MatMult:
                    continue
                edit = _one("operator", node, f"{_operand(node.left)} {_SYMBOLS[other]} {_operand(node.right)}")
                yield replace(edit, hint=f"`{_SYMBOLS[type(node.op)]}` where `{_SYMBOLS[other]}` belongs")
        elif isinstance(node, ast.AugAssign) and type(node.op) in _INSTEAD:
            target, value = _text(node.target), _text(node.value)
            for other in _INSTEAD[type(node.op)][:1]:
                edit = _one("operator", node, f"{target} {_SYMBOLS[other]}= {value}")
                yield replace(edit, hint=f"`{_SYMBOLS[type(node.op)]}=` where `{_SYMBOLS[other]}=` belongs")
            yield _one("sum_for_last", node, f"{target} = {value}")
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and program.loops_of(node):
            place = node.targets[0]
            if isinstance(place, ast.Name | ast.Subscript | ast.Attribute):
                yield _one("last_for_sum", node, f"{_text(place)} += {_text(node.value)}")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield _one("sign", node, _text(node.operand))


_LIKE: dict[str, tuple[str, ...]] = {
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
_DTYPES = {"int8", "uint8", "int16", "half", "float16", "bfloat16", "float32", "float", "int"}


def _functions(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.Attribute):
            for other in _LIKE.get(node.attr, ()):
                kind = "dtype" if node.attr in _DTYPES else "function"
                edit = _one(kind, node, f"{_operand(node.value)}.{other}")
                yield replace(edit, hint=f"`{node.attr}` where `{other}` belongs")
        elif isinstance(node, ast.Name) and isinstance(program.parents.get(node), ast.Call):
            for other in _LIKE.get(node.id, ()) if node.id in ("max", "min", "any", "all", "sum", "int") else ():
                if other in ("max", "min", "any", "all", "round"):
                    yield replace(_one("function", node, other), hint=f"`{node.id}` where `{other}` belongs")


def _keywords(program: Program, framework: str) -> Iterator[Edit]:
    for call in _calls(program):
        names = {keyword.arg for keyword in call.keywords}
        for keyword in call.keywords:
            value = keyword.value
            if isinstance(value, ast.Constant) and type(value.value) is bool:
                yield _one("keyword", value, str(not value.value), (_text(keyword), f"{keyword.arg}={not value.value}"))
            if keyword.arg not in ("axis", "dim", "keepdims", "keepdim", "shape", None):
                yield _without(program, call, keyword, "keyword_extra")
            swap = {"dilation": "stride", "padding": "stride", "stride": "dilation"}.get(keyword.arg or "")
            if swap and swap not in names:
                yield _one("keyword", keyword, f"{swap}={_text(value)}")
        if _name_of(call) in ("var", "std") and framework in ("numpy", "jax") and "ddof" not in names:
            yield _with(call, "keyword", "ddof=1")
        if _name_of(call) in ("var", "std") and framework == "torch" and not names & {"correction", "unbiased"}:
            yield _with(call, "keyword", "correction=0")
        if _name_of(call) in ("sorted", "sort") and framework == "python" and "reverse" not in names:
            yield _with(call, "keyword", "reverse=True")


def _constants(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            if framework != "python":
                yield _one("infinite", node, "float('-inf')")
            yield _one("constant", node, "None")
        if not isinstance(node, ast.Constant) or isinstance(program.parents.get(node), ast.Expr):
            continue
        value = node.value
        if type(value) is bool:
            yield _one("constant", node, str(not value))
        elif isinstance(value, int | float):
            is_negative = isinstance(program.parents.get(node), ast.UnaryOp)
            others: list[str] = []
            is_filling = isinstance(program.parents.get(node), ast.Call)
            if value == 0 and framework != "python" and not is_negative and is_filling:
                others = ["float('-inf')", "float('inf')"]
            if type(value) is int:
                others += [str(value + 1), str(value - 1)]
            others += ["0", "1", "2"] if type(value) is int else ["0.0", "1.0", str(value / 2), str(value * 2)]
            for other in others:
                kind = "infinite" if "inf" in other else "constant"
                yield _one(kind, node, other)
        elif value is None:
            yield _one("constant", node, "[]")


# ------------------------------------------------------------------ what is too much


def _extra(program: Program, framework: str) -> Iterator[Edit]:
    """A term, a factor, a function or a statement that should not be there."""
    for node in _in(program):
        if isinstance(node, ast.BinOp):
            if not isinstance(node.op, ast.Mod) or framework != "python":
                kind = "term_extra" if isinstance(node.op, ast.Add | ast.Sub) else "factor_extra"
                yield _one(kind, node, _text(node.left))
                yield _one(kind, node, _text(node.right))
        elif isinstance(node, ast.Call):
            is_module = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
            module = is_module and dotted(node.func.value) in _MODULES  # type: ignore[attr-defined]
            if _name_of(node) == "where" and len(node.args) == 3:
                for kept in node.args[1:]:
                    yield replace(_one("call_extra", node, _text(kept)), hint="`where`")
            elif (module or isinstance(node.func, ast.Name)) and node.args:
                yield replace(_one("call_extra", node, _text(node.args[0])), hint=_known(node))
            elif isinstance(node.func, ast.Attribute) and not isinstance(program.parents.get(node), ast.Expr):
                yield replace(_one("call_extra", node, _text(node.func.value)), hint=_known(node))
    for node in _in(program):
        is_plain = isinstance(node, ast.AugAssign | ast.Expr | ast.Break | ast.Continue | ast.Assign)
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_guard = isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Return | ast.Raise)
        if (is_plain and not is_doc) or is_guard:
            last = node.end_lineno == node.lineno  # type: ignore[attr-defined]
            if last or is_guard:
                shown = _text(node.test) if isinstance(node, ast.If) else _text(node)
                kind = "guard_extra" if is_guard else "statement_extra"
                lines = (node.end_lineno or node.lineno) - node.lineno  # type: ignore[attr-defined]
                yield Edit(kind, _start(node)[0], shown, "", ((node, "pass" + "\n" * lines),))


def _known(call: ast.Call) -> str:
    """The name of what is called, if it is a library's or Python's own."""
    name = _name_of(call)
    return f"`{name}`" if name in _LIBRARY else ""


_LIBRARY = set(_LIKE) | {
    "clip", "clamp", "sort", "sorted", "squeeze", "unsqueeze", "relu", "astype", "reshape", "ravel", "flatten",
    "unique", "nan_to_num", "transpose", "list", "tuple", "set", "dict", "str", "reversed", "exp", "sqrt", "softmax",
    "normalize", "view", "long", "double", "item", "numpy", "tolist", "strip", "lower", "upper", "round", "flip",
    "roll", "to",
}  # fmt: skip
_MODULES = {"np", "numpy", "jnp", "torch", "F", "math", "nn", "jax"}


# ------------------------------------------------------------------ what is missing


def _missing(program: Program, framework: str) -> Iterator[Edit]:
    arrays = framework != "python"
    module = {"numpy": "np", "jax": "jnp", "torch": "torch"}.get(framework, "")
    keep = "dim=-1, keepdim=True" if framework == "torch" else "axis=-1, keepdims=True"
    largest = "amax" if framework == "torch" else "max"
    arguments: dict[str, list[ast.expr]] = {}
    for call in _calls(program):
        if len(call.args) == 1 and not call.keywords:
            arguments.setdefault(_text(call.func), []).append(call.args[0])
    for name, given in arguments.items():
        for one in given:
            for other in given:
                if _text(one) != _text(other):
                    shown = f"{name}({_text(one)})", f"{name}({_text(other)})"
                    yield _one("other_argument", one, _text(other), shown)
    if arrays:
        shifted = []
        for call in _calls(program):
            if _name_of(call) == "exp":
                inner = call.args[0] if call.args else getattr(call.func, "value", None)
                if inner is not None:
                    text = _operand(inner)
                    shifted.append((inner, f"({text} - {text}.{largest}({keep}))"))
        if shifted:
            first = shifted[0][0]
            yield Edit("overflow", _start(first)[0], _text(first), "", tuple(shifted))
    for node in _in(program):
        if isinstance(node, ast.Return) and node.value is not None and arrays:
            text = _operand(node.value)
            is_divided = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Div)
            for made in (f"-{text}",) if is_divided else (f"{text} / {text}.sum({keep})", f"-{text}"):
                yield _one("step_missing", node.value, made)
            for function in ("sqrt", "exp"):
                yield _one("step_missing", node.value, f"{module}.{function}({text})")
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name | ast.Call | ast.Subscript):
            text = _operand(node.value)
            if framework == "python":
                for wrap in ("sorted", "list", "tuple"):
                    yield _one("step_missing", node.value, f"{wrap}({text})")
                yield _one("iterator", node.value, f"iter({text})")
                yield _one("step_missing", node.value, f"{text}[::-1]")
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
            yield _one("walked_copy", node.iter, f"list({node.iter.id})")


# ------------------------------------------------------------------ exceptions, and what belongs above or in a loop

_EXCEPTIONS = ("ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError")


def _raises(program: Program, framework: str) -> Iterator[Edit]:
    for node in _in(program):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            for other in _EXCEPTIONS if isinstance(raised, ast.Name) else ():
                yield replace(_one("exception", raised, other), hint=f"`{other}`")


def _loops(program: Program, framework: str) -> Iterator[Edit]:
    """A start that is moved above its loop, and one above that is moved into it."""
    for node in _in(program):
        if not isinstance(node, ast.Assign) or node.end_lineno != node.lineno or not isinstance(
            node.targets[0], ast.Name
        ):  # fmt: skip
            continue
        text = _text(node)
        for loop in program.loops_of(node)[:2]:
            if isinstance(loop, ast.For):
                above = f"{text}\n{' ' * loop.col_offset}"
                yield Edit("made_in_loop", node.lineno, text, "", ((node, "pass"), (_gap(loop), above)))
        for later in program.nodes:
            if isinstance(later, ast.For) and later.lineno > node.lineno:
                function, first = program.function_of(node), later.body[0]
                if program.function_of(later) is function and first.lineno > later.lineno:
                    inside = f"{text}\n{' ' * first.col_offset}"
                    yield Edit("not_reset", node.lineno, text, "", ((_gap(first), inside),))


def _factors(program: Program, framework: str) -> Iterator[Edit]:
    """Places that are counted in steps of an argument: `c * s` for `c`, in both ends of a slice."""
    for function in program.reached:
        steps = [argument.arg for argument in function.args.args if isinstance(argument, ast.arg)][1:]
        for node in program.own(function):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
                continue
            for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                names = [inner for inner in ast.walk(part) if isinstance(inner, ast.Name)]
                for name in dict.fromkeys(inner.id for inner in names):
                    places = [inner for inner in names if inner.id == name]
                    for step in steps if name not in steps else ():
                        new = f"{name} * {step}"
                        yield Edit("factor_missing", node.lineno, name, new, tuple((p, f"({new})") for p in places))


# ------------------------------------------------------------------ one name for another


def _sizes(program: Program, framework: str) -> Iterator[Edit]:
    """One name for another that got its value in the same place: `N, H, W = x.shape`, or an argument beside it."""
    for function in program.reached:
        groups = [[argument.arg for argument in function.args.args if argument.arg != "self"]]
        for node in program.own(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                groups.append([item.id for item in node.targets[0].elts if isinstance(item, ast.Name)])
        for node in program.own(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                for group in groups:
                    for other in group if node.id in group else ():
                        if other != node.id:
                            yield _one("name", node, other)


def _names(program: Program, framework: str) -> Iterator[Edit]:
    """A name that is read where another of the function's was meant, those of the arguments first.

    What is written into stays: to write into an argument in its place may give the right answer, for a wrong reason.
    """
    for function in program.reached:
        own = [argument.arg for argument in function.args.args]
        local = [
            node.id for node in program.own(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        candidates = list(dict.fromkeys([*own, *local]))
        filled = {
            node.value.id
            for node in program.own(function)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
        }
        for node in program.own(function):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            if node.id not in candidates or node.id in filled:
                continue
            for other in candidates:
                if other != node.id and not (other == "self" or node.id == "self"):
                    yield _one("name", node, other)


_Maker = Callable[[Program, str], Iterator[Edit]]
_MAKERS: Sequence[_Maker] = (
    _kept, _of_self, _raises, _axes, _conditions, _copied, _loops, _orders, _transposed, _off_by_one, _sizes, _keywords,
    _functions, _operators, _constants, _extra, _missing, _factors, _names,
)  # fmt: skip
