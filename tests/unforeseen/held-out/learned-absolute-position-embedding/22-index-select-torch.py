# cause: torch.index_select takes a vector of indices only, and the ids have two axes; index directly, or flatten and put the shape back.
# names: index_select|(one|single|1)[- ]?(dimension|axis|d\b|dim)\w*|only a vector|(a|one) vector of (ind|ids)|vector.{0,20}only|(two|2) (axes|dimensions)
import torch


def learned_absolute_position_embedding(
    positions: torch.Tensor, embedding_table: torch.Tensor
) -> torch.Tensor:
    return torch.index_select(embedding_table, dim=0, index=positions.long())
