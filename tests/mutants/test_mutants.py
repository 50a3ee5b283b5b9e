"""Mutation testing of our own code: does any test notice when a line of it is wrong?

Some 200 mutants, drawn by a seed, spread evenly over the targets; each on its nearest tests. It takes an hour or more,
and runs only where it is asked for: `./lectern test mutants`. What survives is shown as a diff: write the test that
finds it, or say above the line why none can: `# mutants: …`.

    LECTERN_MUTANTS=40         how many in all (200)
    LECTERN_MUTANTS_SEED=7     which ones (0)
    pytest tests/mutants -k queue    of one target, its share of them
"""

import os
from collections.abc import Iterator

import pytest

from tests.mutants.mutate import sample
from tests.mutants.targets import TARGETS, Target
from tests.mutants.trial import Copy, Tally

COUNT = int(os.environ.get("LECTERN_MUTANTS") or 200)
SEED = os.environ.get("LECTERN_MUTANTS_SEED") or "0"
LEAST_SCORE = 0.9


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("mutants"))


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    """Of all targets that are tried in this run. Nine of ten mutants are killed, or the run fails at its end."""
    tally = Tally()
    yield tally
    assert tally.score >= LEAST_SCORE, str(tally)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_nearest_tests_notice_a_fault(
    target: Target, copy: Copy, tally: Tally, capsys: pytest.CaptureFixture[str]
) -> None:
    share = -(-COUNT // len(TARGETS))
    mutants = sample(target.modules(), share, f"{SEED} {target.name}")
    assert mutants
    seconds = copy.note(target)
    own = Tally()
    with capsys.disabled():
        print(f"\n\n{target.name}: {len(mutants)} mutants, seed {SEED}; without one its tests take {seconds:.0f} s")
        for path, mutant in mutants:
            own.tried.append(copy.try_mutant(target, path, mutant, seconds))
            print(own.tried[-1], flush=True)
        tally.tried += own.tried
        print(f"{target.name}: {own}\nin all: {tally}")
