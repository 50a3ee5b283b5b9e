"""Search, on both databases: what is found, in which order, what never is, and that no input means anything else."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.content.sections import sections
from app.content.words import excerpt, fold, marked, parts, read_asked
from app.db import Database
from app.reading.search import Found, Result, search
from tests.app.searched import find, import_again, imported, imported_once, write_zoo
from tests.conftest import BACKENDS, Running, Serve

LESSON = """---
title: Rotary tables
---

Gathering rows with `jnp.take` is the whole of it. The café is closed.

## Adding RoPE

We write `x + pos_embed[:T]` where `d_model` is even, and $d_\\text{model} = 4$. Never <script>alert(1)</script>.

:::::{question} how-many
:type: choice
How many zebras stand in `pos_embed`?
- [x] Seventeen okapis -- Because of giraffes.
- [ ] Eighteen antelopes -- Wrong hippopotamus.
:::{explain}
The rhinoceros explains it.
:::
:::::

## Other words

Embeddings of positions, and once more jnp and take apart. LayerNorm comes last.
"""
HIDDEN = ("okapis", "giraffes", "antelopes", "hippopotamus", "rhinoceros")
NASTY = (
    *"\"'*:&|!()-\\%_éａ\0 ", "", "''", '""', "a*", "NEAR(", "NEAR(a b, 2)", "a AND", "OR OR", "NOT", "-a", "a:b",
    "title:x", "{title}: a", "^a", "a & | ! <-> b", "a:*", "((((", "a\0b", "\\'", "__", "';DROP TABLE search_entry;--",
    "\u202eabc\u200f", "\ud800", "x" * 10_000, "a " * 5_000, '"' * 10_000, "e\u0301", "½ ² Ⅷ ﷺ ß İ", "𝑝𝑜𝑠", "日本語",
    "\U0001f600", "<b>", "{{ 7 * 7 }}", "\u1e9e\u0345\u0600",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_zoo(tmp_path, LESSON)


@pytest.fixture(scope="module", params=BACKENDS)
def unchanging(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """For tests that only ask."""
    with imported_once(request.param, write_zoo(tmp_path_factory.mktemp("zoo"), LESSON)) as database:
        yield database


@pytest.fixture
def database(database_url: str, folder: Path) -> Iterator[Database]:
    with imported(database_url, folder) as database:
        yield database


def urls(found: Found) -> list[str]:
    return [one.url for one in found.results]


def hits(result: Result) -> list[str]:
    return [piece.text for piece in (*result.title, *result.heading, *result.excerpt) if piece.hit]


ROPE = "/courses/zoo/rotary-tables#adding-rope"
QUESTION = "/courses/zoo/rotary-tables#question-zoo-rotary-tables-how-many"


@pytest.mark.parametrize(
    ("asked", "url", "hit"),
    [
        ("d_model", ROPE, "d_model"),
        ("D_MODEL", ROPE, "d_model"),
        ("jnp.take", "/courses/zoo/rotary-tables", "take"),
        ("pos_embed[:T]", ROPE, "pos_embed"),
        ("x + pos_embed[:T]", ROPE, "T"),
        ("RoPE", ROPE, "RoPE"),
        ("rope", ROPE, "RoPE"),
        ("cafe", "/courses/zoo/rotary-tables", "café"),
        ("cafe\u0301", "/courses/zoo/rotary-tables", "café"),
        ("embedding posi", "/courses/zoo/rotary-tables#other-words", "positions"),
        ("norm", "/courses/zoo/rotary-tables#other-words", "LayerNorm"),
        ("zebra", QUESTION, "zebras"),
        ("softmax", "/exercises/softmax-rows", "Softmax"),
        ("positional", "/courses/zoo/rotary-tables#other-words", "positions"),
        ("embedded zebra", QUESTION, "pos_embed"),
        ("gathered rows", "/courses/zoo/rotary-tables", "Gathering"),
        ("layer normalisation", "/courses/zoo/rotary-tables#other-words", "LayerNorm"),
        ("rotary encoding", ROPE, "RoPE"),
        ("normalised exponentials", "/exercises/softmax-rows", "Softmax"),
        ("position_embedding", "/courses/zoo/rotary-tables#other-words", "Embeddings"),
    ],
)
def test_a_word_is_found_as_it_is_written(unchanging: Database, asked: str, url: str, hit: str) -> None:
    found = find(unchanging, asked)
    assert found.has_all
    assert found.results[0].url == url, urls(found)
    assert hit in hits(found.results[0])


def test_words_that_touch_must_stand_together(unchanging: Database) -> None:
    assert urls(find(unchanging, "jnp.take")) == ["/courses/zoo/rotary-tables"]
    assert set(urls(find(unchanging, "jnp take"))) == {
        "/courses/zoo/rotary-tables",
        "/courses/zoo/rotary-tables#other-words",
    }


def test_only_the_last_word_may_be_unfinished(unchanging: Database) -> None:
    assert urls(find(unchanging, "layer jnp")) == ["/courses/zoo/rotary-tables#other-words"]
    with unchanging.reading() as db:
        assert not search(db, "layern jnp", as_typed=True).has_all


def test_a_title_comes_before_a_heading_and_a_heading_before_text(database: Database, folder: Path) -> None:
    course = folder / "lessons" / "zoo"
    filler = "Plain words that say little, and some more of them, so that lengths are alike. "
    (course / "02-text.md").write_text(f"---\ntitle: One\n---\n\n{filler} quagga {filler}\n")
    (course / "03-heading.md").write_text(f"---\ntitle: Two\n---\n\n## On the quagga\n\n{filler}{filler}\n")
    (course / "04-title.md").write_text(f"---\ntitle: The quagga\n---\n\n{filler}{filler}\n")
    import_again(database, folder)
    assert urls(find(database, "quagga")) == [
        "/courses/zoo/title", "/courses/zoo/heading#on-the-quagga", "/courses/zoo/text",
    ]  # fmt: skip


FILLER = "Plain words that say little, and some more of them, so that lengths are alike. "


def test_a_name_comes_first_and_what_begins_or_holds_it_next(database: Database, folder: Path) -> None:
    """Whatever stands more often elsewhere. Spaces, hyphens, underscores and endings make no difference."""
    course = folder / "lessons" / "zoo"
    often = "quagga encodings forward " * 30
    code = "```python\ndef learned_quagga_encoding_forward(x):\n    return x\n```\n"
    (course / "02-quagga-encodings.md").write_text(f"---\ntitle: Stripes\n---\n\n{FILLER}{FILLER}\n")
    (course / "03-text.md").write_text(f"---\ntitle: Two\n---\n\n{often} quagga-encoding quagga_encoding\n")
    (course / "04-code.md").write_text(f"---\ntitle: Three\n---\n\n{FILLER}\n\n## Code\n\n{FILLER}\n\n{code}\n")
    (course / "05-heading.md").write_text(f"---\ntitle: Four\n---\n\n## Quagga encodings\n\n{FILLER}\n")
    import_again(database, folder)
    for asked in ("quagga encoding", "quagga-encodings", "quagga_encoding", "QuaggaEncoding", "quaggaencoding"):
        assert urls(find(database, asked))[:3] == [
            "/courses/zoo/quagga-encodings", "/courses/zoo/heading#quagga-encodings", "/courses/zoo/code#code",
        ], asked  # fmt: skip
    for asked in ("learned_quagga_encoding_forward", "learned_quagga", "encoding_forward", "learned_quagga_enc"):
        assert urls(find(database, asked))[0] == "/courses/zoo/code#code", asked


def test_an_exercise_is_found_by_its_title_its_slug_and_its_function(unchanging: Database) -> None:
    for asked in ("softmax-rows", "softmax_rows", "softmax rows", "softmax_ro", "Softmax, row by row"):
        assert urls(find(unchanging, asked))[0] == "/exercises/softmax-rows", asked


def test_other_words_are_not_taken_for_endings(database: Database, folder: Path) -> None:
    (folder / "lessons" / "zoo" / "02-signs.md").write_text("---\ntitle: Signs\n---\n\nA positive quagga.\n")
    import_again(database, folder)
    assert "/courses/zoo/signs" not in urls(find(database, "position"))
    assert urls(find(database, "positive")) == ["/courses/zoo/signs"]


def test_what_is_typed_comes_before_what_means_the_same(database: Database, folder: Path) -> None:
    course = folder / "lessons" / "zoo"
    (course / "02-one.md").write_text(f"---\ntitle: One\n---\n\n{FILLER} parameters {FILLER}\n")
    (course / "03-two.md").write_text(f"---\ntitle: Two\n---\n\n{FILLER} weights {FILLER}\n")
    import_again(database, folder)
    ours = {"/courses/zoo/one", "/courses/zoo/two"}
    assert [url for url in urls(find(database, "weight")) if url in ours] == ["/courses/zoo/two", "/courses/zoo/one"]
    found = [one for one in find(database, "parameters").results if one.url in ours]
    assert [(one.url, hits(one)) for one in found] == [
        ("/courses/zoo/one", ["parameters"]), ("/courses/zoo/two", ["weights"]),
    ]  # fmt: skip


def test_what_answers_a_question_is_never_found(unchanging: Database) -> None:
    with unchanging.reading() as db:
        kept = db.execute(text("SELECT title || heading || text FROM search_entry")).scalars().all()
    for secret in HIDDEN:
        assert secret in LESSON
        assert find(unchanging, secret).results == ()
        assert not any(secret in row for row in kept)


def test_hints_and_solutions_are_never_found(database: Database, folder: Path) -> None:
    exercise = folder / "exercises" / "softmax-rows"
    for name in ("hints.md", "solution.md", "reference.py"):
        with (exercise / name).open("a") as file:
            file.write("\n# quagga\n")
    import_again(database, folder)
    assert find(database, "quagga").results == ()


def test_where_no_place_has_every_word_those_with_some_are_shown(unchanging: Database) -> None:
    found = find(unchanging, "okapi zebras rope")
    assert not found.has_all
    assert set(urls(found)) == {QUESTION, ROPE}


def test_importing_again_replaces_what_changed_and_leaves_what_did_not(database: Database, folder: Path) -> None:
    with database.reading() as db:
        before = db.execute(text("SELECT id, url FROM search_entry ORDER BY id")).all()
    import_again(database, folder)
    with database.reading() as db:
        assert db.execute(text("SELECT id, url FROM search_entry ORDER BY id")).all() == before
    lesson = folder / "lessons" / "zoo" / "01-rotary-tables.md"
    lesson.write_text(LESSON.replace("café", "quagga"))
    import_again(database, folder)
    assert find(database, "café").results == ()
    assert urls(find(database, "quagga")) == ["/courses/zoo/rotary-tables"]
    shutil.rmtree(folder / "exercises" / "softmax-rows")
    shutil.rmtree(lesson.parent)  # a course that is there but has no lessons has not passed, and stays as it was
    import_again(database, folder)
    for asked in ("softmax", "quagga", "zebras", "d_model"):
        assert find(database, asked).results == ()
    with database.reading() as db:
        assert db.execute(text("SELECT count(*) FROM search_words")).scalar() == 0


def test_an_import_that_fails_leaves_the_entries_as_they_were(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "lessons" / "zoo" / "01-rotary-tables.md").write_text(LESSON.replace("café", "quagga"))

    def fail(*given: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("app.reading.search._add_words", fail)
    with pytest.raises(OSError, match="full"):
        import_again(database, folder)
    assert urls(find(database, "cafe")) == ["/courses/zoo/rotary-tables"]


def test_no_input_is_the_databases_query_language(unchanging: Database) -> None:
    for asked in NASTY:
        for query in (asked, f"zebras {asked}", f"{asked} zebras"):
            find(unchanging, query)
        assert urls(find(unchanging, "zebras")) == [QUESTION], ascii(asked)


def test_whatever_is_asked_raises_nothing(unchanging: Database) -> None:
    pieces = st.sampled_from([*"\"'*:&|!()<>-^\\\0", "NEAR(", "AND", "d_model", "zebras", "title", " "])

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.text(), st.lists(pieces).map("".join)))
    @example("\0")
    def ask(asked: str) -> None:
        find(unchanging, asked)

    ask()


@given(st.text(), st.text())
def test_marking_changes_no_letter(written: str, asked: str) -> None:
    assert "".join(piece.text for piece in marked(written, read_asked(asked) or read_asked("a"))) == written
    pieces = excerpt(written, read_asked(asked) or read_asked("a"))
    assert "".join(piece.text for piece in pieces).removeprefix("… ").removesuffix(" …") in written


def test_words_are_folded_and_taken_apart() -> None:
    assert [fold(word) for word in ("Embeddings", "loss", "CAFÉ", "axis", "num_heads", "Straße")] == [
        "embedding", "loss", "cafe", "axi", "num_heads", "strasse",
    ]  # fmt: skip
    assert parts("LayerNorm") == ("layer", "norm")
    assert parts("d_model") == ("d", "model")
    assert parts("model") == ()


def test_formulas_are_read_as_one_would_type_them(unchanging: Database) -> None:
    with unchanging.reading() as db:
        said = db.execute(text("SELECT text FROM search_entry WHERE url = :url"), {"url": ROPE}).scalar_one()
    assert "d_model = 4" in said
    assert sections('<p>a<sup class="footnote-ref"><a>1</a></sup>b</p>')[0].text == "ab"


def test_the_page_and_the_api_show_results_without_trusting_them(serve: Serve, folder: Path) -> None:
    server = serve(exercises=folder / "exercises", lessons=folder / "lessons")
    with server.client() as client:
        page = client.get("/search", params={"q": "script alert"})
        answer = client.get("/api/v1/search", params={"q": "script alert"}).json()
    assert page.status_code == 200
    assert "&lt;<mark>script</mark>&gt;<mark>alert</mark>(1)" in page.text
    assert answer["has_all"] is True
    [result] = answer["results"]
    assert (result["kind"], result["course"], result["title"], result["heading"], result["url"]) == (
        "lesson", "The zoo", "Rotary tables", "Adding RoPE", ROPE,
    )  # fmt: skip
    assert {piece["text"] for piece in result["excerpt"] if piece["hit"]} == {"script", "alert"}


@pytest.mark.parametrize("asked", ["%00", "%FF%FE", "%22%2A", "x" * 10_000, "%E2%80%AE", "<script>"], ids=ascii)
def test_any_address_has_an_answer(server: Running, asked: str) -> None:
    with server.client() as client:
        for path, headers in (("/search", {}), ("/search", {"Lectern-Partial": "1"}), ("/api/v1/search", {})):
            answer = client.get(f"{path}?q={asked}", headers=headers)
            assert answer.status_code == 200, answer.text
            assert "<script>" not in answer.text.replace('<script type="module"', "")


def test_search_is_described_for_programs(server: Running) -> None:
    with server.client() as client:
        described = client.get("/api/v1/openapi.json").json()["paths"]["/api/v1/search"]["get"]
    assert [one["name"] for one in described["parameters"]] == ["q", "limit", "as_typed"]
    assert described["description"].startswith("Sections of lessons")
