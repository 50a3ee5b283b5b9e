# cause: The loop stops before the last token, which is lost if it isn't merged.
# names: last
from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = max(counts, key=counts.get)
    new = []
    for word in words:
        out, i = [], 0
        while i < len(word) - 1:
            if (word[i], word[i + 1]) == pair:
                out.append(word[i] + word[i + 1])
                i += 2
            else:
                out.append(word[i])
                i += 1
        new.append(out)
    return {"pair": pair, "words": new}
