"""What boxes have compiled before a submission comes: of use, and honest."""

import json
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from graders.boxes.warmth import (
    COMMON_CALLS,
    COMMON_DECLARATIONS,
    COMMON_SIZES,
    CompileCache,
    Warmth,
    at_common_sizes,
    read_calls,
)
from graders.boxes.warmth import warmth_of as warmth_at
from graders.exercise.built import cases_of
from graders.exercise.cases import warmth_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.dims import Dims
from graders.verdict import Verdict
from tests.conftest import require_boxes
from tests.graders.ordinary_container import CONTAINER, HIDDEN_PYTHON
from tests.waiting import LIMIT_SECONDS, exit_code, until

from .conftest import judged, make_exercise, unhurried

pytestmark = pytest.mark.usefixtures("common_sizes")
ANY_SIZE = (("key",), ("flax",))
COUNT_HITS = """
import jax
hits = []
jax.monitoring.register_event_listener(lambda name, **more: hits.append(name))
"""


def changed(exercise: Exercise, **files: str) -> Exercise:
    """The same exercise with other files: `reference_py="…"`."""
    texts = {name.replace(".", "_").replace("/", "__"): data.decode() for name, data in exercise.files.items()}
    return make_exercise(exercise.slug, **{**texts, **files})


def warmth(judge: Judge, exercise: Exercise) -> Warmth:
    found = warmth_of(exercise, cases_of(judge, exercise))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def compiled(judge: Judge, flax: Exercise, tmp_path_factory: pytest.TempPathFactory) -> CompileCache:
    """The cache of the Flax exercise: what it declares, and of the usual calls those that compile little."""
    cache = CompileCache(tmp_path_factory.mktemp("compiled"))
    wanted = warmth(judge, flax)
    filling = cache.fill(quick(wanted), wanted.wide)
    assert filling is not None
    assert exit_code(filling) == 0
    return cache


def quick(wanted: Warmth) -> list[tuple[Any, ...]]:
    return [call for call in (*wanted.calls, *wanted.fill) if call[0] not in ("elementwise", "reductions", "uniform")]


def programs(cache: CompileCache) -> dict[str, bytes]:
    """Every program in the cache, unpacked, by a name that tells what was compiled and at which sizes."""
    return {path.name: zlib.decompress(path.read_bytes()) for path in cache.folder.glob("*-cache")}


def test_the_calls_depend_on_neither_reference_nor_hidden_cases(judge: Judge, flax: Exercise) -> None:
    other = changed(
        flax,
        reference_py="def learned_pos_embed_forward(seed, T, d_model):\n"
        "    import jax.numpy as jnp\n    return jnp.full((T * d_model,), 123.0)\n",
        cases_py=flax.cases.text.split("def hidden_cases")[0]
        + 'def hidden_cases(rng):\n    yield "huge", {"seed": 1, "T": 31, "d_model": 77}\n',
    )
    assert other.judging_hash != flax.judging_hash
    assert warmth(judge, other) == warmth(judge, flax)


@pytest.mark.extra
def test_no_byte_of_a_reference_and_no_hidden_shape_is_in_the_cache(
    judge: Judge, flax: Exercise, compiled: CompileCache, tmp_path: Path
) -> None:
    found = programs(compiled)
    assert len(found) > 30
    for name, data in found.items():
        for secret in (b"LearnedPos", b"pos_embed", b"learned_pos", b"\x0a\xd7\xa3\x3c"):  # the last is 0.02
            assert secret not in data, (name, secret)
    assert any(b"_normal" in data for data in found.values()), "words like these would be found"

    # The same calls at the sizes that only hidden cases have: none of those programs is there, all of a sample's are.
    def at(*dims: Dims) -> set[str]:
        other = CompileCache(tmp_path / str(dims[0]["T"]))
        wanted = warmth_at(flax.warm, flax.signature, dims)
        sized = [call for call in quick(wanted) if call not in ANY_SIZE]
        filling = other.fill(sized, wanted.wide)
        assert filling is not None
        assert exit_code(filling) == 0
        return set(programs(other))

    hidden = {
        case.dims["T"] * 100 + case.dims["d_model"]: case.dims
        for case in cases_of(judge, flax)
        if not case.sample and case.script is None
    }
    samples = [case.dims for case in cases_of(judge, flax) if case.sample and case.script is None]

    def sizes(dims: Dims) -> set[int]:
        return {dims["d_model"], dims["T"] * dims["d_model"]}

    of_samples = set().union(*map(sizes, samples))
    only_hidden = [dims for dims in hidden.values() if not sizes(dims) & of_samples]
    assert only_hidden
    drawn = {name for name in at(*only_hidden) if name.startswith(("jit__normal-", "jit_dynamic_slice-"))}
    assert len(drawn) >= 2
    assert not drawn & set(found)
    assert {name for name in at(samples[0]) if name.startswith("jit__normal-")} <= set(found)


def test_what_one_exercise_fills_another_author_cannot_steer(judge: Judge) -> None:
    """Only names of the catalogue, only sizes of the sample cases."""
    for call in ("__import__('os')", "open('/etc/passwd')", "jax.jit(f)", "rows(float32[N], M)", "rows(float32[N])",
                 "rows(float32[N], -1)", "cast(float32[N], object)", "normal(str)", "flatten(float32[K])"):  # fmt: skip
        with pytest.raises(BrokenExercise) as broken:
            warm_exercise(call)
        assert broken.value.path == "exercise.toml"
        assert broken.value.line is not None, call


def warm_exercise(*calls: str) -> Exercise:
    toml = make_exercise().files["exercise.toml"].decode()
    return make_exercise(exercise_toml=f"{toml}\n[warm]\njax = {list(calls)!r}\n")


def test_declared_calls_take_the_sizes_of_the_sample_cases(judge: Judge) -> None:
    exercise = warm_exercise("flatten(float32[N, 2])", "rows(float32[8], N)", "key")
    assert warmth(judge, exercise).calls == (
        ("flatten", ("float32", (3, 2))),
        ("rows", ("float32", (8,)), 3),
        ("key",),
    )
    with pytest.raises(ValueError, match="use one of"):
        read_calls(["train(float32[N])"], exercise.signature)


def test_declared_calls_are_compiled_at_common_sizes_too() -> None:
    many = "take(float32[N, 2*N], int32[N])", "elementwise(float32[N])", "normal(float32[7])"
    exercise = warm_exercise("flatten(float32[N, 2])", "rows(float32[16], N)", *many)
    flattened, rows, taken = at_common_sizes(exercise.warm)
    assert flattened == tuple(("flatten", ("float32", (size, 2))) for size in COMMON_SIZES)
    assert ("rows", ("float32", (16,)), 10) in rows
    assert ("take", ("float32", (8, 16)), ("int32", (8,))) in taken
    declared = read_calls([f"flatten(float32[N, {size}])" for size in range(1, 100)], exercise.signature)
    assert len(list(at_common_sizes(declared))) == COMMON_DECLARATIONS, "an author who names everything"


def test_what_names_many_dimensions_is_compiled_at_few_sizes(flax: Exercise) -> None:
    names = ("seed", "T", "d_model")
    declared = read_calls(["matmul(float32[T, d_model], float32[d_model, seed])"], flax.signature)
    (found,) = at_common_sizes(declared)
    assert {call[1][1][0] for call in found} == {*COMMON_SIZES[:5]}
    assert len(found) == 5 ** len(names) <= COMMON_CALLS


def test_a_hidden_size_that_is_common_is_not_compiled(flax: Exercise, doubled: Exercise, tmp_path: Path) -> None:
    sized = [("normal", ("float32", (32, 16))), ("rows", ("float32", (32, 16)), 10), ("flatten", ("float32", (10, 16)))]
    assert {*sized} <= {call for calls in at_common_sizes(flax.warm) for call in calls}
    cache = CompileCache(tmp_path)
    filling = cache.fill([("key",), *sized], wide=False)
    assert filling is not None
    assert exit_code(filling) == 0
    source = f"""{COUNT_HITS}
def doubled(x):
    def draw(width):
        hits.clear()
        table = 0.02 * jax.random.normal(jax.random.PRNGKey(1), (32, width))
        jax.numpy.ravel(table[:10])
        return sum(name.endswith("cache_hits") for name in hits)
    print(draw(16), draw(17))
    return 2 * x
"""
    with Judge(tmp_path, frameworks=["numpy", "jax"], parked={"numpy": 1, "jax": 1}) as cached:
        require_boxes(cached, "jax")
        result = judged(cached, unhurried(doubled), source, "jax")
    assert result.verdict == Verdict.accepted, result
    assert result.cases[0].stdout == "4 0\n", "its four programs came from the cache, and none of another size"


@pytest.fixture(scope="module")
def cached(compiled: CompileCache) -> Iterator[Judge]:
    """A judge whose boxes see the cache."""
    with Judge(compiled.folder.parents[1], frameworks=["numpy", "jax"], parked={"numpy": 1, "jax": 2}) as judge:
        require_boxes(judge, "jax")
        yield judge


def test_a_box_reads_the_cache_and_cannot_write_it(cached: Judge, doubled: Exercise, compiled: CompileCache) -> None:
    before = {path.name: path.read_bytes() for path in compiled.folder.iterdir()}
    victim = next(iter(programs(compiled)))
    source = f"""{COUNT_HITS}
import os
def doubled(x):
    jax.random.normal(jax.random.PRNGKey(1), (32, 3))
    print(sum(name.endswith("cache_hits") for name in hits))
    folder = jax.config.jax_compilation_cache_dir
    victim, new = os.path.join(folder, {victim!r}), os.path.join(folder, "new")
    for attempt in (lambda: open(victim, "wb"), lambda: open(new, "wb"), lambda: os.remove(victim),
                    lambda: os.rename(folder, folder + "2")):
        try:
            attempt()
            print("BREACH")
        except OSError: pass
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    return jax.jit(lambda x: x * 2)(x)
"""
    result = judged(cached, unhurried(doubled), source, "jax")
    assert result.verdict == Verdict.accepted, result
    prints = result.cases[0].stdout or ""
    assert "BREACH" not in prints
    assert int(prints.split()[0]) >= 1, "the program for drawing at a sample's size came from the cache"
    assert {path.name: path.read_bytes() for path in compiled.folder.iterdir()} == before


def test_a_box_waits_for_the_exercise_that_was_asked_for(cached: Judge, flax: Exercise, doubled: Exercise) -> None:
    wanted = warmth(cached, flax)
    cached.expect(wanted)
    until(lambda: [box.warmth for box in list(cached.keepers["jax"].parked)] == [wanted.digest] * 2)
    source = f"""{COUNT_HITS}
compiled = []
jax.monitoring.register_event_duration_secs_listener(lambda name, seconds, **more: compiled.append(name))
{flax.reference.text}
forward = learned_pos_embed_forward
def learned_pos_embed_forward(seed, T, d_model):
    compiled.clear()
    answer = forward(seed, T, d_model)
    print(len([name for name in compiled if "backend_compile" in name]))
    return answer
"""
    result = judged(cached, flax, source, "jax")
    assert result.verdict == Verdict.accepted
    assert [case.stdout for case in result.cases if case.sample] == ["0\n"] * 4, "no sample case compiled anything"
    assert judged(cached, unhurried(doubled), doubled.reference.text, "jax").verdict == Verdict.accepted, (
        "and it serves others"
    )


def test_a_box_warmed_in_64_bits_serves_32_bits_and_the_other_way_round(cached: Judge, doubled: Exercise) -> None:
    toml = doubled.files["exercise.toml"].decode().replace("float32", "float64")
    cases = doubled.cases.text.replace("np.float32", "np.float64")
    wide = make_exercise(
        "doubled-wide", exercise_toml=toml + '\n[warm]\njax = ["flatten(float64[N])"]\n', cases_py=cases
    )
    wanted = warmth(cached, wide)
    assert wanted.wide
    for exercise in (wide, doubled, wide):
        with_box = cached.take("jax", warmth=None)
        try:
            with_box.warm(wanted)
        finally:
            with_box.close()
        cached.expect(wanted)
        assert judged(cached, exercise, exercise.reference.text, "jax").verdict == Verdict.accepted


def test_the_pool_grows_with_demand_and_shrinks_again(doubled: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    with Judge(frameworks=["numpy"], parked={"numpy": (1, 3)}) as judge:
        require_boxes(judge)
        keeper = judge.keepers["numpy"]
        boxes = [judge.take("numpy") for _ in range(6)]
        for box in boxes:
            box.close()
        assert keeper.size == 3
        monkeypatch.setattr("graders.boxes.keeper.IDLE_SECONDS", 0.05)
        with keeper.changed:
            keeper.changed.notify_all()
        until(lambda: keeper.size == 1 and len(keeper.parked) <= 1)
    assert (keeper.size, len(keeper.parked)) == (1, 0)  # closed by now


CLOSED = """
import json, os, pathlib, sys
os.umask(0o077)
from graders.grade import grade
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.warmth import CompileCache
from tests.graders.conftest import make_exercise, unhurried
cache, source = pathlib.Path(sys.argv[1]) / "data" / "cache", sys.argv[2].encode()
compiled = CompileCache(cache)
assert compiled.fill([("normal", ("float32", (32, 3)))], False).wait(300) == 0
assert cache.stat().st_mode & 0o777 == cache.parent.stat().st_mode & 0o777 == 0o700
with Judge(cache, frameworks=["numpy", "jax"], parked={"numpy": 1, "jax": 1}) as judge:
    try:
        judge.take("jax").close()
    except JudgeUnavailable as refused:
        print(json.dumps({"refused": refused.message}))
        raise SystemExit
    *_, last = grade(unhurried(make_exercise()), source, "jax", judge)
    case = last.result.cases[0]
    print(json.dumps({"said": case.stdout, "error": case.error and case.error.message, "walls": judge.walls()}))
"""
HITS = f"""{COUNT_HITS}
import os
def doubled(x):
    jax.random.normal(jax.random.PRNGKey(1), (32, 3))
    print(sum(name.endswith("cache_hits") for name in hits) > 0)
    folder = jax.config.jax_compilation_cache_dir
    for way in ("/..", "/../..", "/../../.."):
        try:
            os.listdir(folder + way)
            print("BREACH", way)
        except OSError: pass
    return 2 * x
"""


@pytest.mark.extra
@pytest.mark.parametrize("rules", ["", CONTAINER.partition("import json, pathlib")[0]], ids=["as it is", "container"])
def test_boxes_of_another_user_read_the_cache_in_a_closed_folder(tmp_path: Path, rules: str) -> None:
    """The server's umask is 077 and its data folder 0700; a root server's boxes are somebody else."""
    ran = subprocess.run(
        [sys.executable, "-c", rules + CLOSED, str(tmp_path), HITS],
        cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, timeout=LIMIT_SECONDS,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    if rules and HIDDEN_PYTHON:
        assert "only root may enter" in found["refused"]
        return
    assert found.get("said") == "True\n", found
