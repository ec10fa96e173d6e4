"""Which column names a pattern keeps: LIKE, SIMILAR TO, GLOB, a regular expression, a lambda over the name.

A pattern comes from the script, so it is only run where it cannot run away: anything else is an `UnknownPattern`, like a predicate that
is not worked out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.sql.possessive import compile_possessive

Keeps = Callable[[str], bool]
"""Tells whether a name stays."""


class UnknownPattern(ValueError):
    """A choice of names that is not worked out."""


_REPEATS = re.compile(r"[*+?{]")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_MOST_REPEATS = 4


def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    if _REPEATED_GROUP.search(pattern) or len(_REPEATS.findall(pattern)) > _MOST_REPEATS:
        raise UnknownPattern(pattern)
    try:
        return compile_possessive(pattern, flags)
    except (re.error, ValueError) as error:
        raise UnknownPattern(pattern) from error


def by_regex(pattern: str) -> Keeps:
    """Names in which a regular expression is found."""
    compiled = _compiled(pattern)
    return lambda name: compiled.search(name) is not None


def by_whole_regex(pattern: str) -> Keeps:
    """Names that a regular expression describes from their first to their last letter, in any case."""
    compiled = _compiled(pattern, re.IGNORECASE)
    return lambda name: compiled.fullmatch(name) is not None


def groups_found(pattern: str, name: str) -> tuple[str | None, ...]:
    """The whole that a regular expression finds in a name, and its groups; nothing where it is not run."""
    try:
        found = _compiled(pattern).search(name)
    except UnknownPattern:
        return ()
    return (found.group(0), *found.groups()) if found is not None else ()


def like(pattern: str, ignore_case: bool) -> Keeps:
    """Names that a LIKE pattern fits."""
    if ignore_case:
        pattern = pattern.lower()
        return lambda name: _fits(name.lower(), pattern, "%", "_")
    return lambda name: _fits(name, pattern, "%", "_")


def _glob(pattern: str) -> Keeps:
    if "[" in pattern:
        raise UnknownPattern(pattern)
    return lambda name: _fits(name, pattern, "*", "?")


def _fits(name: str, pattern: str, many: str, one: str) -> bool:
    """Whether a name fits a pattern with wildcards; never more than name times pattern steps."""
    i = j = 0
    retry = -1, 0
    while i < len(name):
        if j < len(pattern) and pattern[j] == many:
            retry = j, i
            j += 1
        elif j < len(pattern) and pattern[j] in (one, name[i]):
            i, j = i + 1, j + 1
        elif retry[0] >= 0:
            retry = retry[0], retry[1] + 1
            j, i = retry[0] + 1, retry[1]
        else:
            return False
    return not pattern[j:].strip(many)


_PATTERNS: dict[type, Callable[[str], Keeps]] = {
    exp.Like: lambda p: like(p, False),
    exp.ILike: lambda p: like(p, True),
    exp.SimilarTo: by_regex,
    exp.RegexpLike: by_regex,
    exp.Glob: _glob,
}


def by_pattern(node: Any) -> tuple[Any, Keeps] | None:
    """What a comparison with a pattern compares, and which names fit; None for anything else."""
    negated = False
    while isinstance(node, (exp.Not, exp.Paren)):
        negated ^= isinstance(node, exp.Not)
        node = node.this
    make = _PATTERNS.get(node.__class__)
    if make is None or not isinstance(node.expression, exp.Literal):
        return None
    keeps = make(node.expression.name)
    if negated ^ bool(node.args.get("negate")):
        return node.this, lambda name: not keeps(name)
    return node.this, keeps


def by_lambda(node: Any) -> Keeps:
    """Names for which `c -> …` holds."""
    if len(node.expressions) != 1:
        raise UnknownPattern("lambda")
    return _predicate(node.this, node.expressions[0].name.lower())


def _predicate(node: Any, parameter: str) -> Keeps:
    """A condition on the parameter as a function of the name."""
    if isinstance(node, exp.Paren):
        return _predicate(node.this, parameter)
    if isinstance(node, exp.Not):
        inner = _predicate(node.this, parameter)
        return lambda name: not inner(name)
    if isinstance(node, (exp.And, exp.Or)):
        one, other = _predicate(node.this, parameter), _predicate(node.expression, parameter)
        if isinstance(node, exp.And):
            return lambda name: one(name) and other(name)
        return lambda name: one(name) or other(name)
    return _comparison(node, parameter)


def _comparison(node: Any, parameter: str) -> Keeps:
    if not isinstance(node.args.get("this"), exp.Expr) or node.this.name.lower() != parameter:
        raise UnknownPattern("lambda")
    pattern = by_pattern(node)
    if pattern is not None:
        return pattern[1]
    values = node.expressions if isinstance(node, exp.In) else [node.args.get("expression")]
    if not values or not all(isinstance(v, exp.Literal) for v in values):
        raise UnknownPattern("lambda")
    names = tuple(v.name for v in values)
    if isinstance(node, (exp.In, exp.EQ)):
        return lambda name: name in names
    if isinstance(node, exp.NEQ):
        return lambda name: name not in names
    if isinstance(node, exp.StartsWith):
        return lambda name: name.startswith(names)
    if isinstance(node, exp.EndsWith):
        return lambda name: name.endswith(names)
    if isinstance(node, exp.Contains):
        return lambda name: names[0] in name
    raise UnknownPattern("lambda")
