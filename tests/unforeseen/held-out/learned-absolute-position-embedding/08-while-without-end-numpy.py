# cause: t += 1 stands outside the inner while loop, so t stays 0 and the loop never ends.
# names: never (ends?|stops?|finish|terminat|becomes false)|infinite|endless|forever|does not end|not (end|stop|finish|terminate)\b|(?<!\w)t \+= 1|increment|increas\w*.{0,20}\bt\b|(?<!\w)`?t`? (stays|is never|does not|keeps)|counter|indent|\bwhile\b
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    d_model = embedding_table.shape[1]
    out = np.zeros((N, T, d_model), dtype=np.float32)
    n = 0
    while n < N:
        t = 0
        while t < T:
            p = int(positions[n, t])
            out[n, t] = embedding_table[p]
        t += 1
        n += 1
    return out
