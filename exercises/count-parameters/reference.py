"""The trained numbers in the embeddings of a transformer, part by part."""

KINDS = ("learned", "sinusoidal", "rotary", "alibi")


def count_parameters(config):
    """A dict of six counts; the total is the sum of the other five.

    >>> count_parameters({"vocab_size": 10, "max_len": 4, "d_model": 3, "positions": "learned",
    ...                   "segments": 2, "layer_norm": True, "tied": True})["total"]
    54
    """
    vocab_size, max_len, d_model = config["vocab_size"], config["max_len"], config["d_model"]
    kind = config["positions"]
    if kind not in KINDS:
        raise ValueError(f"positions must be one of {KINDS}, not {kind!r}")
    counts = {
        "tokens": vocab_size * d_model,
        "positions": max_len * d_model if kind == "learned" else 0,
        "segments": config["segments"] * d_model,
        "layer_norm": 2 * d_model if config["layer_norm"] else 0,   # a weight and a bias
        "output": 0 if config["tied"] else vocab_size * d_model,
    }
    return {**counts, "total": sum(counts.values())}
