"""Parameters of the vision towers that some published counts include; no formula reads them."""

from __future__ import annotations


def _encoder(layers: int, width: int, inner: int) -> int:
    """Blocks of a vision transformer: attention and MLP with biases, two norms with biases."""
    block = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    return layers * block


def siglip(d_model: int) -> int:
    """SigLIP So400m/14 at 896 pixels with Gemma 3's projector (vision_config of the checkpoints)."""
    width = 1152
    patches = 3 * 14 * 14 * width + width
    positions = 64 * 64 * width
    projector = width * d_model + width
    return _encoder(27, width, 4304) + patches + positions + 2 * width + projector


def qwen35(d_model: int) -> int:
    """The tower of Qwen3.5 with its 2 × 2 patch merger (vision_config of the checkpoints)."""
    width, merged = 1152, 4 * 1152
    patches = 3 * 2 * 16 * 16 * width + width
    positions = 2304 * width
    merger = 2 * width + merged * merged + merged + merged * d_model + d_model
    return _encoder(27, width, 4304) + patches + positions + merger


def llama4() -> int:
    """The tower of Llama 4 with adapter and projector (vision_config of the checkpoints)."""
    width, inner, adapter, d_model = 1408, 5632, 4096, 5120
    patches = 588 * width + width
    positions = 577 * width
    projector = inner * adapter + adapter * adapter + adapter * d_model
    return _encoder(34, width, inner) + patches + positions + 4 * width + projector
