# cause: scores.index(score) gives the first place of equal scores each time, so the same place comes twice.
# names: index|first place|same place|equal
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    result = []
    for score in sorted(scores, reverse=True)[:k]:
        place = scores.index(score)
        result.append((place, score))
    return result
