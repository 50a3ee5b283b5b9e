"""You join from right to left: `["a", "a", "a"]` becomes `["a", "aa"]`. Start at the left."""

from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = max(counts, key=lambda pair: counts[pair])  # the first of those that are most frequent
    return {"pair": pair, "words": [[t[::-1] for t in merged([t[::-1] for t in word[::-1]], tuple(t[::-1] for t in pair[::-1]))][::-1] for word in words]}


def merged(word, pair):
    tokens, at = [], 0
    while at < len(word):
        is_pair = tuple(word[at : at + 2]) == pair
        tokens.append("".join(pair) if is_pair else word[at])
        at += 2 if is_pair else 1
    return tokens
