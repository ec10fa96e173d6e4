"""Jinja around SQL: tags are blanked out, what stands between them stays; expressions are placeholders.

The branches of a condition exclude each other, so a statement with conditions in it has several ways to be (`template_ways`).
The body of a loop is there once, as its only round; `template_loops` makes more of it where the loop's values are known. Bodies that are no
part of the script where they stand (macros, `{% set x %}…{% endset %}`) are blanked out with their tags.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

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
_OTHER_ROUND = re.compile(r"\s*not\s+loop\.(?P<word>first|last)\s*[-+]?")
_ROUND = re.compile(r"(?:not )?loop\.(?P<word>first|last)")
_SET = re.compile(r"\s*(?P<name>\w+)\s*=(?P<text>[^=].*)", re.DOTALL)
_OF_OTHER_ROUND = re.compile(
    r"\{\{[-+]?\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')\s+if\s+not\s+loop\.(?P<word>first|last)\s*(?:else\s*(?:\"\s*\"|'\s*')\s*)?[-+]?\}\}"
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


class Separator(NamedTuple):
    """What stands between the rounds of a loop: not in the first round, or not in the last one."""

    span: Span
    text: str
    word: str


class Loop(NamedTuple):
    """A loop: its tag, what it guards, and what is between `for` and the tag's end."""

    tag: Span
    body: Span
    head: str
    separators: tuple[Separator, ...] = ()
    """Of this loop, and of none inside of it."""
    only: tuple[tuple[Span, str], ...] = ()
    """What is there only in the first round, or only in the last one."""
    outer: int = -1
    """The number of the loop around it; -1 if there is none."""

    @property
    def end(self) -> int:
        """Where its body ends."""
        return self.body.end


class Template(NamedTuple):
    """A template's text, readable: with blanks for everything that writes no SQL."""

    text: str
    tags: tuple[Span, ...]
    conditions: tuple[Condition, ...]
    included: tuple[tuple[str, Span], ...] = ()
    """Other templates whose text belongs here, by their names."""
    loops: tuple[Loop, ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    """Names that are set, and what to."""


def has_tags(sql: str) -> bool:
    """Whether a text may be a Jinja template."""
    return "{" in sql and ("{%" in sql or "{{" in sql or "{#" in sql)


def template(sql: str) -> Template:
    """The text without tags and definitions, all branches kept."""
    tags = list(_TAG.finditer(sql))
    hidden = [Span(*m.span()) for m in (*tags, *_NOTHING.finditer(sql), *_OF_OTHER_ROUND.finditer(sql))]
    bodies = _Bodies([m for m in tags if m["word"]])
    hidden += bodies.hidden
    parted = (
        Separator(Span(*m.span()), m["double"] or m["single"] or "", m["word"]) for m in _OF_OTHER_ROUND.finditer(sql)
    )
    loops = _with_separators(bodies, [*parted, *_between(bodies.conditions, sql)])
    sets = tuple(
        (m["name"], m["text"].strip().rstrip("-+")) for t in tags if t["word"] == "set" and (m := _SET.match(t["rest"]))
    )
    included = tuple((name[1], Span(*m.span())) for m in tags if (name := _INCLUDED.match(m[0])))
    hidden += (c.branches[0] for c in bodies.conditions if _OTHER_ROUND.fullmatch(c.tests[0]))
    conditions = tuple(_with_outer(sorted(c for c in bodies.conditions if not _OTHER_ROUND.fullmatch(c.tests[0]))))
    spans = tuple(Span(*m.span()) for m in tags if m["word"])
    return Template(blank(sql, hidden), spans, conditions, included, tuple(loops), sets)


class _Open(NamedTuple):
    """A tag that waits for its end: what its branches guard so far, and what was asked."""

    word: str
    tag: Span
    branches: list[Span]
    tests: tuple[str, ...]
    start: int


class _Bodies:
    """What stands between tags: conditions, loops, and the bodies of definitions, which are hidden."""

    def __init__(self, tags: Sequence[re.Match[str]]) -> None:
        self.conditions: list[Condition] = []
        self.loops: list[Loop] = []
        self.hidden: list[Span] = []
        opened: list[_Open] = []
        for tag in tags:
            word = tag["word"]
            if word.startswith("end") and opened and opened[-1].word == word[3:]:
                self._close(opened.pop(), tag.start())
            elif word in ("else", "elif") and opened and opened[-1].word == "if":
                condition = opened.pop()
                branches = [*condition.branches, Span(condition.start, tag.start())]
                tests = (*condition.tests, _test(tag)) if word == "elif" else condition.tests
                opened.append(_Open("if", condition.tag, branches, tests, tag.end()))
            elif word in _BLOCKS and not (word == "set" and "=" in tag["rest"]):
                opened.append(_Open(word, Span(*tag.span()), [], (_test(tag),), tag.end()))

    def _close(self, closed: _Open, end: int) -> None:
        body = Span(closed.start, end)
        if closed.word == "if":
            self.conditions.append(Condition(closed.tag, (*closed.branches, body), closed.tests))
        elif closed.word == "for":
            self.loops.append(Loop(closed.tag, body, closed.tests[0]))
        elif closed.word in _DEFINITIONS:
            self.hidden.append(body)


def _between(conditions: Iterable[Condition], sql: str) -> Iterator[Separator]:
    """What `{% if not loop.last %}` guards, and what `{% if loop.last %} … {% else %}` does."""
    for condition in conditions:
        test = _ROUND.fullmatch(condition.tests[0])
        branch = 0 if condition.tests[0].startswith("not ") else 1
        if test is not None and len(condition.tests) == 1 and branch < len(condition.branches):
            span = condition.branches[branch]
            yield Separator(span, sql[span.start : span.end], test["word"])


def _with_separators(bodies: _Bodies, separators: Iterable[Separator]) -> list[Loop]:
    """The loops, in order, each with what stands between its rounds, and with the number of the one around it."""
    loops = list(_with_outer(sorted(bodies.loops)))
    parting: dict[int, list[Separator]] = {}
    only: dict[int, list[tuple[Span, str]]] = {}
    for each in separators:
        parting.setdefault(_loop_at(loops, each.span.start), []).append(each)
    for span, word in _only(bodies.conditions):
        only.setdefault(_loop_at(loops, span.start), []).append((span, word))
    return [
        loop._replace(separators=tuple(parting.get(number, ())), only=tuple(only.get(number, ())))
        for number, loop in enumerate(loops)
    ]


def _loop_at(loops: Sequence[Loop], offset: int) -> int:
    """The number of the innermost loop around an offset; -1 if there is none."""
    number = bisect_left(loops, offset, key=lambda loop: loop.tag.start) - 1
    while number >= 0 and loops[number].end <= offset:
        number = loops[number].outer
    return number


def _only(conditions: Iterable[Condition]) -> Iterator[tuple[Span, str]]:
    """What `{% if loop.last %}` guards, and what the `{% else %}` of `{% if not loop.last %}` does."""
    for condition in conditions:
        test = _ROUND.fullmatch(condition.tests[0])
        branch = 1 if condition.tests[0].startswith("not ") else 0
        if test is not None and branch < len(condition.branches):
            yield condition.branches[branch], test["word"]


def _test(tag: re.Match[str]) -> str:
    """What a tag asks, in one spelling."""
    return " ".join(tag["rest"].strip().rstrip("-+").split())


_Nested = TypeVar("_Nested", Condition, Loop)


def _with_outer(nested: Iterable[_Nested]) -> Iterator[_Nested]:
    """Conditions or loops, in order, each with the number of the one around it."""
    opened: list[tuple[int, int]] = []
    for number, each in enumerate(nested):
        while opened and opened[-1][1] <= each.tag.start:
            opened.pop()
        yield each._replace(outer=opened[-1][0] if opened else -1)
        opened.append((number, each.end))


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
