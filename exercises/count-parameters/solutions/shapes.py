from math import prod


def count_parameters(config):
    V, L, d = config["vocab_size"], config["max_len"], config["d_model"]
    match config["positions"]:
        case "learned":
            positions = [(L, d)]
        case "sinusoidal" | "rotary" | "alibi":
            positions = []
        case other:
            raise ValueError(other)
    shapes = {
        "tokens": [(V, d)],
        "positions": positions,
        "segments": [(config["segments"], d)],
        "layer_norm": [(d,), (d,)] * config["layer_norm"],
        "output": [(V, d)] * (not config["tied"]),
    }
    counts = {part: sum(prod(shape) for shape in found) for part, found in shapes.items()}
    counts["total"] = sum(counts.values())
    return counts
