"""A second and a third model of the same fleet: what is asked of them; all but their rates follows the first model."""

from __future__ import annotations

from tokensheet.plugin import NOT_NEGATIVE, Declaration, Input, Role, formula

_SAME = "as for the first model, unless given"
_REST = "what its devices and stages leave"

DECLARATIONS: tuple[Declaration, ...] = (
    Role("second_model", "model", "second model of the same fleet", prefix="second_model_", example="llama-3.1-8b"),
    Role("third_model", "model", "third model of the same fleet", prefix="third_model_"),
    Role("second_weights", "format", "number format of the second model's weights", prefix="second_weight_",
         follows=("weights", "id")),
    Role("third_weights", "format", "number format of the third model's weights", prefix="third_weight_",
         follows=("weights", "id")),
    Input("second_model_rate", "request/second", "requests a second of the second model at the same time; 0: there is none",
          0, NOT_NEGATIVE, example=2),
    Input("third_model_rate", "request/second", "requests a second of the third model at the same time; 0: there is none",
          0, NOT_NEGATIVE),
)  # fmt: skip


def asked(of: str, **more: str | float) -> dict[str, str | float]:
    """Replacements under which a node is that of another model: its record, its requests, its targets.

    Its prompts are not found in the cache and none is long, which is the safe side.
    """
    same = ("prompt", "output", "target_ttft", "target_tpot")
    named = {name: f"{of}_model_{name}" for name in same}
    roles = {"model": f"{of}_model", "weights": f"{of}_weights", "request_rate": f"{of}_model_rate"}
    return {**roles, **named, "cached_prefix": 0, "prefix_hit_share": 0, "long_share": 0, **more}


def placed(of: str) -> dict[str, str | float]:
    """Replacements under which a node is that of another model on devices of its own."""
    parts = {name: f"{of}_model_{name}" for name in ("gpus", "tp", "pp")}
    return {**asked(of), **parts, "dp": 1, "ep": 1}


# ---- the second model


@formula(unit="token", source=_SAME, title="Prompt of the second model")
def second_model_prompt(prompt):
    """Prompt tokens of a request to the second model."""
    return prompt


@formula(unit="token", source=_SAME, title="Output of the second model")
def second_model_output(output):
    """Generated tokens of a request to the second model."""
    return output


@formula(unit="second", source=_SAME, title="Target TTFT of the second model")
def second_model_target_ttft(target_ttft):
    """Longest time to first token of the second model that is accepted."""
    return target_ttft


@formula(unit="second", source=_SAME, title="Target TPOT of the second model")
def second_model_target_tpot(target_tpot):
    """Longest time per output token of the second model that is accepted."""
    return target_tpot


@formula(unit="gpu", source=_SAME, title="Devices of a replica of the second model")
def second_model_gpus(gpus):
    """Devices of one replica of the second model, where it has replicas of its own."""
    return gpus


@formula(unit="1", source=_SAME, title="Stages of the second model")
def second_model_pp(second_model_gpus, layer_split):
    """Pipeline-parallel stages of the second model, where it has replicas of its own: one, unless given."""
    return second_model_gpus if layer_split else 1


@formula(unit="1", source=_REST, title="Tensor parallel degree of the second model")
def second_model_tp(second_model_gpus, second_model_pp):
    """Tensor-parallel degree of the second model, where it has replicas of its own."""
    return second_model_gpus / second_model_pp


# ---- the third model


@formula(unit="token", source=_SAME, title="Prompt of the third model")
def third_model_prompt(prompt):
    """Prompt tokens of a request to the third model."""
    return prompt


@formula(unit="token", source=_SAME, title="Output of the third model")
def third_model_output(output):
    """Generated tokens of a request to the third model."""
    return output


@formula(unit="second", source=_SAME, title="Target TTFT of the third model")
def third_model_target_ttft(target_ttft):
    """Longest time to first token of the third model that is accepted."""
    return target_ttft


@formula(unit="second", source=_SAME, title="Target TPOT of the third model")
def third_model_target_tpot(target_tpot):
    """Longest time per output token of the third model that is accepted."""
    return target_tpot


@formula(unit="gpu", source=_SAME, title="Devices of a replica of the third model")
def third_model_gpus(gpus):
    """Devices of one replica of the third model, where it has replicas of its own."""
    return gpus


@formula(unit="1", source=_SAME, title="Stages of the third model")
def third_model_pp(third_model_gpus, layer_split):
    """Pipeline-parallel stages of the third model, where it has replicas of its own: one, unless given."""
    return third_model_gpus if layer_split else 1


@formula(unit="1", source=_REST, title="Tensor parallel degree of the third model")
def third_model_tp(third_model_gpus, third_model_pp):
    """Tensor-parallel degree of the third model, where it has replicas of its own."""
    return third_model_gpus / third_model_pp
