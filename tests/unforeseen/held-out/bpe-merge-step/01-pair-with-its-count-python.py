# cause: most_common(1)[0] is the pair together with its count, so pair is (("l", "o"), 2) and nothing in the words equals it.
# names: most_common|\[0\]\[0\]|(pair|tuple)\W.{0,60}(and|with|together with|plus|its) .{0,15}(count|number|frequency)|count.{0,40}(is|belongs|comes|stands|left|still).{0,20}(in|with|part|inside)|how often
from collections import Counter


def merge_step(words):
    counts = Counter()
    for word in words:
        for a, b in zip(word, word[1:]):
            counts[(a, b)] += 1
    if len(counts) == 0:
        return {"pair": None, "words": words}

    best = counts.most_common(1)[0]

    new_words = []
    for word in words:
        new, i = [], 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                new.append(word[i] + word[i + 1])
                i += 2
            else:
                new.append(word[i])
                i += 1
        new_words.append(new)
    return {"pair": best, "words": new_words}
