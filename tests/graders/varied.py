"""A small exercise whose constant differs from student to student: multiply by two, three or five."""

from graders.exercise.definition import Exercise
from graders.exercise.reader import exercise_from_files

SCALED = "scaled"
FACTORS = (2, 3, 5)
FILES = {
    "exercise.toml": """
title = "Scaled"
entry = "scaled"
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 10
memory_mb = 256
output_kb = 64
[variants]
by = [2, 3, 5]
""",
    "statement.md": "Multiply each number by {{by}}.\n",
    "starter.py": "def scaled(x):\n    return x  # times {{by}}\n",
    "reference.py": "def scaled(x):\n    return x * {{by}}\n",
    "cases.py": """
import numpy as np

def sample_cases(rng):
    yield "three numbers", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    yield "four drawn", {"x": rng.standard_normal(4).astype(np.float32)}
    yield "many drawn", {"x": rng.uniform(-9, 9, 30).astype(np.float32)}
""",
    "hints.md": "1. One operation does it for all numbers.\n2. It is `x * {{by}}`.\n",
    "solution.md": "`x * {{by}}` multiplies each number by {{by}}.\n",
    "mistakes/added.py": '"""You add {{by}}: multiply by it."""\n\n\ndef scaled(x):\n    return x + {{by}}\n',
}


def scaled_files(**changed: str) -> dict[str, bytes]:
    """`changed`: texts by file name, `reference_py`; or `variants`, the lines of that section."""
    files = dict(FILES)
    if "variants" in changed:
        head, _, _ = files["exercise.toml"].partition("[variants]\n")
        files["exercise.toml"] = f"{head}[variants]\n{changed.pop('variants')}\n"
    for key, text in changed.items():
        name, _, ending = key.rpartition("_")
        files[f"{name}.{ending}"] = text
    return {name: text.encode() for name, text in files.items()}


def scaled(**changed: str) -> Exercise:
    """The first variant, with the others. Raises BrokenExercise."""
    return exercise_from_files(SCALED, scaled_files(**changed))


def answer(by: object) -> str:
    """What is right in the variant of this factor."""
    return f"def scaled(x):\n    return x * {by}\n"
