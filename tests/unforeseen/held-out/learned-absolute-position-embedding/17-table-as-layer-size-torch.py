# cause: nn.Embedding(...) expects the two sizes of a new table, not a table that exists; for that there is nn.Embedding.from_pretrained or F.embedding.
# names: from_pretrained|nn\.embedding.{0,100}(size|number|num_|expects|wants|takes|how many|existing)|num_embeddings|embedding_dim|sizes? .{0,60}(expected|not (a|the) (table|tensor)|rather)|missing.{0,40}argument
import torch
import torch.nn as nn


def learned_absolute_position_embedding(positions, embedding_table):
    emb = nn.Embedding(embedding_table)
    return emb(positions.long())
