"""`torch.nn.functional.embedding`, as the documentation of `torch.nn.Embedding` defines a lookup."""

import numpy as np
import torch


def expected(positions, embedding_table):
    ids = torch.from_numpy(np.asarray(positions).astype(np.int64))
    return torch.nn.functional.embedding(ids, torch.from_numpy(np.asarray(embedding_table))).numpy()
