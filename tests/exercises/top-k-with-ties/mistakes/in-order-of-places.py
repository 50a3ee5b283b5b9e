"""The right pairs, in the order of their places. The highest score comes first."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: -scores[i])  # stable: what is equal stays in order
    return [(i, scores[i]) for i in sorted(best[:k])]
