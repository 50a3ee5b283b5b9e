# cause: The size of the output is written as (2, 3), the size of the example; it must be the shape of x.
# names: hard.?cod|fixed (size|shape)|\(?2, ?3\)?|two by three|(size|shape) of (the |your )?(example|sample|first)|other (sizes?|shapes?)|any (size|shape)|(only|just) (for|with|fits) .{0,30}(example|sample|shape|size)|shape of `?x`?|zeros_like|like `?x\b|x\.shape
import numpy as np

def solve(x):
    result = np.zeros((2, 3), dtype=np.float64)
    for i in range(len(x)):
        numerators = np.exp(x[i] - x[i].max())
        result[i] = numerators / numerators.sum()
    return result
