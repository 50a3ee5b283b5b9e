"""A cell's outcome as it comes from a worker or from the cache's folder: read field by field, or not at all."""

import base64
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.content.cell import Cell
from app.reading.cells import LessonCells
from graders.boxes.pool import Judge
from graders.cell import FIGURE_BYTES, FIGURES, CellFigure, CellRun, CellValue
from graders.png import SIGNATURE
from graders.verdict import StudentError
from tests.conftest import require_boxes
from tests.waiting import until


def png(width: int, height: int, pixels: bytes | None = None) -> bytes:
    rows = pixels if pixels is not None else (b"\0" + b"\x80" * (3 * width)) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


FULL = CellRun(
    prints="printed\n",
    value=CellValue("ndarray", "[[0. 1.]]", (1, 2), "float64"),
    figures=(CellFigure(png(3, 2), "loss over step", 3, 2),),
    notes=("Only the first 4 figures are shown; there are 3 more.",),
    error=StudentError("NameError", "name 'x' is not defined", 2, "line 2\n    x", "There is no `x`."),
    earlier=1,
    result={"losses": [1, 0.5, None], "name": "a"},
    wall_ms=12.5,
)


def row(run: CellRun = FULL) -> Any:
    """As it comes over the broker."""
    return json.loads(json.dumps(run.row()))


@pytest.mark.parametrize("run", [FULL, CellRun(), CellRun(value=CellValue("int", "3"))], ids=["full", "none", "value"])
def test_what_a_cell_gave_comes_back_as_it_was(run: CellRun) -> None:
    assert CellRun.from_row(row(run)) == run
    assert CellRun.from_row(run.row()) == run


Change = Callable[[Any], object]


def encoded(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


def nested(levels: int) -> Any:
    tree: Any = 1
    for _ in range(levels):
        tree = [tree]
    return tree


MALFORMED: dict[str, Change] = {
    "prints that are a number": lambda row: row.update(prints=5),
    "prints without end": lambda row: row.update(prints="x" * (1 << 20)),
    "prints that no page can show": lambda row: row.update(prints="\ud800"),
    "prints that are missing": lambda row: row.pop("prints"),
    "a field that no run has": lambda row: row.update(more=1),
    "a value that is a text": lambda row: row.update(value="3"),
    "a value that is false": lambda row: row.update(value=0),
    "a value without a text": lambda row: row["value"].update(text=None),
    "a value of a long text": lambda row: row["value"].update(text="x" * 100_000),
    "a value of no type": lambda row: row["value"].update(type=None),
    "a shape of texts": lambda row: row["value"].update(shape=["a"]),
    "a shape that is a text": lambda row: row["value"].update(shape="12"),
    "a shape below zero": lambda row: row["value"].update(shape=[-1]),
    "a shape of very many axes": lambda row: row["value"].update(shape=[1] * 10_000),
    "a dtype without a shape": lambda row: row["value"].update(shape=None),
    "a dtype that is a number": lambda row: row["value"].update(dtype=3),
    "figures that are a text": lambda row: row.update(figures="many"),
    "a figure that is none": lambda row: row.update(figures=[7]),
    "figures without end": lambda row: row.update(figures=row["figures"] * (FIGURES + 1)),
    "a picture that is a page": lambda row: row["figures"][0].update(png=encoded(b"<svg onload=alert(1)>")),
    "a picture that is not base64": lambda row: row["figures"][0].update(png="<>" + row["figures"][0]["png"]),
    "a picture that is a number": lambda row: row["figures"][0].update(png=1),
    "a picture that is too large": lambda row: row["figures"][0].update(png=encoded(bytes(FIGURE_BYTES + 1))),
    "a picture of other pixels": lambda row: row["figures"][0].update(png=encoded(png(2, 2, b"\0" * (1 << 20)))),
    "a picture of another size": lambda row: row["figures"][0].update(width=3000),
    "a size that is a text": lambda row: row["figures"][0].update(height="2"),
    "an alternative text without end": lambda row: row["figures"][0].update(alt="x" * 10_000),
    "an alternative text that is none": lambda row: row["figures"][0].update(alt=None),
    "notes that are a text": lambda row: row.update(notes="note"),
    "a note that is a number": lambda row: row.update(notes=[1]),
    "notes without end": lambda row: row.update(notes=["note"] * 1000),
    "an error that is a text": lambda row: row.update(error="NameError"),
    "an error without a type": lambda row: row["error"].update(type=None),
    "an error with a number for a message": lambda row: row["error"].update(message=1),
    "an error with a number for a traceback": lambda row: row["error"].update(traceback=1),
    "an error with a list for its words": lambda row: row["error"].update(plain=[]),
    "an error on a line before the first": lambda row: row["error"].update(line=-1),
    "an error on a line that is a text": lambda row: row["error"].update(line="1"),
    "an error on a line that is true": lambda row: row["error"].update(line=True),
    "an error of a field that none has": lambda row: row["error"].update(more=1),
    "a cell before it that is not there": lambda row: row.update(earlier=2),
    "a cell before it that is a text": lambda row: row.update(earlier="made"),
    "a cell before the first": lambda row: row.update(earlier=-1),
    "a cell before it, and no error": lambda row: row.update(error=None),
    "a result without end": lambda row: row.update(result="x" * (1 << 20)),
    "a result that is no JSON": lambda row: row.update(result=[float("nan")]),
    "a result of a number that no page can read": lambda row: row.update(result=10**30),
    "a result that is very deep": lambda row: row.update(result=nested(450)),
    "a time that is a text": lambda row: row.update(wall_ms="1"),
    "a time that is no number": lambda row: row.update(wall_ms=float("nan")),
    "a time before its beginning": lambda row: row.update(wall_ms=-1.0),
    "a time of a year": lambda row: row.update(wall_ms=3e10),
}


def test_what_no_cell_gives_is_refused() -> None:
    def is_read(change: Change) -> bool:
        malformed = row()
        change(malformed)
        try:
            CellRun.from_row(malformed, before=2)
        except ValueError:
            return False
        return True

    assert is_read(lambda row: None)
    assert [what for what, change in MALFORMED.items() if is_read(change)] == []


@pytest.mark.parametrize("malformed", [None, 5, "text", [], {}], ids=str)
def test_what_is_no_run_at_all_is_refused(malformed: object) -> None:
    with pytest.raises(ValueError):
        CellRun.from_row(malformed)


def test_a_picture_is_written_again_without_what_nobody_needs() -> None:
    honest = png(3, 2)
    body = b"Comment\0<script>"
    comment = struct.pack(">I", len(body)) + b"tEXt" + body + struct.pack(">I", zlib.crc32(b"tEXt" + body))
    hostile = row()
    hostile["figures"][0]["png"] = encoded(honest[:33] + comment + honest[33:])
    assert CellRun.from_row(hostile).figures[0].png == honest


GARBAGE: dict[str, bytes] = {
    "another type": json.dumps({**CellRun().row(), "prints": 5}).encode(),
    "a list": b"[]",
    "cut short": b'{"prints": "',
    "no text": b"\xff\xfe\x00",
    "very deep": b"[" * 100_000,
    "a cell before it that it has not": json.dumps(
        {**CellRun().row(), "error": vars(StudentError("NameError")), "earlier": 3}
    ).encode(),
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Judge(tmp_path_factory.mktemp("boxes"), ["numpy"], parked={"numpy": 2}) as judge:
        require_boxes(judge)
        yield judge


def test_a_file_of_the_cache_that_cannot_be_read_is_made_again(judge: Judge, tmp_path: Path) -> None:
    cell = Cell("made", "print('made')", "numpy")
    first = LessonCells(judge, tmp_path, 1)
    first.prepare([cell])
    expected = output(first, cell)
    (file,) = until(lambda: [*tmp_path.glob("*.json")], "it is not kept")  # it is shown before it is kept
    first.close()
    for what, content in GARBAGE.items():
        file.write_bytes(content)
        after = LessonCells(judge, tmp_path, 1)
        assert after.output(cell) is None, what
        after.prepare([cell])
        assert output(after, cell).prints == "made\n", what
        until(lambda: file.read_bytes() != content, what)  # noqa: B023 (it is shown before it is kept)
        assert CellRun.from_row(json.loads(file.read_bytes())).prints == expected.prints, what
        after.close()


def output(cells: LessonCells, cell: Cell) -> CellRun:
    """Once it is made."""
    made = until(lambda: cells.output(cell), "it is not made")
    assert made is not None
    return made
