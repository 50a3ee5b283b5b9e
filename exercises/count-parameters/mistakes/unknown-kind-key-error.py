# framework: python
# verdict: runtime_error
"""You look the kind up in a dict, which raises a KeyError for one that does not exist. Ask first, and raise a
`ValueError`."""


def count_parameters(config):
    vocab_size, max_len, d_model = config["vocab_size"], config["max_len"], config["d_model"]
    kind = config["positions"]
    rows = {"learned": max_len, "sinusoidal": 0, "rotary": 0, "alibi": 0}[kind]
    counts = {
        "tokens": vocab_size * d_model,
        "positions": rows * d_model,
        "segments": config["segments"] * d_model,
        "layer_norm": 2 * d_model if config["layer_norm"] else 0,
        "output": 0 if config["tied"] else vocab_size * d_model,
    }
    return {**counts, "total": sum(counts.values())}
