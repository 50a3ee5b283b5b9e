"""Typing errors, on both databases: what is taken for what, what is left alone; only public words are shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from app.db import Database
from app.reading import spelling
from app.reading.spelling import Vocabulary, edits
from tests.app.searched import find, import_again, imported, imported_once, write_zoo
from tests.conftest import BACKENDS, Serve

LESSON = """---
title: Rotary tables
---

The position of a zebra. Embeddings are gathered with `jnp.take`, and the bias is added. Its gradient is small.

## Learned tables

`learned_pos_embed_forward` reads one row. A matrix of normalised rows.

:::::{question} how-many
:type: choice
How many zebras are there?
- [x] Seventeen okapis -- Because of giraffes.
- [ ] Eighteen antelopes -- Wrong hippopotamus.
:::{explain}
The rhinoceros explains it.
:::
:::::
"""
HIDDEN = ("okapis", "giraffes", "antelopes", "hippopotamus", "rhinoceros", "seventeen", "eighteen", "explains")


def write_with_hidden_words(folder: Path) -> Path:
    """With a word in what students may not read."""
    write_zoo(folder, LESSON)
    for name in ("hints.md", "solution.md", "reference.py"):
        with (folder / "exercises" / "softmax-rows" / name).open("a") as file:
            file.write("\n# wildebeest\n")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_with_hidden_words(tmp_path)


@pytest.fixture(scope="module", params=BACKENDS)
def unchanging(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """For tests that only ask."""
    with imported_once(request.param, write_with_hidden_words(tmp_path_factory.mktemp("zoo"))) as database:
        yield database


@pytest.fixture
def database(database_url: str, folder: Path) -> Iterator[Database]:
    with imported(database_url, folder) as database:
        yield database


@pytest.mark.parametrize(
    ("asked", "corrected"),
    [
        ("posiiton", "position"),  # two letters in each other's place
        ("postion", "position"),  # one is missing
        ("possition", "position"),  # one too many
        ("pisition", "position"),  # a wrong one
        ("opsition", "position"),
        ("embeddnigs", "embeddings"),
        ("gradeint zebra", "gradient zebra"),
        ("graidant", "gradient"),  # two errors
        ("normlised matrx", "normalised matrix"),
        ("biaz", "bias"),  # shown as it is written, not as it is folded
        ("jnp.tkae", "jnp.take"),
        ("sotfmax", "softmax"),
        ("learned_pos_embd_foward", "learned_pos_embed_forward"),
        ("positoi", "position"),  # the last word is not finished
        ("GRADEINT!", "gradient!"),
    ],
)
def test_a_typing_error_is_corrected_and_said(unchanging: Database, asked: str, corrected: str) -> None:
    found = find(unchanging, asked)
    assert found.corrected == corrected
    assert found.has_all
    assert found.results == find(unchanging, corrected).results != ()
    assert any(piece.hit for one in found.results for piece in (*one.title, *one.heading, *one.excerpt))
    literal = find(unchanging, asked, as_typed=True)
    assert literal.corrected == ""
    assert not literal.has_all or literal.results == ()


@pytest.mark.parametrize(
    "asked",
    [
        "position", "positional", "embedded", "posit", "weights", "mlp", "autodiff", "the zebra", "tke", "zbr", "x",
        "okapi", "quixotic", "zyxwvutsrq", "1234", "positive", "negation",
    ],
)  # fmt: skip
def test_what_is_right_short_or_far_from_all_is_left_alone(unchanging: Database, asked: str) -> None:
    assert find(unchanging, asked).corrected == ""


def test_a_word_that_stands_somewhere_is_never_corrected(database: Database, folder: Path) -> None:
    (folder / "lessons" / "zoo" / "02-more.md").write_text("---\ntitle: More\n---\n\nA matrox is no printer.\n")
    assert find(database, "matrox").corrected == "matrix"
    import_again(database, folder)
    found = find(database, "matrox")
    assert (found.corrected, [one.url for one in found.results]) == ("", ["/courses/zoo/more"])


def test_nearest_words_are_shown_where_nothing_is_found(unchanging: Database) -> None:
    found = find(unchanging, "gradnts")
    assert found.results == ()
    assert "gradient" in found.nearest
    assert find(unchanging, "zyxwvutsrq").nearest == ()
    for word in found.nearest:
        assert find(unchanging, word).results


def test_only_public_words_are_ever_suggested(unchanging: Database) -> None:
    """Not of answers, options, explanations, hints or solutions: neither kept, nor what an error is taken for."""
    with unchanging.reading() as db:
        kept = "\n".join(db.scalars(text("SELECT words FROM search_vocabulary")))
    assert "zebra " in kept
    for secret in (*HIDDEN, "wildebeest"):
        assert secret not in kept
        for asked in (secret, secret[:-1], secret[1:], f"{secret}x", secret[1] + secret[0] + secret[2:], secret[:5]):
            found = find(unchanging, asked)
            assert found.results == () or secret not in found.corrected
            assert not any(secret in word for word in (found.corrected, *found.nearest))


def test_words_that_are_gone_are_forgotten(database: Database, folder: Path) -> None:
    assert find(database, "gradeint").corrected == "gradient"
    lesson = folder / "lessons" / "zoo" / "01-rotary-tables.md"
    lesson.write_text(LESSON.replace("gradient", "quagga"))
    import_again(database, folder)
    assert find(database, "gradeint").corrected == ""
    assert find(database, "quaggga").corrected == "quagga"
    with database.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM search_vocabulary")) == 2


def test_the_page_says_what_it_shows_and_leads_to_what_was_typed(serve: Serve, folder: Path) -> None:
    server = serve(exercises=folder / "exercises", lessons=folder / "lessons")
    with server.client() as client:
        page = client.get("/search", params={"q": "gradeint <b>"}).text
        literal = client.get("/search?q=gradeint+%3Cb%3E&as_typed=1").text
        strange = client.get("/search?q=gradeint&as_typed=%00%FF")
        palette = client.get("/search", params={"q": "gradeint"}, headers={"Lectern-Partial": "1"}).text
        nothing = client.get("/search", params={"q": "gradnts"}).text
        answer = client.get("/api/v1/search", params={"q": "gradeint"}).json()
        plain = client.get("/api/v1/search", params={"q": "gradeint", "as_typed": True}).json()
    assert "Showing results for <b>gradient &lt;b&gt;</b>" in page
    assert 'href="/search?q=gradeint%20%3Cb%3E&amp;as_typed=1"' in page
    assert "<mark>gradient</mark>" in page
    assert "Showing results for" not in literal
    assert strange.status_code == 200
    assert "Showing results for <b>gradient</b>" in palette
    assert '<a href="/search?q=gradient">gradient</a>' in nothing
    assert '<a href="/exercises">' in nothing
    assert answer["corrected"] == "gradient"
    assert len(answer["results"]) == 1
    assert (plain["corrected"], plain["results"], "gradient" in plain["nearest"]) == ("", [], True)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_are_counted_the_same_both_ways(one: str, other: str) -> None:
    assert edits(one, other, 9) == edits(other, one, 9)
    assert (edits(one, other, 9) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other, 9) <= max(len(one), len(other))
    assert edits(one, other, 1) == min(edits(one, other, 9), 2)
    assert edits(one, other, 9, is_prefix=True) <= edits(one, other, 9)


def test_few_of_twenty_thousand_words_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """attack: a search of a hundred unknown words, over and over. defence: few are compared, and each but a little."""
    compared: list[str] = []

    def counted(typed: str, word: str, most: int, *, is_prefix: bool = False) -> int:
        assert most <= 2, "beyond, it is not counted to the end"
        compared.append(word)
        return edits(typed, word, most, is_prefix=is_prefix)

    monkeypatch.setattr(spelling, "edits", counted)
    words = Vocabulary({f"{one}{two}{three}": 1 for one in _SYLLABLES for two in _SYLLABLES for three in _SYLLABLES})
    assert len(words.counts) > 19_000
    for word in ("kagelisu", "kagelisux", "zzzzzzzz", "tototatoo", "misuramixa"):
        compared.clear()
        words.corrected(word, is_unfinished=True)
        assert len(compared) < len(words.counts) / 10, word


_SYLLABLES = [f"{first}{vowel}" for first in "bdfgklmnprst" for vowel in "aeio"][:27]
