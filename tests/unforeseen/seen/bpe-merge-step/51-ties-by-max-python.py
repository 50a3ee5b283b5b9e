# cause: Ties go to the pair that is largest (max over (count, pair)) and not the first in the text.
# names: tie|equal|several|as often|first in
from collections import Counter


def merge_step(words):
    counts = Counter()
    for word in words:
        for a, b in zip(word, word[1:]):
            counts[a, b] += 1
    if not counts:
        return {"pair": None, "words": words}
    pair = max((n, p) for p, n in counts.items())[1]
    new = []
    for word in words:
        out, i = [], 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
                out.append(word[i] + word[i + 1])
                i += 2
            else:
                out.append(word[i])
                i += 1
        new.append(out)
    return {"pair": pair, "words": new}
