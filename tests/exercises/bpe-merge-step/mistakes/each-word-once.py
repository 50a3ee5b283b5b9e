"""A word that occurs several times counts once in your answer. Count it each time."""

from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in map(list, dict.fromkeys(map(tuple, words))) for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = max(counts, key=lambda pair: counts[pair])  # the first of those that are most frequent
    return {"pair": pair, "words": [merged(word, pair) for word in words]}


def merged(word, pair):
    tokens, at = [], 0
    while at < len(word):
        is_pair = tuple(word[at : at + 2]) == pair
        tokens.append("".join(pair) if is_pair else word[at])
        at += 2 if is_pair else 1
    return tokens
