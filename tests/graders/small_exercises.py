"""Small exercises that tests of diagnoses share: a few lines of reference, a handful of cases."""

import re

from graders.exercise.definition import Exercise

from .conftest import make_exercise

TOML = """
title = "Made for one test"
entry = "f"
frameworks = ["numpy", "jax", "torch"]
[signature]
{parameters}
returns = "{returns}"
[tolerance]
rtol = 1e-5
atol = 1e-6
"""


def exercise(parameters: str, returns: str, reference: str, samples: list[str], hidden: list[str]) -> Exercise:
    """`samples` and `hidden` are the inputs of a case each, as arguments of dict(); `x(2, 3)` draws an array."""
    names = re.findall(r"^(\w+) *=", parameters, re.MULTILINE)

    def cases(all_: list[str]) -> str:
        return (
            "".join(f"    yield 'case {n}', dict({inputs})\n" for n, inputs in enumerate(all_))
            or "    return iter(())\n"
        )

    return make_exercise(
        "made",
        exercise_toml=TOML.format(parameters=parameters, returns=returns),
        starter_py=f"def f({', '.join(names)}):\n    return None\n",
        reference_py=f"import numpy as np\n\n{reference}",
        cases_py="import numpy as np\n\ndef draw(rng):\n"
        "    return lambda *shape: rng.normal(size=shape).astype(np.float32)\n"
        f"def sample_cases(rng):\n    x = draw(rng)\n{cases(samples)}"
        f"def hidden_cases(rng):\n    x = draw(rng)\n{cases(hidden)}",
    )


def program(made: Exercise, lines: str) -> str:
    """A submission: the function that the exercise asks for, with these lines in it."""
    names = ", ".join(parameter.name for parameter in made.signature.parameters)
    return f"import numpy as np\n\ndef {made.entry}({names}):\n{lines}"


CUBE = exercise(
    'x = "float32[N, T, C]"', "float32[N, T, C]", "def f(x):\n    return 3 * x + np.float32(0.3)\n",
    ["x=x(2, 3, 4)", "x=x(3, 4, 6)"], ["x=x(2, 5, 4)", "x=x(4, 3, 6)"],
)  # fmt: skip
LINE = exercise('x = "float32[N]"', "float32[N]", "def f(x):\n    return 3 * x + np.float32(0.3)\n",
                ["x=x(6)", "x=x(8)"], ["x=x(10)", "x=x(4)"])  # fmt: skip
WAVES = exercise(
    'T = "int"\nd_model = "int"', "float32[T, d_model]",
    "def f(T, d_model):\n    angle = np.arange(T)[:, None] / 100 ** (np.arange(0, d_model, 2) / d_model)\n"
    "    out = np.empty((T, d_model), np.float32)\n    out[:, 0::2], out[:, 1::2] = np.sin(angle), np.cos(angle)\n"
    "    return out\n",
    ["T=5, d_model=6", "T=4, d_model=8"], ["T=7, d_model=10"],
)  # fmt: skip
FLAT = exercise('x = "float32[T, C]"\nT = "int"\nC = "int"', "float32[T*C]",
                "def f(x, T, C):\n    return (2 * x + np.float32(0.5)).reshape(-1)\n",
                ["x=x(3, 4), T=3, C=4"], ["x=x(2, 5), T=2, C=5"])  # fmt: skip
MEAN = exercise('x = "float32[N, C]"', "float32[N]", "def f(x):\n    return x.mean(axis=1)\n",
                ["x=x(4, 6)", "x=x(5, 5)"], ["x=x(3, 7)"])  # fmt: skip
SOFTMAX = exercise('x = "float32[N, C]"', "float32[N, C]",
                   "def f(x):\n    e = np.exp(x)\n    return e / e.sum(axis=1, keepdims=True)\n",
                   ["x=x(4, 6)", "x=x(5, 5)"], ["x=x(3, 7)"])  # fmt: skip
ENERGY = exercise('x = "float32[N, C]"', "float32[N]", "def f(x):\n    return np.tanh(x ** 2 + x).sum(axis=1)\n",
                  ["x=x(4, 6)", "x=x(3, 5)"], ["x=x(3, 7)"])  # fmt: skip
MASK = exercise('x = "float32[T, T]"', "float32[T, T]", "def f(x):\n    return np.tril(2 * x)\n",
                ["x=x(4, 4)", "x=x(5, 5)"], ["x=x(6, 6)"])  # fmt: skip
TWO = exercise('x = "float32[N]"\nby = "float32[N]"', "float32[N]", "def f(x, by):\n    return x * 2 + by * by\n",
               ["x=np.arange(4, dtype=np.float32), by=x(4)", "x=np.arange(4, dtype=np.float32), by=x(4)"],
               ["x=x(4), by=x(4)"])  # fmt: skip
PAIR = exercise('x = "float32[N, C]"', "tuple[float32[N, C], float32[N]]", "def f(x):\n    return x + 1, "
    "x.sum(axis=1)\n",
                ["x=x(5, 4)"], ["x=x(6, 5)"])  # fmt: skip
