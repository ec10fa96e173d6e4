"""What is said about tags: in the table `[tags]` of `headwater.toml` or `pyproject.toml`, and in the files that are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import click

from headwater.tags.governance import Governance
from headwater.tags.read import GovernanceError, read_governance

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
