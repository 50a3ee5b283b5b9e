"""A lesson's cell, run like a notebook's: its statements, then the value of its last expression, then its figures.

One request, one reply, in a box of its own that dies afterwards:

    {"op": "cell", "n", "parts", "inputs", "wants_result", "framework", "figures", "figure_bytes", "text_characters",
     "data_bytes", "output_bytes"}

`parts` are sources, run in one namespace: first the cells that this one continues, whose prints and figures are
dropped, and last the cell itself. `inputs` are bound as names before them. The reply's value is a dict: "last_value"
(the last expression's value in facts and text, or None), "figures" ("png", "alt"; "png" is None for one that is too
large), "more" (the number of further figures) and "result" (the cell's variable `result`, if requested). For an
exception the reply has "raised" instead, for a cell that Python cannot read "problem", both with the part's number.

Students can read this file: it lies in the box. Its replies are checked outside (graders/cell.py, graders/png.py).
"""

import ast
import contextlib
import io
import linecache
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

from graders.inside import tracer, values, walls, wire
from graders.inside.tracer import Facts

EARLIER = "earlier cell"
PRINTED_ELEMENTS = 200  # of an array; a larger one shows its corners
LINE_WIDTH = 75
ALT_CHARACTERS = 300
DOTS_PER_INCH = 144


def run(state: Facts, request: Facts) -> Facts:
    """Run the request's cell. Whatever it does, this does not raise."""
    state.update(framework=request["framework"], output_bytes=request["output_bytes"])
    walls.submission_limits(request["data_bytes"])
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module  # dataclasses, and so Flax's modules, look it up there
    module.__dict__.update(request["inputs"])
    *earlier, last = request["parts"]
    for number, source in enumerate(earlier):
        with _silence():
            _, failed = _executed(source, EARLIER, module)
            _close_figures()
        if failed:
            return {**failed, "part": number}
    value, failed = _executed(last, values.FILENAME, module)
    if failed:
        return {**failed, "part": len(earlier)}
    try:
        return _reply(state, request, value, module)
    except wire.OverCap as error:
        return {"too_large": str(error)}
    except wire.WireError as error:
        return {"odd": values.cut(str(error))}
    except BaseException as error:  # the student's `__repr__`, a figure that cannot be drawn, no memory left
        return {"raised": values.raised(error), "part": len(earlier)}


def _executed(source: str, filename: str, module: types.ModuleType) -> tuple[Any, Facts]:
    """(the value of its last expression or None, the failure or {})."""
    try:
        statements, expression = _split(source, filename)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return None, {"problem": values.unreadable(error)}
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        if re.search(r"\b(matplotlib|pylab)\b", source):
            _prepare_figures()
        values.know_dtypes(source)
        exec(statements, module.__dict__)
        return eval(expression, module.__dict__) if expression else None, {}
    except BaseException as error:
        return None, {"raised": values.raised(error, filename)}


def _split(source: str, filename: str) -> tuple[types.CodeType, types.CodeType | None]:
    """The statements, and the last expression if there is one. A `;` after it hides its value, as in a notebook."""
    tree = ast.parse(source, filename)
    expression = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = tree.body.pop()
        assert isinstance(last, ast.Expr)
        expression = compile(ast.Expression(last.value), filename, "eval", dont_inherit=True)
    return compile(tree, filename, "exec", dont_inherit=True), expression


def _reply(state: Facts, request: Facts, value: Any, module: types.ModuleType) -> Facts:
    report: Facts = {
        "last_value": _value_facts(value, request["text_characters"]),
        **_figures(value, request["figures"], request["figure_bytes"]),
        "result": None,
    }
    if request["wants_result"]:
        report["result"] = values.plain(getattr(module, "result", None))
    return {"value": values.Frozen(wire.encode({"v": report}, state["output_bytes"]))}


def _value_facts(value: Any, characters: int) -> Facts | None:
    """The value in facts and text. None for None, and for parts of a figure."""
    if value is None or _is_drawing(value):
        return None
    facts = tracer.describe(value)
    text = _array_text(value) if facts["kind"] == "array" else repr(value)
    if type(text) is not str:
        text = str.__str__(text)
    return {
        "kind": facts["kind"],
        "type": facts["type"],
        "shape": facts.get("shape"),
        "dtype": facts.get("dtype"),
        "text": values.cut(text, characters),
    }


def _array_text(value: Any) -> str:
    """The numbers of an array of any framework, as NumPy prints them, without a name around them."""
    import numpy

    plain = values.plain(value)
    return numpy.array2string(numpy.asarray(plain), threshold=PRINTED_ELEMENTS, max_line_width=LINE_WIDTH)


# ------------------------------------------------------------------ figures


def _is_drawing(value: Any) -> bool:
    """Whether it is a part of a figure or a list of them, as plotting functions return."""
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        items = list(value.flat) if type(value).__name__ == "ndarray" and value.dtype == object else value
        return type(items) in (list, tuple) and bool(items) and all(_is_drawing(item) for item in items)
    return any(ancestor.__module__.partition(".")[0] == "matplotlib" for ancestor in type(value).__mro__)


def _prepare_figures() -> None:
    """Have matplotlib draw into memory. `show` keeps the figure, which is sent when the cell has ended."""
    if "matplotlib" in sys.modules:
        return
    import logging

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would print messages about its cache
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.show = lambda *arguments, **options: None


def _close_figures() -> None:
    if plt := sys.modules.get("matplotlib.pyplot"):
        plt.close("all")


def _figures(value: Any, most: int, most_bytes: int) -> Facts:
    """The first `most` open figures, in the order they were made, and then that of the last value, which pyplot may not
    know or have closed: each of at most `most_bytes`. Nobody needs to call `show`."""
    plt = sys.modules.get("matplotlib.pyplot")
    figures = [plt.figure(number) for number in plt.get_fignums()] if plt else []
    last = _figure_of(value)
    if last is not None and all(one is not last for one in figures):
        figures.append(last)
    return {"figures": [_figure(one, most_bytes) for one in figures[:most]], "more": len(figures[most:])}


def _figure_of(value: Any) -> Any:
    """The figure that a last value is, or that the parts of a drawing belong to. None for anything else."""
    if not _is_drawing(value):
        return None
    while isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        value = (value.flat if type(value).__name__ == "ndarray" else value)[0]
    if hasattr(value, "savefig"):
        return value
    figure = getattr(value, "figure", None)  # of axes and what is drawn in them
    return figure if hasattr(figure, "savefig") else None


def _figure(figure: Any, most_bytes: int) -> Facts:
    import numpy

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
    data = buffer.getvalue()
    png = numpy.frombuffer(data, numpy.uint8) if len(data) <= most_bytes else None
    return {"png": png, "alt": values.cut(_alt(figure), ALT_CHARACTERS)}


def _alt(figure: Any) -> str:
    """The text on a figure: titles and the names of axes."""
    texts = [figure.get_suptitle()]
    for axes in figure.axes[:8]:
        names = [name for name in (axes.get_ylabel(), axes.get_xlabel()) if name]
        texts += [axes.get_title(), " over ".join(names)]
    return "; ".join(dict.fromkeys(text for text in texts if text))


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = io.StringIO()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
