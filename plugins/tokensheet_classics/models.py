"""The two articles' models: no vocabulary, no norms, 12 × layers × d_model² parameters or a stated total."""

from __future__ import annotations

from tokensheet.plugin import Model
from tokensheet_classics.sources import KIPPLY, LI


def models() -> list[Model]:
    """Classic transformers as the articles count them."""
    return [
        _square("classic-52b", "52B of kipply 2022", layers=64, heads=64),
        _square("classic-13b", "13B of kipply 2022", layers=40, heads=40),
        _taken(
            "classic-gopher-260b", "Gopher as kipply 2022 takes it", 80, heads=128, total=260e9, source=KIPPLY
        ),
        _taken(
            "classic-70b-mha",
            "70B without grouped heads, as Li 2023 takes it",
            80,
            heads=64,
            total=70e9,
            source=LI,
        ),
    ]


def _square(id: str, name: str, layers: int, heads: int) -> Model:
    """Exactly 12 × layers × d_model²: four square attention matrices, an MLP four times as wide."""
    d_model = 128 * heads
    return Model(
        id=id,
        name=name,
        layers=layers,
        d_model=d_model,
        heads=heads,
        kv_heads=heads,
        head_size=128,
        mlp_width=4 * d_model,
        gated_mlp=False,
        norm="none",
        source=KIPPLY,
    )


def _taken(id: str, name: str, layers: int, heads: int, total: float, source: str) -> Model:
    """A total as the article states it; the MLP is what attention leaves of it."""
    return Model(
        id=id,
        name=name,
        layers=layers,
        d_model=128 * heads,
        heads=heads,
        kv_heads=heads,
        head_size=128,
        taken_parameters=total,
        source=source,
    )
