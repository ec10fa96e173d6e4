"""The text of a project's file without its secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span
from headwater.sql.dialect import dialect
from headwater.sql.redact import Redacted, is_suspicious
from headwater.sql.source import source
from headwater.sql.split import pieces

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_VALUE = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"].*|\b\d[\w.]*""", re.DOTALL)


def redacted_template(template: str, spoken: str) -> Redacted:
    """A template without its secrets; places stay what they are.

    Hidden are the secrets of its SQL, and the strings and numbers of tags that look as if they had a secret.
    """
    found = pieces(source(template, dialect(spoken)), dialect(spoken))
    text = found[0].text if found else Redacted(template, [])
    return text.hiding([span for tag in _TAG.finditer(template) for span in _hidden(tag)])


def _hidden(tag: re.Match[str]) -> Iterator[Span]:
    """What is hidden of a tag: a comment as a whole."""
    if not is_suspicious(tag.group()):
        return
    if tag.group().startswith("{#"):
        yield Span(*tag.span())
        return
    for value in _VALUE.finditer(tag.group()):
        yield Span(tag.start() + value.start(), tag.start() + value.end())
