# cause: scores.index(value) finds the first place of equal scores every time
# names: index|equal|first place|same place
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    best = sorted(scores, reverse=True)[:k]
    return [(scores.index(value), value) for value in best]
