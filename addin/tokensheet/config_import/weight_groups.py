"""Sums a checkpoint's weights by class of tensor and format."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokensheet.config_import.formats import Format
from tokensheet.config_import.quantization import Quantization
from tokensheet.schema.model import Model

CLASSES = ("attention", "mlp", "expert", "shared_expert", "embedding", "head", "other")
LINEAR = CLASSES[:4]
"""What a quantiser takes unless told otherwise: linear layers, not embeddings, head, norms and routers."""

OUTSIDE = re.compile(
    r"vision|visual|audio|image|mtp|projector|embed_tokens|norm|conv1d|rotary|dt_proj|in_proj_[ab]\b"
    r"|A_log|(^|[._])gate($|[.*$])|shared_expert_gate|router|e_score|correction_bias|indexer"
)
"""Modules outside the language model, or too small to be a class of their own."""

WORDS = (
    ("shared_expert", re.compile(r"shared_expert")),
    ("expert", re.compile(r"experts")),
    (
        "attention",
        re.compile(r"attn|attention|mamba|linear_attn|[qkvo]_proj|qkv|out_proj|in_proj|[ab]_proj\b"),
    ),
    ("mlp", re.compile(r"mlp|ffn|feed_forward|(gate|up|down)_proj|fc[12]\b|dense_")),
    ("head", re.compile(r"lm_head|embed_out|output_layer")),
)
LAYER = re.compile(r"(?:layers|h|blocks|block)\\?\.(\d+)(?:\\?\.|\*|$)")
WHOLE_LAYER = re.compile(r"(?:layers|h|blocks|block)\\?\.\d+(?:\\?\.?\*?|\.\*)?$")


@dataclass(frozen=True, slots=True)
class WeightGroup:
    """Weights of one class of tensor in one format."""

    what: str
    format: str
    bytes_per_weight: float
    parameters: float

    @property
    def size(self) -> float:
        """Bytes of the group."""
        return self.parameters * self.bytes_per_weight


def groups(model: Model, base: Format, found: Quantization | None, notes: list[str]) -> list[WeightGroup]:
    """All weights of a model by class and format; what was taken on trust is added to `notes`."""
    shares = {name: {base: 1.0} for name in CLASSES}
    if found is not None:
        shares = _shares(model, base, found, notes)
    result = []
    for name in CLASSES:
        total = float(getattr(model, f"{name}_parameters"))
        for kind, share in shares[name].items():
            if total * share > 0:
                result.append(WeightGroup(name, kind.id, kind.bytes_per_weight, total * share))
    return result


def _shares(
    model: Model, base: Format, found: Quantization, notes: list[str]
) -> dict[str, dict[Format, float]]:
    default = found.default or base
    quantised = ("expert",) if found.experts_only else LINEAR
    shares = {name: {default if name in quantised else base: 1.0} for name in CLASSES}
    if found.head and found.default:
        shares["head"] = {found.default: 1.0}
    _assign(model, shares, [(name, base) for name in found.left], notes, "left in 16 bit")
    _assign(model, shares, found.named, notes, "named in a group")
    if found.named:
        quiet = [n for n in LINEAR if shares[n] == {base: 1.0} and getattr(model, f"{n}_parameters")]
        if quiet:
            notes.append(f"no group names the {' and '.join(quiet)} weights: taken as {base.id}")
    return shares


def _assign(
    model: Model,
    shares: dict[str, dict[Format, float]],
    named: list[tuple[str, Format]],
    notes: list[str],
    what: str,
) -> None:
    """Move the named modules of each class to their format, layer by layer."""
    shortened = any(" " in name for name, _ in named)
    layers: dict[str, dict[Format, set[str]]] = {}
    for name, kind in named:
        if " " in name:
            continue
        for tensor in _classes(name, beside=bool(model.parallel_mlp_width)):
            number = LAYER.search(name)
            layers.setdefault(tensor, {}).setdefault(kind, set()).add(number[1] if number else "all")
    for tensor, by_format in layers.items():
        rest = dict(shares[tensor])
        moved: dict[Format, float] = {}
        for kind, numbers in by_format.items():
            everywhere = "all" in numbers or shortened or tensor == "head"
            moved[kind] = 1.0 if everywhere else min(1.0, len(numbers) / max(1, _layers(model, tensor)))
        scale = max(0.0, 1 - sum(moved.values()))
        left = {kind: share * scale for kind, share in rest.items() if share * scale > 0}
        for kind, share in moved.items():
            left[kind] = left.get(kind, 0.0) + share / max(1.0, sum(moved.values()))
        shares[tensor] = left
    if names_projections(named) and what.startswith("left"):
        notes.append(
            "single projections are left in 16 bit: their layers' weights of that class count whole as such"
        )
    if shortened:
        notes.append(
            f"the list of modules {what} is shortened: other layers are taken to be like those it names"
        )


def names_projections(named: list[tuple[str, Format]]) -> bool:
    """Whether a list names single projections of a block instead of blocks."""
    return any(_classes(name) and re.search(r"_proj|qkv", name) for name, _ in named)


def _classes(name: str, beside: bool = False) -> tuple[str, ...]:
    """The classes of tensors that a name or pattern covers; `beside`: experts stand outside the MLP."""
    if OUTSIDE.search(name):
        return ()
    if WHOLE_LAYER.search(name):
        return LINEAR
    for tensor, words in WORDS:
        if words.search(name):
            if tensor == "mlp" and not beside and re.search(r"(mlp|ffn|feed_forward)\*?$", name):
                return ("mlp", "expert", "shared_expert")
            return (tensor,)
    return ()


def _layers(model: Model, tensor: str) -> int:
    if tensor == "attention":
        mixers = model.full_layers + model.window_layers + model.latent_layers
        return mixers + model.recurrent_layers + model.other_layers
    if tensor == "mlp":
        return model.dense_layers + (model.moe_layers if model.parallel_mlp_width else 0)
    return model.moe_layers
