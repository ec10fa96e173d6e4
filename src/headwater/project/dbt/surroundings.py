"""`Surroundings`: what a project is given from outside, and the templates in its settings that see nothing else.

`dbt_project.yml` and `packages.yml` may have templates for paths, names and switches: `packages-install-path: "{{ env_var('DEPS') }}"`.
They are rendered before anything else is known. Settings of models, hooks and variables see more, and are rendered later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.project.dbt.context.functions import FILTERS, plain_functions
from headwater.project.dbt.document import Document
from headwater.project.dbt.plain_value import plain_value
from headwater.project.dbt.variables import EnvironmentVariables, Var
from headwater.source.jinja_sandbox import Sandbox
from headwater.source.template import TemplateProblem
from headwater.source.template_watch import SETTING, templates_of

_LATER = frozenset(
    {
        *("models", "seeds", "snapshots", "sources", "analyses", "exposures", "metrics", "functions"),
        *("tests", "data_tests", "unit_tests", "semantic-models", "saved-queries"),
        *("vars", "on-run-start", "on-run-end", "query-comment"),
    }
)
"""Sections of `dbt_project.yml` whose templates see more than its other settings."""


class Surroundings:
    """The variables of the caller, and those of the process."""

    def __init__(self, variables: Mapping[str, object], environment: Mapping[str, str]) -> None:
        self.variables, self.environment = variables, environment
        self.env_var = EnvironmentVariables(environment)
        """Notes the variables that settings ask for and that are not set."""
        var = Var(variables, {}, self._text)
        functions = {**plain_functions(), "env_var": self.env_var, "var": var}
        self._sandbox = Sandbox({}, {}, functions, filters=FILTERS)

    def settings(self, written: Document) -> Document:
        """The settings in a file with their templates rendered; one that cannot be rendered is left out."""
        made = {key: value if key in _LATER else self._value(value) for key, value in written.items()}
        return {key: value for key, value in made.items() if value is not None}

    def text(self, written: str) -> str:
        """A text, rendered if it is a template; empty if that fails."""
        made = self._value(written)
        return "" if made is None else str(made)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [made for each in value if (made := self._value(each)) is not None]
        if not isinstance(value, str) or ("{{" not in value and "{%" not in value):
            return value
        try:
            return plain_value(self._text(value))
        except TemplateProblem:
            return None

    def _text(self, template: str) -> str:
        with templates_of(f"{SETTING}{template}"):
            return self._sandbox.rendered(template, "").strip()
