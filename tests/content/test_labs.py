"""Labs: their directive and its faults, and that what is drawn are the formulas' own numbers."""

import math
import struct
import zlib
from base64 import b64decode

import numpy as np
import pytest

from app.content.course import course_from_files
from app.content.labs import LABS, alibi_slopes, order_blindness, position_similarity, rotation, train_a_table
from app.content.labs.drawing import digits, heat_map
from app.content.labs.position_heat_map import reading
from app.content.labs.table import normals, random_table, sinusoidal, uniforms
from app.content.labs.training import train
from app.content.lesson import LabBlock, Lesson
from graders.exercise.fault import Fault


def lesson(body: str) -> Lesson:
    files = {"course.toml": b'title = "A"\nblurb = "B"\n', "01-a.md": f"---\ntitle: A\n---\n{body}".encode()}
    return course_from_files("demo", files).lessons[0]


def faults(body: str) -> list[Fault]:
    return [fault for fault in lesson(body).faults if fault.code == "lab"]


def test_a_lab_stands_in_its_lesson_with_its_options_and_caption() -> None:
    read = lesson("Before.\n\n:::{lab} position-heat-map\n:max_len: 16\nOf *waves*.\n:::\n\nAfter.\n")
    before, block, after = read.render().blocks
    assert isinstance(block, LabBlock)
    assert block.lab.options == {"max_len": 16, "d_model": 32, "base": 10000}
    assert block.lab.caption_html == "<p>Of <em>waves</em>.</p>\n"
    assert (before.kind, after.kind, read.faults) == ("html", "html", ())


@pytest.mark.parametrize(
    ("body", "line", "message", "hint"),
    [
        (":::{lab} heatmap\nC\n:::\n", 4, "no lab `heatmap`", "position-heat-map"),
        (":::{lab}\nC\n:::\n", 4, "has no name", "position-heat-map"),
        (":::{lab} position-heat-map\n:width: 3\nC\n:::\n", 5, "no option `width`", "max_len, d_model, base"),
        (":::{lab} position-heat-map\n:base: 10\n:max_len: 9\nC\n:::\n", 6, "`:max_len: 9`", "8 to 256 in steps of 8"),
        (":::{lab} position-heat-map\n:base: 9\nC\n:::\n", 5, "`:base: 9`", "one of 10, 30, 100"),
        (f":::{{lab}} position-heat-map\n:base: {'9' * 5000}\nC\n:::\n", 5, "`:base: 999", "one of"),
        (":::{lab} position-heat-map\n:::\n", 4, "no caption", "Below its options"),
    ],
)
def test_what_is_wrong_with_a_lab_is_said_with_its_line_and_remedy(
    body: str, line: int, message: str, hint: str
) -> None:
    (fault,) = faults(body)
    assert (fault.severity, fault.line) == ("error", line)
    assert message in fault.message
    assert hint in fault.hint


@pytest.mark.parametrize("kind", LABS.values(), ids=lambda kind: kind.name)
def test_a_lab_draws_itself_from_its_defaults(kind) -> None:  # type: ignore[no-untyped-def]
    assert all(option.default in option.values for option in kind.options)
    picture = kind.draw({option.name: option.default for option in kind.options})
    assert picture.reading
    assert all(picture.reading)


def test_the_sinusoids_are_those_of_the_paper() -> None:
    table = sinusoidal(50, 8, 10000)
    for pos in (0, 1, 7, 49):
        for i in range(4):  # Vaswani and others 2017, section 3.5, as it stands there
            assert table[pos, 2 * i] == pytest.approx(math.sin(pos / 10000 ** (2 * i / 8)), abs=1e-15)
            assert table[pos, 2 * i + 1] == pytest.approx(math.cos(pos / 10000 ** (2 * i / 8)), abs=1e-15)
    assert reading(1, 0, 64, 32, 10000)[0] == "PE[1, 0] = sin(1 / 10000^(0/32)) = 0.8415"
    assert reading(2, 3, 64, 4, 10000)[0] == "PE[2, 3] = cos(2 / 10000^(2/4)) = 0.9998"


def test_the_random_table_is_normal_seeded_and_the_same_in_any_language() -> None:
    # Its author published C; these are of the well-known translation to JavaScript, with seed 1.
    assert uniforms(1, 3) * 2**32 == pytest.approx([2693262067, 11749833, 2265367787])
    drawn = normals(3, 4000)
    assert abs(drawn.mean()) < 0.05
    assert abs(drawn.std() - 1) < 0.05
    assert np.array_equal(random_table(8, 4), random_table(8, 4))
    assert random_table(256, 32).std() == pytest.approx(0.02, rel=0.03)


def test_a_heat_map_is_a_png_for_each_side_of_zero() -> None:
    drawn = heat_map(np.array([[1.0, -0.5, 0.0], [4.0, -4.0, 0.25]]), 1, "six numbers")
    assert pixels(drawn.above) == (3, 2, [[255, 0, 0], [255, 0, 64]])
    assert pixels(drawn.below) == (3, 2, [[0, 128, 0], [0, 255, 0]])


def pixels(address: str) -> tuple[int, int, list[list[int]]]:
    """Read a grey PNG as its specification says, checksums included."""
    content = b64decode(address.removeprefix("data:image/png;base64,"))
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        name, body = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        assert struct.unpack(">I", content[place + 8 + length : place + 12 + length])[0] == zlib.crc32(name + body)
        chunks[name], place = body, place + 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = zlib.decompress(chunks[b"IDAT"])
    rows = [list(lines[row * (width + 1) + 1 : (row + 1) * (width + 1)]) for row in range(height)]
    return width, height, rows


def test_numbers_are_written_with_a_true_minus_and_no_negative_zero() -> None:
    assert [digits(value) for value in (0.84147, -0.41615, -0.00001, 0.0)] == ["0.8415", "−0.4162", "0.0000", "0.0000"]


def test_the_sinusoids_similarity_depends_on_the_distance_only_and_a_random_tables_does_not() -> None:
    waves, noise = position_similarity.tables(32, 16, 10000)
    for table, same in ((waves, True), (noise, False)):
        for apart in (1, 5, 20):
            diagonal = np.diag(position_similarity.similarity(table, 0), apart)
            assert (np.ptp(diagonal) < 1e-12) == same
    # the identity that lesson 2 gives: a sum of cosines
    expected = sum(math.cos(3 * 10000 ** (-2 * i / 16)) for i in range(8))
    assert position_similarity.similarity(waves, 0)[4, 7] == pytest.approx(expected)
    assert np.diag(position_similarity.similarity(noise, 1)) == pytest.approx(np.ones(32))


def test_attention_is_blind_to_order_until_positions_are_added() -> None:
    for order in ([2, 1, 0], [1, 2, 0], [3, 0, 2, 1]):
        assert order_blindness.difference(order, 0, placed=False) < 1e-12
        assert order_blindness.difference(order, 0, placed=True) > 0.01
    assert order_blindness.reading([2, 1, 0], 0)[0].endswith("equals output permuted: difference 0.0000")


def test_a_rotary_score_sees_the_difference_only_and_keeps_lengths() -> None:
    def score(m: int, n: int) -> float:
        return float(np.dot(rotation.rotate(rotation.QUERY, m, 100), rotation.rotate(rotation.KEY, n, 100)))

    assert score(5, 2) == pytest.approx(score(25, 22), abs=1e-12)
    assert abs(score(5, 2) - score(5, 3)) > 0.01
    turned = rotation.rotate(rotation.QUERY, 7, 100)
    assert np.linalg.norm(turned) == pytest.approx(np.linalg.norm(rotation.QUERY))
    # a pair is a complex number, and turning it is a product with e^(i·angle)
    assert complex(*turned[2:]) == pytest.approx(complex(*rotation.QUERY[2:]) * np.exp(1j * 7 * 0.1))


def test_slopes_are_the_papers_and_for_other_head_counts_the_authors() -> None:
    assert alibi_slopes.slopes(8) == tuple(2.0**-h for h in range(1, 9))
    assert alibi_slopes.slopes(16)[:2] == pytest.approx((2**-0.5, 0.5))

    def published(heads: int) -> list[float]:
        """What `get_slopes` in the authors' fairseq/models/transformer.py does, which is recursive."""
        if math.log2(heads).is_integer():
            return [2 ** (-8 * h / heads) for h in range(1, heads + 1)]
        lower = 2 ** math.floor(math.log2(heads))
        return published(lower) + published(2 * lower)[0::2][: heads - lower]

    for heads in range(1, 33):
        assert alibi_slopes.slopes(heads) == pytest.approx(published(heads))
    assert alibi_slopes.bias(0.5, 3).tolist() == [[0, 0, 0], [-0.5, 0, 0], [-1, -0.5, 0]]
    assert alibi_slopes.reading(9, 4, 8, 3) == (
        "head 3 of 8: m = 2^(−24/8) = 0.125",
        "query 9, key 4: −0.125 · |9 − 4| = −0.625",
    )


def test_the_committed_training_is_what_the_code_gives_and_grows_a_band() -> None:
    made = train(train_a_table.SEED)
    for (step, loss, table), frame in zip(made, train_a_table.frames(), strict=True):
        assert step == frame.step
        assert loss == pytest.approx(frame.loss, abs=1e-4)
        assert table == pytest.approx(frame.table, abs=2e-3)
    similar = position_similarity.similarity(made[-1][2], 1)
    assert np.diag(similar, 1).min() > 0.7
    assert np.diag(similar, 8).max() < 0
