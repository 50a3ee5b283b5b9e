"""A learned table trained on a toy task, by hand: from a position, guess which of its neighbours was meant.

The task knows nothing of numbers or distances, only which positions occur near each other; that near ones become
similar is what training finds. It is plain NumPy without an import of ours, so that the same lines run in a box.
"""

import numpy as np
from numpy.typing import NDArray

MAX_LEN = 24
D_MODEL = 8
REACH = 2
STEPS = 240
EVERY = 20
RATE = 0.1


def train(
    seed: int, max_len: int = MAX_LEN, d_model: int = D_MODEL, steps: int = STEPS, rate: float = RATE
) -> list[tuple[int, float, NDArray[np.float64]]]:
    """A (step, loss, table) for every 20th step; the table is (max_len, d_model), the loss in nats a position.

    The probability of guessing b from a is softmax over b ≠ a of P[a]·P[b]; the target spreads evenly over the
    positions at most 2 away. The loss is the mean cross-entropy, whose gradient with respect to the scores is
    (guess − target) / max_len; through S = P Pᵀ it reaches the table as (G + Gᵀ) P.
    """
    table = 0.02 * np.random.default_rng(seed).standard_normal((max_len, d_model))
    apart = np.abs(np.arange(max_len)[:, None] - np.arange(max_len))  # (max_len, max_len)
    near = (apart > 0) & (apart <= REACH)
    target = near / near.sum(axis=1, keepdims=True)
    frames = []
    for step in range(steps + 1):
        scores = np.where(apart == 0, -np.inf, table @ table.T)
        guess = np.exp(scores - scores.max(axis=1, keepdims=True))
        guess /= guess.sum(axis=1, keepdims=True)
        if step % EVERY == 0:
            loss = -(target * np.log(np.where(near, guess, 1.0))).sum(axis=1).mean()
            frames.append((step, float(loss), table.copy()))
        gradient = (guess - target) / max_len
        table -= rate * max_len * (gradient + gradient.T) @ table / 2
    return frames
