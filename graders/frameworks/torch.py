"""PyTorch."""

import sys
from typing import Any

from graders.frameworks.kind import CannotCross, Framework


def _arrive(array: Any) -> Any:
    import torch

    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


def _leave(value: Any) -> Any:
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return NotImplemented
    import ml_dtypes

    if value.layout != torch.strided:
        raise CannotCross(f"a torch tensor of layout {str(value.layout).removeprefix('torch.')}")
    if value.is_quantized or value.device.type != "cpu":
        raise CannotCross("a quantised torch tensor" if value.is_quantized else f"a torch tensor on {value.device}")
    plain = value.detach().resolve_conj().resolve_neg().contiguous()
    if plain.dtype == torch.bfloat16:
        return plain.view(torch.int16).numpy().view(ml_dtypes.bfloat16).copy()
    return plain.numpy().copy()


def _settle() -> None:
    # reads /proc/cpuinfo and /sys now, since a box does not have them; starts no thread, computes nothing
    sys.modules["torch"].backends.cpu.get_cpu_capability()


def _wake() -> None:
    import torch

    torch.set_num_threads(1)


def _seed(number: int) -> None:
    if (torch := sys.modules.get("torch")) is not None:
        torch.default_generator.manual_seed(number)


FRAMEWORK = Framework(
    name="torch",
    title="PyTorch",
    imports=("numpy", "numpy.random", "ml_dtypes", "torch", "torch.nn", "torch.nn.functional"),
    releases=("torch", "numpy"),
    parked=(1, 4),
    arrive=_arrive,
    leave=_leave,
    settle=_settle,
    wake=_wake,
    seed=_seed,
    array="a tensor",
    short="torch",
    integers="x.long()",
    make="torch.tensor(…)",
    nn="torch.nn",
    instead={
        "torch": {
            "array": "`torch.tensor(…)`", "expand_dims": "`torch.unsqueeze(x, dim)`", "power": "`torch.pow(x, n)`",
            "transpose_": "`torch.transpose`", "astype": "`x.to(dtype)`", "repeat": "`torch.repeat_interleave(x, n)`",
            "newaxis": "`None`", "ndarray": "`torch.Tensor`", "float_": "`torch.float32`", "copy": "`x.clone()`",
            "take_along_axis": "`torch.gather(x, dim, index)`", "one_hot": "`torch.nn.functional.one_hot(x, n)`",
            "max_pool2d_": "`torch.nn.functional.max_pool2d`", "gelu": "`torch.nn.functional.gelu(x)`",
            "concat_": "`torch.cat([x, y])`", "pad": "`torch.nn.functional.pad`", "array_equal": "`torch.equal(x, y)`",
        },
    },
)  # fmt: skip
