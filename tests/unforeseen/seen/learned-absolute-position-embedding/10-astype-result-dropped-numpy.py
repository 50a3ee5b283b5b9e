# cause: astype returns a new array and does not change positions; the result is not assigned, so the ids are still floats.
# names: astype.{0,60}(new|copy|result|return|not change|in.?place|dropped|assign|thrown|discard|kept|leaves)|(not|never|n't) (assigned|kept|stored?|saved?)|(returns?|makes?|gives?) a (new|converted|copy)|thrown? away|discard|still.{0,12}float
import numpy as np

def learned_absolute_position_embedding(positions, embedding_table):
    positions.astype(int)   # must be integers!
    output = embedding_table[positions]
    return output
