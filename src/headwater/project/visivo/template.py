"""Templates in Visivo's YAML, as older versions had them: not rendered, but read past."""

from __future__ import annotations

import re

_VARIABLE = re.compile(r"""\{\{\s*env_var\(\s*["']?(\w+)["']?\s*\)\s*\}\}""")
_TAG = re.compile(r"\{%.{0,200}?%\}")
_CONTROL = re.compile(r"\{%-?\s*(?:for|if)\b")


def without_templates(text: str) -> str:
    """Older versions' `{{ env_var('X') }}` as `${ env.X }`, tags such as `{% raw %}` as blanks: of one length, so that places stay."""
    if "{{" in text:
        text = _VARIABLE.sub(lambda m: f"${{ env.{m[1]} ".ljust(len(m[0]) - 1) + "}", text)
    return _TAG.sub(lambda m: " " * len(m[0]), text) if "{%" in text else text


def first_control(text: str) -> int | None:
    """Where the first part of a template begins that would have to be rendered, a loop or a condition."""
    control = _CONTROL.search(text)
    return None if control is None else control.start()
