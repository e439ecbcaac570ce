"""How help reads: commands by what they are for, and under each the lines that a person would type."""

from __future__ import annotations

import click

from tokensheet.errors import ON_WINDOWS, hint

SECTIONS: dict[str, tuple[str, ...]] = {
    "Answers": ("eval", "explain", "functions", "catalog", "reference"),
    "Plans": ("export", "read", "diff", "optimize", "demand"),
    "Measurements": ("validate", "calibrate"),
    "Plugins and languages": ("plugins", "new-plugin", "texts"),
    "Spreadsheet programs": ("addin", "doctor", "server"),
}
"""Heading → its commands, in the order in which people meet them."""
WINDOWS = f"On Windows: {ON_WINDOWS}"


class Group(click.Group):
    """A group that names the nearest commands where there is none of a name, whatever the version of click."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called.

        Raises:
            click.UsageError: there is none of this name.
        """
        name = args[0]
        if not ctx.resilient_parsing and self.get_command(ctx, name) is None and name[:1] != "-":
            ctx.fail(f"no command {name!r:.80}{hint(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


class Sections(Group):
    """A group whose commands stand under headings; one that no heading knows stands under Commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A list for each heading."""
        placed = {name for names in SECTIONS.values() for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in placed)
        for heading, names in {**SECTIONS, "Commands": rest}.items():
            rows = [
                (name, self.commands[name].get_short_help_str()) for name in names if name in self.commands
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def examples(*lines: str, note: str = "") -> str:
    """The last paragraph of a command's help: lines for a shell of Unix, kept as they are; then a note."""
    shown = "\n".join(("\b", "Examples:" if len(lines) > 1 else "Example:", *(f"  {line}" for line in lines)))
    return f"{shown}\n\n{note}" if note else shown
