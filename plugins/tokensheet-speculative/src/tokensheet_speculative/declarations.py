"""What speculative decoding is asked with: the draft model, how many tokens it drafts, how many are accepted."""

from __future__ import annotations

from tokensheet.plugin import COUNT, SHARE_OR_NONE, Assumption, Declaration, Input, Role

DECLARATIONS: tuple[Declaration, ...] = (
    Role(
        "draft_model",
        "model",
        "small model that drafts tokens",
        prefix="draft_model_",
        example="llama-3.1-8b",
    ),
    Input("draft_tokens", "1", "tokens drafted before each verification", 4, COUNT),
    Assumption(
        "acceptance_rate",
        "1",
        "share of drafted tokens that the large model accepts, each by itself",
        "measured for a pair of models and a kind of text; published values lie between 0.5 and 0.9",
        range=SHARE_OR_NONE,
        example=0.7,
    ),
)
