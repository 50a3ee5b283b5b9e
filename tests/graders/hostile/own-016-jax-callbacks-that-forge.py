# allowed: runtime_error, wrong_answer
# framework: jax
# limits: wall_seconds=5
# JAX calls back into Python, on threads of its own, where a reply is forged.
# All threads of a box are behind its walls, and none of them knows an answer.

import json, os, struct, sys, time
def frame(tree, blob=b""):
    text = json.dumps({"d": tree}).encode()
    return struct.pack(">II", len(text), len(blob)) + text + blob
def question():
    frame_ = sys._getframe()
    while frame_ is not None:
        if "request" in frame_.f_locals: return frame_.f_locals["request"]["n"]
        frame_ = frame_.f_back
    return 2

import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
n = 2
def forge(value):
    os.write(3, frame({"n": n, "ok": True, "verdict": "accepted"}))
    return np.asarray(value)
@jax.jit
def solve(x):
    y = jax.pure_callback(forge, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    return io_callback(forge, jax.ShapeDtypeStruct(x.shape, x.dtype), y)
