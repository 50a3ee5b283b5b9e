"""The modules of torch.nn themselves, made without memory, and the numbers in their parameters counted. A tied output
shares its tensor with the tokens, so it adds none."""

from typing import Any

import torch


def expected(config: dict[str, Any]) -> dict[str, int]:
    if config["positions"] not in {"learned", "sinusoidal", "rotary", "alibi"}:
        raise ValueError(config["positions"])
    width = config["d_model"]
    model = torch.nn.Module()
    model.tokens = torch.nn.Embedding(config["vocab_size"], width, device="meta")
    if config["positions"] == "learned":
        model.positions = torch.nn.Embedding(config["max_len"], width, device="meta")
    if config["segments"]:
        model.segments = torch.nn.Embedding(config["segments"], width, device="meta")
    if config["layer_norm"]:
        model.layer_norm = torch.nn.LayerNorm(width, device="meta")
    model.output = torch.nn.Linear(width, config["vocab_size"], bias=False, device="meta")
    if config["tied"]:
        model.output.weight = model.tokens.weight
    counts = dict.fromkeys(["tokens", "positions", "segments", "layer_norm", "output", "total"], 0)
    for name, parameter in model.named_parameters():  # a shared tensor is named once
        counts[name.split(".")[0]] += parameter.numel()
        counts["total"] += parameter.numel()
    return counts
