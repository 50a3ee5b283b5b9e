# framework: numpy
import numpy as np


def relative_rotation(k, d_model, base):
    matrix = np.zeros((d_model, d_model), dtype=np.float32)
    for start in range(0, d_model, 2):
        angle = k / base ** (start / d_model)
        matrix[start : start + 2, start : start + 2] = [
            [np.cos(angle), np.sin(angle)],
            [-np.sin(angle), np.cos(angle)],
        ]
    return matrix
