# cause: embedding_bag averages the rows of each sentence into a single vector, but every token keeps its own row.
# names: \bbag\b|_bag|EmbeddingBag|averag|\bmeans?\b.{0,40}(row|token|vector|sentence|of)|(one|single) (vector|row) (for|per) (each|every|a) sentence|token axis|pool
import torch
import torch.nn as nn


def learned_absolute_position_embedding(positions, embedding_table):
    layer = nn.EmbeddingBag.from_pretrained(embedding_table)
    return layer(positions.long())
