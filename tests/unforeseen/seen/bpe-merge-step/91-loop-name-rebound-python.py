# cause: word = ... gives the loop variable a new list and changes nothing in words, so the words come back as they were.
# names: loop variable|(gives|only).{0,40}`?word`?.{0,40}new|name.{0,40}(only|new value|another)|`word`.{0,60}(line 18|never used|changes nothing|not.{0,20}(change|reach|kept|stored)|lost|thrown)|words\[
def merge_step(words):
    counts = {}
    for word in words:
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    best = max(counts, key=counts.get)
    for word in words:
        out, i = [], 0
        while i < len(word):
            if tuple(word[i:i + 2]) == best:
                out.append("".join(best))
                i += 2
            else:
                out.append(word[i])
                i += 1
        word = out
    return {"pair": best, "words": words}
