# cause: Words of two tokens are left as they are, as if nothing could be joined in them, but two tokens are a pair.
# names: words of (two|2)|(two|2) tokens|leave .{0,40}(condition|test|`if`).{0,20}(out|away)|(short|only two)|should not be there
def merge_step(words):
    counts = {}
    for word in words:
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    best = max(counts, key=counts.get)
    joined = []
    for word in words:
        if len(word) == 2:
            joined.append(word)
            continue
        out, i = [], 0
        while i < len(word):
            if tuple(word[i:i + 2]) == best:
                out.append("".join(best))
                i += 2
            else:
                out.append(word[i])
                i += 1
        joined.append(out)
    return {"pair": best, "words": joined}
