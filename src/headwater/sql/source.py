"""The text of a script as written, and as the tokeniser can read it.

Between the two everything is taken away that the database would never see: tags of templates and commands to the client are blanks,
placeholders are names. Both have the same length, so that an offset means the same in both.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from sqlglot.tokenizer_core import Token

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.client import commands
from headwater.sql.conditional_comment import has_conditional_comments, without_marks
from headwater.sql.dialect import Dialect
from headwater.sql.placeholder import filled, has_placeholders
from headwater.sql.template import Condition, Loop, blank, has_tags, template
from headwater.sql.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Source:
    """A script's text in both forms, and what was learnt on the way from one to the other."""

    raw: str
    readable: str
    """The readable text, from *offset* on."""
    offset: int = 0
    tags: tuple[Span, ...] = ()
    """Where a template's tags stand."""
    conditions: tuple[Condition, ...] = ()
    loops: tuple[Loop, ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    cuts: tuple[int, ...] = ()
    """Offsets where a statement ends without a semicolon."""
    uncut: tuple[Span, ...] = ()
    """Where semicolons end nothing: below MySQL's DELIMITER."""
    remarks: tuple[Diagnostic, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the script is read as it is written, and only semicolons end its statements."""
        return self.readable is self.raw and not (self.tags or self.cuts or self.uncut)

    def stretch(self, start: int = 0, end: int | None = None) -> str:
        """The readable text between two offsets of the script."""
        if self.readable is self.raw:
            return self.raw[start:end] if start or end is not None else self.raw
        return self.readable[start - self.offset : None if end is None else end - self.offset]

    def tokens(self, dialect: Dialect, start: int = 0, end: int | None = None, semicolons: bool = True) -> list[Token]:
        """The tokens of a stretch; their offsets count from its start. Without *semicolons* a statement may end before the next one."""
        readable = self.stretch(start, end)
        if self.readable is self.raw:
            return tokenise(readable, dialect, semicolons=semicolons)
        return tokenise(readable, dialect, self.raw[start:end], semicolons=semicolons and not self.cuts)

    def is_uncut(self, offset: int) -> bool:
        """Whether semicolons end nothing at an offset."""
        before = bisect_right(self.uncut, offset, key=lambda span: span.start)
        return before > 0 and offset < self.uncut[before - 1].end

    def conditions_in(self, span: Span) -> list[Condition]:
        """The conditions of the template inside a stretch, and those around its beginning of which it has several branches.

            {% if first %} SELECT a FROM t {% else %} SELECT a FROM u {% endif %}

        is one stretch, which begins behind the first tag.
        """
        first = bisect_left(self.conditions, span.start, key=lambda c: c.tag.start)
        last = bisect_left(self.conditions, span.end, key=lambda c: c.tag.start)
        around: list[Condition] = []
        number = first - 1
        while number >= 0:
            condition = self.conditions[number]
            if condition.end > span.start and condition.divides(span):
                around.append(condition)
            number = condition.outer
        return [*reversed(around), *self.conditions[first:last]]

    def loops_in(self, span: Span) -> tuple[list[Loop], list[Loop]]:
        """The loops that belong to a statement, and those around it, which have other statements as well; in order."""
        first, last = (bisect_left(self.loops, offset, key=lambda loop: loop.tag.start) for offset in span)
        around: list[Loop] = []
        number = first - 1
        while number >= 0:
            around += [self.loops[number]] if self.loops[number].end > span.start else []
            number = self.loops[number].outer
        others = [loop for loop in reversed(around) if self._has_more(loop.body, span)]
        own = [loop for loop in reversed(around) if loop not in others]
        for loop in self.loops[first:last]:
            (others if self._has_more(loop.body, span) else own).append(loop)
        return own, others

    def _has_more(self, body: Span, span: Span) -> bool:
        """Whether something of a loop's body is outside of a statement."""
        before, behind = (body.start, min(body.end, span.start)), (max(body.start, span.end), body.end)
        return any(start < end and self.stretch(start, end).strip() for start, end in (before, behind))

    def branches_around(self, span: Span) -> list[tuple[Condition, int]]:
        """The branches that a stretch is wholly in, with their conditions."""
        number = bisect_left(self.conditions, span.start, key=lambda c: c.tag.start) - 1
        found: list[tuple[Condition, int]] = []
        while number >= 0:
            condition = self.conditions[number]
            inside = [b.start <= span.start and span.end <= b.end for b in condition.branches]
            found += [(condition, inside.index(True))] if any(inside) else []
            number = condition.outer
        return found

    def without(self, hidden: list[Span], span: Span) -> Source:
        """A stretch of the script, with blanks for parts of it."""
        inside = (Span(h.start - span.start, h.end - span.start) for h in hidden)
        readable = blank(self.readable[span.start - self.offset : span.end - self.offset], inside)
        return replace(self, readable=readable, offset=span.start)


def source(sql: str, dialect: Dialect) -> Source:
    """A script, made readable for a dialect; a script that is plain SQL is left as it is."""
    made = Source(sql, sql)
    if has_tags(sql):
        text, tags, conditions, included, loops, sets = template(sql)
        remarks: tuple[Diagnostic, ...] = (_left_in_place(tags[0]),) if tags else ()
        remarks += tuple(_included(file, span) for file, span in included)
        made = Source(sql, text, 0, tags, conditions, loops, sets, remarks=remarks)
    readable = _filled(made.readable, dialect)
    if has_conditional_comments(sql, dialect):
        readable = without_marks(readable)
    return _without_commands(readable, made, dialect)


def _filled(text: str, dialect: Dialect) -> str:
    return filled(text, dialect) if has_placeholders(text, dialect) else text


def _without_commands(readable: str, made: Source, dialect: Dialect) -> Source:
    found = commands(readable, made.raw, dialect)
    if found is None:
        return made if readable is made.readable else replace(made, readable=readable)
    remarks = (*made.remarks, *(_included(file, span) for file, span in found.included))
    return replace(made, readable=found.text, cuts=tuple(found.cuts), uncut=tuple(found.uncut), remarks=remarks)


def _left_in_place(tag: Span) -> Diagnostic:
    message = "the script is a template: all branches of its conditions are read, and loops over values that it does not tell once"
    return Diagnostic(Code.TEMPLATE, message, tag, hint="analyse the rendered SQL for the whole truth")


def _included(file: str, span: Span) -> Diagnostic:
    message = f"{file} is included here and is not analysed with this script"
    return Diagnostic(Code.INCLUDED_FILE, message, span, file, "analyse it as a script of its own")
