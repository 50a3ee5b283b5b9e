# cause: A dict with the words as keys counts a word that occurs several times only once.
# names: dict|set|once|several times|twice|equal|repeat|same word
def merge_step(words):
    counts = {}
    for word in set(tuple(w) for w in words):
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    first = [pair for word in words for pair in zip(word, word[1:])]
    best = max(first, key=lambda pair: counts[pair])
    merged = []
    for word in words:
        out = []
        i = 0
        while i < len(word):
            if tuple(word[i:i + 2]) == best:
                out.append("".join(best))
                i += 2
            else:
                out.append(word[i])
                i += 1
        merged.append(out)
    return {"pair": best, "words": merged}
