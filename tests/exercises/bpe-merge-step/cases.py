def sample_cases(rng):
    yield "low and lower", {"words": words("low lower")}
    yield "a pair that overlaps itself", {"words": words("aaa ba")}


def hidden_cases(rng):
    yield "two letters, drawn", {"words": drawn(rng, "ab", 6, 8)}
    yield "three letters, drawn", {"words": drawn(rng, "abc", 9, 6)}
    yield "the same word several times", {"words": words("he ab ab ab he hen")}
    yield "several are most frequent", {"words": words("zx zy xz ab ba")}
    yield "frequent across words only", {"words": words("ab ba ba ab cd cd cd")}
    yield "twice in one word", {"words": words("banana bandana")}
    yield "longer tokens", {"words": [["lo", "w"], ["s", "lo", "w"], ["l", "ow"]]}
    yield "a token of several letters is no pair", {"words": [["ab"], ["a", "b"], ["ab", "a", "b"], ["c"]]}
    yield "a token that ends as the pair begins", {"words": [["xa", "b"], ["a", "b"], ["a", "b"]]}
    yield "words of one token", {"words": [["low"], ["er"], ["low"]]}
    yield "an empty word", {"words": [[], ["a", "b"], []]}
    yield "no words", {"words": []}
    yield "one token a word, drawn", {"words": [["".join(word)] for word in drawn(rng, "abc", 4, 5)]}
    letter = "abcdefgh"[int(rng.integers(8))]
    yield "one letter, over and over", {"words": [[letter] * int(rng.integers(3, 9)), [letter] * 5]}


def words(text):
    return [list(word) for word in text.split()]


def drawn(rng, letters, count, longest):
    return [[letters[n] for n in rng.integers(0, len(letters), rng.integers(1, longest))] for _ in range(count)]
