"""`Template`: Jinja templates rendered to SQL, with the functions that dbt models use, in a sandbox, within bounds.

In comes the text of a script, out comes the text that the database would see, or a `TemplateProblem`. Nothing of the outside is reached: no
files, no other templates, no environment unless that is allowed. Jinja itself is imported when the first template is rendered, in a process
of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from headwater.source.template_limits import TemplateLimits, limits_in_force

if TYPE_CHECKING:
    from headwater.source.jinja_sandbox import Sandbox

MISSING = "templates need Jinja2: install headwater[jinja]"
_PAIR = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
_NUMBERS = count()
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})")


class TemplateProblem(ValueError):
    """A template that cannot be rendered: the message names the line and what is missing there."""

    refused = False
    """Whether it does more than a template may: then it is not tried in another way."""


class Template:
    """How scripts are rendered: the variables that they may use, by name or through `var`."""

    __slots__ = ("_environment", "_limits", "_roots", "_sandbox", "number", "variables")

    def __init__(
        self,
        variables: Mapping[str, object] | None = None,
        *,
        environment: bool | Mapping[str, str] = False,
        roots: Sequence[str] = (),
        limits: TemplateLimits | None = None,
    ) -> None:
        """*environment* lets `env_var` see the variables of the process, or those that are given; else it gives its default.

        *roots* are the folders in which `{% include %}`, `{% import %}` and `{% from %}` find other templates, and in which
        macros are found that are called without an import; without any, they find none.
        """
        self.variables = dict(variables or {})
        self._environment = dict(os.environ) if environment is True else dict(environment or {})
        self._roots = tuple(roots)
        self._limits = limits or limits_in_force()
        self._sandbox: Sandbox | None = None
        self.number = next(_NUMBERS)
        """Tells it apart from others that are made the same way, later and over other files."""

    def render(self, text: str, name: str = "") -> str:
        """The SQL that a template makes; `{{ this }}` is *name*.

        `{{ ref('orders') }}` is `orders`, `{{ source('raw', 'orders') }}` is `raw.orders`.
        """
        if "{{" not in text and "{%" not in text and "{#" not in text:
            return text
        from headwater.source.template_apart import rendered_apart

        return rendered_apart(self, text, name, self._limits)

    def render_here(self, text: str, name: str) -> str:
        """The same in this process, where only what counts ends a template that takes too much."""
        if self._sandbox is None:
            self._sandbox = self._made()
        return self._sandbox.rendered(text, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.variables, self._environment, self._roots, self._limits)

    def _made(self) -> Sandbox:
        try:
            from headwater.source.jinja_sandbox import Sandbox
        except ModuleNotFoundError as error:
            raise TemplateProblem(MISSING) from error
        sandbox = Sandbox(self.variables, self._environment, limits=self._limits)
        if self._roots:
            from headwater.source.template_macros import MacroFiles
            from headwater.source.template_roots import template_in

            sandbox.find_templates(lambda name: template_in(self._roots, name))
            sandbox.find_macros(MacroFiles(self._roots).defining)
        return sandbox


def _restored(
    variables: dict[str, object], environment: Mapping[str, str], roots: tuple[str, ...], limits: TemplateLimits
) -> Template:
    return Template(variables, environment=environment, roots=roots, limits=limits)


def variables_of(given: Sequence[str]) -> dict[str, object]:
    """Variables as they are given on the command line: mappings in JSON or YAML, or `name=value`; later ones win.

    >>> variables_of(["day=2024-01-31", '{"n": 3}'])
    {'day': '2024-01-31', 'n': 3}
    """
    found: dict[str, object] = {}
    for text in given:
        pair = _PAIR.fullmatch(text.strip())
        found |= {pair["name"]: _value(pair["value"])} if pair else _mapping(text)
    return found


def _value(text: str) -> object:
    """Whole numbers and truth values as such, everything else as text."""
    if _NUMBER.fullmatch(text):
        return int(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def _mapping(text: str) -> dict[str, object]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = _yaml(text)
    if not isinstance(content, dict) or not all(isinstance(name, str) for name in content):
        raise TemplateProblem("variables are given as name=value, or as a mapping in JSON or YAML")
    return content


def _yaml(text: str) -> object:
    try:
        yaml: Any = importlib.import_module("yaml")
    except ModuleNotFoundError as error:
        raise TemplateProblem(
            "variables in YAML need PyYAML: install pyyaml, or give them as JSON or name=value"
        ) from error
    try:
        content: object = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise TemplateProblem("the variables are neither name=value nor a mapping in JSON or YAML") from error
    return content
