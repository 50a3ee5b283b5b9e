# cause: The scores are rounded to one decimal place in the answer.
# names: round|decimal
def top_k(scores, k):
    if k < 0:
        raise ValueError("k < 0")
    pairs = [(i, round(s, 1)) for i, s in enumerate(scores)]
    pairs.sort(key=lambda p: p[1], reverse=True)
    return pairs[:k]
