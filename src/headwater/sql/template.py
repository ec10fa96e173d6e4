"""Jinja around SQL: tags are blanked out, what stands between them stays; expressions are placeholders.

The branches of a condition exclude each other, so a statement with conditions in it has several ways to be (`template_ways`).
The body of a loop is there once, as its only round. Bodies that are no part of the script where they stand (macros,
`{% set x %}…{% endset %}`) are blanked out with their tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwater.model.span import Span

_TAG = re.compile(
    r"\{%[-+]?\s*(?P<word>\w+)(?P<rest>(?:[^%{]|%(?!\})|\{(?![%{#]))*)%\}|\{#(?:(?!\{#).)*?#\}", re.DOTALL
)
_NOTHING = re.compile(r"\{\{[-+]?\s*(?:config|log|print|return)\s*\((?:[^}{]|\}(?!\})|\{(?![%{]))*\}\}")
"""Expressions that write nothing."""
_DEFINITIONS = frozenset({"macro", "set", "docs", "test", "materialization"})
_BLOCKS = _DEFINITIONS | {"if", "for", "call", "filter", "snapshot", "raw", "block", "with", "autoescape"}
"""Tags that some `{% end… %}` closes."""
_INCLUDED = re.compile(r"\{%[-+]?\s*(?:include|extends)\s*\[?\s*[\"']([^\"']+)")
_OTHER_ROUND = re.compile(r"\s*not\s+loop\.(?:first|last)\b")
_OF_OTHER_ROUND = re.compile(
    r"\{\{[-+]?\s*(?:\"[^\"]*\"|'[^']*')\s+if\s+not\s+loop\.(?:first|last)\s*(?:else\s*(?:\"\s*\"|'\s*')\s*)?[-+]?\}\}"
)
"""A text between the rounds of a loop, `{{ "," if not loop.last }}`."""


class Condition(NamedTuple):
    """A condition: what each of its branches guards, and where it begins."""

    tag: Span
    branches: tuple[Span, ...]
    tests: tuple[str, ...] = ()
    """What is asked before each of them; not before that of `else`."""
    outer: int = -1
    """The number of the condition around it; -1 if there is none."""

    @property
    def end(self) -> int:
        """Where its last branch ends."""
        return self.branches[-1].end

    def divides(self, span: Span) -> bool:
        """Whether a stretch that begins inside of it reaches into several branches, of which only one is ever there."""
        return sum(branch.start < span.end and span.start < branch.end for branch in self.branches) > 1


class Template(NamedTuple):
    """A template's text, readable: with blanks for everything that writes no SQL."""

    text: str
    tags: tuple[Span, ...]
    conditions: tuple[Condition, ...]
    included: tuple[tuple[str, Span], ...] = ()
    """Other templates whose text belongs here, by their names."""


def has_tags(sql: str) -> bool:
    """Whether a text may be a Jinja template."""
    return "{" in sql and ("{%" in sql or "{{" in sql or "{#" in sql)


def template(sql: str) -> Template:
    """The text without tags and definitions, all branches kept."""
    tags = list(_TAG.finditer(sql))
    hidden = [Span(*m.span()) for m in (*tags, *_NOTHING.finditer(sql), *_OF_OTHER_ROUND.finditer(sql))]
    conditions = _bodies([m for m in tags if m["word"]], hidden)
    included = tuple((name[1], Span(*m.span())) for m in tags if (name := _INCLUDED.match(m[0])))
    return Template(blank(sql, hidden), tuple(Span(*m.span()) for m in tags if m["word"]), tuple(conditions), included)


class _Open(NamedTuple):
    """A tag that waits for its end: what its branches guard so far, and what was asked."""

    word: str
    tag: Span
    branches: list[Span]
    tests: tuple[str, ...]
    start: int


def _bodies(tags: Sequence[re.Match[str]], hidden: list[Span]) -> list[Condition]:
    """The conditions between tags; what is defined, and what stands between the rounds of a loop, is hidden."""
    found: list[Condition] = []
    opened: list[_Open] = []
    for tag in tags:
        word = tag["word"]
        if word.startswith("end") and opened and opened[-1].word == word[3:]:
            closed = opened.pop()
            body = Span(closed.start, tag.start())
            if word == "endif":
                found.append(Condition(closed.tag, (*closed.branches, body), closed.tests))
            elif closed.word in _DEFINITIONS:
                hidden.append(body)
        elif word in ("else", "elif") and opened and opened[-1].word == "if":
            condition = opened.pop()
            branches = [*condition.branches, Span(condition.start, tag.start())]
            tests = (*condition.tests, _test(tag)) if word == "elif" else condition.tests
            opened.append(_Open("if", condition.tag, branches, tests, tag.end()))
        elif word in _BLOCKS and not (word == "set" and "=" in tag["rest"]):
            opened.append(_Open(word, Span(*tag.span()), [], (_test(tag),), tag.end()))
    return _as_in_only_round(found, {tag.start() for tag in tags if _OTHER_ROUND.match(tag["rest"])}, hidden)


def _test(tag: re.Match[str]) -> str:
    """What a tag asks, in one spelling."""
    return " ".join(tag["rest"].strip().rstrip("-+").split())


def _as_in_only_round(found: list[Condition], between: set[int], hidden: list[Span]) -> list[Condition]:
    """Without the first branch of `{% if not loop.last %}`, `{% if not loop.first %}`."""
    hidden.extend(c.branches[0] for c in found if c.tag.start in between)
    return _with_outer(sorted(c for c in found if c.tag.start not in between))


def _with_outer(conditions: list[Condition]) -> list[Condition]:
    """Conditions, in order, each with the number of the one around it."""
    opened: list[int] = []
    for number, each in enumerate(conditions):
        while opened and conditions[opened[-1]].end <= each.tag.start:
            opened.pop()
        conditions[number] = each._replace(outer=opened[-1] if opened else -1)
        opened.append(number)
    return conditions


def blank(sql: str, spans: Iterable[Span]) -> str:
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
