"""The benchmark's own words. What it measures is benchmarks/results.md's business: no test is timed."""

import pytest

from benchmarks import cost
from benchmarks.bench import TASKS, Latency, report

from .conftest import Command


def test_it_says_what_it_does_and_knows_its_tasks(lectern: Command) -> None:
    process = lectern("bench", "--help")
    assert process.code == 0
    assert "--record" in process.out
    unknown = lectern("bench", "--only", "nonsense")
    assert unknown.code == 2
    assert "flax-five, jax" in unknown.err


@pytest.mark.extra
def test_the_soak_says_what_it_does_and_what_it_cannot_do(lectern: Command) -> None:
    shown = lectern("bench", "soak", "--help")
    assert shown.code == 0
    assert "--minutes" in shown.out
    refused = lectern("bench", "soak", "--database", "postgresql://127.0.0.1/x")
    assert refused.code == 2
    assert "--on cluster" in refused.err


def test_the_table_shows_each_task_beside_its_peers() -> None:
    rows = [Latency(TASKS[0], 5, [10.0, 12.0, 30.0], [2.0], [200.0], [], [1.5])]
    text = report(rows, [], [], ["Idle: 700 MB."], 3, "gather-five")
    assert "`./lectern bench --submissions 3 --only gather-five`" in text
    assert "| gather-five, numpy | 5 | 15 | 12.0 | 30.0 | 2.0 | 1.50 | 10.5 | 200 | not installed | 17 × |" in text
    assert "- Idle: 700 MB." in text


def test_processor_time_is_told_for_one_submission() -> None:
    before = dict.fromkeys(("all", *cost.PARTS, *cost.BELOW), 1.0)
    after = {**before, "all": 41.0, "workers": 11.0, "boxes": 31.0}
    assert (
        cost.line("NumPy", before, after, 10) == "| NumPy | 4.0 | 0.0 | 0.0 | 1.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 3.0 |"
    )
    assert {line.count("|") for line in (*cost.heading(), cost.line("NumPy", before, after, 10))} == {12}
