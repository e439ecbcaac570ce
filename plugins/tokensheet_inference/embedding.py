"""Ways to divide the token embedding and the unembedding over ranks, and the messages that each way adds."""

from __future__ import annotations

from tokensheet.plugin import BYTES_PER_16_BIT, formula

_EMBEDDING = "kipply 2022: exercise on sharding the token embedding"


@formula(
    unit="byte/element",
    source="llama.cpp, llama_tensor_get_type: an embedding that is the head too is kept as a head, which has "
    "more bits; other quantizers leave both as they were",
    title="Size of an embedding weight",
)
def embedding_bytes_per_element(
    tied_embeddings, weight_embedding_bytes_per_element, weight_head_bytes_per_element
):
    """Bytes of one weight of the token embedding; of one that is the head as well, the larger of the two."""
    as_both = max(weight_embedding_bytes_per_element, weight_head_bytes_per_element)
    return as_both if tied_embeddings else weight_embedding_bytes_per_element


@formula(
    unit="byte",
    source=_EMBEDDING,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Embedding on a device",
)
def embedding_bytes_per_device(logit_parameters, embedding_bytes_per_element, tp):
    """Bytes of the token embedding on one rank, however it is divided."""
    return logit_parameters * embedding_bytes_per_element / tp


@formula(
    unit="second",
    source=_EMBEDDING + ": each rank looks up its own tokens, the sum is brought to all",
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Embedding divided by token",
)
def embedding_by_token_time(micro_batch, d_model, tp, message_latency, link_rate):
    """Seconds of messages when each rank holds the embeddings of some tokens: reduce, then gather."""
    states = 2 * micro_batch * d_model * BYTES_PER_16_BIT
    return 2 * message_latency + (tp - 1) / tp * states / link_rate if tp > 1 else 0


@formula(
    unit="second",
    source=_EMBEDDING + ": each rank looks up its columns of every token",
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Embedding divided by width",
)
def embedding_by_width_time(micro_batch, d_model, tp, message_latency, link_rate):
    """Seconds of messages when each rank holds some columns of all embeddings: one gather."""
    states = micro_batch * d_model * BYTES_PER_16_BIT
    return message_latency + (tp - 1) / tp * states / link_rate if tp > 1 else 0


@formula(
    unit="second",
    source=_EMBEDDING
    + ": sums of products over some columns must be added for every token of the vocabulary",
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Unembedding divided by width",
)
def unembedding_by_width_time(
    micro_batch, vocabulary, logit_bytes_per_element, tp, message_latency, link_rate
):
    """Seconds of messages when each rank scores all tokens from some columns; LOGITS_GATHER_TIME is by token."""
    logits = 2 * micro_batch * vocabulary * logit_bytes_per_element
    return 2 * message_latency + (tp - 1) / tp * logits / link_rate if tp > 1 else 0


@formula(
    unit="second",
    source=_EMBEDDING + ": mean and variance of each token need all columns",
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Layer norm on divided columns",
)
def sharded_norm_time(micro_batch, logit_bytes_per_element, tp, message_latency, link_rate):
    """Seconds of messages that one layer norm adds when each rank has some columns: a sum and a sum of squares a token."""
    sums = 2 * 2 * micro_batch * logit_bytes_per_element
    return 2 * message_latency + (tp - 1) / tp * sums / link_rate if tp > 1 else 0
