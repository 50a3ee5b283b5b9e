"""How values are set on pages."""

import numpy as np
import pytest

from app.web import filters
from app.web.assets import assets
from app.web.filters import fitted
from app.web.rendering import ROOT


def printed(array: np.ndarray) -> str:
    return np.array2string(array, threshold=200, edgeitems=4, precision=6, max_line_width=72, separator=", ")


@pytest.mark.parametrize("shape", [(12,), (3,), (6, 8), (2, 3, 9), (40, 12), (1, 1), (0,), (0, 4)])
def test_an_array_fits_its_column_and_loses_nothing(shape: tuple[int, ...]) -> None:
    text = printed(np.random.default_rng(0).normal(size=shape))
    shown = fitted(text, 34)
    assert max(map(len, shown.split("\n"))) <= 34
    assert "".join(shown.split()) == "".join(text.split())


def test_rows_that_fit_stay_as_they_are_and_numbers_stand_under_each_other() -> None:
    text = printed(np.arange(12.0).reshape(3, 4))
    assert fitted(text, 34) == text
    assert fitted("[[ 0.5, -1.5,  2.5],\n [ 3.5,  4.5, -5.5]]", 14) == (
        "[[ 0.5, -1.5,\n   2.5],\n [ 3.5,  4.5,\n  -5.5]]"
    )


def test_what_is_no_array_is_left_alone() -> None:
    assert fitted("None", 3) == "None"
    assert fitted("a long sentence, with a comma", 5) == "a long sentence, with a comma"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m", "red and blue"),
        ("\x1b]0;a title\x07said\x1b]8;;x\x1b\\ more", "said more"),
        ("a\tb\r\nc\x07\x00\x7f", "a\tb\r\nc"),
        ("[31m is text", "[31m is text"),
        ("cut off \x1b[3", "cut off "),
        ("\x1b" * 65_536, ""),
        ("\x1b[" * 32_768, ""),
        ("\x1b]" * 32_768, ""),
        ("é <b> 😀\x1b", "é <b> 😀"),
    ],
)
def test_of_prints_what_steers_a_terminal_is_left_out(written: str, shown: str) -> None:
    assert filters.printed(written) == shown


def test_scripts_and_style_sheets_are_sent_without_their_comments_line_by_line() -> None:
    spared = 0
    for path in (path for path in assets.files if path.startswith(("js/", "css/"))):
        written = (ROOT / "app" / "static" / path).read_text().split("\n")
        sent = assets.files[path].body.decode().split("\n")
        left_out = [line for line, same in zip(written, sent, strict=True) if line != same]
        assert all(same in ("", line) for line, same in zip(written, sent, strict=True)), path
        assert "*/" not in "".join(line.rstrip().removesuffix("*/") for line in left_out), f"{path}: more than comments"
        assert not [line for line in sent if line.lstrip().startswith(("// ", "/*"))], path
        spared += len(left_out)
    assert spared > 100
