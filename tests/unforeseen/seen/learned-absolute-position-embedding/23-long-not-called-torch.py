# cause: The parentheses after positions.long are missing, so the table is indexed with the method itself.
# names: parenthes|(method|`?\.?long`?).{0,30}(never|not|n't) (been )?called|forg\w+ to call|(method|function) (itself|object)|builtin_function_or_method|(is|with) a (method|function)\b|`\.?long`? .{0,30}(method|function)|(missing|lacks?|without).{0,10}\(\)
import torch


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions.long]
