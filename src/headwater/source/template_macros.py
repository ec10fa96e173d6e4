"""`MacroFiles`: which file of some folders defines a macro that a template calls without importing it.

Tools that render a folder of templates often give them all macros of another folder, and no template imports them. A macro counts if
exactly one file defines it: of two, nobody here knows which one the tool takes. The folders are read when the first macro is asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from headwater.source.find import find_files, shown_path
from headwater.source.template_roots import template_in

_PATTERNS = ("*.jinja", "*.jinja2", "*.j2", "*.sql")
_MACRO = re.compile(r"\{%[-+]?\s*macro\s+([A-Za-z_]\w*)\s*\(")


class _File(NamedTuple):
    """A file that defines macros: a folder, and its path from there on."""

    root: str
    path: str


class MacroFiles:
    """The macros that the templates in some folders define."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = roots

    def defining(self, name: str) -> tuple[str, str] | None:
        """The path and the text of the one file that defines a macro; None if there is none, or several."""
        found = self._files.get(name, ())
        if len(found) != 1:
            return None
        (file,) = found
        text = template_in([file.root], file.path)
        return None if text is None else (file.path, text)

    @cached_property
    def _files(self) -> dict[str, tuple[_File, ...]]:
        """The files that define each macro, each file once even if several folders hold it."""
        found: dict[str, dict[str, _File]] = {}
        for root in self._roots:
            for path in find_files([root], _PATTERNS):
                file = _File(root, shown_path(path, root))
                for name in _MACRO.findall(template_in([root], file.path) or ""):
                    found.setdefault(name, {}).setdefault(os.path.realpath(path), file)
        return {name: tuple(files.values()) for name, files in found.items()}
