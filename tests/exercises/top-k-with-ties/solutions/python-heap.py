import heapq


def top_k(scores, k):
    if k < 0:
        raise ValueError("k is negative")
    return heapq.nsmallest(k, enumerate(scores), key=lambda pair: (-pair[1], pair[0]))
