"""Vaswani et al. 2017, "Attention Is All You Need", section 3.5: the two formulas, one number at a time in float64."""

import math
from typing import Any

import numpy as np


def expected(max_len: int, d_model: int, base: float = 10000.0) -> Any:
    table = np.zeros((max_len, d_model), dtype=np.float32)
    for position in range(max_len):
        for column in range(d_model):
            if column % 2 == 0:
                table[position, column] = math.sin(position / math.pow(base, column / d_model))
            else:
                table[position, column] = math.cos(position / math.pow(base, (column - 1) / d_model))
    return table
