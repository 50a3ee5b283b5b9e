"""A cell in its box: what a notebook would show under it, and what a hostile one may not."""

import base64
import os
import struct
import zlib
from dataclasses import replace

import pytest

from graders.boxes.pool import Judge
from graders.cell import FIGURE_BYTES, FIGURES, CellFigure, CellRun, run_cell
from graders.exercise.limits import Limits
from graders.png import SIGNATURE, BadPng, read_png

SHORT = Limits(wall_seconds=30.0, cpu_seconds=1.0, memory_mb=256, output_kb=64)
# the walls are tried in a machine that runs other things: loading matplotlib takes as long as that takes
PATIENT = Limits(wall_seconds=60.0, cpu_seconds=60.0, memory_mb=1024, output_kb=64)


def test_prints_and_the_last_value_are_told_with_shape_and_dtype(judge: Judge) -> None:
    run = run_cell(judge, "import numpy as np\nprint('made')\nnp.arange(6).reshape(2, 3)")
    assert run.prints == "made\n"
    assert run.value is not None
    assert run.error is None
    assert (run.value.type, run.value.shape, run.value.dtype) == ("ndarray", (2, 3), "int64")
    assert run.value.text == "[[0 1 2]\n [3 4 5]]"
    assert run.wall_ms > 0


def test_of_other_values_the_repr_is_told_and_of_none_nothing(judge: Judge) -> None:
    value = run_cell(judge, "{'a': (1, 2)}").value
    assert value is not None
    assert (value.type, value.text, value.shape) == ("dict", "{'a': (1, 2)}", None)
    assert run_cell(judge, "None").value is None
    assert run_cell(judge, "x = 3").value is None
    assert run_cell(judge, "3;").value is None


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_arrays_of_the_other_frameworks_are_printed_alike(judge: Judge, framework: str) -> None:
    source = {"jax": "import jax.numpy as jnp\njnp.ones((2, 2))", "torch": "import torch\ntorch.ones(2, 2)"}[framework]
    value = run_cell(judge, source, framework, limits=PATIENT, wait_seconds=60.0).value
    assert value is not None
    assert (value.text, value.shape, value.dtype) == ("[[1. 1.]\n [1. 1.]]", (2, 2), "float32")


def test_an_error_names_its_line_and_says_it_plainly(judge: Judge) -> None:
    run = run_cell(judge, "def f():\n    return 1 / 0\n\nprint('before')\nf()")
    assert run.error is not None
    assert (run.error.type, run.error.line) == ("ZeroDivisionError", 2)
    assert run.error.traceback == "line 5\n    f()\nline 2, in f\n    return 1 / 0"
    assert run.error.plain
    assert "zero" in run.error.plain
    assert run.prints == "before\n", "what was printed before it is kept"
    syntax = run_cell(judge, "x = 1\ny = (").error
    assert syntax is not None
    assert (syntax.type, syntax.line) == ("SyntaxError", 2)


def test_a_cell_goes_on_from_those_before_it_without_their_prints(judge: Judge) -> None:
    run = run_cell(judge, "x + 1", before=["print('once')\nx = 2"])
    assert run.value is not None
    assert (run.value.text, run.prints) == ("3", "")
    failed = run_cell(judge, "x", before=["x = 1", "x = y"])
    assert failed.error is not None
    assert (failed.error.type, failed.earlier) == ("NameError", 1)
    many = ["x = 1"] * 14
    assert run_cell(judge, "x", before=[*many, "x = y"]).earlier == 14, (
        "of more than are run it is counted from the first"
    )
    assert run_cell(judge, "x", before=[*many, "x ="]).earlier == 14


def test_inputs_go_in_and_a_result_comes_out_as_json(judge: Judge) -> None:
    source = """
import numpy as np
table = np.full((2, 2), start["scale"], np.float32)
losses = []
for step in range(steps):
    table = table / 2
    losses.append(float(table.sum()))
    print(step)
result = {"losses": losses, "table": table, "worst": float("inf")}
"""
    run = run_cell(judge, source, inputs={"steps": 2, "start": {"scale": 4.0}}, wants_result=True)
    assert run.error is None
    assert run.result == {"losses": [8.0, 4.0], "table": [[1.0, 1.0], [1.0, 1.0]], "worst": None}
    assert run.prints == "0\n1\n"


def test_figures_come_out_as_pictures_in_order_with_what_is_written_on_them(judge: Judge) -> None:
    source = """
import matplotlib.pyplot as plt
import numpy as np
plt.imshow(np.eye(8))
plt.title("A table")
plt.show()
plt.figure()
plt.plot([3, 2, 1])
plt.xlabel("step")
plt.ylabel("loss")
plt.show()
"""
    run = run_cell(judge, source, limits=PATIENT)
    assert (run.error, run.prints) == (None, "")
    assert [figure.alt for figure in run.figures] == ["A table", "loss over step"]
    assert run.value is None
    for figure in run.figures:
        assert read_png(figure.png, FIGURE_BYTES).data == figure.png
        assert 200 < min(figure.width, figure.height) < max(figure.width, figure.height) < 2000
        assert b"tEXt" not in figure.png


@pytest.fixture(scope="module")
def without_numbers(judge: Judge) -> CellFigure:
    bare = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.tick_params(labelleft=False, labelbottom=False)"
    (figure,) = run_cell(judge, bare, limits=PATIENT).figures
    return figure


@pytest.mark.parametrize(
    ("before", "source"),
    [
        ([], "import matplotlib.pyplot as plt\nplt.plot([1, 2])"),
        ([], "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"),
        (["import matplotlib.pyplot as plt"], "plt.plot([1, 2])\nlast = 3"),
        ([], "from matplotlib.figure import Figure\nf = Figure()\nf.subplots().plot([1, 2])\nf"),
        ([], "from matplotlib.figure import Figure\nFigure().subplots().plot([1, 2])"),
        ([], "import matplotlib.pyplot as plt\nf, axes = plt.subplots()\naxes.plot([1, 2])\nplt.close()\nf"),
        (["import matplotlib.pyplot as plt\nf, axes = plt.subplots()"], "axes.plot([1, 2])"),
    ],
)
def test_a_drawing_is_shown_without_show_and_with_numbers_on_its_axes(
    judge: Judge, without_numbers: CellFigure, before: list[str], source: str
) -> None:
    (figure,) = run_cell(judge, source, before=before, limits=PATIENT).figures
    assert figure.width > without_numbers.width + 20, "room for those on the left: pictures are cut to what is drawn"
    assert figure.height > without_numbers.height + 10


def test_warnings_name_the_cells_line_and_never_a_file_of_the_server(judge: Judge) -> None:
    source = "import numpy as np\nnp.log(np.zeros(1))\nimport matplotlib.pyplot as plt\nplt.title('\\x07')\nNone"
    run = run_cell(judge, source, limits=PATIENT)
    assert "line 2: RuntimeWarning: divide by zero encountered in log\n" in run.prints
    assert "UserWarning: Glyph 7" in run.prints
    assert ".py" not in run.prints
    assert "/" not in run.prints


def test_a_cell_that_runs_out_of_time_names_its_own_line(judge: Judge) -> None:
    limits = replace(PATIENT, cpu_seconds=0.6)
    before = ["def spin(n):\n    while n != 1:\n        n += 2\n"]
    run = run_cell(judge, "n = 2\n\nspin(n)", before=before, limits=limits)
    assert run.error is not None
    assert (run.error.type, run.error.line) == ("TimeLimit", 3)
    assert run.error.plain == "When the time was up, your program was still in line 3, `spin(n)`."


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("while True:\n    pass", "TimeLimit"),
        ("x = bytearray(1 << 30)", "MemoryError"),
        ("print('x' * (1 << 20))", "OutputLimit"),
        ("import os\nos._exit(0)", "Stopped"),
        ("import os\nos.fork()", "PermissionError"),
        ("open('/etc/passwd')", "FileNotFoundError"),
        ("class L:\n    def __repr__(self):\n        raise ValueError('no')\nL()", "ValueError"),
    ],
)
def test_limits_and_walls_hold_for_cells_and_the_next_one_is_fine(judge: Judge, source: str, kind: str) -> None:
    run = run_cell(judge, source, limits=SHORT)
    assert run.error is not None
    assert run.error.type == kind
    following = run_cell(judge, "1 + 1")
    assert following.value is not None
    assert following.value.text == "2"


def test_what_one_cell_leaves_the_next_does_not_find(judge: Judge) -> None:
    run_cell(judge, "import builtins\nbuiltins.left = 1\nopen('/box/left', 'w').write('x')")
    found = run_cell(judge, "import builtins, os\n(hasattr(builtins, 'left'), os.path.exists('/box/left'))").value
    assert found is not None
    assert found.text == "(False, False)"


def test_a_long_value_is_cut_and_a_large_array_shows_its_corners(judge: Judge) -> None:
    long = run_cell(judge, "'x' * 100_000").value
    assert long is not None
    assert len(long.text) <= 8_010
    large = run_cell(judge, "import numpy as np\nnp.zeros((1000, 1000))").value
    assert large is not None
    assert large.shape == (1000, 1000)
    assert "..." in large.text
    assert len(large.text) < 1000


# What a program can send in our place: it is in the runner's own process.
SENT = """
import sys
import numpy as np
runner, wire = sys.modules["graders.inside.runner"], sys.modules["graders.inside.wire"]
def reply(state, request, value, module):
    return {"value": runner.Frozen(wire.encode({"v": REPORT}))}
sys.modules["graders.inside.cell"]._reply = reply
"""


def sent(judge: Judge, report: str) -> CellRun:
    return run_cell(judge, SENT.replace("REPORT", report))


def test_a_picture_that_is_none_is_left_out(judge: Judge) -> None:
    script = "np.frombuffer(b'<svg onload=alert(1)>', np.uint8).copy()"
    run = sent(judge, f"{{'figures': [{{'png': {script}, 'alt': 'x'}}, {{'png': 'text'}}, 7], 'more': -1}}")
    assert run.figures == ()
    assert len(run.notes) == 3


def test_fields_of_another_type_are_left_out(judge: Judge) -> None:
    run = sent(
        judge, "{'last_value': {'type': 3, 'text': ['a'], 'shape': [-1], 'dtype': {}}, 'figures': 'many', 'more': 'x'}"
    )
    assert run.value is not None
    assert (run.value.type, run.value.text, run.value.shape) == ("object", "", None)
    assert run.figures == ()
    assert run.notes == ()
    odd = sent(judge, "[1, 2]")
    assert odd == CellRun(wall_ms=odd.wall_ms)


def test_a_frame_over_its_cap_ends_the_run(judge: Judge) -> None:
    run = sent(judge, "{'figures': [{'png': np.zeros(1 << 25, np.uint8)}]}")
    assert run.error is not None
    assert run.error.type == "Stopped"


def test_more_figures_than_are_shown_are_counted(judge: Judge) -> None:
    png = base64.b64encode(_png(2, 2)).decode()
    figure = f"{{'png': np.frombuffer(__import__('base64').b64decode('{png}'), np.uint8), 'alt': ' a  b'}}"
    run = sent(judge, f"{{'figures': [{figure} for _ in range(9)], 'more': 3}}")
    assert len(run.figures) == FIGURES
    assert run.figures[0].alt == "a b"
    assert run.notes == ("Only the first 4 figures are shown; there are 3 more.",)


# ------------------------------------------------------------------ pictures, without a box


def test_a_picture_keeps_only_what_it_needs() -> None:
    honest = _png(3, 2)
    picture = _png(3, 2, extra=[(b"tEXt", b"Comment\0<script>"), (b"eXIf", b"x" * 100)])
    assert read_png(picture, 1 << 20).data == honest
    assert (read_png(honest, 1 << 20).width, read_png(honest, 1 << 20).height) == (3, 2)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", SIGNATURE, SIGNATURE + b"\0" * 50], ids=["nothing", "gif", "signature", "zeros"]
)
def test_what_is_no_png_is_refused(data: bytes) -> None:
    with pytest.raises(BadPng):
        read_png(data, 1 << 20)


def test_hostile_pictures_are_refused() -> None:
    honest = _png(2, 2)
    hostile = {
        "a byte after the end": honest + b"x",
        "sixty thousand pixels": _png(2, 2, header=(60_000, 60_000)),
        "no pixels": _png(2, 2, header=(0, 2)),
        "a stream that inflates to more": _png(2, 2, pixels=b"\0" * (1 << 20)),
        "a stream that inflates to less": _png(2, 2, pixels=b"\0"),
        "a wrong checksum": honest[:-1] + b"x",
        "half of it": honest[: len(honest) // 2],
        "two headers": SIGNATURE + honest[8:33] + honest[8:],
        "over its cap": _png(900, 900, pixels=os.urandom(900 * 2701)),
    }
    for what, data in hostile.items():
        with pytest.raises(BadPng):
            read_png(data, 1 << 20)
        assert what


def _png(
    width: int,
    height: int,
    header: tuple[int, int] | None = None,
    pixels: bytes | None = None,
    extra: list[tuple[bytes, bytes]] | None = None,
) -> bytes:
    """A small true PNG of `width` × `height`, or one that lies."""
    header_body = struct.pack(">IIBBBBB", *(header or (width, height)), 8, 2, 0, 0, 0)
    rows = pixels if pixels is not None else (b"\0" + b"\x80" * (3 * width)) * height
    chunks = [(b"IHDR", header_body), *(extra or []), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
