# framework: python
"""`tied` works the wrong way round: a tied output adds nothing, and one that is not tied adds
`vocab_size * d_model`."""


def count_parameters(config):
    vocab_size, max_len, d_model = config["vocab_size"], config["max_len"], config["d_model"]
    kind = config["positions"]
    if kind not in ("learned", "sinusoidal", "rotary", "alibi"):
        raise ValueError(kind)
    counts = {
        "tokens": vocab_size * d_model,
        "positions": max_len * d_model if kind == "learned" else 0,
        "segments": config["segments"] * d_model,
        "layer_norm": 2 * d_model if config["layer_norm"] else 0,
        "output": vocab_size * d_model if config["tied"] else 0,
    }
    return {**counts, "total": sum(counts.values())}
