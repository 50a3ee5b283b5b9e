# verdict: runtime_error
"""Where no word has two tokens there is no pair, and `max` of nothing is an error. Return `None` as the pair."""

from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    pair = max(counts, key=lambda pair: counts[pair])  # the first of those that are most frequent
    return {"pair": pair, "words": [merged(word, pair) for word in words]}


def merged(word, pair):
    tokens, at = [], 0
    while at < len(word):
        is_pair = tuple(word[at : at + 2]) == pair
        tokens.append("".join(pair) if is_pair else word[at])
        at += 2 if is_pair else 1
    return tokens
