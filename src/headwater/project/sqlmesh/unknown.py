"""What the macros of a project leave unknown: each is said once, with the files that it costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.model.diagnostic import Code
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.project.sqlmesh.macros import Noticed

_LISTED = 5
RENDER = "`sqlmesh render` shows the SQL"

Files = dict[str, dict[str, None]]
"""Files by what is unknown in them."""


@dataclass(slots=True)
class UnknownNames:
    """Macros, variables and conditions that nobody knows."""

    python: set[str] = field(default_factory=set)
    """Macros of the project that are written in Python."""
    macros: Files = field(default_factory=dict)
    variables: Files = field(default_factory=dict)
    conditions: Files = field(default_factory=dict)

    def add(self, noticed: Noticed, file: str) -> None:
        """Keep what a model's macros left unknown."""
        for names, kept in (
            (noticed.macros, self.macros),
            (noticed.variables, self.variables),
            (noticed.conditions, self.conditions),
        ):
            for name in names:
                kept.setdefault(name, {})[file] = None

    def tell(self, remarks: Remarks) -> None:
        """Say what is unknown."""
        for name, files in self.macros.items():
            why = "is written in Python, which is not run" if name in self.python else "is not known"
            message = f"the macro @{name} {why}: its calls are calls of an unknown function; {_shown(files)}"
            remarks.add(Code.UNKNOWN_MACRO, message, Place(next(iter(files))), subject=name, hint=RENDER)
        for name, files in self.variables.items():
            message = f"the variable @{name} is not set: it is a placeholder; {_shown(files)}"
            hint = "set it in the variables of the settings"
            remarks.add(Code.UNSET_VARIABLE, message, Place(next(iter(files))), subject=name, hint=hint)
        for name, files in self.conditions.items():
            message = f"whether {name} holds is not known: the first branch is taken; {_shown(files)}"
            remarks.add(Code.TEMPLATE, message, Place(next(iter(files))), subject=name, hint=RENDER)


def _shown(files: dict[str, None]) -> str:
    names = sorted(files)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{len(names)} file{'s' * (len(names) != 1)}: {', '.join(names[:_LISTED])}{more}"
