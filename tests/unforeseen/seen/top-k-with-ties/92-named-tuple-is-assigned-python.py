# cause: A namedtuple cannot be changed, so best.score = ... is refused; make a new one, with _replace or Best(...).
# names: (named ?tuple|tuple).{0,60}(cannot|can't|immutable|not be (changed|assigned))|_replace|make a new|immutable
from collections import namedtuple

Best = namedtuple("Best", ["place", "score"])


def top_k(scores, k):
    if k < 0:
        raise ValueError("k")
    left = list(enumerate(scores))
    result = []
    while left and len(result) < k:
        best = Best(*left[0])
        for place, score in left:
            if score > best.score:
                best.place = place
                best.score = score
        left.remove(best)
        result.append(tuple(best))
    return result
