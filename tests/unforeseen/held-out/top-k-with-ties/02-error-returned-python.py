# cause: The ValueError is returned like a value and not raised; write raise ValueError(...).
# names: \braise\b|\braised\b|raising|(return\w*|give\w* back|hand\w* back).{0,40}(error|exception)|thrown?\b
def top_k(scores, k):
    if k < 0:
        return ValueError("k must not be negative")
    pairs = list(enumerate(scores))
    pairs.sort(key=lambda p: p[1], reverse=True)
    return pairs[:k]
