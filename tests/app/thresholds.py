"""A small exercise whose cases miss what one mutant and one mistake do at the threshold, and the case that does not."""

STATEMENT = "Keep what is larger than one half, and put 0 in place of the rest.\n"
TOML = """title = "Above the threshold"
entry = "solve"
frameworks = ["numpy"]

[signature]
x = "float64[N]"
returns = "float64[N]"

[tolerance]
rtol = 1e-9
atol = 1e-12
"""
CASES = """import numpy as np


def sample_cases(rng):
    yield "three", {"x": np.array([0.25, 0.75, 2.125])}


def hidden_cases(rng):
    yield "six drawn", {"x": rng.uniform(0, 1, 6)}
    yield "nine drawn", {"x": rng.uniform(-2, 2, 9)}
"""
REFERENCE = """import numpy as np


def solve(x):
    return np.where(x > 0.5, x, 0.0)
"""
KEEPS_EQUAL = '''"""You keep what equals the threshold: only what is larger stays."""

import numpy as np


def solve(x):
    return np.where(x >= 0.5, x, 0.0)
'''
KEEPS_ALL = '''"""You keep everything: nothing is replaced by 0."""


def solve(x):
    return x + 0.0
'''
AT_THE_THRESHOLD = '    yield "at the threshold", {"x": np.array([0.5, 0.75])}\n'

FILES = {
    "exercise.toml": TOML,
    "statement.md": STATEMENT,
    "starter.py": 'def solve(x):\n    raise NotImplementedError("return an array")\n',
    "reference.py": REFERENCE,
    "cases.py": CASES,
    "hints.md": "1. Look for a function that chooses between two arrays.\n",
    "solution.md": "`np.where` chooses.\n",
    "mistakes/keeps-all.py": KEEPS_ALL,
    "mistakes/keeps-equal.py": KEEPS_EQUAL,
}


def thresholds(**changed: str) -> dict[str, bytes]:
    """Its files; `cases_py` and other names change them."""
    texts = FILES | {name.replace("_", ".", 1): text for name, text in changed.items()}
    return {name: text.encode() for name, text in sorted(texts.items())}


def sound_thresholds() -> dict[str, bytes]:
    """With the case that tells both apart."""
    return thresholds(cases_py=CASES + AT_THE_THRESHOLD)
