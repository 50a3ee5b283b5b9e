# cause: The function goes through NumPy and returns a numpy.ndarray where a torch.Tensor is asked for.
# names: (return|give|hand|get|got)\w*.{0,40}(numpy|ndarray)|(numpy|ndarray).{0,50}(return|tensor|torch|instead|comes|back)|not a (torch\.)?tensor|from_numpy|must be a (torch\.)?tensor|ndarray
import numpy as np
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.numpy().astype(np.int64)
    table = embedding_table.numpy()
    return table[ids]
