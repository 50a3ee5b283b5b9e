"""Tables of positions: the sinusoids, and a learned table before training. draw.js computes the same numbers."""

import math

import numpy as np

from app.content.labs.drawing import Array

STDDEV = 0.02
SEED = 7


def sinusoidal(max_len: int, d_model: int, base: float) -> Array:
    """(max_len, d_model): sine and cosine in turn (Vaswani and others 2017, section 3.5, with 10000 for base)."""
    column = np.arange(d_model)
    angle = np.arange(max_len)[:, None] / base ** (2 * (column // 2) / d_model)  # (max_len, d_model)
    return np.where(column % 2, np.cos(angle), np.sin(angle))


def random_table(max_len: int, d_model: int, seed: int = SEED) -> Array:
    """(max_len, d_model): independent normal numbers of standard deviation 0.02, as GPT and BERT start with."""
    return STDDEV * normals(seed, max_len * d_model).reshape(max_len, d_model)


def normals(seed: int, count: int) -> Array:
    """(count,) standard normal numbers by Box and Muller's method (1958), from `uniforms`."""
    drawn = uniforms(seed, 2 * count)
    radii, turns = drawn[0::2], drawn[1::2]
    return np.array(
        [math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * v) for u, v in zip(radii, turns, strict=True)]
    )


def uniforms(seed: int, count: int) -> Array:
    """(count,) numbers in [0, 1) of mulberry32 (Tommy Ettinger 2017, public domain): 32 bits, alike in any language."""
    drawn = np.empty(count)
    state = seed
    for index in range(count):
        state = (state + 0x6D2B79F5) & _BITS
        mixed = ((state ^ state >> 15) * (state | 1)) & _BITS
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & _BITS)) & _BITS
        drawn[index] = ((mixed ^ mixed >> 14) & _BITS) / 2**32
    return drawn


_BITS = 0xFFFFFFFF
