# cause: most_common(1)[0] is the pair together with its count, so what is returned and looked for is no pair; take its first item.
# names: most_common|(pair|it|answer|what you).{0,40}(and|with|together with|also|including|plus) (its|the|a|their) (count|frequency|number)|((its|the) count|frequency) .{0,40}(part|included|too|as well|inside|with the pair|beside)|\(pair, (its )?count|\[0\]\[0\]|nested (tuple|pair)|a pair (of|and) (a |the )?(pair|count|number)
from collections import Counter

def merge_step(words):
    pairs = Counter()
    for w in words:
        pairs.update(zip(w[:-1], w[1:]))
    if not pairs:
        return {"pair": None, "words": words}
    best = pairs.most_common(1)[0]
    new_words = []
    for w in words:
        out = []
        i = 0
        while i < len(w):
            if tuple(w[i:i + 2]) == best:
                out.append("".join(best))
                i = i + 2
            else:
                out.append(w[i])
                i = i + 1
        new_words.append(out)
    return {"pair": best, "words": new_words}
