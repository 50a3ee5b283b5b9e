# cause: After a pair is joined i is not moved on, so the loop finds the same pair again and never ends.
# names: never (ends?|stops?|finish|terminat)|infinite|endless|forever|(does|do|will) not (end|stop|finish|terminate)|i \+= 2|(not|never).{0,20}(moved?|increas|advanc|incremented|go on|step)|same (pair|place).{0,20}(again|over)|\bi`? (stays|is not|does not)
def merge_step(words):
    pairs = {}
    for w in words:
        for left, right in zip(w[:-1], w[1:]):
            pairs[left, right] = pairs.get((left, right), 0) + 1
    if not pairs:
        return {"pair": None, "words": words}
    pair = max(pairs, key=lambda p: pairs[p])

    out = []
    for w in words:
        merged = []
        i = 0
        while i < len(w):
            if i < len(w) - 1 and (w[i], w[i + 1]) == pair:
                merged.append(w[i] + w[i + 1])
            else:
                merged.append(w[i])
                i += 1
        out.append(merged)
    return {"pair": pair, "words": out}
