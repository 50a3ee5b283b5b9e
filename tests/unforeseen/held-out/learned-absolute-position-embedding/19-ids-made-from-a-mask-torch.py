# cause: The positions are treated as token ids and new position ids are counted up from a padding mask, though positions already are the ids to look up.
# names: cumsum|cumulative|roberta|token ids|count(ed|s|ing)? (up|anew|again)|(new|own|other|different) (position )?ids|already (are |the )?(the )?(ids|positions|row)|recomput|padding mask|non-?zero
import torch
import torch.nn.functional as F


def create_position_ids_from_input_ids(input_ids, padding_idx=0):
    mask = input_ids.ne(padding_idx).int()
    incremental_indices = torch.cumsum(mask, dim=1).type_as(mask) * mask
    return incremental_indices.long() + padding_idx


def learned_absolute_position_embedding(positions, embedding_table):
    position_ids = create_position_ids_from_input_ids(positions)
    return F.embedding(position_ids, embedding_table)
