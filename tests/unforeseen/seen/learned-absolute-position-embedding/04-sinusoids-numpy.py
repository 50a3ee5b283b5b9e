# cause: This computes the fixed sinusoidal encoding and never uses the embedding table that is given.
# names: sinus|\bsin\b|\bsines?\b|cosine|\bcos\b|(not|never|n't|ignor\w*|without) (us\w+|look\w*|depend\w*|read\w*|touch\w*|tak\w+).{0,8}(the|your|given|this)?.{0,10}`?(embedding_)?table`?(?! is)|table`? (is |was |goes )?(not used|never used|ignored|unused|changes nothing)|(does|do)(n't| not) depend on (the|your) `?(embedding_)?table|fixed (formula|encoding)|formula
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    max_len, d_model = embedding_table.shape
    i = np.arange(d_model)
    angle_rates = 1 / np.power(10000, (2 * (i // 2)) / np.float32(d_model))
    angles = positions[:, :, np.newaxis] * angle_rates
    pe = np.zeros(angles.shape, dtype=np.float32)
    pe[:, :, 0::2] = np.sin(angles[:, :, 0::2])
    pe[:, :, 1::2] = np.cos(angles[:, :, 1::2])
    return pe
