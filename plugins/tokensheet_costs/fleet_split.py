"""The fleet for the peak: its nodes and devices, and what its monthly cost is made of, part by part."""

from __future__ import annotations

from tokensheet.plugin import at, formula

_NEEDED = "whole nodes for the replicas needed"
_SPLIT = "monthly cost of the replicas needed, part by part"


@formula(unit="node", source=_NEEDED, title="Nodes needed")
def nodes_needed(whole=at("fleet_nodes", replicas="replicas_needed")):
    """Whole nodes for the replicas needed, those of other models included."""
    return whole


@formula(unit="gpu", source=_NEEDED, title="Devices needed")
def devices_needed(whole=at("fleet_gpus", replicas="replicas_needed")):
    """Devices of the nodes for the replicas needed, idle ones included."""
    return whole


@formula(unit="usd/month", source=_SPLIT, title="Capital of the fleet a month")
def fleet_capital_per_month(part=at("capital_per_month", replicas="replicas_needed")):
    """Dollars a month of purchase, interest and what is left at the end, of the replicas needed."""
    return part


@formula(unit="usd/month", source=_SPLIT, title="Power of the fleet a month")
def fleet_power_per_month(part=at("power_per_month", replicas="replicas_needed")):
    """Dollars a month of electricity of the replicas needed; 0 when they are rented."""
    return part


@formula(unit="usd/month", source=_SPLIT, title="Hosting of the fleet a month")
def fleet_hosting_per_month(part=at("hosting_per_month", replicas="replicas_needed")):
    """Dollars a month of space and service of the replicas needed; 0 when they are rented."""
    return part


@formula(unit="usd/month", source=_SPLIT, title="Support of the fleet a month")
def fleet_support_per_month(part=at("support_per_month", replicas="replicas_needed")):
    """Dollars a month of support and maintenance of the replicas needed; 0 when they are rented."""
    return part


@formula(unit="usd/month", source=_SPLIT, title="Rent of the fleet a month")
def fleet_rent_per_month(part=at("rent_per_month", replicas="replicas_needed")):
    """Dollars a month of rent of the replicas needed; 0 when they are bought."""
    return part


@formula(unit="usd/month", source=_SPLIT, title="Network, storage and staff a month")
def fleet_services_per_month(network_per_month, storage_per_month, staff_per_month):
    """Dollars a month that do not depend on the number of replicas."""
    return network_per_month + storage_per_month + staff_per_month
