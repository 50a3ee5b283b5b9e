# cause: The word gets shorter while range still counts to its old length, so the index runs past the end.
# names: short(er|en)|shrink|shrunk|while.{0,30}(loop|iterat|going|count)|(old|original|former|earlier|first) length|chang\w*.{0,40}(while|during|in the loop|inside the loop|loop(s|ing)? over)|past the end|out of range|beyond the (end|last)|range\(
def merge_step(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 1):
            p = (word[i], word[i + 1])
            counts[p] = counts.get(p, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    pair = max(counts, key=counts.get)

    result = [list(w) for w in words]
    for w in result:
        for i in range(len(w) - 1):
            if (w[i], w[i + 1]) == pair:
                w[i] = w[i] + w[i + 1]
                del w[i + 1]
    return {"pair": pair, "words": result}
