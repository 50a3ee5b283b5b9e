def count_parameters(config):
    d_model = config["d_model"]
    trained_rows = {"learned": config["max_len"], "sinusoidal": 0, "rotary": 0, "alibi": 0}
    if config["positions"] not in trained_rows:
        raise ValueError("unknown kind of positions: " + config["positions"])
    tokens = config["vocab_size"] * d_model
    positions = trained_rows[config["positions"]] * d_model
    segments = config["segments"] * d_model
    layer_norm = 0
    if config["layer_norm"]:
        layer_norm = d_model + d_model          # weight, bias
    output = 0
    if not config["tied"]:
        output = tokens
    total = tokens + positions + segments + layer_norm + output
    return {
        "tokens": tokens,
        "positions": positions,
        "segments": segments,
        "layer_norm": layer_norm,
        "output": output,
        "total": total,
    }
