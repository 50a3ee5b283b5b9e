# cause: k <= 0 raises, so that k = 0 is refused
# names: `?k`?|0|zero|<=
def top_k(scores, k):
    if k <= 0:
        raise ValueError("k is negative")
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return [(i, scores[i]) for i in order[:k]]
