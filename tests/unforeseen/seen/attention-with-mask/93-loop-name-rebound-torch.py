# cause: row = ... gives the loop variable a new tensor and writes nothing into scores, so the scores are never turned into weights.
# names: loop variable|(gives|only).{0,40}`?row`?.{0,40}new|`row`.{0,60}(line 9\b|never used|changes nothing|not.{0,20}(change|reach|kept|stored|written)|lost)|never (normalised|turned)|writes nothing
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    for row in scores:
        row = torch.softmax(row, dim=0)
    return scores @ v
