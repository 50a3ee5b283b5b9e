def count_parameters(config: dict) -> dict:
    """How many numbers are trained in each part of the embeddings, and in all.

    config:  vocab_size, max_len, d_model, positions, segments, layer_norm, tied
    returns: tokens, positions, segments, layer_norm, output, total
    """
    raise NotImplementedError("return the six counts")
