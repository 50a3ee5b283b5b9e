# cause: k larger than the number of scores raises an error
# names: more than|fewer|larger|longer|k`
def top_k(scores, k):
    if k < 0 or k > len(scores):
        raise ValueError("bad k")
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return [(i, scores[i]) for i in order[:k]]
