# cause: The return stands inside the outer loop, so the function ends after the first sentence and the rest stay zero.
# names: return\b.{0,60}(loop|indent|too (early|soon|far)|first sentence)|(loop|inside).{0,40}return|indent|after the first (sentence|pass|row)|(other|later|remaining|following) (sentences?|rows)\b.{0,40}(zeros?\b|\b0\b|empty|untouched|never filled)
import numpy as np


def learned_absolute_position_embedding(
    positions: np.ndarray, embedding_table: np.ndarray
) -> np.ndarray:
    N, T = positions.shape
    d_model = embedding_table.shape[1]
    out = np.zeros((N, T, d_model), dtype=np.float32)
    for n in range(N):
        for t in range(T):
            p = int(positions[n, t])
            out[n, t, :] = embedding_table[p, :]
        return out
