"""Operations of a transformer block step by step, and of the unembedding after the last one; all for one token."""

from __future__ import annotations

from tokensheet.plugin import FLOPS_PER_MAC, formula

_STEPS = "kipply 2022: flops counting, the steps of a transformer block"


@formula(unit="1", source=_STEPS, title="Share of a head's elements that are keys")
def key_share(head_size, value_head_size):
    """Share of the elements of a head's key and value that are the key's: a half where both are as wide."""
    widths = head_size + value_head_size
    return head_size / widths if widths > 0 else 0


@formula(unit="element", source=_STEPS, title="Outputs of all heads")
def head_outputs(
    full_attention_macs, window_attention_macs, key_share, latent_layers, heads, value_head_size
):
    """Elements that the heads of all attention layers give for one token, before the projection."""
    grouped = (full_attention_macs + window_attention_macs) * (1 - key_share)
    return grouped + latent_layers * heads * value_head_size


@formula(unit="1", source=_STEPS, title="Weights of the output projection")
def projection_parameters(head_outputs, d_model):
    """Weights of the projections from the heads back to the residual stream, over all attention layers."""
    return head_outputs * d_model


@formula(unit="flop", source=_STEPS, cell="model, [options]", title="Operations of q, k and v")
def qkv_flops(attention_parameters, projection_parameters):
    """Operations of one token that make queries, keys and values in all layers; recurrent mixers count here too."""
    return FLOPS_PER_MAC * (attention_parameters - projection_parameters)


@formula(unit="flop", source=_STEPS, cell="model, context, [options]", title="Operations of attention scores")
def score_flops(
    full_attention_macs, window_attention_macs, key_share, heads, latent_kv_elements, context, window
):
    """Operations of one token's queries with the keys of its cached tokens in all layers."""
    pairs = (full_attention_macs * context + window_attention_macs * min(context, window)) * key_share
    return FLOPS_PER_MAC * (pairs + heads * latent_kv_elements * context)


@formula(unit="flop", source=_STEPS, cell="model, context, [options]", title="Operations of the weighted sum")
def weighted_sum_flops(
    full_attention_macs,
    window_attention_macs,
    latent_attention_macs,
    key_share,
    heads,
    latent_kv_elements,
    context,
    window,
):
    """Operations that add up the values of one token's cached tokens by their scores in all layers."""
    pairs = (full_attention_macs * context + window_attention_macs * min(context, window)) * (1 - key_share)
    latent = (latent_attention_macs - heads * latent_kv_elements) * context
    return FLOPS_PER_MAC * (pairs + latent)


@formula(unit="flop", source=_STEPS, cell="model, [options]", title="Operations of the output projection")
def projection_flops(projection_parameters):
    """Operations of one token that bring the heads' outputs back to the residual stream in all layers."""
    return FLOPS_PER_MAC * projection_parameters


@formula(unit="flop", source=_STEPS, cell="model, [options]", title="Operations of the MLPs")
def mlp_flops(active_parameters, attention_parameters, other_parameters, unembedding_parameters):
    """Operations of one token in the MLPs of all layers, of experts only those that it passes."""
    return FLOPS_PER_MAC * (
        active_parameters - attention_parameters - other_parameters - unembedding_parameters
    )


@formula(unit="1", source=_STEPS, title="Weights of the unembedding")
def logit_parameters(unembedding_parameters, vocabulary, d_model):
    """Weights that score the vocabulary; a vocabulary given to a model without one counts d_model a token."""
    return unembedding_parameters if unembedding_parameters > 0 else vocabulary * d_model


@formula(unit="flop", source=_STEPS, cell="model, [options]", title="Operations of the unembedding")
def unembedding_flops(logit_parameters):
    """Operations that score the whole vocabulary for one token."""
    return FLOPS_PER_MAC * logit_parameters
