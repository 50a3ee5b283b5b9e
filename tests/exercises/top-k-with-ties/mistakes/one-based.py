"""Your places are one too high: they count from 0."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: -scores[i])  # stable: what is equal stays in order
    return [(i + 1, scores[i]) for i in best[:k]]
