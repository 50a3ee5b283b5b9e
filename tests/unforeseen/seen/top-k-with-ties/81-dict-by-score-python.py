# cause: A dict from score to place keeps only the last place of equal scores, so some places are lost.
# names: dict|key|equal|lost|several times|same score
def top_k(scores, k):
    if k < 0:
        raise ValueError("negative k")
    places = {}
    for i, score in enumerate(scores):
        places[score] = i
    best = sorted(places, reverse=True)[:k]
    return [(places[score], score) for score in best]
