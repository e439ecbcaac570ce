"""Files of workbook recipes: those that plugins offer, by name, and one's own beside a proposal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokensheet import untrusted
from tokensheet.errors import ProposalError, TokensheetError, hint
from tokensheet.planning import Planner
from tokensheet.recipe import Recipe, parse

if TYPE_CHECKING:
    from tokensheet.proposal import Proposal

STANDARD = "capacity-plan"
"""The recipe of a proposal that names none."""

OWN_FILE = ".toml"
"""How a template ends that is the path of a file; other names are of recipes that plugins offer."""

LARGEST_FILE = 1_000_000


def all_texts(planner: Planner) -> set[str]:
    """The texts of all recipes that can be read, in English."""
    found: set[str] = set()
    for name in known(planner):
        try:
            found |= find(planner, name).own_texts()
        except TokensheetError:  # who asks for the recipe is told
            continue
    return found


def with_results(proposal: Proposal, planner: Planner) -> Proposal:
    """The proposal with the results of its recipe where it names none."""
    if proposal.results:
        return proposal
    recipe = find(planner, proposal.template, proposal.folder)
    if not recipe.results:
        what = (
            f"template {proposal.template} names" if proposal.template else "no template is there that names"
        )
        raise ProposalError(f"{proposal.title}: {what} no results; name some: results = [...]")
    return proposal.model_copy(update={"results": recipe.results})


def known(planner: Planner) -> dict[str, Path]:
    """Recipes of all plugins: name of the file without its ending → file; two of one name are told apart by plugin."""
    found: dict[str, Path] = {}
    offered = planner.registry.templates()
    names = [path.stem for path, _ in offered]
    for path, owner in offered:
        found[path.stem if names.count(path.stem) == 1 else f"{owner.plugin}:{path.stem}"] = path
    return found


def own_file(name: str, folder: Path | None) -> Path:
    """The file of a recipe that a proposal names by its path.

    Args:
        name: as it stands in the proposal, such as `acme-recipe.toml`
        folder: of the proposal; none where it is no file

    Raises:
        ProposalError: it is not beside the proposal or below.
    """
    if folder is None:
        raise ProposalError(f"template: {name} is a file, but this proposal is none that it could lie beside")
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        if Path(name).is_absolute() or not path.is_relative_to(home):
            raise ProposalError(f"template: {name} is not in the proposal's folder; put the recipe beside it")
        if not path.is_file():
            raise ProposalError(f"template: no file {name} is beside the proposal")
    except (OSError, ValueError) as error:  # a null character, or a name that is too long
        raise ProposalError(f"template: {name!r:.80} cannot be read: {error}") from error
    return path


def file_of(planner: Planner, name: str, folder: Path | None) -> Path:
    """The file of a recipe: a plugin's by its name, one's own by a path that ends in .toml.

    Raises:
        ProposalError: there is none.
    """
    if name.endswith(OWN_FILE):
        return own_file(name, folder)
    recipes = known(planner)
    if name not in recipes:
        raise ProposalError(
            f"template: no recipe is called {name}{hint(name, recipes)}; a file of one's own ends in {OWN_FILE}"
        )
    return recipes[name]


def brand_of(recipe: Recipe, planner: Planner, name: str, folder: Path | None = None) -> Path | None:
    """The workbook with a company's looks that a recipe names, which lies beside it.

    Raises:
        ProposalError: there is none.
    """
    if not recipe.look.brand:
        return None
    path = file_of(planner, name or STANDARD, folder).with_name(recipe.look.brand)
    if not path.is_file():
        raise ProposalError(
            f"template {name or STANDARD}: no {path.name} beside it; look.brand names a workbook there"
        )
    return path


def find(planner: Planner, name: str, folder: Path | None = None) -> Recipe:
    """The recipe of a name; an empty one where no plugin offers any and none is asked for.

    Args:
        planner: catalogue and formulas, for the names in it
        name: a recipe's, or the path of a file of one's own
        folder: of the proposal, where such a path begins

    Raises:
        ProposalError: there is none, or it has mistakes.
    """
    chosen = name or STANDARD
    if not name and chosen not in known(planner):
        return Recipe(title="plain")
    path = file_of(planner, chosen, folder)
    try:
        return parse(untrusted.text(path, LARGEST_FILE), planner, path.name)
    except (OSError, ValueError) as error:
        what = "mend it" if name.endswith(OWN_FILE) else "the plugin that offers it is damaged"
        raise ProposalError(f"template {chosen}: {error}; {what}") from error
    except TokensheetError:
        if not name:  # a standard recipe may name formulas of a plugin that is switched off
            return Recipe(title="plain")
        raise
