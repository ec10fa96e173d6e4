"""Comments that suppress findings.

    SELECT custmer_id FROM orders   -- headwater: ignore[unresolved-column]     findings on this line
    -- headwater: ignore[unused-column]                                         the whole statement below
    -- headwater: ignore                                                        all rules
    -- headwater: ignore-file[encoding, lost-statement]                         the script; above its first statement

On a line of its own inside of a statement a comment is about the next line of code. Behind the brackets a reason may follow. What looks
like such a comment and is none, names no rule, or suppresses nothing is a finding itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from headwater.check.finding import Finding, Where
from headwater.check.project import ScriptText
from headwater.check.rules import NAMES, UNUSED_SUPPRESSION
from headwater.model.span import LineIndex, Span
from headwater.model.suggestion import did_you_mean, nearest
from headwater.sql.comments import CodeSpan, code_spans

MARK = "headwater:"
"""A script without this word suppresses nothing."""

_COMMENT = re.compile(rf"(?:--|#|//|/\*)[ \t]*{MARK}[ \t]*(?P<rest>[^\n\r]*)")
_IGNORE = re.compile(r"(?P<word>ignore(?:-file)?)(?:[ \t]*\[(?P<rules>[^\]\n\r]*)\]|(?=[ \t]*(?:$|\*/|--|:|#)))")
_WORD = re.compile(r"[\w-]*")


@dataclass(frozen=True, slots=True)
class Suppression:
    """What one comment suppresses."""

    where: Where
    text: str
    rules: tuple[str, ...] | None
    """The names in its list; None without a list, which means all."""
    whole: bool = False
    """Whether it is about the script as a whole."""
    statement: int | None = None
    """The statement that it is about, from its first line to its last."""
    line: int | None = None
    """The line that it is about."""
    problem: str = ""
    """Why it suppresses nothing at all."""

    def covers(self, finding: Finding) -> bool:
        """Whether a finding of the same script stands where this suppresses."""
        where = finding.where
        if where is None or self.problem:
            return False
        if self.whole:
            return True
        if self.statement is not None:
            return where.statement == self.statement
        if where.start is None:
            return False
        return self.line in (where.start.line, where.end.line if where.end else where.start.line)

    def names(self, finding: Finding) -> Collection[str]:
        """The entries of its list that mean a finding; of one without a list, an entry without a name."""
        return ("",) if self.rules is None else finding.names.intersection(self.rules)


def suppressions(key: int, script: ScriptText) -> Iterator[Suppression]:
    """The suppressions in a script."""
    if MARK not in script.text:
        return
    code, lines = code_spans(script.text, script.dialect), LineIndex(script.text)
    for comment in _COMMENT.finditer(script.text):
        if not _is_literal(code, comment.start()):
            found = _Comment(key, script, comment, code, lines).read()
            if found is not None:
                yield found


def _is_literal(code: list[CodeSpan], offset: int) -> bool:
    at = bisect_right(code, offset, key=lambda span: span.start)
    return at > 0 and code[at - 1].literal and offset < code[at - 1].end


class _Comment:
    """One comment that may be a suppression."""

    def __init__(
        self, key: int, script: ScriptText, comment: re.Match[str], code: list[CodeSpan], lines: LineIndex
    ) -> None:
        self._script = script
        self._code = code
        self._lines = lines
        self._rest = comment["rest"]
        self._start = comment.start()
        self._match = _IGNORE.match(self._rest)
        end = comment.start("rest") + (self._match.end() if self._match else len(self._rest.rstrip()))
        span = Span(comment.start(), end)
        self._where = Where(key, script.path, lines.position(span.start), lines.position(span.end), span)
        self._text = script.shown.excerpt(*span)

    def read(self) -> Suppression | None:
        """What it suppresses; None if it says something else."""
        if self._match is None:
            word = _WORD.match(self._rest)
            near = nearest(word[0] if word else "", ("ignore", "ignore-file"))
            return self._bad("it cannot be understood; write ignore[rule, …] or ignore alone") if near else None
        listed = self._match["rules"]
        rules = None if listed is None else tuple(name.strip() for name in listed.split(",") if name.strip())
        if rules == ():
            return self._bad("its list is empty")
        unknown = [name for name in rules or () if name not in NAMES]
        if unknown:
            hint = did_you_mean(unknown[0], NAMES) or "headwater check --list-rules lists them"
            return self._bad(f"there is no rule {unknown[0]}; {hint}")
        return self._placed(rules)

    def _bad(self, problem: str) -> Suppression:
        return Suppression(self._where, self._text, None, problem=problem)

    def _placed(self, rules: tuple[str, ...] | None) -> Suppression:
        at = bisect_right(self._code, self._start, key=lambda span: span.start)
        if self._match is not None and self._match["word"] == "ignore-file":
            if at:
                return self._bad("ignore-file stands above the first statement, or nowhere")
            return Suppression(self._where, self._text, rules, whole=True)
        line = self._lines.position(self._start).line
        if not self._is_alone(at, line):
            return Suppression(self._where, self._text, rules, line=line)
        if at == len(self._code):
            return self._bad("nothing follows it")
        following = self._lines.position(self._code[at].start)
        if following in self._script.starts:
            return Suppression(self._where, self._text, rules, statement=self._script.starts[following])
        return Suppression(self._where, self._text, rules, line=following.line)

    def _is_alone(self, at: int, line: int) -> bool:
        """Whether no code stands on the comment's line."""
        stretch = self._lines.line(line)
        before = at > 0 and self._code[at - 1].end > stretch.start
        return not before and not (at < len(self._code) and self._code[at].start < stretch.end)


class Suppressions:
    """The suppressions of all scripts, and which of them were of use."""

    def __init__(self, found: Collection[Suppression]) -> None:
        self._all = list(found)
        self._by_script: dict[int, list[Suppression]] = {}
        for each in self._all:
            self._by_script.setdefault(each.where.script, []).append(each)
        self._used: set[tuple[Where, str]] = set()

    def suppress(self, finding: Finding) -> bool:
        """Whether a finding is suppressed; all comments that do so are of use."""
        if finding.where is None:
            return False
        before = False
        for each in self._by_script.get(finding.where.script, ()):
            names = each.names(finding) if each.covers(finding) else ()
            self._used.update((each.where, name) for name in names)
            before = before or bool(names)
        return before

    def unused(self, asked: Collection[str], all_asked: bool) -> Iterator[Finding]:
        """Findings about comments that were of no use, as far as the rules that they name were asked."""
        for each in self._all:
            if each.problem:
                yield _finding(each, f"{each.text}: {each.problem}")
            elif each.rules is None:
                if all_asked and (each.where, "") not in self._used:
                    yield _finding(each, f"{each.text} suppresses nothing")
            else:
                for name in each.rules:
                    if name in asked and (each.where, name) not in self._used:
                        yield _finding(each, f"{each.text}: there is no {name} to suppress")


def _finding(each: Suppression, message: str) -> Finding:
    rule = UNUSED_SUPPRESSION
    known_by = (each.where.path, message)
    return Finding(rule.name, rule.severity, message, each.text, each.where, known_by=known_by)
