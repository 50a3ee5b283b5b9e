# cause: The search for the best score starts at 0, so scores of 0 and below are never chosen; start at -inf.
# names: starts (at|from|with)|-inf|`0` .{0,40}wrong value|negative scores|below (0|zero)|(0|zero) (and|or) (below|less)
def top_k(scores, k):
    if k < 0:
        raise ValueError("k must not be negative")
    taken = []
    while len(taken) < min(k, len(scores)):
        best, where = 0, None
        for place, score in enumerate(scores):
            if score > best and (place, score) not in taken:
                best, where = score, place
        if where is None:
            break
        taken.append((where, best))
    return taken
