"""A headline begins with a capital, and never changes what is code or a name."""

import re

import pytest

from app.settings import ROOT
from graders.text import headline, title_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("your output is only row `T`", "Your output is only row `T`"),
        ("élan counts too", "Élan counts too"),
        ("a list cannot be called", "A list cannot be called"),
        ("e.g. a mask", "E.g. a mask"),
        ("don’t: it’s done", "Don’t: it’s done"),
        ("solve(x, axis) returns None", "solve(x, axis) returns None"),
        ("`solve` returns None", "`solve` returns None"),
        ("x.shape is (2, 4)", "x.shape is (2, 4)"),
        ("d_model is 6", "d_model is 6"),
        ("n is 3 but 4 elsewhere", "n is 3 but 4 elsewhere"),
        ("mask = None", "mask = None"),
        ("x @ w has no axis 2", "x @ w has no axis 2"),
        ("float32 was expected", "float32 was expected"),
        ("RoPE in two lines", "RoPE in two lines"),
        ("xPos in two lines", "xPos in two lines"),
        ("GPT-2 from scratch", "GPT-2 from scratch"),
        ("", ""),
    ],
)
def test_only_a_plain_first_word_gets_a_capital(text: str, shown: str) -> None:
    assert headline(text) == shown


@pytest.mark.parametrize(
    ("name", "title"),
    [("RoPE-scaling", "RoPE scaling"), ("attention_from_scratch", "Attention from scratch"), ("KV-cache", "KV cache")],
)
def test_a_title_from_a_name_keeps_its_letters(name: str, title: str) -> None:
    assert title_of(name) == title


def test_no_first_letter_is_made_large_in_another_way() -> None:
    """`str.capitalize` makes `Rope` of `RoPE`; a style sheet cannot tell code from words."""
    ways = re.compile(r"\.capitalize\(\)|\[(?::1|0)\]\.upper\(\)|\| *(?:capitalize|title)\b|text-transform: capitalize")
    files = [*ROOT.glob("app/**/*.py"), *ROOT.glob("graders/**/*.py"), *ROOT.glob("templates/**/*.html")]
    files += ROOT.glob("app/static/css/*.css")
    found = [f"{path.relative_to(ROOT)}: {way[0]}" for path in files for way in ways.finditer(path.read_text())]
    assert found == ["graders/text.py: [:1].upper()"]
