"""Jinja around SQL: tags are blanked out, what stands between them stays; expressions are placeholders.

`{% if a %}x{% else %}y{% endif %}` leaves both x and y; where that is no SQL, `first_branches` leaves x. The body of a loop
is there once, as its last round. Bodies that are no part of the script where they stand (macros, `{% set x %}…{% endset %}`) are blanked out with their tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from headwater.model.span import Span

_TAG = re.compile(r"\{%[-+]?\s*(?P<word>\w+)(?P<rest>(?:[^%]|%(?!\}))*)%\}|\{#.*?#\}", re.DOTALL)
_NOTHING = re.compile(r"\{\{[-+]?\s*(?:config|log|print|return)\s*\((?:[^}]|\}(?!\}))*\}\}")
"""Expressions that write nothing."""
_DEFINITIONS = frozenset({"macro", "set", "docs", "test", "materialization"})
_BLOCKS = _DEFINITIONS | {"for", "call", "filter", "snapshot", "raw", "block", "with", "autoescape"}
"""Tags that some `{% end… %}` closes, besides `if`."""
_NOT_LAST_ROUND = re.compile(r"\s*not\s+loop\.last\b|\s*loop\.first\s+is\s+false")


class Blanked(NamedTuple):
    """A template's text with everything blanked out that writes no SQL; and where its tags stood."""

    text: str
    tags: tuple[Span, ...]


def has_tags(sql: str) -> bool:
    """Whether a text may be a Jinja template."""
    return "{%" in sql or "{{" in sql or "{#" in sql


def without_tags(sql: str) -> Blanked:
    """The text without tags and definitions, all branches kept."""
    return _blanked(sql, first_only=False)


def first_branches(sql: str) -> Blanked:
    """The text without tags and definitions, and of each condition only the first branch."""
    return _blanked(sql, first_only=True)


def _blanked(sql: str, first_only: bool) -> Blanked:
    tags = list(_TAG.finditer(sql))
    hidden = [Span(*m.span()) for m in tags] + [Span(*m.span()) for m in _NOTHING.finditer(sql)]
    hidden += _bodies([m for m in tags if m["word"]], first_only)
    return Blanked(blank(sql, hidden), tuple(Span(*m.span()) for m in tags if m["word"]))


def _bodies(tags: list[re.Match[str]], first_only: bool) -> Iterator[Span]:
    """What stands between tags and is no SQL of this script: definitions, other branches, what all rounds but the last write."""
    opened: list[tuple[str, int]] = []
    for tag in tags:
        word = tag["word"]
        if word.startswith("end") and opened and opened[-1][0].startswith(word[3:]):
            kind, start = opened.pop()
            if kind != word[3:] or word[3:] in _DEFINITIONS:
                yield Span(start, tag.start())
        elif word in ("else", "elif") and opened and opened[-1][0].startswith("if"):
            kind, start = opened.pop()
            if kind != "if":
                yield Span(start, tag.start())
            opened.append(("if-hidden" if first_only and kind == "if" else kind.replace("if-last", "if"), tag.end()))
        elif word == "if":
            opened.append(("if-last" if _NOT_LAST_ROUND.match(tag["rest"]) else "if", tag.end()))
        elif word in _BLOCKS and not (word == "set" and "=" in tag["rest"]):
            opened.append((word, tag.end()))


def blank(sql: str, spans: list[Span]) -> str:
    """A text with blanks in place of some stretches; lines stay lines."""
    parts: list[str] = []
    end = 0
    for span in sorted(spans):
        if span.end <= end:
            continue
        start = max(span.start, end)
        parts.append(sql[end:start])
        parts.append(re.sub(r"[^\r\n]", " ", sql[start : span.end]))
        end = span.end
    parts.append(sql[end:])
    return "".join(parts)
