# cause: The function prints the weights but has no return statement, so it hands back None.
# names: \bprint|no `?return|without (a )?`?return\b|never returns?\b|forg\w+ (to |the )?`?return|(missing|lacks?|needs?|add).{0,15}`?return|(returns?|returned) (`?none\b|nothing)|(is|was|got|gives?|gave|hands?) (you )?(back )?`?none\b|does(n't| not) return
import numpy as np


def solve(x: np.ndarray) -> np.ndarray:
    # subtract the max so exp doesnt overflow
    m = np.max(x, axis=1, keepdims=True)
    ex = np.exp(x - m)
    result = ex / np.sum(ex, axis=1, keepdims=True)
    print(result)
