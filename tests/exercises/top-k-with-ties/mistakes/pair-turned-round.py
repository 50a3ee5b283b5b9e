"""The pairs are the wrong way round: the place comes first, then the score."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: -scores[i])  # stable: what is equal stays in order
    return [(scores[i], i) for i in best[:k]]
