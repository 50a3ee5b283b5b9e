# cause: The word is shortened while a loop over its old length runs, so the index goes past the end.
# names: (while|during|as) .{0,60}(loop|iterat|going|run)|(shorter|shorten|shrink|shrank|shrunk)|length .{0,30}(chang|before|old|no longer)|past the end|out of range|beyond the end|indexerror|old length|(remov|delet|chang)\w* .{0,40}(loop|iterat)
def merge_step(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            if pair not in counts:
                counts[pair] = 0
            counts[pair] += 1
    if counts == {}:
        return {"pair": None, "words": words}
    best = max(counts, key=counts.get)
    for word in words:
        for i in range(len(word) - 1):
            if (word[i], word[i + 1]) == best:
                word[i] = word[i] + word[i + 1]
                del word[i + 1]
    return {"pair": best, "words": words}
