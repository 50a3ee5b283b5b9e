# cause: max_norm=1.0 makes PyTorch shrink every row that is longer than 1, but the rows must come back exactly as they are.
# names: max_norm|\bnorm|longer than|(length|unit).{0,20}(1|one|limit)|shr(i|u)nk|renorm|too small|scaled down|smaller
import torch.nn.functional as F


def learned_absolute_position_embedding(positions, embedding_table):
    return F.embedding(positions.long(), embedding_table, max_norm=1.0)
