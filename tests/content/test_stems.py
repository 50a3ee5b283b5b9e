"""Stems: which words are one for a search, and which are not; and that the table of synonyms is well kept."""

import pytest

from app.content.stems import stem
from app.content.synonyms import GROUPS, same_meaning, terms_in
from app.content.words import excerpt, fold, marked, read_asked


@pytest.mark.parametrize(
    "family",
    [
        "position positions positional positionally positioned",
        "embed embeds embedding embeddings embedded",
        "normalise normalised normalising normalisation normalize normalized normalization normalizer",
        "rotate rotates rotated rotating rotation rotations",
        "interpolate interpolated interpolation",
        "permute permuted permutation permutations",
        "compute computed computing computation",
        "multiply multiplies multiplied multiplying multiplication",
        "apply applies applied applying",
        "index indices indexes indexing indexed",
        "matrix matrices",
        "axis axes",
        "bias biases biased",
        "learn learned learning learnable",
        "scale scales scaled scaling",
        "note notes noted",
        "plan plans planned planning",
        "pad pads padded padding",
        "call calls called calling",
        "cancel cancelled canceled",
        "query queries",
        "colour colours color",
        "centre centred center centered",
        "independent independently",
    ],
)
def test_a_words_forms_have_one_stem(family: str) -> None:
    assert len({stem(fold(word)) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        "position positive", "normal norm normalise", "note not", "plane plan", "use us", "universe university",
        "general generate", "encoder encode", "seed see", "string sing", "here her", "variable vary", "care car",
        "exercise exert", "hour our", "table tab", "thing the", "need knee", "code cod",
    ],
)  # fmt: skip
def test_different_words_have_different_stems(words: str) -> None:
    assert len({stem(fold(word)) for word in words.split()}) == len(words.split())


@pytest.mark.parametrize("word", ["a", "d_model", "x1", "日本語", "éa", "ss", "ing", "eed", "ied", "ation", "ee"])
def test_what_has_no_ending_is_its_own_stem(word: str) -> None:
    assert stem(word) == word or word in ("ation", "ied")
    assert stem(word)


def test_synonyms_are_written_as_they_are_looked_up() -> None:
    """Singular and in lower case: their stems are those of what somebody types. None stands twice in a group."""
    for group in GROUPS:
        terms = group.split(", ")
        assert len(terms) > 1
        assert len(set(terms)) == len(terms)
        for word in group.replace(",", "").split():
            assert stem(word) == stem(fold(word)), word


def test_each_term_leads_to_the_others() -> None:
    for group in GROUPS:
        stems = {tuple(map(stem, map(fold, term.split()))) for term in group.split(", ")}
        for term in group.split(", "):
            own = tuple(map(stem, map(fold, term.split())))
            assert stems - {own} <= set(same_meaning(own)), term
            assert own not in same_meaning(own)
    assert same_meaning(["zebra"]) == ()


def test_the_longest_term_counts() -> None:
    words = ["the", "rotary", "position", "embedding", "weight"]
    found = [(start, end) for start, end, _ in terms_in(words)]
    assert found == [(1, 4), (4, 5)]


def test_stems_and_synonyms_are_marked() -> None:
    text = "Attention with linear biases is added; parameters too, and attention alone."
    assert [piece.text for piece in marked(text, read_asked("alibi")) if piece.hit] == ["Attention with linear biases"]
    assert [piece.text for piece in marked(text, read_asked("weights x")) if piece.hit] == ["parameters"]
    assert [piece.text for piece in excerpt(text, read_asked("adding")) if piece.hit] == ["added"]
    assert not any(piece.hit for piece in marked("positive linear", read_asked("positional alibi")))
