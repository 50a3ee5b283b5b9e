# framework: python
"""You count no positions even where they are learned. A learned table has `max_len` rows of `d_model` numbers."""


def count_parameters(config):
    vocab_size, max_len, d_model = config["vocab_size"], config["max_len"], config["d_model"]
    kind = config["positions"]
    if kind not in ("learned", "sinusoidal", "rotary", "alibi"):
        raise ValueError(kind)
    counts = {
        "tokens": vocab_size * d_model,
        "positions": 0,
        "segments": config["segments"] * d_model,
        "layer_norm": 2 * d_model if config["layer_norm"] else 0,
        "output": 0 if config["tied"] else vocab_size * d_model,
    }
    return {**counts, "total": sum(counts.values())}
