"""What an import gives: the record, the formats, and what a person should know about them."""

from __future__ import annotations

from dataclasses import dataclass

from tokensheet.config_import import formats, weight_groups
from tokensheet.config_import.weight_groups import WeightGroup
from tokensheet.schema.model import Model
from tokensheet.schema.number_format import NumberFormat


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model record from a configuration file, and everything a person should know about it."""

    model: Model
    architecture: str
    path: str
    """Where in the file the language model stands; empty: at the top."""
    weights: str | None
    """Id of the weight format; `mixed` where groups differ; None: a person must choose."""
    kv: str | None
    """Id of the cache format; None: the file declares one that is not known."""
    weight_groups: tuple[WeightGroup, ...]
    """The weights by class and format, scales included; empty where the format is not known."""
    decided: tuple[str, ...]
    """Which field of the file decided which format."""
    assumptions: tuple[str, ...]
    questions: tuple[str, ...]
    """What only a person can answer."""
    not_modelled: tuple[str, ...]
    verified: bool
    """A catalogue model of the same kind agrees with its published count."""
    proof: str
    """That model's id; empty where there is none."""

    @property
    def weight_bytes(self) -> float | None:
        """Bytes of all weights, summed group by group."""
        return sum(group.size for group in self.weight_groups) if self.weight_groups else None

    @property
    def active_with_embedding(self) -> float:
        """Parameters that a token passes or looks up: an untied embedding beside the head."""
        return float(self.model.active_parameters + self.model.head_parameters)

    @property
    def kv_bytes_by_layers(self) -> dict[str, float] | None:
        """Bytes a token adds in 16 bit by kind of layer; None where the cache is not modelled."""
        full, window = self.model.full_kv_elements, self.model.window_kv_elements
        latent = self.model.latent_kv_elements
        if full is None or window is None or latent is None:
            return None
        return {"full": 2 * full, "window": 2 * window, "latent": 2 * latent}

    @property
    def kv_bytes_per_token_16bit(self) -> float | None:
        """Bytes a token adds in 16 bit while it is inside every window."""
        by_layers = self.kv_bytes_by_layers
        return None if by_layers is None else sum(by_layers.values())

    def number_format(self) -> NumberFormat | None:
        """The weights as a format of their own, averaged by class; None where they are not known.

        It computes in the format that most of the multiplied weights have.
        """
        if not self.weight_groups:
            return None

        def average(*classes: str) -> float:
            found = [group for group in self.weight_groups if group.what in classes] or list(
                self.weight_groups
            )
            return sum(group.size for group in found) / sum(group.parameters for group in found)

        units = self._units()
        return NumberFormat(
            id=f"{self.model.id}-weights",
            name=f"weights of {self.model.id}: {self.weights}",
            bytes_per_element=average(*weight_groups.LINEAR),
            attention_bytes_per_element=average("attention"),
            mlp_bytes_per_element=average("mlp", "shared_expert"),
            expert_bytes_per_element=average("expert"),
            embedding_bytes_per_element=average("embedding"),
            head_bytes_per_element=average("head"),
            other_bytes_per_element=average("other"),
            computes_fp8=float(units == "fp8"),
            computes_int8=float(units == "int8"),
            computes_fp4=float(units == "fp4"),
            source=f"{self.model.source}: {'; '.join(self.decided) or 'its dtype'}",
            states={"bytes_per_element": "derived"},
        )

    def _units(self) -> str:
        sizes: dict[str, float] = {}
        for group in self.weight_groups:
            if group.what in weight_groups.LINEAR:
                kind = formats.units_of(group.format)
                sizes[kind] = sizes.get(kind, 0.0) + group.parameters
        return max(sizes, key=sizes.__getitem__) if sizes else ""

    @property
    def kv_bytes_per_token(self) -> float | None:
        """Bytes a token adds to the cache while it is inside every window."""
        in_16_bit, size = self.kv_bytes_per_token_16bit, CACHE_BYTES.get(self.kv or "")
        return None if in_16_bit is None or size is None else in_16_bit / 2 * size


CACHE_BYTES = {
    kind.id: kind.bytes_per_weight
    for kind in (*formats.PLAIN.values(), formats.FP8, formats.INT8, formats.NVFP4)
}
