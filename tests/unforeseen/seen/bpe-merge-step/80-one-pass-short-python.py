# cause: The inner range stops one short, so the last pair of each word is never counted.
# names: range|last|one too early|too early|off by one
def merge_step(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 2):
            pair = (word[i], word[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    best = max(counts, key=counts.get)
    out = []
    for word in words:
        new, i = [], 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                new.append(word[i] + word[i + 1])
                i += 2
            else:
                new.append(word[i])
                i += 1
        out.append(new)
    return {"pair": best, "words": out}
