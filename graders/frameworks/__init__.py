"""The frameworks of exercises. To add one, add a file beside these and a line in the table."""

from graders.frameworks import jax, numpy, python, torch
from graders.frameworks.kind import Framework

_TABLE: tuple[Framework, ...] = (
    numpy.FRAMEWORK,
    jax.FRAMEWORK,
    torch.FRAMEWORK,
    python.FRAMEWORK,
)
BY_NAME = {framework.name: framework for framework in _TABLE}
FRAMEWORKS = tuple(BY_NAME)


def compiles(name: str) -> bool:
    """Whether a framework compiles each new shape, so that an exercise's sizes should be compiled ahead."""
    return BY_NAME[name].compiles


def home_of(name: str) -> str:
    """The framework whose boxes serve this one: most often itself."""
    return BY_NAME[name].boxes or name


def releases() -> tuple[str, ...]:
    """The packages of all frameworks whose releases may change an answer, each once."""
    return tuple(sorted({name for framework in _TABLE for name in framework.releases}))
