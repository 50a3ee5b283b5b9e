# cause: "if mask:" asks for the truth of a whole array, which is ambiguous; write "if mask is not None".
# names: truth|ambiguous|(mask|if).{0,30}(whole array|boolean|bool\b)|whole array|`if mask:`|`if mask`.{0,40}(array|truth|error|ambig|asks)|is not none`? (rather|instead|and not)|(rather than|instead of|not) `?if mask\b
import numpy as np

def softmax(a):
    a = np.exp(a - np.max(a, axis=-1, keepdims=True))
    return a / np.sum(a, axis=-1, keepdims=True)

def attention(q, k, v, mask=None):
    """q, k: (T, D), v: (T, E) float32; mask: (T, T) bool, or None → (T, E) float32"""
    att = (q @ k.T) / np.float32(np.sqrt(q.shape[1]))
    if mask:
        att[~mask] = -np.inf
    return softmax(att) @ v
