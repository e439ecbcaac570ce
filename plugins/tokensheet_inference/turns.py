"""Prompts in a pipeline: how many turns they go in, what a stage works on each, and when the next one follows."""

from __future__ import annotations

from tokensheet.plugin import at, formula

PIPELINE = "Huang et al. 2018, GPipe: m + p - 1 turns of a stage; stages wait for the first and the last"


@formula(unit="1", source=PIPELINE, title="Turns of the prompts")
def prefill_turns(
    pp,
    layer_split,
    prefill_sequences,
    prefill_compute_time,
    prefix_read_time,
    stage_share,
    layers_overhead_time,
    weights_time=at("weight_read_time", micro_batch="prefill_tokens"),
):
    """Parts in which a data-parallel group's prompts follow one another through the stages: one with one stage or a layer split.

    As many as still work as long as what each does anew takes, reading weights and launching kernels; at most one a prompt.
    """
    anew = weights_time + stage_share * layers_overhead_time
    worth = max(prefill_compute_time, prefix_read_time) / anew
    return max(1, min(prefill_sequences, worth)) if pp > 1 and layer_split == 0 else 1


@formula(unit="token", source=PIPELINE, title="Prompt tokens of a turn")
def turn_tokens(prefill_tokens, prefill_turns):
    """Prompt tokens that one stage works on at once."""
    return prefill_tokens / prefill_turns


@formula(unit="second", source=PIPELINE, title="Stage of a turn")
def prefill_stage_time(
    prefill_compute_time,
    prefix_read_time,
    prefill_turns,
    stage_mode,
    weights_time=at("weight_read_time", micro_batch="turn_tokens"),
):
    """Seconds that one stage works on one turn of prompts: computing and reading, the larger, or added in mode 2."""
    computing = prefill_compute_time / prefill_turns
    reading = weights_time + prefix_read_time / prefill_turns
    return computing + reading if stage_mode == 2 else max(computing, reading)


@formula(unit="second", source=PIPELINE, title="Way of a turn through all stages")
def prefill_pass_time(
    prefill_stage_time,
    pp,
    overlap_communication,
    layers_overhead_time,
    tensor_time=at("tp_comm_time", micro_batch="turn_tokens"),
    exchanging=at("exchange_time", micro_batch="turn_tokens"),
):
    """Seconds that one turn of prompts takes through all stages, messages and hops between them included."""
    stages = pp * prefill_stage_time
    busy = max(stages, tensor_time) if overlap_communication else stages + tensor_time
    return busy + exchanging + layers_overhead_time


@formula(unit="second", source=PIPELINE, title="Time between two turns")
def prefill_turn_time(
    prefill_stage_time,
    stage_share,
    overlap_communication,
    layers_overhead_time,
    tensor_time=at("tp_comm_time", micro_batch="turn_tokens"),
    exchanging=at("exchange_time", micro_batch="turn_tokens"),
):
    """Seconds after which the next turn of prompts comes out of the last stage: all that the fullest stage does for one."""
    messages = stage_share * tensor_time
    busy = max(prefill_stage_time, messages) if overlap_communication else prefill_stage_time + messages
    return busy + stage_share * (exchanging + layers_overhead_time)
