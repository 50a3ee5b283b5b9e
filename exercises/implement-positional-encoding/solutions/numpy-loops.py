# framework: numpy
import math

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    table = np.zeros((max_len, d_model), dtype=np.float32)
    for p in range(max_len):
        for i in range(0, d_model, 2):
            angle = p / base ** (i / d_model)
            table[p, i] = math.sin(angle)
            if i + 1 < d_model:
                table[p, i + 1] = math.cos(angle)
    return table
