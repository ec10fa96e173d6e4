"""`var` and `env_var`: the variables of a project and its packages, and of the process."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import jinja2

from headwater.project.dbt.document import NOTHING, Document, inner
from headwater.project.dbt.package import Package


class Variables:
    """What `var` gives in each package: what the caller gives wins, then what the project says of the package, then of all."""

    def __init__(self, packages: tuple[Package, ...], given: Mapping[str, object]) -> None:
        self._names = {package.name for package in packages}
        self.given, self._packages = given, packages
        """What the caller gives: all that `dbt_project.yml` itself sees, as in dbt."""
        self._known: dict[str, Document] = {}

    def of(self, package: str) -> Document:
        """The variables of a package."""
        if package not in self._known:
            own = next((each for each in self._packages if each.name == package), self._packages[0])
            found: dict[str, object] = {}
            for settings in (own.settings, self._packages[0].settings):
                content = inner(settings, "vars")
                found |= {name: value for name, value in content.items() if not self._is_scope(name, value)}
                found |= inner(content, package)
            self._known[package] = {**found, **self.given}
        return self._known[package]

    def _is_scope(self, name: str, value: object) -> bool:
        """Whether an entry holds the variables of a package, and is none itself."""
        return isinstance(value, Mapping) and name in self._names


class Var:
    """`var('x')`, `var('x', default)`, `var.has_var('x')` in a template."""

    def __init__(
        self,
        values: Document,
        unset: dict[str, None],
        render: Callable[[str], str],
        otherwise: Document = NOTHING,
        required: dict[str, None] | None = None,
    ) -> None:
        """*unset* grows by the variables of which nobody but the template itself gives a value; *render* renders values with tags.

        *otherwise* has values of variables that have neither a value nor a default. Where it has none either, the name stands for the
        value and is noted in *required*; without *required* that is an error, as in dbt.
        """
        self._values, self._unset, self._otherwise = values, unset, otherwise
        self._render, self._required = render, required
        self._copies: dict[str, object] = {}

    def __call__(self, name: str, *default: object, **named: object) -> object:
        """The value of a variable."""
        if self._values.get(name) is not None or (name in self._values and not default):
            return self._copy(name, self._values)
        if default or "default" in named:
            self._unset[name] = None
            return default[0] if default else named["default"]
        if name in self._otherwise:
            return self._copy(name, self._otherwise)
        if self._required is not None:
            self._required[name] = None
            return name
        raise jinja2.UndefinedError(f"'{name}' is undefined")

    def _copy(self, name: str, values: Document) -> object:
        """A value that the template may change; its own, for as long as it is rendered."""
        if name not in self._copies:
            found = self._copies[name] = copy.deepcopy(values[name])
            if isinstance(found, str) and ("{{" in found or "{%" in found):
                self._copies[name] = self._render(found)
        return self._copies[name]

    def has_var(self, name: str) -> bool:
        """Whether there is a variable of a name."""
        return name in self._values


class EnvironmentVariables:
    """`env_var('X')`: a variable of the process; where it is not set, its name stands for it, and is noted."""

    def __init__(self, process: Mapping[str, str]) -> None:
        self._process = process
        self.missing: dict[str, None] = {}

    def __call__(self, name: str, *default: object, **named: object) -> str:
        """The value of a variable."""
        found = self._process.get(str(name), default[0] if default else named.get("default"))
        if found is None:
            self.missing[str(name)] = None
            return str(name).lower()
        return str(found)
