"""Jinja in models: what stands between `JINJA_QUERY_BEGIN` and `JINJA_END`, rendered in the sandbox of all templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from headwater.project.sqlmesh.macros import RUN
from headwater.project.sqlmesh.words import unquoted
from headwater.source.template import MISSING, TemplateProblem

_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+).*?\{%-?\s*endmacro\s*-?%\}", re.DOTALL)


class Templates:
    """Renders templates with a project's variables and its Jinja macros."""

    def __init__(self, variables: Mapping[str, object], macros: Iterable[str]) -> None:
        """*macros* are the texts of files with `{% macro %}`."""
        self._variables = variables
        self._macros = [(match[1], match[0]) for text in macros for match in _MACRO.finditer(text)]

    def rendered(self, text: str, this_model: str, gateway: str, noticed: Callable[[str], None]) -> str:
        """The SQL that a template makes; raises `TemplateProblem`. A function that nobody has is *noticed*, and a call in the SQL."""
        if "{{" not in text and "{%" not in text and "{#" not in text:
            return text
        try:
            from jinja2 import TemplateError, meta

            from headwater.source.jinja_sandbox import Sandbox
        except ModuleNotFoundError as error:
            raise TemplateProblem(MISSING) from error
        known: dict[str, object] = {
            name: unquoted(value) if value.startswith("'") else value for name, value in RUN.items()
        }
        known |= {"this_model": this_model, "gateway": gateway, "runtime_stage": "", "evaluator": None}
        sandbox = Sandbox({**known, **self._variables}, {}, {"var": self._var, "blueprint_var": self._var})
        text = f"{self._needed(text)}{text}"
        try:
            names = meta.find_undeclared_variables(sandbox.parse(text))
        except TemplateError as error:
            raise TemplateProblem(str(error)) from error
        for name in names - set(sandbox.globals) - set(known) - set(self._variables):
            sandbox.globals[name] = _unknown(name, noticed)
        return sandbox.rendered(text, this_model)

    def _needed(self, text: str) -> str:
        """The project's macros, if a template names one of them; they may call each other."""
        is_named = any(re.search(rf"\b{name}\b", text) is not None for name, _ in self._macros)
        return "".join(macro for _, macro in self._macros) if is_named else ""

    def _var(self, name: str, default: object = None) -> object:
        return self._variables.get(str(name).lower(), default)


def _unknown(name: str, noticed: Callable[[str], None]) -> Any:
    """A function that nobody has: its call is written as a call of the database's."""

    def call(*given: object, **named: object) -> str:
        noticed(name)
        return f"{name}({', '.join(str(each) for each in (*given, *named.values()))})"

    return call
