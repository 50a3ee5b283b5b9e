"""A student's source in colour: every line is there, nothing in it is markup, and no source takes long."""

import html
import re
from itertools import product

from hypothesis import example, given, strategies

from app.content.highlight import SHOWN_CHARACTERS, listing, numbered
from tests.app.effort import processor_seconds

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


def test_no_source_takes_long() -> None:
    def seconds(start: str, again: str) -> float:
        source = (start + again * SHOWN_CHARACTERS)[: SHOWN_CHARACTERS - 1] + "`"
        return processor_seconds(lambda: numbered(source))

    starts = ("", '"%', '"""', "f'{", "def ", "@")
    agains = ("0", "a", " ", "\n", '"', "\\", "1_", "@\r", "rb")
    slow = [source for source in product(starts, agains) if seconds(*source) >= 2]
    assert not slow  # Pygments takes minutes over '"%' and zeros


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


def test_no_listing_takes_long() -> None:
    def seconds(start: str, again: str, characters: int) -> float:
        return processor_seconds(lambda: listing((start + again * characters)[:characters]))

    def grows(start: str, again: str) -> bool:
        """What is quadratic takes 256 times as long."""
        seconds(start, again, 1000)
        short = max(0.02, seconds(start, again, 8000))
        return seconds(start, again, 128_000) >= 16 * 8 * short

    agains = ("0", " ", "\n", '"', "\\", '"""', "\\n", "self.", "+")
    slow = [source for source in product(("", '"%', '"""', "def "), agains) if grows(*source)]
    assert not slow


def test_the_rest_of_what_is_too_large_is_left_out() -> None:
    shown = lines(numbered("x = 1\n" * 100_000))
    assert len(shown) < 12_000
    assert "not shown" in shown[-1]
