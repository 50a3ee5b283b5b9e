"""Slips in Markdown: what was meant as markup and would be shown as it is, by class; and what only looks like one."""

import pytest

from app.content.markdown import render
from app.content.reading import Reader

SLIPS = [
    ("x\n\n::{note}\ntext", 3, "three colons"),
    ("x\n\n:{tip} text", 3, "three colons"),
    ("    :::{note}\n    x\n    :::", 1, "indented by four spaces"),
    ("-[ ] one\n-[x] two", 1, "space before the bracket"),
    ("1.[x] one", 1, "space before the bracket"),
    ("- [ ] one\n- [] two", 2, "no box"),
    ("x[^1]\ny[^note]", 1, "no note for `[^1]`"),
    ("x[^1]\n\n[^1]: there\n\n[^2]: unused", 5, "Nothing refers to"),
    ("so <b>bold</b>", 1, "`<b>` is HTML"),
    ("one<br/>two", 1, "is HTML"),
    ("a\n<!-- hidden? -->", 2, "is HTML"),
    ("| a | b |\n| 1 | 2 |", 1, "looks like a row"),
    ("| a | b |\n|---|\n| 1 | 2 |", 1, "looks like a row"),
    ("a | b\n--- | --- | ---\n1 | 2", 2, "looks like a row"),
    ("| a | b |\n|---|---|\n| 1 | $|x|$ |", 3, "4 cells"),
    ("> | a | b |\n> |---|---|\n> | 1 | 2 | 3 |", 3, "3 cells"),
    ("one\na lone $ here", 2, "begins no formula"),
    ("never $x closed", 1, "begins no formula"),
    ("##Heading", 1, "a space is missing"),
    ("[text] (https://example.org)", 1, "space between its brackets"),
    ("see [text][nowhere]", 1, "not defined"),
    ("{math}`x^2`", 1, "role"),
    ("**bold that goes on", 1, "no partner"),
    ("`code that goes on", 1, "no partner"),
    ("one\n\n```python\nx = 1", 3, "never closed"),
    (":::{figure} x.png\n:alt: seen\n:::", 1, "no caption"),
    (":::{figure}\n:::", 1, "no picture"),
    ("one\n![](x.png)", 2, "no alternative text"),
]


@pytest.mark.parametrize(("text", "line", "message"), SLIPS)
def test_what_would_be_shown_as_it_is_gets_one_fault_with_its_line(text: str, line: int, message: str) -> None:
    (fault,) = render(text, path="a.md").faults
    assert (fault.path, fault.line) == ("a.md", line)
    assert message in f"{fault.message} {fault.hint}"
    assert fault.hint


@pytest.mark.parametrize(
    "text",
    [
        "`<b>`, `[^1]`, `$`, `::{note}`, `-[ ]` and `| a |` in code",
        "\\<b>, \\[^1], \\$, \\*\\*, \\` and \\| escaped",
        "```\n<b> $ [^1]\n| a |\n-[ ] x\n```",
        "x < y, a<b and b>c, 2**3, a[i][j], [0, 1] and x | y",
        "- [ ] open\n- [x] done\n- [a] b",
        "x[^1] and ^[inline]\n\n[^1]: note",
        "| a | b |\n|---|---|\n| `x \\| y` | $\\|x\\|$ |\n| only one |",
        "**bold**, __bold__, ``a ` b`` and **`code`**",
        "$x$, ($y$), **$z$** and $$w$$",
        "| a |\n|---|\n| 1 |",
        "---\n\ntext\n\n***",
    ],
)
def test_what_only_looks_like_a_slip_is_none(text: str) -> None:
    assert render(text).faults == ()


@pytest.mark.parametrize(
    "text",
    ["It costs $5 and $6.", "US$5–$6, or $1,000 ($2.50 each)", "$5", "$5 or so, $x$ is free: $7 and", "5$ and 6$",
     "between $5 and $6, while"],
)  # fmt: skip
def test_money_is_no_mathematics(text: str) -> None:
    rendered = render(text)
    assert rendered.faults == ()
    assert rendered.html.count("<math") == text.count("$x$")
    assert all(price in rendered.html for price in ("$5", "$7", "5$") if price in text)


@pytest.mark.parametrize("formula", ["5", "2 x", "0 < x", "1, 2, 3", "10 \\cdot 2", "1/d_k", "3 cm", "2^{10}"])
def test_a_formula_may_begin_with_a_number(formula: str) -> None:
    rendered = render(f"Then ${formula}$ holds.")
    assert rendered.faults == ()
    assert rendered.html.count("<math") == 1


@pytest.mark.parametrize("text", ["$S$ may be 0", "$x$ is below 10", "| a |\n|---|\n| $d$ = 2 |"])
def test_a_formula_may_begin_a_text_that_ends_in_a_digit(text: str) -> None:
    """The plugin takes the last character for the one before the first."""
    rendered = render(text)
    assert rendered.faults == ()
    assert rendered.html.count("<math") == 1


def test_brackets_of_tex_are_mathematics() -> None:
    assert render(r"Then \(x^2\) holds.").html == render("Then $x^2$ holds.").html
    assert render(r"Then \[x^2\] holds.").html == render("Then $$x^2$$ holds.").html
    block = render("text\n\\[\nx\n- y\n= z\n\\]\nmore").html
    assert block.count('<div class="math"') == 1
    assert "<li>" not in block
    assert render("\\[\n\\frac{1\n\\]").faults[0].code == "math"
    for text in (r"\( alone", r"`\(x\)` in code", r"\(\)"):
        assert "<math" not in render(text).html


@pytest.mark.parametrize("piece", ["[^", r"\(", "\\[\n", "$5", "| ", "[a]", "<b ", "- ", "`", "**a ", "{a"])
def test_a_text_of_nothing_but_slips_is_read_in_good_time(piece: str) -> None:
    """attack: a pattern that looks at everything again from every place. The child that reads ends after ten seconds of
    the processor."""
    text = f"---\ntitle: T\n---\n{piece * (40_000 // len(piece))}"
    with Reader() as reader:
        course = reader.course_of("demo", {"course.toml": b'title = "A"\nblurb = "B"\n', "01-a.md": text.encode()})
    assert course.slug == "demo"
