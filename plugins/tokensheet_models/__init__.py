"""Model architectures that people plan with, each with its sources."""

from __future__ import annotations

from importlib import import_module

from tokensheet.plugin import Model, hookimpl

FAMILIES = (
    "llama",
    "qwen",
    "qwen3",
    "deepseek",
    "mistral",
    "google",
    "openai",
    "nvidia",
    "microsoft",
    "zhipu",
    "moonshot",
    "minimax",
    "chinese_platforms",
    "baichuan_internlm_yi",
    "cohere",
    "ibm",
    "open_science",
    "falcon",
    "state_space",
    "others",
    "opt",
    "bloom",
    "eleuther_mosaic_stability",
)
"""Modules with a function `models`; they are imported when the models are first asked for."""


@hookimpl
def tokensheet_models() -> list[Model]:
    """All models, family by family."""
    return [model for family in FAMILIES for model in import_module(f"tokensheet_models.{family}").models()]
