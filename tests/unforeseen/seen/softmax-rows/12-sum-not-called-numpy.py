# cause: The parentheses after e.sum are missing, so the array is divided by the method itself and not by the sum.
# names: parenthes|\bsum\(\)|sum\b.{0,30}(not|never|n't) (been )?called|(method|function).{0,20}(not|never|n't) (been )?called|forg\w+ to call|sum.{0,30}(is|as) a (method|function)|(method|function) (itself|object)|builtin_function_or_method|without (calling|being called|the brackets)
import numpy as np

def solve(x):
    ret = np.zeros(x.shape)
    for k, scores in enumerate(x):
        e = np.exp(scores - scores.max())
        ret[k] = e / e.sum
    return ret
