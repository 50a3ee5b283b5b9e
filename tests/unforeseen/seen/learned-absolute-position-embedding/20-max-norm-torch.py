# cause: max_norm=1.0 makes F.embedding shrink every row that is longer than 1, so the numbers are not those of the table any more.
# names: max_norm|renorm|\bnorms?\b|normali[sz]|shr(u|i|a)nk|(rows?|vectors?|length).{0,50}(longer than|unit|length (of )?(1|one)\b|scaled|shorten)
import torch
import torch.nn.functional as F

def learned_absolute_position_embedding(positions, embedding_table):
    return F.embedding(positions.long(), embedding_table, max_norm=1.0)
