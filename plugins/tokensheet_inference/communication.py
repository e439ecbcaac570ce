"""Messages between devices: inside a layer (tensor parallel) and from stage to stage (pipeline parallel)."""

from __future__ import annotations

from tokensheet.plugin import BYTES_PER_16_BIT, NOT_NEGATIVE, SHARE, Assumption, Declaration, Range, formula
from tokensheet_inference.sources import PROFILE

_TP = "kipply 2022: model parallelism, latency; Bojie Li 2023: tensor parallel inference"
_RING = "Patarasuk and Yuan 2009: bandwidth-optimal all-reduce"
_ALL_REDUCE = (
    "nccl-tests on nine systems: latency grows with the number of devices, not with the ring's steps"
)
_PP = "Bojie Li 2023: pipeline parallel inference"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "message_latency_least",
        "second",
        "least time of a message inside a layer, software included; 0: the link's own latency",
        PROFILE,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "stage_latency_least",
        "second",
        "least time of a message between stages, software included; 0: the link's own latency",
        PROFILE,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "latency_growth",
        "1",
        "how an all-reduce's latency grows with devices: × (devices/2)^this",
        "nccl-tests of 512 bytes on 2, 4 and 8 devices of nine systems",
        0.6,
        Range(minimum=0, maximum=2),
    ),
    Assumption(
        "ring_latency",
        "second",
        "time that a ring needs beyond the latency of one exchange",
        PROFILE,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "one_shot_efficiency",
        "1",
        "share of a link's rate reached when each rank sends to all others at once",
        PROFILE,
        1,
        SHARE,
    ),
)


@formula(unit="byte", source=_TP, title="Message of a layer", example=262144)
def message_bytes(message_bytes_per_element, d_model, micro_batch):
    """Bytes that a tensor-parallel rank contributes to one message: the hidden states of the step's tokens."""
    return message_bytes_per_element * d_model * micro_batch


@formula(
    unit="second",
    source="latency of the chosen link; software's part fitted by profiles",
    title="Latency of a message",
)
def message_latency(link_latency, link_has_latency, message_latency_least):
    """Seconds that a message inside a layer takes however small it is: the link's own, or the software's if longer."""
    stated = link_has_latency == 1 or message_latency_least == 0
    return max(message_latency_least, link_latency) if stated else message_latency_least


@formula(unit="second", source=_ALL_REDUCE, title="Latency of an all-reduce")
def all_reduce_latency(message_latency, tp, latency_growth):
    """Seconds of an all-reduce of next to nothing: stated for two devices, growing with their number."""
    return message_latency * (max(2, tp) / 2) ** latency_growth


@formula(unit="second", source=_RING, title="Ring all-reduce")
def ring_time(tp, all_reduce_latency, ring_latency, message_bytes, link_rate):
    """Seconds of an all-reduce around a ring: each byte is sent nearly twice, whatever the number of devices."""
    return all_reduce_latency + ring_latency + 2 * (tp - 1) / tp * message_bytes / link_rate


@formula(
    unit="second",
    source="one-shot all-reduce: each rank sends its data to all others at once",
    title="One-shot all-reduce",
)
def one_shot_time(tp, all_reduce_latency, message_bytes, link_rate, one_shot_efficiency):
    """Seconds of an all-reduce in one exchange: one latency, each byte sent to every other rank."""
    return all_reduce_latency + (tp - 1) * message_bytes / (link_rate * one_shot_efficiency)


@formula(
    unit="second",
    source=_ALL_REDUCE,
    cell="gpu, gpus, message_bytes, [options]",
    checks=("parallel_degrees_match",),
    title="All-reduce",
)
def all_reduce_time(tp, ring_time, one_shot_time):
    """Seconds in which the sums of a number of bytes a device reach all devices: ring or one-shot, the faster."""
    return min(ring_time, one_shot_time) if tp > 1 else 0


@formula(unit="second", source=_ALL_REDUCE, title="Latency of one message")
def message_fixed_time(
    message_mode, message_latency, all_reduce_latency, ring_latency, ring_time, one_shot_time
):
    """Seconds of one message that do not depend on its bytes."""
    around = all_reduce_latency + (ring_latency if ring_time <= one_shot_time else 0)
    return around if message_mode == 2 else message_latency


@formula(unit="1", source=_RING, title="Times a message's bytes are sent")
def message_copies(message_mode, tp, ring_time, one_shot_time):
    """How often a rank sends a message's bytes over its link."""
    return (2 * (tp - 1) / tp if ring_time <= one_shot_time else tp - 1) if message_mode == 2 else 1


@formula(unit="second", source=_TP, title="Transfer of a message")
def message_transfer_time(
    message_mode, message_copies, message_bytes, link_rate, ring_time, one_shot_time, one_shot_efficiency
):
    """Seconds that a message's bytes take over the link."""
    slowed = one_shot_efficiency if message_mode == 2 and one_shot_time < ring_time else 1
    return message_copies * message_bytes / (link_rate * slowed)


@formula(
    unit="message",
    source=_TP,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Messages of a token's way",
)
def tp_messages(sublayers, messages_per_layer, tp, ep, moe_layers):
    """Tensor-parallel messages through all layers; none on one device.

    A profile states those of a layer with a mixer and an MLP; one that is either has half of them, and so has a layer
    whose experts are spread over expert ranks: tokens that travel to experts and back need no sum after.
    """
    replaced = moe_layers if ep > 1 else 0
    return (sublayers - replaced) / 2 * messages_per_layer if tp > 1 else 0


@formula(
    unit="second",
    source=_TP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Latency of tensor-parallel messages",
)
def tp_comm_latency_time(tp_messages, message_fixed_time):
    """Seconds of latency of all tensor-parallel messages of one token's way through all layers."""
    return tp_messages * message_fixed_time if tp_messages > 0 else 0


@formula(
    unit="second",
    source=_TP,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Transfer of tensor-parallel messages",
)
def tp_comm_transfer_time(tp_messages, message_transfer_time):
    """Seconds of transfer of all tensor-parallel messages of one token's way through all layers."""
    return tp_messages * message_transfer_time if tp_messages > 0 else 0


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


@formula(
    unit="second",
    source="latency of the chosen link; software's part stated by profiles",
    title="Latency between stages",
)
def stage_message_latency(stage_link_latency, stage_link_has_latency, stage_latency_least):
    """Seconds that a message between stages takes however small it is."""
    stated = stage_link_has_latency == 1 or stage_latency_least == 0
    return max(stage_latency_least, stage_link_latency) if stated else stage_latency_least


@formula(unit="byte/second", source=_PP, title="Rate from stage to stage")
def stage_rate(stage_link_bandwidth, stage_link_pair_share, link_efficiency):
    """Bytes a second that a device sends to one other: in a mesh without a switch, over the one link that joins them."""
    return stage_link_bandwidth * stage_link_pair_share * link_efficiency


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
    example_with={"pp": 2},
)
def pp_comm_time(pp, stage_message_latency, pp_comm_bytes, stage_rate):
    """Seconds that one micro-batch spends between stages for one token: one hop a stage, back to the first."""
    return pp * (stage_message_latency + pp_comm_bytes / stage_rate) if pp > 1 else 0
