"""Markdown to HTML: what comes through, what must not, and what is said about it."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.content.markdown import Html, find_faults, render, render_inline
from app.content.mathml import MathError, to_mathml
from app.content.page import Directive
from app.settings import ROOT
from tests.waiting import LIMIT_SECONDS


def codes(text: str, **options: object) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.code) for fault in render(text, **options).faults]  # type: ignore[arg-type]


class Elements(HTMLParser):
    """Every element and attribute of a page, as a browser's parser would find them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox(1))",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "`x`{onclick=alert(1)}",
    "[x](https://a.b){onclick=alert(1) style=color:red}",
    '{onclick="alert(1)"}\nA paragraph',
    '![x](y.png){onerror="alert(1)"}',
    ":::{note} <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n:::",
    ':::{figure} x" onerror="alert(1)\n:alt: " onload="alert(1)\n\ncaption\n:::',
    ":::{figure} javascript:alert(1)\n:alt: x\n:::",
    '```"><script>alert(1)</script>\ncode\n```',
    "```html\n<script>alert(1)</script>\n```",
    "| <b onmouseover=alert(1)>x</b> |\n|---|\n| <script>alert(1)</script> |",
    "x[^1]\n\n[^1]: <script>alert(1)</script>",
    "## <img src=x onerror=alert(1)>",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\url{javascript:alert(1)}$",
    r"$\text{<script>alert(1)</script>}$",
    r"$\text{</math><script>alert(1)</script>}$",
    r"$\class{x\" onload=\"alert(1)}{a}$",
    r"$\style{background:url(javascript:alert(1))}{a}$",
    r"$\includegraphics{https://evil.example/x.png}$",
    r"$\data{x=y}{z}$",
    r"$\id{x}{y}$",
    r"$\verb|<img src=x onerror=alert(1)>|$",
    r"$\color{red;background:url(x)}{a}$",
    r"$\color{#\"><script>}{a}$",
    r"$\label{\"><script>alert(1)</script>}\ref{x}$",
    "$$\n\\text{<svg onload=alert(1)>}\n$$",
    "insert-00000000000000000000000000000000-0- $x$",
    "block-00000000000000000000000000000000-0-",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_an_author_writes_runs_in_the_readers_browser(attack: str) -> None:
    found = Elements(render(attack).html)
    assert not found.tags & {"script", "svg", "iframe", "object", "style", "link", "meta", "base", "form"}
    for tag, name, value in found.attributes:
        assert not name.startswith("on"), (tag, name, value)
        assert name not in {"style", "xlink:href", "srcdoc", "formaction"}
        assert not re.match(r"\s*(javascript|vbscript|data):", value, re.IGNORECASE), (tag, name, value)
    assert "<b>bold" not in render("**bold**").html
    assert "<strong>bold</strong>" in render("**bold**").html  # the control: markup does come through


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("<>\"'`$\\{}[]()=:!#-*_|&; \nabjsonref^"), max_size=80))
def test_no_text_makes_an_element_outside_the_list(text: str) -> None:
    found = Elements(render(text).html)
    assert not found.tags & {"script", "svg", "iframe", "style"}
    assert not [name for _, name, _ in found.attributes if name.startswith("on") or name == "style"]


def test_a_placeholder_cannot_be_forged_from_another_rendering() -> None:
    """The word in it is made again each time, so that none seen before means anything."""
    for kind in ("insert", "block"):
        forged = f"{kind}-{'0' * 32}-0-"
        rendered = render(f"{forged} and $x$")
        assert forged in rendered.html
        assert rendered.html.count("<math>") == 1
        assert not [part for part in rendered.parts if isinstance(part, Directive)]


def test_what_is_put_in_is_not_looked_at_again() -> None:
    html = render(r"$\text{insert-0-1-}$ and $y$").html
    assert html.count("<math>") == 2


def test_mathml_with_an_element_off_the_list_is_refused() -> None:
    with pytest.raises(MathError, match="<a>"):
        to_mathml(r"\label{x}\ref{x}", False)
    assert to_mathml("x", False) == "<math><mi>x</mi></math>"


def test_mathematics_has_no_style_attribute() -> None:
    tex = r"\boxed{a} \color{red} \begin{aligned} a &= b \\ c &= d \end{aligned} \begin{pmatrix} 1 \\ 2 \end{pmatrix}"
    mathml = to_mathml(tex, True)
    assert " style=" not in mathml
    assert "tml-box" in mathml
    assert "tml-flush" in mathml
    assert 'mathcolor="#ff0000"' in mathml


def test_punctuation_stays_with_the_formula_it_touches() -> None:
    html = render("Take ($x$), $y$: and $z$ too.$$w$$").html
    assert '<span class="joined">(<math><mi>x</mi></math>),</span>' in html
    assert '<span class="joined"><math><mi>y</mi></math>:</span> and <math>' in html
    assert html.count("joined") == 2


def test_an_endless_macro_ends_and_the_next_formula_is_set() -> None:
    with pytest.raises(MathError):
        to_mathml(r"\def\a{\a\a}\a", False)
    with pytest.raises(MathError, match="too long"):
        to_mathml("x" * 5000, False)
    assert "<mfrac>" in to_mathml(r"\frac{1}{2}", False)


def test_a_definition_does_not_leak_into_the_next_formula() -> None:
    to_mathml(r"\gdef\leak{1}\leak", False)
    with pytest.raises(MathError):
        to_mathml(r"\leak + 1", False)


def test_broken_math_is_a_fault_with_its_line() -> None:
    text = "one\n\nin a\nparagraph $\\frc$\n\n$$\na\n\\nope\n$$\n\n> - in a list $\\frac{a$\n\nx[^n]\n\n"
    text += "[^n]: note $\\bad$\n"
    assert codes(text) == [(4, "math"), (8, "math"), (11, "math"), (15, "math")]
    assert "\\frc" in render(text).html  # the reader sees the source rather than nothing


def test_formulas_without_delimiters_are_found() -> None:
    text = "fine $PE_{(pos)}$\n\n[ PE_{(pos, 2i)} = \\sin\\left(x\\right) ]\n\n`\\frac` in code is fine\n\n"
    text += "```\n\\frac{a}{b}\n```\n"
    assert codes(text) == [(3, "formula")]


def test_text_read_in_the_wrong_encoding_is_found_and_its_meaning_told() -> None:
    faults = render("Fine: café, «é», “CAFÉ”, π ≈ 3, α–β.\n\nπŸ“– Lesson\n\nitâ€™s\n\nbÃ¼cher\n\nβœ…\n\n\ufffd").faults
    assert [(fault.line, fault.code) for fault in faults] == [(n, "misread") for n in (3, 5, 7, 9, 11)]
    assert [re.findall("“(.)”", fault.hint) for fault in faults] == [["📖"], ["’"], ["ü"], ["✅"], []]


def test_links_lead_where_the_resolver_says_and_are_faults_where_it_says_nothing() -> None:
    rendered = render("[a](b.md) and\n[c](d.md) [e](#here) [f](https://x.y)\n\n## Here", links={"b.md": "/b"}.get)
    assert '<a href="/b">a</a>' in rendered.html
    assert "<a>c</a>" in rendered.html
    assert '<a href="https://x.y" rel="noopener noreferrer">f</a>' in rendered.html
    assert [(fault.line, fault.code) for fault in rendered.faults] == [(2, "link")]


def test_a_link_to_a_heading_that_is_not_there_is_a_fault() -> None:
    assert codes("[x](#nowhere)\n\n## Somewhere") == [(1, "link")]


def test_headings_have_ids_and_make_the_outline() -> None:
    rendered = render("## One *two* `three`\n\n### Four\n\n## Four\n\n{#own}\n## Five")
    assert [heading.anchor for heading in rendered.outline] == ["one-two-three", "four", "four-1", "own"]
    assert [heading.level for heading in rendered.outline] == [2, 3, 2, 2]
    assert '<h3 id="four">Four</h3>' in rendered.html


def test_directives_nest_and_share_footnotes() -> None:
    rendered = render("::::{tip}\n:::{warning} Mind $x$\nText[^n].\n:::\n::::\n\n[^n]: There.")
    assert rendered.faults == ()
    assert rendered.html.count("<aside") == 2
    assert '<p class="title">\n<span class="kind">Warning</span>Mind <math>' in rendered.html
    assert '<section class="footnotes"' in rendered.html


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x\n\n:::{nope}\ntext\n:::", 3, "no directive"),
        (":::note\ntext\n:::", 1, "braces"),
        ("x\n\n:::{note}\ntext", 3, "never closed"),
        (":::{question} x\n:::", 1, "no directive"),
        (":::{figure} x.png\n:::", 1, "alternative text"),
        ("# Title", 1, "first-level"),
        ("x\n\n:::{margin}\n:::", 3, "remark between its fences"),
        ("x\n\n:::{margin}\ntext", 3, "never closed"),
        ("- x\n\n  :::{margin}\n  text\n  :::", 3, "unindented"),
        ("::::{note}\n:::{margin}\ntext\n:::\n::::", 2, "unindented"),
        (":::{margin}\nSee\n\n| a |\n|---|\n| 1 |\n:::", 4, "A table in a {margin}"),
        (":::{margin}\n```\nx = 1\n```\n:::", 2, "A listing in a {margin}"),
        (":::{figure} x.png\n:alt: x\n:class: narrow\nx\n:::", 1, ":class: wide"),
        (":::{figure} x.png\n:alt: x\n:widht: 3\nx\n:::", 1, "Known: alt, class"),
        ("text\n\n```klingon\nx\n```", 3, "highlighting"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_remedy(text: str, line: int, said: str) -> None:
    (fault,) = render(text, path="a.md").faults
    assert (fault.path, fault.line) == ("a.md", line)
    assert said in fault.message + fault.hint
    assert fault.hint


def test_blocks_are_handed_over_in_reading_order_with_their_lines() -> None:
    rendered = render("a\n\n:::{question} q\nbody\n:::\n\nb\n\n:::{exercise} e\n:::", blocks=("question", "exercise"))
    assert [type(part) for part in rendered.parts] == [Html, Directive, Html, Directive]
    assert rendered.parts[1] == Directive("question", "q", "body\n", 3)
    assert rendered.parts[3] == Directive("exercise", "e", "", 9)


def test_a_block_inside_a_list_is_a_fault_and_leaves_the_page_balanced() -> None:
    rendered = render("- a\n  :::{question} q\n  :::\n- b", blocks=("question",))
    assert [fault.line for fault in rendered.faults] == [2]
    assert rendered.html.count("<ul>") == rendered.html.count("</ul>") == 1


def test_tables_code_and_tasks_are_marked_up_for_the_style_sheet() -> None:
    html = render("| a | b |\n|--:|---|\n| 1 | 2 |\n\n```python\nx = 1\n```\n\n```output\n1\n```\n\n- [x] done").html
    assert '<div class="table" role="group" aria-label="Table" tabindex="0"><table>' in html
    assert '<td class="align-right">1</td>' in html
    code = '<pre class="code" data-language="python" role="group" aria-label="Code in Python" tabindex="0"><code>'
    assert f'{code}<span class="n">x</span>' in html
    assert '<pre class="output" role="group" aria-label="Output" tabindex="0"><code>1\n</code></pre>' in html
    assert '<li class="task-list-item"><input' in html


def test_a_side_remark_and_a_wide_figure_say_so_to_the_style_sheet() -> None:
    rendered = render(":::{margin} Why $d$?\nA *remark*[^n].\n:::\n\ntext\n\n[^n]: There.")
    assert rendered.faults == ()
    assert '<aside class="margin" role="note">\n<p class="title">Why <span class="joined"><math>' in rendered.html
    assert "A <em>remark</em><sup" in rendered.html
    assert '<p class="title">' not in render(":::{margin}\nx\n:::").html
    assert '<figure class="wide">' in render(":::{figure} x.png\n:alt: x\n:class: wide\nx\n:::").html
    assert "<figure>" in render(":::{figure} x.png\n:alt: x\nx\n:::").html


@pytest.mark.parametrize(("length", "is_wide"), [(58, False), (59, True)])
def test_code_is_wide_once_a_line_is_longer_than_those_of_the_text(length: int, is_wide: bool) -> None:
    for fence in ("python", "text", "output"):
        assert ("wide" in render(f"```{fence}\nx\n{'x' * length}\n```").html) is is_wide


def test_what_may_scroll_has_a_name_for_those_who_come_to_it() -> None:
    html = render("$$x$$\n\n```text\nx\n```\n\n| a |\n|---|\n| 1 |").html
    assert '<div class="math" role="group" aria-label="Formula">' in html
    assert 'data-language="text" role="group" aria-label="Code" tabindex="0"' in html
    assert '<div class="table" role="group" aria-label="Table" tabindex="0">' in html


def test_every_kind_of_note_says_its_kind_before_a_title_of_its_own() -> None:
    for name, kind in (("note", "Note"), ("tip", "Tip"), ("warning", "Warning")):
        assert f'<p class="title">\n<span class="kind">{kind}</span></p>' in render(f":::{{{name}}}\nx\n:::").html
        assert f'<span class="kind">{kind}</span>Mine</p>' in render(f":::{{{name}}} Mine\nx\n:::").html


def test_given_values_are_put_in_everywhere_and_unknown_names_stay() -> None:
    html = render("{{a}} `{{a}}` ${{a}}$ {{b}}", given={"a": "7"}).html
    assert html == "<p>7 <code>7</code> <math><mn>7</mn></math> {{b}}</p>\n"


def test_one_paragraph_inline_loses_its_p_and_two_keep_theirs() -> None:
    assert render_inline("a *b*") == "a <em>b</em>"
    assert render_inline("a\n\nb") == "<p>a</p>\n<p>b</p>"


def test_a_file_is_examined_with_its_front_matter_and_lines_stay_true() -> None:
    faults = find_faults("---\ntitle: x\n---\n\n$\\nope$ [x](not-there.md)\n", "somewhere/a.md")
    assert [(fault.line, fault.code) for fault in faults] == [(5, "link"), (5, "math")]
    assert [fault.line for fault in find_faults("---\ntitle: [\n---\n", "a.md")] == [3]
    assert "never closed" in find_faults("---\ntitle: x\n", "a.md")[0].message


def test_a_rendered_text_is_kept() -> None:
    text = "## A\n\n" + "Some $x^2$ and `code`.\n\n" * 200
    first = render(text)
    assert render(text) is first


RENDERS_IN_A_THREAD = """
import threading
from app.content.markdown import render
thread = threading.Thread(target=lambda: [render(f"$x^{n}$", path="a.md") for n in range(3)], daemon=True)
thread.start()
thread.join()
"""


def test_a_process_that_set_formulas_in_a_thread_ends_by_itself() -> None:
    """Without the care that mathml.py takes it crashes or hangs as it ends: `serve` on Ctrl-C, `check` when done."""
    done = subprocess.run(
        [sys.executable, "-c", RENDERS_IN_A_THREAD], capture_output=True, timeout=LIMIT_SECONDS, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, b"")
