"""Inputs for `causal_mask(scores)`.

B, H and T differ, so that a mask made of the wrong sizes fails, or are all equal, so that only the numbers show it.
Scores that are infinite already become NaN where a mask is multiplied.
"""

import numpy as np


def sample_cases(rng):
    yield "one head, three tokens", {"scores": readable(1, 1, 3)}
    yield "two sequences, three heads, four tokens", {"scores": readable(2, 3, 4)}
    yield "a score that is hidden already", {"scores": padded(readable(2, 1, 3), 1)}


def hidden_cases(rng):
    yield "two sequences, three heads", {"scores": numbers(rng, 2, 3, 4)}
    yield "one sequence", {"scores": numbers(rng, 1, 2, 5)}
    yield "one token", {"scores": numbers(rng, 3, 2, 1)}
    yield "two tokens", {"scores": numbers(rng, 2, 3, 2)}
    yield "every size equal", {"scores": numbers(rng, 3, 3, 3)}
    yield "more heads than tokens", {"scores": numbers(rng, 1, 5, 2)}
    yield "more sequences than tokens", {"scores": numbers(rng, 6, 1, 3)}
    yield "padding at the end of the keys", {"scores": padded(numbers(rng, 2, 2, 4), 2)}
    yield "huge scores", {"scores": 1e30 * numbers(rng, 2, 3, 4)}
    yield "all scores negative", {"scores": -10 - np.abs(numbers(rng, 2, 3, 4))}
    yield "many tokens", {"scores": numbers(rng, 1, 2, 20)}


def numbers(rng, B, H, T):
    return rng.standard_normal((B, H, T, T)).astype(np.float32)


def padded(scores, count):
    """The last `count` keys are hidden from all queries of the first sequence, whose tokens are fewer."""
    scores = scores.copy()
    scores[0, :, :, -count:] = -np.inf
    return scores


def readable(B, H, T):
    """Sequence b, head h, query q, key k holds 100 b + 10 h + q + (k + 1) / 10."""
    b, h, q, k = np.ogrid[:B, :H, :T, :T]
    return (100 * b + 10 * h + q + (k + 1) / 10).astype(np.float32)
