def merge_step(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 1):
            counts[word[i], word[i + 1]] = counts.get((word[i], word[i + 1]), 0) + 1
    pair = next((p for p in counts if counts[p] == max(counts.values())), None)
    new_words = []
    for word in words:
        new_word = []
        for token in word:
            new_word.append((token,))
            if len(new_word) > 1 and new_word[-2] + new_word[-1] == pair:
                new_word[-2:] = [(new_word[-2][0] + token, "")]
        new_words.append([token[0] for token in new_word])
    return {"pair": pair, "words": new_words}
