# cause: The words are the keys of a dict, where each key exists once, so a word that occurs twice is merged and returned once.
# names: (key|dict).{0,80}(once|one|equal|same|overwrit|lost)|(equal|same|twice).{0,30}words?|words?.{0,40}twice
def merge_step(words):
    done = {}
    counts = {}
    for word in words:
        if tuple(word) not in done:
            done[tuple(word)] = None
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    best = max(counts, key=counts.get)
    for word in done:
        out, i = [], 0
        while i < len(word):
            if word[i:i + 2] == best:
                out.append(word[i] + word[i + 1])
                i += 1
            else:
                out.append(word[i])
            i += 1
        done[word] = out
    return {"pair": best, "words": list(done.values())}
