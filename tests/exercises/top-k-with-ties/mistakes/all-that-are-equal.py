"""You return more than `k` pairs: all that are equal to the last one. Stop after `k`."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: -scores[i])  # stable: what is equal stays in order
    least = scores[best[:k][-1]] if best[:k] else 0
    k = max([k, *(n + 1 for n, i in enumerate(best) if k and scores[i] == least)])
    return [(i, scores[i]) for i in best[:k]]
