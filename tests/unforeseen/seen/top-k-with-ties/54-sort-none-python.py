# cause: list.sort returns None
# names: None
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    pairs = list(enumerate(scores))
    pairs = pairs.sort(key=lambda pair: -pair[1])
    return pairs[:k]
