# cause: int() makes one Python number and cannot convert a whole array; use positions.astype(int).
# names: \bint\(|`int`|(whole|entire|full|an|of) array.{0,40}(one|single|python|number)|(one|a|single|python) (python )?(number|scalar|int)\b.{0,40}(array|not|only|each)|only (length.1|size.1|0.dim\w*|one.element).{0,20}arrays?|scalar
import numpy as np

def learned_absolute_position_embedding(positions, embedding_table):
    positions = int(positions)
    return embedding_table[positions]
