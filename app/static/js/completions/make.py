"""Writes numpy.js, jax.js and torch.js beside it: what the editor proposes, asked of the installed libraries.

    .venv/bin/python app/static/js/completions/make.py

Once after a pin in requirements.lock changed. A name that a library no longer has stops it, with the name. Each file
is `export default {"version", "modules": {dotted name: {name: [kind, signature, summary]}}}`, kind being one of
function, class, constant, property, namespace; a class's members are listed under its own dotted name.
"""

# ruff: noqa: E501 (lists of names)
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MAX_SIGNATURE = 240  # characters; jnp.einsum says all that it can do in one line
MAX_SUMMARY = 110
UFUNC_TAIL = "casting='same_kind', order='K', dtype=None, subok=True, signature=None"

ARITHMETIC = """abs add all allclose amax amin any arange argmax argmin argsort around array array_equal asarray
average bincount broadcast_shapes broadcast_to ceil clip column_stack concatenate convolve copy cos cosh cross cumprod
cumsum deg2rad diag diagonal diff divide dot einsum empty empty_like equal exp exp2 expand_dims expm1 eye flip flatnonzero
floor floor_divide full full_like greater greater_equal histogram hstack identity indices inner invert isclose isfinite
isinf isnan kron less less_equal linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor
logspace matmul max maximum mean median meshgrid min minimum mod moveaxis multiply nan_to_num nanmax nanmean nanmin
nansum negative newaxis nonzero not_equal ones ones_like outer pad percentile pi power prod ptp quantile ravel
reciprocal repeat reshape roll rot90 round searchsorted sign sin sinh sort split sqrt square squeeze stack std subtract
sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose tri tril tril_indices triu triu_indices
unique unravel_index var vdot vstack where zeros zeros_like inf nan e float16 float32 float64 int8 int16 int32 int64
uint8 uint32 bool_ complex64 complex128 finfo iinfo ndarray"""
LINEAR = "cholesky det eig eigh inv lstsq matrix_power matrix_rank norm pinv qr slogdet solve svd"
METHODS = """all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot dtype flatten item imag
max mean min ndim nonzero prod ravel real repeat reshape round shape size sort squeeze std sum swapaxes T take
trace transpose var"""

CHOSEN: dict[str, dict[str, str]] = {
    "numpy": {
        "numpy": ARITHMETIC + """ apply_along_axis array_split ascontiguousarray atleast_1d atleast_2d block cbrt
            correlate digitize dtype errstate fliplr flipud fromfunction gradient hypot interp intersect1d isin lexsort
            mgrid ndindex ogrid partition argpartition put_along_axis r_ rint sinc trapezoid vectorize linalg random fft""",
        "numpy.linalg": LINEAR,
        "numpy.random": "Generator PCG64 default_rng seed",
        "numpy.random.Generator": """beta binomial choice exponential gamma integers multivariate_normal normal
            permutation permuted poisson random shuffle standard_normal uniform""",
        "numpy.fft": "fft fft2 fftfreq fftshift ifft ifft2 irfft rfft",
        "numpy.ndarray": METHODS + " fill itemsize nbytes partition searchsorted strides tobytes tolist view",
    },
    "jax": {
        "jax": """Array block_until_ready checkpoint custom_jvp custom_vjp debug device_put eval_shape grad hessian
            jacfwd jacrev jit jvp lax linearize make_jaxpr nn numpy random scipy tree tree_util value_and_grad vjp vmap""",
        "jax.numpy": ARITHMETIC + """ apply_along_axis array_split atleast_1d
            atleast_2d bfloat16 block cbrt correlate digitize gradient hypot interp isin rint sinc trapezoid
            vectorize linalg fft""",
        "jax.numpy.linalg": LINEAR,
        "jax.nn": """celu dot_product_attention elu gelu glu hard_sigmoid hard_swish hard_tanh initializers leaky_relu
            log_sigmoid log_softmax logsumexp mish one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus
            standardize swish""",
        "jax.nn.initializers": """constant glorot_normal glorot_uniform he_normal he_uniform lecun_normal
            lecun_uniform normal ones orthogonal truncated_normal uniform variance_scaling xavier_normal
            xavier_uniform zeros""",
        "jax.random": """PRNGKey ball bernoulli beta binomial categorical choice dirichlet exponential fold_in gamma
            gumbel key laplace multivariate_normal normal orthogonal permutation poisson randint split
            truncated_normal uniform""",
        "jax.lax": """associative_scan cond conv conv_general_dilated cumsum dot_general dynamic_slice
            dynamic_slice_in_dim dynamic_update_slice erf fori_loop gather map reduce_window rsqrt scan select
            stop_gradient switch top_k while_loop""",
        "jax.tree": "all flatten leaves map reduce structure transpose unflatten",
        "jax.tree_util": "tree_flatten tree_leaves tree_map tree_reduce tree_structure tree_unflatten",
        "jax.debug": "breakpoint callback print",
        "jax.Array": METHODS + " at nbytes",
        "jax.Array.at": "add apply divide get max min multiply power set subtract",
        "flax": "linen struct traverse_util",
        "flax.linen": """BatchNorm Bidirectional Conv ConvTranspose Dense DenseGeneral Dropout Einsum Embed GRUCell
            GroupNorm InstanceNorm LSTMCell LayerNorm Module MultiHeadDotProductAttention OptimizedLSTMCell RMSNorm RNN
            SelfAttention Sequential SimpleCell WeightNorm avg_pool celu combine_masks compact
            dot_product_attention dot_product_attention_weights elu gelu glu hard_tanh initializers jit leaky_relu
            log_sigmoid log_softmax logsumexp make_attention_mask make_causal_mask max_pool nowrap one_hot pool
            relu remat scan selu sigmoid silu softmax softplus standardize swish tabulate tanh vmap""",
        "flax.linen.Module": """apply bind clone copy has_rng has_variable init init_with_output is_initializing
            is_mutable_collection lazy_init make_rng param path perturb put_variable setup sow tabulate unbind
            variable variables get_variable""",
        "flax.linen.initializers": """constant glorot_normal glorot_uniform he_normal he_uniform kaiming_normal
            kaiming_uniform lecun_normal lecun_uniform normal ones ones_init orthogonal truncated_normal uniform
            variance_scaling xavier_normal xavier_uniform zeros zeros_init""",
    },
    "torch": {
        "torch": """Generator Tensor abs add all allclose amax amin any arange argmax argmin argsort as_tensor autograd
            baddbmm bernoulli bfloat16 bincount bmm bool broadcast_tensors broadcast_to bucketize cat cdist ceil chunk
            clamp clip clone complex64 concat cos cosh cross cummax cumprod cumsum deg2rad diag diag_embed diagonal diff
            div dot einsum empty empty_like eq equal erf exp expm1 eye finfo flatten flip float16 float32 float64 floor
            floor_divide from_numpy full full_like gather ge get_default_dtype gt hstack iinfo index_select inf
            inference_mode int16 int32 int64 int8 inverse is_tensor isclose isfinite isin isinf isnan kron le lerp
            linalg linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logspace logsumexp lt
            manual_seed masked_select matmul max maximum mean median meshgrid min minimum mm moveaxis
            movedim mul multinomial mv nan nan_to_num ne neg nn no_grad nonzero norm normal numel ones ones_like outer
            permute pi polar pow prod quantile rand rand_like randint randn randn_like randperm reciprocal
            repeat_interleave reshape roll rot90 round rsqrt scatter scatter_add searchsorted select sigmoid sign sin
            sinh slice_scatter softmax sort split sqrt square squeeze stack std sub sum swapaxes tan tanh tensor
            tensordot tile topk trace transpose tril tril_indices triu triu_indices uint8 unbind unflatten unique
            unsqueeze vander var vdot view_as_complex view_as_real vmap vstack where zeros zeros_like""",
        "torch.nn": """AdaptiveAvgPool1d AdaptiveAvgPool2d AvgPool1d AvgPool2d BCELoss BCEWithLogitsLoss BatchNorm1d
            BatchNorm2d Bilinear Conv1d Conv2d ConvTranspose1d ConvTranspose2d CrossEntropyLoss Dropout Dropout2d ELU
            Embedding EmbeddingBag Flatten GELU GLU GRU GRUCell GroupNorm HuberLoss Identity InstanceNorm2d KLDivLoss
            L1Loss LSTM LSTMCell LayerNorm LeakyReLU Linear LogSoftmax MSELoss MaxPool1d MaxPool2d Mish Module
            ModuleDict ModuleList MultiheadAttention NLLLoss PReLU Parameter ParameterDict ParameterList RMSNorm RNN ReLU
            SELU Sequential SiLU Sigmoid SmoothL1Loss Softmax Softplus Tanh Transformer TransformerDecoderLayer
            TransformerEncoder TransformerEncoderLayer Unflatten Upsample functional init utils""",
        "torch.nn.Module": """add_module apply buffers children cpu double eval extra_repr float forward get_parameter
            get_submodule half load_state_dict modules named_buffers named_children named_modules named_parameters
            parameters register_buffer register_forward_hook register_module register_parameter requires_grad_
            state_dict to train zero_grad""",
        "torch.nn.functional": """adaptive_avg_pool2d avg_pool1d avg_pool2d batch_norm binary_cross_entropy
            binary_cross_entropy_with_logits conv1d conv2d conv_transpose2d cosine_similarity cross_entropy dropout elu
            embedding embedding_bag fold gelu glu group_norm gumbel_softmax hardtanh huber_loss interpolate kl_div
            l1_loss layer_norm leaky_relu linear log_softmax logsigmoid max_pool1d max_pool2d mish mse_loss
            nll_loss normalize one_hot pad pairwise_distance relu relu6 rms_norm scaled_dot_product_attention selu
            sigmoid silu smooth_l1_loss softmax softmin softplus softsign tanh unfold""",
        "torch.nn.init": """constant_ eye_ kaiming_normal_ kaiming_uniform_ normal_ ones_ orthogonal_ trunc_normal_
            uniform_ xavier_normal_ xavier_uniform_ zeros_""",
        "torch.linalg": "cholesky cross det eig eigh inv lstsq matrix_norm matrix_power norm pinv qr slogdet solve svd "
            "vector_norm",
        "torch.autograd": "Function backward grad",
        "torch.Tensor": """T abs add add_ all amax amin any argmax argmin argsort backward bfloat16 bmm bool chunk clamp
            clip clone contiguous cos cpu cumprod cumsum detach device diagonal dim dot dtype exp expand expand_as
            fill_ flatten flip float floor gather grad half index_add index_add_ index_copy index_fill index_select
            int is_contiguous item log long mH mT masked_fill masked_fill_ masked_select masked_scatter matmul max mean
            median min movedim mul ndim nonzero norm numel numpy permute pow prod ravel repeat repeat_interleave
            requires_grad requires_grad_ reshape roll round rsqrt scatter scatter_ scatter_add scatter_add_ scatter_reduce
            select shape sigmoid sign sin size softmax sort split sqrt square squeeze std stride sub sum swapaxes tanh
            tile to tolist topk trace transpose tril triu type type_as unbind unflatten unfold unique unsqueeze var view
            view_as zero_""",
    },
}  # fmt: skip


def main() -> None:
    for framework, chosen in CHOSEN.items():
        modules = {path: dict(described(path, names.split())) for path, names in chosen.items()}
        text = json.dumps({"version": _version(framework), "modules": modules}, ensure_ascii=False, indent=0)
        (HERE / f"{framework}.js").write_text(f"// Made by make.py beside it.\nexport default {text};\n")


def described(path: str, names: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each name with its kind, its signature and the first line of its docstring."""
    holder = resolved(path)
    gone = [name for name in names if not hasattr(holder, name)]
    if gone:
        raise SystemExit(f"{path} has no longer: {' '.join(gone)}. Take them out of CHOSEN.")
    for name in sorted(set(names), key=lambda name: (name.lower(), name)):
        thing = getattr(holder, name)
        kind = _kind(thing, holder)
        # a constant's docstring is that of its type
        says = kind != "constant"
        yield name, [kind, _signature(thing, bound=inspect.isclass(holder)), _summary(thing) if says else _value(thing)]


def resolved(path: str) -> Any:
    """What a dotted name means; `jax.Array.at` is what indexing `x.at` makes, which has no public name."""
    if path == "jax.Array.at":
        return type(importlib.import_module("jax.numpy").zeros(1).at[0])
    for end in range(len(path.split(".")), 0, -1):
        parts = path.split(".")
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(path)


def _kind(thing: Any, holder: Any) -> str:
    if inspect.ismodule(thing):
        return "namespace"
    if inspect.isclass(thing):
        return "class"
    if inspect.isclass(holder) and (inspect.isdatadescriptor(thing) or not callable(thing)):
        return "property"
    return "function" if callable(thing) and not _is_scalar_type(thing) else "constant"


def _is_scalar_type(thing: Any) -> bool:
    """`jnp.float32` is neither a class nor a function to the person who writes it."""
    return type(thing).__name__ == "_ScalarMeta"


def _signature(thing: Any, *, bound: bool) -> str:
    """`(a, axis=None)`, without annotations and `self`; of C functions, what their docstring's first lines say."""
    if inspect.ismodule(thing) or not callable(thing) or _is_scalar_type(thing):
        return ""
    told = _told_signature(thing)
    try:
        signature = inspect.signature(thing)
    except (ValueError, TypeError):
        return told
    parameters = [
        one.replace(annotation=one.empty, default=_plain(one.default)) for one in signature.parameters.values()
    ]
    if bound and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    if told and all(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
        return told
    # flax's modules are dataclasses, whose own machinery nobody passes
    parameters = [one for one in parameters if one.name != "parent" and not one.name.startswith("_")]
    return _fitted(str(inspect.Signature(parameters)))


class _Plain:
    """A default that prints as a person would write it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(default: Any) -> Any:
    """Functions and sentinels by their names: an address would be another in each run."""
    if default is inspect.Parameter.empty or isinstance(default, int | float | str | bool | tuple | None):
        return default
    text = getattr(default, "__name__", None) or repr(default)
    return _Plain("…" if re.search(r"[<\n(]| at 0x|^init$", text) else re.sub(r"^(torch|jax|numpy)\.", "", text))


def _told_signature(thing: Any) -> str:
    """`name(input, dim) -> Tensor`, as torch's and NumPy's docstrings begin."""
    name = re.escape(re.sub(r"^linalg_", "", getattr(thing, "__name__", "")))
    said = re.match(
        rf"\s*(?:\w+\.)*{name}(\([^()]*(?:\([^()]*\)[^()]*)*\))\s*(?:->|$|:)", inspect.getdoc(thing) or "", re.M
    )
    return _fitted(re.sub(r"\s+", " ", said[1])) if said else ""


def _fitted(signature: str) -> str:
    signature = signature.replace(UFUNC_TAIL, "dtype=None")
    if len(signature) <= MAX_SIGNATURE:
        return signature
    return signature[:MAX_SIGNATURE].rpartition(",")[0] + ", …)"


def _summary(thing: Any) -> str:
    """The first sentence, without the markup of docstrings."""
    if inspect.ismodule(thing):
        return ""
    paragraphs = [part for part in re.split(r"\n\s*\n", inspect.getdoc(thing) or "") if not _is_heading(part)]
    text = re.sub(r"\s+", " ", paragraphs[0]) if paragraphs else ""
    text = re.sub(r":\w+(?::\w+)?:`~?([^`<]*?)(?:\s*<[^`]*>)?`", r"\1", text).replace("``", "").replace("`", "")
    text = re.sub(r"\s*\(\s*(?=[.,]|$)", "", re.sub(r"\.\. \w+::.*", "", text))
    text = re.sub(r"\s(?:of size )?\\.*", ".", text)
    if same := re.fullmatch(r"(?:See|Alias (?:of|for)) ((?:torch|jax|numpy)\.[\w.]+?)(?:\(\))?\.?", text):
        return _summary(resolved(same[1]))
    sentence = re.split(r"(?<=[a-z)\]])\.(?:\s|$)|:\s*$", text, maxsplit=1)[0].strip()
    return sentence if len(sentence) <= MAX_SUMMARY else sentence[:MAX_SUMMARY].rpartition(" ")[0] + " …"


def _is_heading(paragraph: str) -> bool:
    """A signature, or nothing that says what the function does."""
    return bool(re.match(r"\s*[\w.]+\([^\n]*\)(\s*->.*)?\s*$|\s*\.\. ", paragraph)) or not paragraph.strip()


def _value(thing: Any) -> str:
    return repr(thing) if isinstance(thing, float) else ""


def _version(framework: str) -> str:
    return str(importlib.import_module(framework).__version__)


if __name__ == "__main__":
    main()
