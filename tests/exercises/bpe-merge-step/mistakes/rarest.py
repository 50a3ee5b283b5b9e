"""You take the pair that is least frequent."""

from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = min(counts, key=lambda pair: counts[pair])  # the first of those that are most frequent
    return {"pair": pair, "words": [merged(word, pair) for word in words]}


def merged(word, pair):
    tokens, at = [], 0
    while at < len(word):
        is_pair = tuple(word[at : at + 2]) == pair
        tokens.append("".join(pair) if is_pair else word[at])
        at += 2 if is_pair else 1
    return tokens
