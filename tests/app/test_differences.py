"""What changed between two sources, and who may ask."""

import itertools
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.practice.differences import LINES_MAX, differences
from app.practice.submissions import neighbours
from tests.conftest import Running

GATHER = "learned-absolute-position-embedding"
SUBMISSIONS = f"/api/v1/exercises/{GATHER}/submissions"


def test_lines_and_words_that_changed_are_marked() -> None:
    found = differences("a = 1\nreturn table[T]\nz\n", "a = 1\nreturn table[:T]\nz\nmore")
    assert (found.removed, found.added, found.cut) == (1, 2, False)
    changed = next(block for block in found.blocks if not block.same)
    assert "<mark>" not in changed.left[0].html
    assert changed.right[0].html.count("<mark>:</mark>") == 1
    assert [line.number for line in changed.right] == [2]


def test_line_ends_and_a_last_one_make_no_difference() -> None:
    assert differences("a\r\nb", "a\nb\n").is_equal
    assert differences("", "").is_equal
    assert not differences("", "a").is_equal


def test_what_was_typed_is_never_markup() -> None:
    found = differences("x = '<b>'", "x = '<script>'\n\0\ud800")
    html = "".join(line.html for block in found.blocks for line in (*block.left, *block.right))
    assert "<script>" not in html
    assert "<b>" not in html


def test_long_stretches_that_are_the_same_are_passed_over() -> None:
    lines = [f"line_{number}" for number in range(100)]
    found = differences("\n".join(lines), "\n".join([*lines[:50], "new", *lines[50:]]))
    assert (found.removed, found.added) == (0, 1)
    assert sum(len(block.left) for block in found.blocks) == 6


def test_every_line_is_shown_or_counted_once() -> None:
    draw = random.Random(3)
    for _ in range(50):
        old, new = ([draw.choice("abcdef") for _ in range(draw.randrange(40))] for _ in range(2))
        found = differences("\n".join(old), "\n".join(new))
        for side, lines in (("left", old or [""]), ("right", new or [""])):
            shown = [line.number for block in found.blocks for line in getattr(block, side)]
            assert shown == sorted(set(shown))
            assert len(shown) + sum(block.passed for block in found.blocks) == len(lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\n" * 16_000, "b\n" * 16_000),
        ("a\nb\n" * 8_000, "b\nb\na\n" * 5_000),
        ("a b " * 8_000, "a c " * 8_000),
        ("a b a b a b\n" * 2_500, "b a b a b a\n" * 2_500),
    ],
    ids=["all new", "few lines", "one line", "few words"],
)
def test_what_is_made_to_be_slow_is_cut_short(old: str, new: str) -> None:
    with at_most(5_000_000):
        found = differences(old, new)
    assert found.cut == (old.count("\n") > LINES_MAX)


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Fails as soon as the block has called more functions. Unlike a time, a count is the same on a busy machine.

    What is cut short takes a quarter of it at most, and what is not takes minutes to hours.
    """
    spent = itertools.count()

    def count(frame: object, event: str, argument: object) -> None:
        assert next(spent) < 2 * calls, "it is not cut short"  # a call and its end are two events

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


def test_two_of_ones_own_are_compared_and_nobody_elses(server: Running) -> None:
    with server.guest() as mine, server.guest() as theirs:
        a, b, c = (mine.post(SUBMISSIONS, json={"source": f"x = {n}"}).json()["id"] for n in range(3))
        foreign = theirs.post(SUBMISSIONS, json={"source": "secret = 7"}).json()["id"]
        page = mine.get(f"/submissions/{a}/differences/{b}")
        assert page.status_code == 200
        assert f'href="/submissions/{b}/differences/{c}"' in page.text
        for path in (
            f"{a}/differences/{foreign}",
            f"{foreign}/differences/{a}",
            f"{a}/differences/x",
            "x/differences/1",
        ):
            answer = mine.get(f"/submissions/{path}")
            assert answer.status_code == 404
            assert "secret" not in answer.text
        assert mine.get(f"/submissions/{a}/differences/starter").status_code == 200
        assert mine.get(f"/submissions/{a}/differences/draft").status_code == 404
        mine.put(f"/api/v1/exercises/{GATHER}/drafts/numpy", json={"source": "drafted = 1", "revision": 0})
        assert "drafted" in mine.get(f"/submissions/{a}/differences/draft").text
        assert mine.get(f"/submissions/{foreign}/source").status_code == 404
        assert mine.get(f"/submissions/{a}/source").text == "x = 0"
        with server.state.db.reading() as db:
            from app.practice.submissions import Submission

            assert neighbours(db, db.get_one(Submission, b)) == (a, c)


def test_boxes_that_are_ticked_lead_to_the_older_one_first(server: Running) -> None:
    path = f"/exercises/{GATHER}/differences"
    with server.client() as client:
        for picked, address in [
            (["12", "9"], "/submissions/9/differences/12"),
            (["draft", "9"], "/submissions/9/differences/draft"),
            (["starter", "9"], "/submissions/9/differences/starter"),
        ]:
            answer = client.get(path, params={"pick": picked})
            assert (answer.status_code, answer.headers["location"]) == (303, address)
        for nothing in ([], ["9"], ["starter", "draft"], ["9", "10", "11"], ["9", "//evil"]):
            assert client.get(path, params={"pick": nothing}).status_code == 422


def test_the_list_goes_on_by_pages_and_is_ones_own(server: Running) -> None:
    with server.guest() as client, server.guest() as other:
        ids = [client.post(SUBMISSIONS, json={"source": f"x = {n}"}).json()["id"] for n in range(14)]
        first = client.get(f"/exercises/{GATHER}/submissions")
        assert f"before={ids[2]}" in first.text
        second = client.get(f"/exercises/{GATHER}/submissions", params={"before": ids[2]})
        assert f'href="/submissions/{ids[0]}"' in second.text
        assert f'href="/submissions/{ids[5]}"' not in second.text
        assert f'href="/submissions/{ids[13]}"' in client.get(f"/exercises/{GATHER}").text
        assert "/submissions/" + str(ids[13]) not in other.get(f"/exercises/{GATHER}/submissions").text
