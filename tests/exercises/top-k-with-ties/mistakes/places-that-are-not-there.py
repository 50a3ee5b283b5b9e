# verdict: runtime_error
"""There are fewer than `k` scores. Return those that there are: a slice does that by itself."""

def top_k(scores, k):
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    best = sorted(range(len(scores)), key=lambda i: -scores[i])  # stable: what is equal stays in order
    return [(i, scores[i]) for i in [best[n] for n in range(k)]]
