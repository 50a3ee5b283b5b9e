# cause: This computes sinusoidal encodings from a formula and never reads the table, whose rows have to be returned.
# names: sinus|\bsin\b|\bsine|cosine|formula|(second argument|table`?) .{0,40}(not|never|un|ignor)\w*.{0,10}(used?|read)|ignor\w*.{0,20}table|(not|never|without).{0,20}(use|using|read|reading) .{0,10}table|table.{0,20}ignored|(do|come|are|does) (not|n't).{0,15}(come )?from (the|your) table
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    d_model = embedding_table.shape[1]
    i = np.arange(0, d_model, 2)
    div_term = np.exp(-np.log(10000.0) * i / d_model)
    angles = positions[..., None] * div_term
    pe = np.zeros(positions.shape + (d_model,), dtype=np.float32)
    pe[..., 0::2] = np.sin(angles)
    pe[..., 1::2] = np.cos(angles[..., : d_model // 2])
    return pe
