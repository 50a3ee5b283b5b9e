"""Runs the code that test_plain.py asks for and says what each piece raises, and which names the libraries have. JSON
in, one line of JSON out."""

import json
import os
import sys
import traceback
import warnings
from collections.abc import Mapping
from typing import Any

import flax.linen
import jax
import jax.numpy
import numpy as np
import torch
import torch.nn.functional

from tests.graders.list_names import listing

FILE = "submission.py"
MODULES = """
class Table(nn.Module):
    @nn.compact
    def __call__(self, T):
        return self.param("pos_embed", nn.initializers.normal(0.02), (8, 3))[:T]

class NoCompact(nn.Module):
    def __call__(self, T):
        return self.param("pos_embed", nn.initializers.normal(0.02), (8, 3))[:T]

class Twice(nn.Module):
    @nn.compact
    def __call__(self, T):
        return [self.param("p", nn.initializers.normal(0.02), (8, 3)) for _ in range(2)]

class NoShape(nn.Module):
    @nn.compact
    def __call__(self, T):
        return self.param("p", nn.initializers.normal(0.02))
"""
UNREADY = """
class Unready(torch.nn.Module):
    def __init__(self):
        self.layer = torch.nn.Linear(4, 5)
"""


def names() -> Mapping[str, Mapping[str, Any]]:
    """What code of each framework finds imported and made."""
    namespaces = {
        "numpy": {"np": np},
        "jax": {"np": np, "jax": jax, "jnp": jax.numpy, "nn": flax.linen, "KEY": jax.random.PRNGKey(0)},
        "torch": {"np": np, "torch": torch, "F": torch.nn.functional},
    }
    exec(MODULES, namespaces["jax"])
    exec(UNREADY, namespaces["torch"])
    return {**namespaces, "unreadable": {}, "python": {}}


def raised(code: str, namespaces: Mapping[str, Any]) -> tuple[str, str, int | None]:
    """The type, message and line of what `code` raises."""
    try:
        exec(compile(code, FILE, "exec"), {**namespaces})
    except SyntaxError as error:
        return type(error).__name__, str(error.msg), error.lineno
    except BaseException as error:  # noqa: BLE001
        frames = traceback.extract_tb(error.__traceback__)
        return type(error).__name__, str(error), [frame.lineno for frame in frames if frame.filename == FILE][-1]
    raise AssertionError(f"{code} raises nothing in this version")


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    warnings.simplefilter("ignore")
    listed, found = listing(), names()
    pieces = [raised(code, found[framework]) for framework, code in asked]
    sys.stdout.write("\n" + json.dumps({"listing": listed, "raised": pieces}) + "\n")
