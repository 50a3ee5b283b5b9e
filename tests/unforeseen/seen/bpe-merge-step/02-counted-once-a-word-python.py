# cause: A pair that occurs several times within one word is counted only once for that word.
# names: (once|one time|1) (per|in each|in every|in a|for each|for every|a|each|within (one|a|each|every|the same)) word|(pair|it).{0,60}(several times|many times|more than once|twice|repeated\w*|again) .{0,20}(in|within|inside) (a|one|the|the same|each) word.{0,60}|(twice|several times|repeated|more than once) (in|within|inside) (a|one|the same) word|every occurrence|each occurrence|all occurrences|\bseen\b
def get_stats(words):
    stats = {}
    for w in words:
        seen = []
        for a, b in zip(w, w[1:]):
            if (a, b) not in seen:
                stats[(a, b)] = stats.get((a, b), 0) + 1
                seen.append((a, b))
    return stats


def merge(w, pair):
    new, i = [], 0
    while i < len(w):
        if i + 1 < len(w) and (w[i], w[i + 1]) == pair:
            new.append(w[i] + w[i + 1])
            i += 2
        else:
            new.append(w[i])
            i += 1
    return new


def merge_step(words):
    stats = get_stats(words)
    if len(stats) == 0:
        return {"pair": None, "words": words}
    pair = max(stats, key=stats.get)
    return {"pair": pair, "words": [merge(w, pair) for w in words]}
