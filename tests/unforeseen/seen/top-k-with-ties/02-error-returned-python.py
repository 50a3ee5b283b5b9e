# cause: For a negative k the ValueError is returned instead of raised.
# names: \braise\b|(not|be|being|is|than) raised\b|return\w* (the |a |an |it |your )*`?(error|exception|valueerror)|(error|exception|valueerror)`?.{0,20} (is |was )?returned
def top_k(scores, k):
    """The k highest scores as (place, score), the highest first."""
    if k < 0:
        return ValueError("k must be >= 0")
    pairs = list(enumerate(scores))
    pairs.sort(key=lambda p: p[1], reverse=True)
    return pairs[:k]
