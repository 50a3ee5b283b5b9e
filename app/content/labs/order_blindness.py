"""Self-attention on the same tokens in two orders: without positions the outputs only change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.content.labs.drawing import Array, HeatMap, digits, heat_map
from app.content.labs.kind import LabKind, Option
from app.content.labs.table import normals, sinusoidal

WORDS = ("dog", "bites", "man", "here", "again", "today")
WIDTH = 4
SCALE = 3


@dataclass(frozen=True)
class Token:
    """A token at its new place: what attention made of it in the first order, and makes of it now."""

    number: int
    word: str
    strips: tuple[tuple[str, HeatMap], ...]


@dataclass(frozen=True)
class Rows:
    tokens: tuple[Token, ...]
    reading: tuple[str, ...]


def draw(options: Mapping[str, int]) -> Rows:
    """The first and the last token have changed places."""
    count, seed = options["tokens"], options["seed"]
    order = [count - 1, *range(1, count - 1), 0]
    outputs = {
        "bare-first": outputs_of(range(count), seed, False),
        "bare-now": outputs_of(order, seed, False),
        "placed-first": outputs_of(range(count), seed, True),
        "placed-now": outputs_of(order, seed, True),
    }
    tokens = (
        Token(number, WORDS[number], tuple((name, _strip(rows[number], name)) for name, rows in outputs.items()))
        for number in order
    )
    return Rows(tuple(tokens), reading(order, seed))


def outputs_of(order: Sequence[int], seed: int, placed: bool) -> Array:
    """(T, 4): row t is what attention makes of *token* t when the tokens stand in this order."""
    x, w_q, w_k, w_v = weights(len(order), seed)
    rows = x[list(order)] + (sinusoidal(len(order), WIDTH, 10000) if placed else 0)
    out = attention(rows, w_q, w_k, w_v)
    back = np.empty_like(out)
    back[list(order)] = out
    return back


def attention(x: Array, w_q: Array, w_k: Array, w_v: Array) -> Array:
    """x: (T, 4) → (T, 4), softmax(QKᵀ/√d)V (Vaswani and others 2017, equation 1)."""
    scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(x.shape[-1])  # (T, T)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True) @ (x @ w_v))


def weights(count: int, seed: int) -> tuple[Array, Array, Array, Array]:
    """The tokens, (count, 4), and three (4, 4) projections of deviation 0.5."""
    drawn = normals(seed, WIDTH * (3 * WIDTH + count))
    projections = 0.5 * drawn[: 3 * WIDTH**2].reshape(3, WIDTH, WIDTH)
    return drawn[3 * WIDTH**2 :].reshape(count, WIDTH), projections[0], projections[1], projections[2]


def reading(order: Sequence[int], seed: int) -> tuple[str, ...]:
    bare, placed = (difference(order, seed, placed) for placed in (False, True))
    equal = "equals" if placed < 5e-5 else "does not equal"
    return (
        f"Without positions, permuted output equals output permuted: difference {digits(bare)}",
        f"With positions, permuted output {equal} output permuted: difference {digits(placed)}",
    )


def difference(order: Sequence[int], seed: int, placed: bool) -> float:
    """The largest difference of any number of any token between the first order and this one."""
    now, first = outputs_of(order, seed, placed), outputs_of(range(len(order)), seed, placed)
    return float(np.abs(now - first).max())


def _strip(values: Array, name: str) -> HeatMap:
    place, moment = name.split("-")
    words = f"{'with' if place == 'placed' else 'without'} positions, {'before' if moment == 'first' else 'now'}"
    return heat_map(values[None], SCALE, f"{words}: {', '.join(digits(value, 2) for value in values)}")


ORDER_BLINDNESS = LabKind(
    "order-blindness",
    (Option("tokens", 3, range(3, 7), "tokens", slides=False), Option("seed", 0, range(100), "seed", slides=False)),
    draw,
)
