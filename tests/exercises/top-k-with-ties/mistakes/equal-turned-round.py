"""Where scores are equal, the later place comes first in your answer. A list that is sorted and then turned round turns
its equal parts round too: use `reverse=True`, or the negative score as the key."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: scores[i])[::-1]  # stable: what is equal stays in order
    return [(i, scores[i]) for i in best[:k]]
