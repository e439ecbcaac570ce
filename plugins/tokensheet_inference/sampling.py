"""From the last hidden state to the next token: unembedding, logits, sorting, and what devices share of it."""

from __future__ import annotations

from tokensheet.plugin import (
    COUNT,
    FLAG,
    FLOPS_PER_MAC,
    NOT_NEGATIVE,
    POSITIVE,
    Assumption,
    Declaration,
    formula,
)

_SAMPLING = "kipply 2022: exercise on logits and top-k or top-p sampling"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "logit_bytes_per_element",
        "byte",
        "size of a stored logit",
        "fp32 in common engines",
        4,
        POSITIVE,
    ),
    Assumption(
        "sort_passes",
        "1",
        "how often a sort moves all logits with their places: a radix sort of 32 bit takes 4",
        "Merrill and Grimshaw 2011: radix sort, 8 bit a pass",
        4,
        NOT_NEGATIVE,
    ),
    Assumption(
        "sharded_sampling",
        "flag",
        "1: each rank sorts its share of the vocabulary and sends its best tokens",
        "0: one device sorts all logits",
        0,
        FLAG,
    ),
    Assumption("kept_tokens", "token", "tokens that top-k keeps", "a common top-k", 50, COUNT),
)


@formula(
    unit="second",
    source=_SAMPLING,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Unembedding",
)
def unembedding_time(
    micro_batch, logit_parameters, weight_head_bytes_per_element, tp, compute_rate, weight_bandwidth
):
    """Seconds that score the vocabulary for a micro-batch, the matrix divided over ranks: computing or reading, the larger."""
    share = logit_parameters / tp
    computing = micro_batch * FLOPS_PER_MAC * share / compute_rate
    return max(computing, share * weight_head_bytes_per_element / weight_bandwidth)


@formula(unit="element", source=_SAMPLING, title="Logits that a device handles")
def logits_per_device(micro_batch, vocabulary, tp, sharded_sampling):
    """Logits of a micro-batch that one device stores and sorts."""
    return micro_batch * vocabulary / (tp if sharded_sampling else 1)


@formula(
    unit="second",
    source=_SAMPLING,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Storing logits",
)
def logits_time(logits_per_device, logit_bytes_per_element, weight_bandwidth):
    """Seconds that write the logits of a micro-batch and read them for the softmax."""
    return 2 * logits_per_device * logit_bytes_per_element / weight_bandwidth


@formula(
    unit="second",
    source=_SAMPLING,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Sorting logits",
)
def sort_time(logits_per_device, logit_bytes_per_element, sort_passes, weight_bandwidth):
    """Seconds that sort the logits of a micro-batch for top-k or top-p: each pass reads and writes logit and place."""
    with_place = 2 * logit_bytes_per_element
    return 2 * sort_passes * logits_per_device * with_place / weight_bandwidth


@formula(
    unit="second",
    source=_SAMPLING,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Gathering logits",
)
def logits_gather_time(
    micro_batch,
    vocabulary,
    kept_tokens,
    logit_bytes_per_element,
    tp,
    sharded_sampling,
    message_latency,
    link_rate,
):
    """Seconds that bring all logits, or only each rank's best tokens with their places, to the device that draws."""
    best = 2 * kept_tokens * tp
    sent = micro_batch * (best if sharded_sampling else vocabulary) * logit_bytes_per_element
    bandwidth = link_rate
    return message_latency + (tp - 1) / tp * sent / bandwidth if tp > 1 else 0


@formula(
    unit="second",
    source=_SAMPLING,
    cell="model, gpu, gpus, [batch], [options]",
    title="Sampling",
)
def sampling_time(unembedding_time, logits_time, sort_time, logits_gather_time):
    """Seconds from the last hidden states of a micro-batch to its next tokens, launches not counted."""
    return unembedding_time + logits_time + logits_gather_time + sort_time
