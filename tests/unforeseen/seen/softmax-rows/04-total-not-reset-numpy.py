# cause: The running sum of exponentials is set to 0 once before the loop over the rows and never reset, so each row is also divided by the sums of the rows before it.
# names: (not|never|n't|forg\w+ to) (be )?(reset|cleared|set back|start\w* (again|over|anew))|\breset\b|carr(y|ies|ied) (on|over)|accumulat|(sum|total).{0,60}(previous|earlier|preceding|before it|above it|so far).{0,20}|rows? (before it|above it|so far|that came before)|(total|sum).{0,40}(outside|before) (of )?the loop|(grow|keeps? adding|adds? up).{0,60}rows
import numpy as np

def solve(x):
    weights = []
    total = 0.0
    for row in x:
        m = max(row)
        exps = [np.exp(v - m) for v in row]
        for v in exps:
            total += v
        weights.append([v / total for v in exps])
    return np.array(weights)
