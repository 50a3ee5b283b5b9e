# cause: the input is changed: the best score is set to -inf in scores
# names: changes|input|argument|in place|infinite
def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    result = []
    for _ in range(min(k, len(scores))):
        best = 0
        for i in range(len(scores)):
            if scores[i] > scores[best]:
                best = i
        result.append((best, scores[best]))
        scores[best] = 0
    return result
