"""Messages between devices: inside a layer (tensor parallel) and from stage to stage (pipeline parallel)."""

from __future__ import annotations

from tokensheet.constants import BYTES_PER_16_BIT
from tokensheet.plugin import formula

_TP = "kipply 2022: model parallelism, latency; Bojie Li 2023: tensor parallel inference"
_RING = "Patarasuk and Yuan 2009: bandwidth-optimal all-reduce"
_PP = "Bojie Li 2023: pipeline parallel inference"


@formula(unit="byte", source=_TP, title="Message of a layer")
def message_bytes(message_bytes_per_element, d_model, micro_batch):
    """Bytes that a tensor-parallel rank contributes to one message: the hidden states of the step's tokens."""
    return message_bytes_per_element * d_model * micro_batch


@formula(unit="second", source="latency of the chosen link", title="Latency of a message")
def message_latency(link_latency):
    """Seconds that a message inside a layer takes however small it is."""
    return link_latency


@formula(unit="second", source=_RING, title="Ring all-reduce")
def ring_time(tp, message_latency, message_bytes, link_bandwidth, link_efficiency):
    """Seconds of an all-reduce around a ring: 2 (tp - 1) small sends, each byte sent nearly twice."""
    latency = 2 * (tp - 1) * message_latency
    return latency + 2 * (tp - 1) / tp * message_bytes / (link_bandwidth * link_efficiency)


@formula(
    unit="second",
    source="one-shot all-reduce: each rank sends its data to all others at once",
    title="One-shot all-reduce",
)
def one_shot_time(tp, message_latency, message_bytes, link_bandwidth, link_efficiency):
    """Seconds of an all-reduce in one exchange: one latency, each byte sent to every other rank."""
    return message_latency + (tp - 1) * message_bytes / (link_bandwidth * link_efficiency)


@formula(unit="1", source=_RING, title="Sends of a message, one after another")
def message_sends(message_mode, tp, ring_time, one_shot_time):
    """Latencies paid one after another for one message."""
    return (2 * (tp - 1) if ring_time < one_shot_time else 1) if message_mode == 2 else 1


@formula(unit="1", source=_RING, title="Times a message's bytes are sent")
def message_copies(message_mode, tp, ring_time, one_shot_time):
    """How often a rank sends a message's bytes over its link."""
    return (2 * (tp - 1) / tp if ring_time < one_shot_time else tp - 1) if message_mode == 2 else 1


@formula(unit="second", source=_TP, title="Transfer of a message")
def message_transfer_time(message_copies, message_bytes, link_bandwidth, link_efficiency):
    """Seconds that a message's bytes take over the link."""
    return message_copies * message_bytes / (link_bandwidth * link_efficiency)


@formula(
    unit="message",
    source=_TP,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Messages of a token's way",
)
def tp_messages(layers, messages_per_layer, tp):
    """Tensor-parallel messages through all layers; none on one device."""
    return layers * messages_per_layer if tp > 1 else 0


@formula(
    unit="second",
    source=_TP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Latency of tensor-parallel messages",
)
def tp_comm_latency_time(tp_messages, message_sends, message_latency):
    """Seconds of latency of all tensor-parallel messages of one token's way through all layers."""
    return tp_messages * message_sends * message_latency


@formula(
    unit="second",
    source=_TP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Transfer of tensor-parallel messages",
)
def tp_comm_transfer_time(tp_messages, message_transfer_time):
    """Seconds of transfer of all tensor-parallel messages of one token's way through all layers."""
    return tp_messages * message_transfer_time


@formula(
    unit="second",
    source=_TP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Tensor-parallel communication",
)
def tp_comm_time(tp_comm_latency_time, tp_comm_transfer_time, message_mode):
    """Seconds of tensor-parallel communication of one micro-batch through all layers."""
    total = tp_comm_latency_time + tp_comm_transfer_time
    return max(tp_comm_latency_time, tp_comm_transfer_time) if message_mode == 1 else total


@formula(unit="second", source="latency of the chosen link", title="Latency between stages")
def stage_message_latency(stage_link_latency):
    """Seconds that a message between stages takes however small it is."""
    return stage_link_latency


@formula(unit="byte", source=_PP, cell="model, [batch], [options]", title="Bytes from stage to stage")
def pp_comm_bytes(micro_batch, d_model, stage_copies_per_rank, tp):
    """Bytes that one stage sends to the next for one micro-batch, in 16 bit; one copy a rank over a shared card."""
    copies = tp if stage_copies_per_rank else 1
    return micro_batch * d_model * BYTES_PER_16_BIT * copies


@formula(
    unit="second",
    source=_PP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Pipeline communication",
)
def pp_comm_time(pp, stage_message_latency, pp_comm_bytes, stage_link_bandwidth, link_efficiency):
    """Seconds that one micro-batch spends between stages for one token: one hop a stage, back to the first."""
    return (
        pp * (stage_message_latency + pp_comm_bytes / (stage_link_bandwidth * link_efficiency))
        if pp > 1
        else 0
    )
