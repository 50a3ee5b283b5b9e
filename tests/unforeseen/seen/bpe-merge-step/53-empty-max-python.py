# cause: No pairs: max of an empty dict raises ValueError.
# names: empty
from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    pair = max(counts, key=counts.get)
    new = []
    for word in words:
        out, i = [], 0
        while i < len(word):
            if tuple(word[i : i + 2]) == pair:
                out.append("".join(pair))
                i += 2
            else:
                out.append(word[i])
                i += 1
        new.append(out)
    return {"pair": pair, "words": new}
