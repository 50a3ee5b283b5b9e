# cause: torch.gather picks one number per id, from the id's row but the token's own column, and not the whole row.
# names: ^(?![\s\S]*(flatten|without an axis))[\s\S]*(gather|(single|one|separate) (number|entry|element|value)s?\b|whole rows?|entire row|(d_model|feature|last) (axis|dimension).{0,30}(missing|lost|gone|dropped)|numbers? instead of (a |whole )?rows?)
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    index = positions.to(torch.int64)
    return torch.gather(embedding_table, 0, index)
