# cause: torch.gather picks single numbers, one for each entry of the index and from the same column, not whole rows; index the table with the ids.
# names: ^(?!.*\btake\b)(?=.*(gather|(single|one) (numbers?|entry|entries|values?|elements?)\b|whole rows?\b.{0,40}index|instead of (whole )?rows|same column|(feature|last|third|d_model)`? (axis|dimension).{0,30}(missing|lost|gone)))
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    index = positions.to(torch.int64)
    out = torch.gather(embedding_table, 0, index)
    return out
