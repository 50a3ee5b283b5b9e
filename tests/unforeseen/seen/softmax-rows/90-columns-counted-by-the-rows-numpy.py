# cause: The largest score is looked for among the first x.shape[0] columns only; the number of columns is x.shape[1].
# names: number of columns|wrong (axis|dimension|size)|another axis|other axis|number of rows|(first|only).{0,40}(columns|scores)
import numpy as np


def solve(x):
    out = np.zeros_like(x)
    for n in range(x.shape[0]):
        top = max(x[n, c] for c in range(min(x.shape[0], x.shape[1])))
        e = np.exp(x[n] - top)
        out[n] = e / e.sum()
    return out
