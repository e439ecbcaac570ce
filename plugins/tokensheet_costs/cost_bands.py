"""Low and high cost of tokens: the band of the latency behind them; prices are taken as they are given."""

from __future__ import annotations

from tokensheet.plugin import formula

_BAND = "band of 80 % of the latency, fitted by profiles; a price has no band"
_REQUEST = "model, gpu, gpus, cost_per_hour, prompt, output, [batch], [options]"
_DECODE = "model, gpu, gpus, cost_per_hour, context, [batch], [options]"


@formula(unit="usd/million", source=_BAND, cell=_REQUEST, title="Dollars a million output tokens, low")
def usd_per_million_tokens_low(usd_per_million_tokens, request_latency, request_latency_low):
    """Low end of the band of 80 % around the dollars a million generated tokens."""
    return usd_per_million_tokens * request_latency_low / request_latency


@formula(unit="usd/million", source=_BAND, cell=_REQUEST, title="Dollars a million output tokens, high")
def usd_per_million_tokens_high(usd_per_million_tokens, request_latency, request_latency_high):
    """High end of the band of 80 % around the dollars a million generated tokens."""
    return usd_per_million_tokens * request_latency_high / request_latency


@formula(unit="token/usd", source=_BAND, cell=_DECODE, title="Tokens a dollar, low")
def tokens_per_dollar_low(tokens_per_dollar, decode_latency, decode_latency_high):
    """Low end of the band of 80 % around the tokens that one dollar buys."""
    return tokens_per_dollar * decode_latency / decode_latency_high


@formula(unit="token/usd", source=_BAND, cell=_DECODE, title="Tokens a dollar, high")
def tokens_per_dollar_high(tokens_per_dollar, decode_latency, decode_latency_low):
    """High end of the band of 80 % around the tokens that one dollar buys."""
    return tokens_per_dollar * decode_latency / decode_latency_low
