"""What can be set for `headwater check`: the table `[check]` of `headwater.toml`, `[tool.headwater.check]` of `pyproject.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import click

from headwater.check.rules import NAMES as RULE_NAMES
from headwater.cli.settings import strings
from headwater.model.diagnostic import Severity
from headwater.model.suggestion import did_you_mean

FAIL_ON = tuple(severity.value for severity in Severity)


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Every setting of the check, with its default."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "warning"
    store: str | None = None
    baseline: str | None = None
    against: str | None = None
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of paths, and the rules that are ignored there."""


NAMES = tuple(each.name for each in fields(CheckSettings))
PLACES = ("store", "baseline", "against")
"""What names a file or folder, which a configuration file does from its own folder."""


def rule_named(name: str) -> str:
    """The rule of that name, or an error with the one that was perhaps meant."""
    key = name.strip().lower().replace("_", "-")
    if key not in RULE_NAMES:
        hint = did_you_mean(key, RULE_NAMES) or "headwater check --list-rules lists them"
        raise click.BadParameter(f"there is no rule {name!r}; {hint}")
    return key


def checked(name: str, value: Any) -> Any:
    """A setting's value as `CheckSettings` holds it; `ValueError` says in plain words what it should have been."""
    if name in ("select", "ignore"):
        return _rules(value)
    if name == "per_file_ignores":
        if not isinstance(value, dict):
            raise ValueError(f"must be a table of patterns and rules, not {value!r}")
        return {pattern: _rules(rules) for pattern, rules in value.items()}
    if not isinstance(value, str):
        raise ValueError(f"must be a string, not {value!r}")
    if name == "fail_on" and value not in FAIL_ON:
        raise ValueError(f"must be one of {', '.join(FAIL_ON)}, not {value!r}")
    return value


def _rules(value: Any) -> tuple[str, ...]:
    try:
        return tuple(rule_named(each) for each in strings(value))
    except click.BadParameter as error:
        raise ValueError(f"names a rule that does not exist: {error.message}") from error
