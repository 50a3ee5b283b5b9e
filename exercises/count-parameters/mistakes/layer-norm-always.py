# framework: python
"""You count a layer norm even where `layer_norm` is false."""


def count_parameters(config):
    vocab_size, max_len, d_model = config["vocab_size"], config["max_len"], config["d_model"]
    kind = config["positions"]
    if kind not in ("learned", "sinusoidal", "rotary", "alibi"):
        raise ValueError(kind)
    counts = {
        "tokens": vocab_size * d_model,
        "positions": max_len * d_model if kind == "learned" else 0,
        "segments": config["segments"] * d_model,
        "layer_norm": 2 * d_model,
        "output": 0 if config["tied"] else vocab_size * d_model,
    }
    return {**counts, "total": sum(counts.values())}
