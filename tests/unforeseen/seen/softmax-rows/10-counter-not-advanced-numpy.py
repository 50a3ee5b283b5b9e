# cause: The while loop never ends, because its counter i is not increased.
# names: (never|not|n't) (end|finish|stop|terminat|increas|advanc|incremented|done)\w*|endless|infinite loop|forever|(does|did|do)(n't| not) return|`?while\b.{0,30}(loop|counter)|i ?\+= ?1|counter.{0,40}(same|increas|never|not)
import numpy as np

def solve(x):
    rows = len(x)
    out = np.empty(x.shape)
    i = 0
    while i < rows:
        r = x[i]
        r = np.exp(r - np.max(r))
        out[i] = r / np.sum(r)
    return out
