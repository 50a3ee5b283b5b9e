# cause: finfo.tiny is the smallest positive number, practically 0, not the most negative one; masked scores keep a weight. Use -inf.
# names: tiny|finfo|(smallest|least) positive|most negative|(practically|nearly|almost|close to|score (of|is)|score is) (0|zero)\b|(masked|mask|forbidden|hidden).{0,60}(\b0\b|zero|still|keep|get).{0,30}(score|weight|look)|e\^0|-inf`? (instead|rather|and not)|(not|instead of|rather than) `?-inf
import numpy as np


def attention(q, k, v, mask=None):
    d = q.shape[-1]
    scores = np.matmul(q, k.T) / np.sqrt(d).astype(np.float32)
    if mask is not None:
        # smallest float
        scores = np.where(mask, scores, np.finfo(np.float32).tiny)
    scores = scores - scores.max(axis=-1, keepdims=True)
    p = np.exp(scores)
    p = p / p.sum(axis=-1, keepdims=True)
    return np.matmul(p, v)
