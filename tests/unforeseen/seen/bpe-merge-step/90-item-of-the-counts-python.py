# cause: max of counts.items() is the pair together with its count; it is also what the words are compared with, so nothing is joined. Take item [0] where it is chosen.
# names: (together|along) with.{0,20}(count|number)|\bcount\b.{0,60}(beside|with|too|as well)|line 8\b|where it is (chosen|made|taken)|nothing.{0,30}(joined|merged|equal)|compar\w+.{0,60}(pair|tuple)|(top|\))\[0\]|items\(\)
def merge_step(words):
    counts = {}
    for word in words:
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    if not counts:
        return {"pair": None, "words": words}
    top = max(counts.items(), key=lambda item: item[1])
    joined = []
    for word in words:
        out = []
        for token in word:
            if out and (out[-1], token) == top:
                out[-1] += token
            else:
                out.append(token)
        joined.append(out)
    return {"pair": top, "words": joined}
