def merge_step(words):
    """The most frequent pair of neighbours, and the words in which it is joined: {"pair": …, "words": …}"""
    raise NotImplementedError("count, choose, join")
