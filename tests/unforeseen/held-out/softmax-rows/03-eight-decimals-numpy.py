# cause: The weights are rounded to 8 decimals like in the example, but small weights then keep only a few correct digits.
# names: ^(?![\s\S]*(float32|single precision|float16|half precision))[\s\S]*(round|decimals?\b|(8|eight) (places|digits)|cut off after)
import numpy as np

def solve(x):
    m = np.max(x, axis=-1, keepdims=True)
    exp_x = np.exp(x - m)
    softmax = exp_x / np.sum(exp_x, axis=-1, keepdims=True)
    return np.round(softmax, 8)
