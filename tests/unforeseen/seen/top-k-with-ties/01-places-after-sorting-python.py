# cause: The scores are sorted before they are numbered, so the places are those in the sorted list (0, 1, 2, …) and not those in scores.
# names: (places?|ind(ex|ices)|positions?).{0,60}(in|of|after) (the |your )?(sort|rank)\w*|(places?|ind(ex|ices)|positions?).{0,50}(0, ?1, ?2|0 to|are always|just count|rank|in `?scores|original|lost|forgotten)|(after|before) (you )?(sort|number|enumerat)\w*|sort\w*.{0,60}(lose|lost|forget|original|enumerat)|enumerat|\brank
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    s = sorted(scores, reverse=True)
    res = []
    for i, score in enumerate(s):
        if i < k:
            res.append((i, score))
    return res
