"""Set operations by position where one side ends in the open: how many columns its `*` stands for, the other side tells.

SELECT *, 'u' AS src FROM u UNION ALL SELECT a, b, 'w' FROM w     -- * has two columns, which take w.a and w.b
SELECT a, b FROM w UNION ALL SELECT * FROM u                      -- a and b each take one column of u, so u.*
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.model.kind import IDENTITY, candidate
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.scope import ResultSet

Pair = tuple[int, int, int]
"""An output, the column that flows into it, and the kind."""


def aligned(builder: Builder, result: ResultSet, branch: ResultSet) -> Iterator[Pair]:
    """The columns of an operand, each with the output of the set operation at its place."""
    ours = None if result.is_counted else _around_stars(result)
    theirs = _around_stars(branch)
    around = [each for each in (ours, theirs) if each is not None]
    head, tail = min((h for h, _ in around), default=0), min((t for _, t in around), default=0)
    widths = len(result.outputs), len(branch.outputs)
    if not around or min(widths) < head + tail or (len(around) == 2 and widths[0] == widths[1]):
        yield from _in_order(result.outputs, branch.outputs)
        return
    outer = _between(branch.outputs, head, tail)
    if ours is not None and theirs is None:
        result.stars.append(_Unnamed(branch, [column for _, column in outer]))
        if len(_between(result.outputs, head, tail)) == 1:
            _widen(builder, result, head, len(outer))
    inner = _between(result.outputs, head, tail)
    yield from _in_order(result.outputs[:head], branch.outputs[:head])
    if len(inner) == len(outer) and theirs is None:
        yield from _in_order(inner, outer)
    else:
        kind = IDENTITY if len(inner) == 1 or (len(outer) == 1 and ours is None) else candidate(IDENTITY)
        yield from ((output, source, kind) for _, output in inner for _, source in outer)
    yield from _in_order(result.outputs[len(result.outputs) - tail :], branch.outputs[len(branch.outputs) - tail :])


def _around_stars(result: ResultSet) -> tuple[int, int] | None:
    """How many outputs stand before the first open star, and behind the last; None if there is none."""
    stars = [i for i, (name, _) in enumerate(result.outputs) if name == "*"] if result.open else []
    return (stars[0], len(result.outputs) - stars[-1] - 1) if stars else None


def _between(outputs: list[tuple[str, int]], head: int, tail: int) -> list[tuple[str, int]]:
    return outputs[head : len(outputs) - tail]


def _in_order(outputs: list[tuple[str, int]], columns: list[tuple[str, int]]) -> Iterator[Pair]:
    for (_, output), (_, column) in zip(outputs, columns, strict=False):
        yield output, column, IDENTITY


def _widen(builder: Builder, result: ResultSet, at: int, width: int) -> None:
    """Let the only star of a set operation be as many outputs as it stands for; each takes what the star has taken so far."""
    result.is_counted = width > 0
    star = result.outputs[at][1]
    place = builder.columns[star][2]
    for _ in range(width - 1):
        column = builder.column(result.entity, "*", place)
        taken = builder.unions.get(star, [])
        builder.edges.extend((column, source, IDENTITY, None) for source in taken)
        builder.unions[column] = list(taken)
        result.outputs.insert(at + 1, ("*", column))


class _Unnamed(Owner):
    """The columns of an operand that stand where an earlier one has a star: a name asked of it may be any of them."""

    __slots__ = ("branch", "sources")

    def __init__(self, branch: ResultSet, sources: list[int]) -> None:
        self.builder, self.entity, self.rows = branch.builder, branch.entity, branch.rows
        self.open, self.columns = True, {}
        self.listed = {}
        self.branch = branch
        self.sources = sources

    def claim(self, name: str) -> int:
        """The column of that name, else any of them."""
        found = self.branch.columns.get(name)
        if found is None:
            found = self.columns.get(name)
        if found is None:
            found = self.columns[name] = self.builder.function(None)
            self.builder.edges.extend((found, source, candidate(IDENTITY), None) for source in self.sources)
        return found

    def star(self) -> list[tuple[str, int]]:
        """Its columns, under the names that the operand gives them."""
        return [(name, column) for name, column in self.branch.outputs if column in self.sources]
