"""A student's source in colour: every line is there, nothing in it is markup, and no source takes long."""

import html
import re
import time

import pytest
from hypothesis import example, given, strategies

from app.content.highlight import SHOWN_CHARACTERS, listing, numbered

PIECES = (
    *(
        "def ",
        "class A",
        "@x",
        '"',
        "'",
        '"""',
        "'''",
        "f'",
        "rb",
        "#",
        "\\",
        "\n",
        "\r",
        "\r\n",
        "\u2028",
        "\x0c",
        "\0",
    ),
    *("\0", "0", "1.5e-3", "0x", "é", "<b>", "&lt;", "{", "%", " ", "\t", "return"),
)


def lines(shown: str) -> list[str]:
    rows = re.split(r'<span class="row" id="line-\d+">', shown.removesuffix("</code></pre>"))[1:]
    return [html.unescape(re.sub(r"<[^>]*>", "", row)).removesuffix("\n") for row in rows]


@given(strategies.lists(strategies.sampled_from(PIECES), max_size=30).map("".join))
@example("")
@example("x = '''a\n<b>\n")
def test_every_line_is_there_and_none_is_markup(source: str) -> None:
    shown = str(numbered(source))
    assert lines(shown) == source.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    assert set(re.findall(r"<(\w+)", shown)) <= {"pre", "code", "span"}
    assert shown.count("<span") == shown.count("</span>")


def test_words_have_their_colours() -> None:
    shown = str(numbered("@jit\ndef f(x):\n    return len('a') + 1.5e-3  # why\n"))
    for part in ("nd", "k", "nf", "nb", "s2", "mi", "c1"):
        assert f'<span class="{part}">' in shown
    assert '<span class="mi">1.5e-3</span>' in shown


@pytest.mark.parametrize("start", ["", '"%', '"""', "f'{", "def ", "@"])
@pytest.mark.parametrize("again", ["0", "a", " ", "\n", '"', "\\", "1_", "@\r", "rb"])
def test_no_source_takes_long(start: str, again: str) -> None:
    source = (start + again * SHOWN_CHARACTERS)[: SHOWN_CHARACTERS - 1] + "`"
    began = time.process_time()
    numbered(source)
    assert time.process_time() - began < 2  # Pygments takes minutes over '"%' and zeros


@given(strategies.lists(strategies.sampled_from(PIECES), max_size=30).map("".join))
def test_an_authors_listing_is_whole_and_none_of_it_is_markup(source: str) -> None:
    shown = listing(source)
    plain = source.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n") + "\n"
    assert html.unescape(re.sub(r"<[^>]*>", "", shown)) == plain
    assert set(re.findall(r"<(\w+)", shown)) <= {"span"}
    assert shown.count("<span") == shown.count("</span>")


def test_an_authors_listing_tells_more_apart() -> None:
    source = 'def f(self):\n    """What it does."""\n    raise ValueError("a\\n" + \'b\') or 1\n'
    shown = listing(source)
    for part in ('sd">&quot;&quot;&quot;What', 'bp">self', 'ne">ValueError', 'se">\\n', 'nf">f', 'o">+', 'mi">1'):
        assert f'<span class="{part}' in shown
    assert '<span class="s2">&quot;&quot;&quot;y' in listing('x = """y"""')


@pytest.mark.parametrize("start", ["", '"%', '"""', "def "])
@pytest.mark.parametrize("again", ["0", " ", "\n", '"', "\\", '"""', "\\n", "self.", "+"])
def test_no_listing_takes_long(start: str, again: str) -> None:
    def seconds(characters: int) -> float:
        began = time.process_time()
        listing((start + again * characters)[:characters])
        return time.process_time() - began

    seconds(1000)
    short = max(0.02, seconds(16_000))
    assert seconds(256_000) < 16 * 8 * short  # what is quadratic takes 256 times as long


def test_the_rest_of_what_is_too_large_is_left_out() -> None:
    shown = lines(numbered("x = 1\n" * 100_000))
    assert len(shown) < 12_000
    assert "not shown" in shown[-1]
