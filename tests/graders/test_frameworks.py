"""A framework is a file and a line in a table: nothing else of Lectern names it."""

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.cell import run_cell
from graders.exercise.definition import Exercise
from graders.frameworks import BY_NAME, FRAMEWORKS, home_of
from graders.inside.walls import ENVIRONMENT
from graders.verdict import Verdict
from tests.conftest import require_boxes
from tests.graders.conftest import DOUBLED_FILES, judged, make_exercise

ROOT = Path(__file__).resolve().parents[2]


def constant(path: str, name: str) -> object:
    """A constant of a module, from its text: a zygote that is imported clears the environment."""
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise AssertionError(f"{path} has no {name}")


RARE = constant("graders/inside/zygote.py", "RARE")

# Plain lists, as somebody would add them who teaches without any library.
LISTS = '''"""Plain Python lists."""

from typing import Any

from graders.frameworks.kind import CannotCross, Framework


class Vector(list):
    """What an array arrives as."""


def _arrive(array: Any) -> Any:
    return Vector(array.tolist())


def _leave(value: Any) -> Any:
    if not isinstance(value, Vector):
        return NotImplemented
    if any(isinstance(item, str) for item in value):
        raise CannotCross("a vector of words")
    import numpy

    return numpy.array(value, numpy.float32)


FRAMEWORK = Framework(
    name="lists", title="Python lists", imports=("numpy",), releases=("numpy",), parked=(1, 2),
    arrive=_arrive, leave=_leave,
)
'''
EXERCISE = {**DOUBLED_FILES, "exercise.toml": DOUBLED_FILES["exercise.toml"].replace('"jax", "torch"', '"lists"')}
RIGHT = "def doubled(x):\n    return type(x)(2 * item for item in x)\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, judge: Judge) -> Path:
    """This code with one more framework, and an exercise that offers it."""
    require_boxes(judge)
    tree = tmp_path_factory.mktemp("tree")
    left_out = shutil.ignore_patterns("__pycache__", "static")
    for part in ("app", "graders"):
        shutil.copytree(ROOT / part, tree / part, ignore=left_out)
    (tree / "graders" / "frameworks" / "lists.py").write_text(LISTS)
    table = tree / "graders" / "frameworks" / "__init__.py"
    text = table.read_text().replace("import jax, numpy", "import jax, lists, numpy")
    table.write_text(text.replace("    torch.FRAMEWORK,\n", "    torch.FRAMEWORK,\n    lists.FRAMEWORK,\n"))
    (folder := tree / "doubled").mkdir()
    for name, content in EXERCISE.items():
        (folder / name).write_text(content)
    return tree


def graded(tree: Path, source: str) -> dict[str, object]:
    (solution := tree / "solution.py").write_text(source)
    command = [sys.executable, "-m", "app", "grade", "doubled", str(solution), "--framework", "lists", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(tree), "LECTERN_DATA": str(tree / "var")}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_a_framework_is_added_by_a_file_and_a_line(tree: Path) -> None:
    verdict = graded(tree, RIGHT)
    assert (verdict["verdict"], verdict["framework"]) == ("accepted", "lists")
    assert graded(tree, "def doubled(x):\n    return x\n")["verdict"] == "wrong_answer"


def test_what_its_file_says_of_its_values_is_said(tree: Path) -> None:
    verdict = graded(tree, "def doubled(x):\n    return type(x)(['one', 'two'])\n")
    assert verdict["verdict"] == "wrong_answer"
    assert "a vector of words" in json.dumps(verdict)


def test_an_exercise_may_ask_for_it_and_for_no_other_that_is_not_there(tree: Path) -> None:
    config = tree / "doubled" / "exercise.toml"
    text = config.read_text()
    config.write_text(text.replace('"lists"', '"fortran"'))
    try:
        assert "fortran" in json.dumps(graded(tree, RIGHT))
    finally:
        config.write_text(text)


def test_each_is_whole() -> None:
    assert FRAMEWORKS == ("numpy", "jax", "torch", "python")
    for name, framework in BY_NAME.items():
        assert (framework.name, framework.title.lower().endswith(name)) == (name, True)
        assert "numpy" in BY_NAME[home_of(name)].imports
        assert framework.parked[0] <= framework.parked[1]


# What nearly every submission does, after what each box does before it.
USED = {
    "numpy": "import numpy.random, numpy.linalg, numpy.fft; numpy.random.default_rng(1).normal(size=3)",
    "jax": "import numpy.random, jax; from flax import linen, nnx; jax.jit(lambda x: 2 * x)(jax.numpy.ones(3))",
    "torch": "import torch, numpy.random; torch.nn.Linear(2, 3)(torch.ones(4, 2)).sum().backward()",
}
BOX = """
import importlib, sys
from graders.frameworks import BY_NAME
from graders.inside import cell, randomness, runner, warm, zygote
framework = BY_NAME[{name!r}]
for module in (*zygote.COMMON, *framework.imports):
    importlib.import_module(module)
framework.settle()
runner.rehearse("numpy")
randomness.seed_differently()
zygotes = set(sys.modules)
framework.wake()
runner.rehearse({name!r})
{used}
print(*sorted(set(sys.modules) - zygotes))
"""


@pytest.mark.parametrize("name", USED)
def test_a_box_imports_nothing_that_its_zygote_could_have_had(name: str) -> None:
    """A module that is imported once for all costs nothing; in each box NumPy's generators alone were ten libraries to
    open, and flax.nnx a tenth of a second."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", BOX.format(name=name, used=USED[name])],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


USES_ALL = f"""
import sys
found = [name for name in {RARE} if name in sys.modules]
assert not found, found

import importlib

assert importlib.util.find_spec("bz2").origin
import bz2, concurrent.futures, hashlib, hmac, logging, lzma, pathlib, secrets, shutil, tempfile
import ml_dtypes
import numpy as np

assert hashlib.sha256.__name__ == "openssl_sha256"
assert hmac.compare_digest(secrets.token_hex(4)[:0], "")
assert bz2.decompress(bz2.compress(b"x")) == lzma.decompress(lzma.compress(b"x")) == b"x"
assert np.ma.masked_all(3).mask.all()
assert ml_dtypes.finfo("float16").bits == 16
pathlib.Path("here").write_text("x")
with concurrent.futures.ThreadPoolExecutor(1) as pool:
    assert pool.submit(pathlib.Path("here").read_text).result() == "x"

def doubled(x):
    return 2 * x
"""
MASKED = "import numpy as np\n\ndef doubled(x):\n    return np.ma.masked_array(2 * x)\n"


def test_a_numpy_box_has_nothing_that_few_programs_use_and_they_find_all_of_it(judge: Judge, doubled: Exercise) -> None:
    result = judged(judge, doubled, USES_ALL, "numpy")
    assert result.verdict == Verdict.accepted, result


@pytest.mark.parametrize(
    "lines",
    [
        'return np.asarray(x, "bfloat16").astype("float32") * 2',
        'return x * 2 + np.zeros(2, "float8_e4m3fn").astype("float32").sum()',
        'return x * 2 + np.zeros(2, dtype=np.dtype("int4")).astype("float32").sum()',
    ],
)
def test_numpy_knows_all_names_of_dtypes_from_the_first_line(judge: Judge, lines: str) -> None:
    """In a submission, its reference, and cases.py."""
    source = f"import numpy as np\n\ndef doubled(x):\n    {lines}\n"
    cases = DOUBLED_FILES["cases.py"].replace("def hidden_cases", 'np.dtype("bfloat16")\n\ndef hidden_cases')
    exercise = make_exercise(cases_py=cases, reference_py=source)
    assert judged(judge, exercise, source, "numpy").verdict == Verdict.accepted


SIZES = """
def sample_cases(rng):
    yield "sizes", script({script!r})

def hidden_cases(rng):
    yield from ()
"""


@pytest.mark.parametrize("script", ["import numpy\nnumpy.dtype('bfloat16')\n2", "from provided import odd\nodd.size"])
def test_numpy_knows_them_in_a_script_and_in_a_provided_module(judge: Judge, script: str) -> None:
    odd = "import numpy\n\nsize = numpy.dtype('float8_e5m2').itemsize\n"
    exercise = make_exercise(cases_py=SIZES.format(script=script), provided__odd_py=odd)
    assert judged(judge, exercise, DOUBLED_FILES["reference.py"], "numpy").verdict == Verdict.accepted


def test_numpy_knows_them_in_a_cell(judge: Judge) -> None:
    run = run_cell(judge, "import numpy as np\nnp.dtype('bfloat16').itemsize")
    assert run.value is not None, run.error
    assert run.value.text == "2"


LEARNED = """
from graders.inside import zygote
errors, readable = zygote._learn()
print(*errors)
print(*readable)
"""


def test_what_few_programs_import_is_known_to_be_there_and_lies_where_a_box_may_read(tmp_path: Path) -> None:
    """The names of its exceptions are told for a hidden case; and its libraries may lie in folders of their own."""
    importlib.import_module("bz2")
    maps = Path("/proc/self/maps").read_text().splitlines()
    library = next((line.split()[-1] for line in maps if "/libbz2" in line), None)
    environment = dict(os.environ)
    if library is not None:
        (tmp_path / "libbz2.so.1.0").write_bytes(Path(library).read_bytes())
        environment["LD_LIBRARY_PATH"] = str(tmp_path)
    program = [sys.executable, "-P", "-c", LEARNED]
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    errors, readable = (line.split() for line in done.stdout.splitlines())
    assert {"BrokenExecutor", "LZMAError", "MaskError", "SameFileError", "ValueError"} <= set(errors)
    assert library is None or str(tmp_path) in readable, readable


SEEDED = """
import os
from graders.inside import zygote  # as a zygote does before it forks a box
import random
random.seed(1)
if os.fork() == 0:
    print(random.random(), flush=True)
    os._exit(0)
os.wait()
random.seed(1)
print(random.random())
"""


def test_a_fork_seeds_no_random_numbers_in_the_box() -> None:
    """What the zygote seeded before it is the box's own. Python would read other bytes after each fork."""
    program = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{SEEDED}"]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    box, zygote = done.stdout.split()
    assert box == zygote


def test_a_masked_array_is_refused_by_its_name(judge: Judge, doubled: Exercise) -> None:
    assert "a masked array" in str(judged(judge, doubled, MASKED, "numpy"))


TAKES_A_BOX = """
from graders.boxes.pool import Judge
with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
    judge.take("numpy").close()
"""


def test_what_boxes_alone_import_is_compiled_before_a_zygote_starts() -> None:
    """A zygote writes no bytecode: each would compile it from its source, and keep what that leaves behind."""
    runner = ROOT / "graders" / "inside" / "runner.py"
    compiled = Path(cache_from_source(str(runner)))
    compiled.unlink(missing_ok=True)
    subprocess.run([sys.executable, "-P", "-c", TAKES_A_BOX], cwd=ROOT, check=True)
    assert compiled.exists()


JAX_SETTLED = """
from concurrent.futures import ThreadPoolExecutor
import jax, numpy, os
from graders.frameworks import BY_NAME
BY_NAME["jax"].settle()
from jax._src import xla_bridge
from jax._src.interpreters import mlir
contexts = [mlir.make_ir_context() for _ in range(200)]
assert 200 / 40 < len({*map(id, contexts)}) < 200 / 16, "none keeps all constants"
del contexts
assert xla_bridge._plugins_registered
assert not xla_bridge._backends
assert len(os.listdir("/proc/self/task")) == 1

def compiled(size):
    slopes = jax.grad(lambda x: jax.numpy.tanh(x).sum())(jax.numpy.arange(float(size)))
    return jax.jit(lambda x: x.at[0].set(size))(slopes)[:2]

with ThreadPoolExecutor(4) as threads:
    for size, first in zip(range(2, 26), threads.map(compiled, range(2, 26)), strict=True):
        numpy.testing.assert_allclose(first, [size, 1 - numpy.tanh(1.0) ** 2], rtol=1e-5)
doubled = jax.jit(lambda x: 2 * x)
assert "stablehlo" in doubled.lower(jax.numpy.ones(3)).as_text()
assert jax.pure_callback(numpy.sin, jax.ShapeDtypeStruct((), "float32"), jax.numpy.zeros(())) == 0
"""


def test_jax_makes_once_what_it_would_make_for_each_program() -> None:
    """Plugins are looked for once, and the programs of a box share contexts, from all its threads. That is a third of
    what compiling costs; the names are JAX's own, so that a new release may need others here."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", JAX_SETTLED], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, **ENVIRONMENT},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
