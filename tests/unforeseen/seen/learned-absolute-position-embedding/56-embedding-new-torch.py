# cause: A new nn.Embedding with random weights is made; the given table is not used.
# names: random|table|depend
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    layer = torch.nn.Embedding(*embedding_table.shape)
    return layer(positions.long())
