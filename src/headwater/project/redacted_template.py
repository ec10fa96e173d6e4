"""The text of a project's file without its secrets."""

from __future__ import annotations

import re

from headwater.model.span import Span
from headwater.sql.dialect import dialect
from headwater.sql.redact import Redacted
from headwater.sql.source import source
from headwater.sql.split import pieces

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def redacted_template(template: str, spoken: str) -> Redacted:
    """A template without its secrets: those of its SQL, and tags that look as if they had some; places stay what they are."""
    found = pieces(source(template, dialect(spoken)), dialect(spoken))
    tags = [Span(*tag.span()) for tag in _TAG.finditer(template)]
    text = Redacted(template, [], tags)
    return text.also(found[0].text) if found else text
