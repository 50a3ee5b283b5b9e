# cause: words are joined to text and replaced, which ignores token borders
# names: token|text|string|letters|border
from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = counts.most_common(1)[0][0]
    a, b = pair
    new = []
    for word in words:
        text = " ".join(word).replace(a + " " + b, a + b)
        new.append(text.split())
    return {"pair": pair, "words": new}
