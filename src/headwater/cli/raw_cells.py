"""`--raw-cells`: CSV as it is, where a spreadsheet might take a cell for a formula."""

from __future__ import annotations

from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Any)
_KEY = "headwater.raw_cells"


def raw_cells_option(function: Decorated) -> Decorated:
    """`--raw-cells`, and `--safe-cells`, which asks for what is done anyway."""
    raw = click.option(
        "--raw-cells",
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="CSV without the apostrophe before cells that a spreadsheet would run.",
    )
    safe = click.option("--safe-cells", is_flag=True, expose_value=False, hidden=True)
    decorated: Decorated = raw(safe(function))
    return decorated


def _note(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.meta[_KEY] = value


def cells_are_safe() -> bool:
    """Whether cells are to be made plain text."""
    context = click.get_current_context(silent=True)
    return context is None or not context.meta.get(_KEY, False)
