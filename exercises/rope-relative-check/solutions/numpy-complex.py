# framework: numpy
import numpy as np


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = np.einsum("md,nd->mn", rotated_q, rotated_k)
    theta = base ** (-np.arange(0, d, 2) / d)
    product = (q[0::2] - 1j * q[1::2]) * (k[0::2] + 1j * k[1::2])   # (d/2,) complex
    spread, error = np.zeros(2 * T - 1), np.zeros(2 * T - 1)
    for distance in range(-(T - 1), T):
        found = [scores[m, m + distance] for m in range(T) if 0 <= m + distance < T]
        wanted = (product * np.exp(1j * distance * theta)).sum().real
        spread[distance + T - 1] = max(found) - min(found)
        error[distance + T - 1] = max(abs(score - wanted) for score in found)
    return {"spread": spread, "error": error}
