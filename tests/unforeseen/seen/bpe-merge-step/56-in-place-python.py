# cause: words are changed in place while the loop goes on: after del the index is not adapted, ... only one merge in each word.
# names: first|only one|break|every|twice|more than once
from collections import Counter


def merge_step(words):
    counts = Counter(pair for word in words for pair in zip(word, word[1:]))
    if not counts:
        return {"pair": None, "words": words}
    pair = max(counts, key=counts.get)
    new = []
    for word in words:
        word = list(word)
        for i in range(len(word) - 1):
            if (word[i], word[i + 1]) == pair:
                word[i : i + 2] = ["".join(pair)]
                break
        new.append(word)
    return {"pair": pair, "words": new}
