"""What is said about tags: in the table `[tags]` of `headwater.toml` or `pyproject.toml`, and in the files that are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible
from headwater.tags.governance import Governance
from headwater.tags.read import GovernanceError, read_governance

if TYPE_CHECKING:
    from headwater.graph import Tags

KEYS = ("files", "policy", "columns", "names")


@dataclass(frozen=True, slots=True)
class TagSettings:
    """What a configuration file says about tags."""

    files: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    inline: Governance = field(default_factory=Governance)
    """Tags that stand in the configuration file itself."""


def governance_of(settings: TagSettings, files: Sequence[str], policies: Sequence[str]) -> Governance:
    """All that is said in these files and in the configuration file itself."""
    try:
        read = map(read_governance, (*files, *policies))
        return reduce(Governance.and_, read, settings.inline)
    except GovernanceError as error:
        raise click.ClickException(str(error)) from error


def complain_of_slips(found: Tags, governance: Governance) -> None:
    """Say which rules are about nothing: a slip in a name must not look like a clean store."""
    for rule in found.unmatched:
        click.echo(f"{rule.place}: no column or table of the store fits {visible(rule.pattern)}", err=True)
    for tag in found.unknown:
        places = ", ".join(each.place for each in governance.forbidden if tag in each.tags)
        click.echo(f"{places}: no column of the store has the tag {visible(tag)}", err=True)
