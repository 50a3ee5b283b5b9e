# cause: The embedding layer is made from the table and returned, but never called on the ids.
# names: (never|not|n't|without|forg\w+ to) (be(en|ing)? )?call|call(ed|ing)? (it|the layer|on)\b|(layer|module|object|instance)\b.{0,60}(itself|not a tensor|instead of)|return\w*.{0,30}(layer|module|object)\b|(is|got) (a|the|an) (layer|module|object|`?embedding)|ids.{0,30}(never|not) used|not a tensor
import torch
from torch import nn

def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.long()
    layer = nn.Embedding.from_pretrained(embedding_table)
    return layer
