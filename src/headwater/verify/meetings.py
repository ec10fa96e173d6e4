"""Which columns have to have the same values so that rows meet: those that a statement equates, directly or behind aliases.

```sql
SELECT … FROM (SELECT a AS x FROM t) JOIN u ON x = u.k AND y = u.z + 1     -- a, x and k meet; so do y and z, at a distance of 1
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp


@dataclass(slots=True)
class Meetings:
    """Columns in groups, by name; a group is known by one of its members."""

    above: dict[str, str] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    """Names that are equated, not only renamed."""
    distances: dict[str, list[int]] = field(default_factory=dict)
    """By name, what is added before it is equated."""

    def group(self, name: str) -> str:
        """The group of a column."""
        while name in self.above:
            name = self.above[name]
        return name

    def join(self, one: str, other: str) -> None:
        """Put two columns into one group."""
        one, other = self.group(one), self.group(other)
        if one != other:
            self.above[max(one, other)] = min(one, other)

    def meet(self, one: str, other: str) -> None:
        """Two columns are equated."""
        self.met.update((one, other))
        self.join(one, other)

    def keys(self) -> set[str]:
        """The groups whose members are equated with something."""
        return {self.group(name) for name in self.met}

    def steps(self) -> dict[str, list[int]]:
        """The distances of groups."""
        found: dict[str, list[int]] = {}
        for name, distances in self.distances.items():
            found.setdefault(self.group(name), []).extend(distances)
        return found


def meetings_of(tree: exp.Expression) -> Meetings:
    """The meetings in a statement."""
    found = Meetings()
    for alias in tree.find_all(exp.Alias):
        if isinstance(alias.this, exp.Column):
            found.join(alias.alias.lower(), alias.this.name.lower())
    for equation in tree.find_all(exp.EQ, exp.NullSafeEQ):
        _equated(equation.left, equation.right, found)
    for one, other in _in_queries(tree):
        if isinstance(one, exp.Column) and (name := other.alias_or_name):
            found.meet(one.name.lower(), name.lower())
    for join in tree.find_all(exp.Join):
        found.met.update(column.name.lower() for column in join.args.get("using") or ())
    return found


def _equated(left: exp.Expr, right: exp.Expr, found: Meetings) -> None:
    one, other = _moved(left), _moved(right)
    if one is None or other is None:
        return
    found.meet(one[0], other[0])
    if distance := abs(other[1] - one[1]):
        found.distances.setdefault(one[0], []).append(distance)


def _moved(side: exp.Expr) -> tuple[str, int] | None:
    """A column, as it is or in a cast or a function, and what is added to it."""
    added = 0
    if isinstance(side, (exp.Add, exp.Sub)) and isinstance(side.right, exp.Literal) and side.right.is_int:
        added = int(side.right.this) * (1 if isinstance(side, exp.Add) else -1)
        side = side.left
    columns = [] if side.find(exp.Query) else [*side.find_all(exp.Column)]
    return (columns[0].name.lower(), added) if len(columns) == 1 else None


def _in_queries(tree: exp.Expression) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """Expressions that are compared with what a query gives, and that; columns of INTERSECT and EXCEPT too."""
    for test in tree.find_all(exp.In):
        query = test.args.get("query")
        inner = query.this if isinstance(query, exp.Subquery) else query
        if isinstance(inner, exp.Query) and inner.selects:
            yield from zip(test.this.expressions or [test.this], inner.selects, strict=False)
    for operation in tree.find_all(exp.Intersect, exp.Except):
        for one, other in zip(operation.left.selects, operation.right.selects, strict=False):
            yield one.unalias(), other
    for equation in tree.find_all(exp.EQ):
        if isinstance(equation.right, exp.Subquery) and equation.right.selects:
            yield equation.left, equation.right.selects[0].unalias()
