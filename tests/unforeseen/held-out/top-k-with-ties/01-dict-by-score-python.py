# cause: The scores are the keys of a dict, where each key exists once, so of equal scores only the first one is left.
# names: \bdict|keys?\b.{0,30}(once|unique|only)|(equal|same|duplicate|repeated|tied)\b.{0,40}(lost|gone|missing|dropped|vanish|disappear|kept once)|only (one|the first)( one)? (of|is left)|too few|unique|distinct|(only|just) once
def top_k(scores, k):
    if k < 0:
        raise ValueError("k must be >= 0")
    place_of = {}
    for place, score in enumerate(scores):
        if score not in place_of:
            place_of[score] = place
    result = []
    for score in sorted(place_of, reverse=True):
        if len(result) == k:
            break
        result.append((place_of[score], score))
    return result
