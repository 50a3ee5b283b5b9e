# cause: set(scores) drops the scores that come more than once.
# names: set|equal|drop|duplicate|several times|more than once|missing|break
def top_k(scores, k):
    if k < 0:
        raise ValueError
    out = []
    for score in sorted(set(scores), reverse=True):
        for i in range(len(scores)):
            if scores[i] == score:
                out.append((i, score))
                break
    return out[:k]
