"""Energy and carbon dioxide of tokens."""

from __future__ import annotations

from tokensheet.plugin import PER_MILLION, Constant, at, formula
from tokensheet_costs.fleet import CELL

_ENERGY = "power over tokens a second"
_FLEET = "energy of all replicas over the tokens that they serve"
_CARBON = "energy times the grid's carbon"
_CELL = "model, gpu, gpus, context, [batch], [options]"

JOULES_PER_WATT_SECOND = Constant(
    "JOULES_PER_WATT_SECOND", 1.0, "joule/(watt*second)", "a watt second is a joule"
)
JOULES_PER_KWH = Constant("JOULES_PER_KWH", 3.6e6, "joule/(kilowatt*hour)", "joules in a kilowatt hour")


@formula(unit="joule", source=_ENERGY, cell=_CELL, title="Energy of a token")
def energy_per_token(average_power, tokens_per_second, utilization):
    """Joules of the machine for each generated token, the building aside, idle time included."""
    return average_power / (tokens_per_second * utilization) * JOULES_PER_WATT_SECOND


@formula(unit="kilowatt*hour/million", source=_ENERGY, cell=_CELL, title="Energy of a million tokens")
def kwh_per_million_tokens(energy_per_token, pue):
    """Kilowatt hours for a million generated tokens, the building included once by PUE."""
    return energy_per_token * pue / JOULES_PER_KWH * PER_MILLION


@formula(unit="usd/million", source=_ENERGY, cell=_CELL, title="Electricity of a million tokens")
def energy_usd_per_million_tokens(kwh_per_million_tokens, electricity_price):
    """Dollars of electricity for a million generated tokens."""
    return kwh_per_million_tokens * electricity_price


@formula(unit="gram/million", source=_CARBON, cell=_CELL, title="Carbon dioxide of a million tokens")
def co2_per_million_tokens(kwh_per_million_tokens, grid_carbon):
    """Grams of carbon dioxide of the electricity for a million generated tokens; making the machines is left out."""
    return kwh_per_million_tokens * grid_carbon


# ---- of the fleet that a load needs, prompts, idle hours and spares included


@formula(
    unit="kilowatt*hour/million", source=_FLEET, cell=CELL, title="Energy of a million tokens of the fleet"
)
def fleet_kwh_per_million(tokens_per_month, energy=at("energy_per_month", replicas="replicas_needed")):
    """Kilowatt hours for a million prompt and output tokens that the fleet really serves, the building included."""
    return energy / tokens_per_month * PER_MILLION


@formula(
    unit="gram/million", source=_CARBON, cell=CELL, title="Carbon dioxide of a million tokens of the fleet"
)
def fleet_co2_per_million(fleet_kwh_per_million, grid_carbon):
    """Grams of carbon dioxide of the electricity for a million prompt and output tokens that the fleet really serves."""
    return fleet_kwh_per_million * grid_carbon


@formula(
    unit="gram/month",
    source=_CARBON,
    cell="gpu, gpus, replicas, [options]",
    title="Carbon dioxide a month",
)
def co2_per_month(energy_per_month, grid_carbon):
    """Grams of carbon dioxide of a month's electricity of all replicas; making the machines is left out."""
    return energy_per_month * grid_carbon
