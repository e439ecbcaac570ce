"""`tokensheet catalog import`: a Hugging Face config.json in, what it says about a model out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tokensheet.cli.listing import table
from tokensheet.cli.writing import write_text
from tokensheet.config_import import ConfigError, ImportedModel, import_config
from tokensheet.config_import.writing import as_plugin
from tokensheet.errors import TokensheetError


def import_file(path: Path, *, as_json: bool, output: Path | None, id: str, force: bool) -> str:
    """What a configuration says, as text or as one JSON object; writes a plugin file where asked.

    Raises:
        TokensheetError: one line: the file cannot be imported, or the plugin cannot be written.
    """
    try:
        found = import_config(path, id=id)
    except ConfigError as error:
        raise TokensheetError(f"{error.title}: {'; '.join(error.problems)}") from error
    if output is not None:
        write_text(output, as_plugin(found), force=force)
    if as_json:
        return json.dumps(as_data(found), indent=1, ensure_ascii=False)
    said = report(found)
    return f"{said}\nwritten: {output}" if output is not None else said


def as_data(found: ImportedModel) -> dict[str, Any]:
    """Everything about an import for programs; sizes are bytes, what is not known is null."""
    model = found.model
    return {
        "id": model.id,
        "name": model.name,
        "architecture": found.architecture,
        "path": found.path,
        "parameters": int(model.parameters),
        "active_parameters": int(model.active_parameters),
        "active_parameters_with_embedding": int(found.active_with_embedding),
        "kv_bytes_per_token": found.kv_bytes_per_token,
        "kv_bytes_per_token_16bit": found.kv_bytes_per_token_16bit,
        "kv_bytes_per_token_16bit_by_layers": found.kv_bytes_by_layers,
        "window": model.window or None,
        "state_bytes_per_sequence": None if model.state_elements is None else 2 * model.state_elements,
        "weights": found.weights,
        "kv": found.kv,
        "weight_bytes": found.weight_bytes,
        "weight_bytes_16bit": 2 * int(model.parameters),
        "weight_groups": [
            {
                "tensors": group.what,
                "format": group.format,
                "bytes_per_weight": group.bytes_per_weight,
                "parameters": group.parameters,
            }
            for group in found.weight_groups
        ],
        "layers": model.layers,
        "heads": model.heads,
        "kv_heads": model.kv_heads,
        "head_size": model.head_size,
        "tied_embeddings": model.tied_embeddings,
        "max_context": model.max_context,
        "traits": list(model.traits),
        "decided": list(found.decided),
        "assumptions": list(found.assumptions),
        "questions": list(found.questions),
        "not_modelled": list(found.not_modelled),
        "verified": found.verified,
        "verified_by": found.proof or None,
        "source": model.source,
    }


def report(found: ImportedModel) -> str:
    """The same for people."""
    model = found.model
    rows = [
        ("architecture", f"{found.architecture} ({', '.join(model.traits)})"),
        ("read at", found.path or "the top of the file"),
        ("parameters", f"{int(model.parameters):,}"),
        ("active", f"{int(model.active_parameters):,} a token, embedding look-up left out"),
        ("KV bytes a token", _cache(found)),
        ("weights", _weights(found)),
        ("longest context", f"{model.max_context:,} tokens" if model.max_context else "not given"),
        ("checked", _checked(found)),
    ]
    lines = [f"model {model.id}", table(("", ""), [(f"  {name}", text) for name, text in rows]).lstrip("\n")]
    for title, texts in (
        ("decided by", found.decided),
        ("assumed", found.assumptions),
        ("to be answered", found.questions),
        ("not modelled", found.not_modelled),
    ):
        lines += [f"{title}:", *(f"  - {text}" for text in texts)] if texts else []
    return "\n".join(lines)


def _cache(found: ImportedModel) -> str:
    by_layers = found.kv_bytes_by_layers
    if by_layers is None or found.kv_bytes_per_token_16bit is None:
        return "not modelled"
    text = f"{found.kv_bytes_per_token_16bit:,.0f} in 16 bit"
    if found.kv and found.kv_bytes_per_token is not None:
        text += f", {found.kv_bytes_per_token:,.0f} in {found.kv}"
    parts = [f"{size:,.0f} {kind}" for kind, size in by_layers.items() if size]
    if by_layers["window"]:
        text += f" ({' + '.join(parts)} of the last {found.model.window:,} tokens)"
    state = found.model.state_elements
    return f"{text}; state {2 * state:,.0f} bytes a sequence" if state else text


def _weights(found: ImportedModel) -> str:
    size = found.weight_bytes
    if size is None:
        return "not known: see below"
    return f"{found.weights}: {size:,.0f} bytes = {size / 1e9:,.4g} GB = {size / 2**30:,.4g} GiB"


def _checked(found: ImportedModel) -> str:
    if found.verified:
        return f"{found.proof} of the same kind agrees with its published count"
    return "UNVERIFIED: no published count of this kind was compared, or keys were not read"
