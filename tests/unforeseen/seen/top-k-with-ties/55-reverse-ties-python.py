# cause: reverse=True on (score, place) puts the later place of equal scores first
# names: equal|tie|several times
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    pairs = sorted([(s, i) for i, s in enumerate(scores)], reverse=True)
    return [(i, s) for s, i in pairs[:k]]
