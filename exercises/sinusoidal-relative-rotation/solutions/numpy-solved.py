# framework: numpy
import numpy as np


def relative_rotation(k, d_model, base):
    """Each block from two positions: at t = 0 a pair is (0, 1), and a quarter of a turn later it is (1, 0)."""
    omega = base ** (-np.arange(0, d_model, 2) / d_model)               # (d_model/2,)
    quarter_turn = np.pi / (2 * omega)                                  # (d_model/2,) positions
    pairs = np.arange(d_model // 2)
    blocks = np.zeros((d_model // 2, 2, d_model // 2, 2))
    for column, t in enumerate((quarter_turn, 0)):
        blocks[pairs, 0, pairs, column] = np.sin(omega * (t + k))
        blocks[pairs, 1, pairs, column] = np.cos(omega * (t + k))
    return blocks.reshape(d_model, d_model).astype(np.float32)
