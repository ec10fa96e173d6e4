"""Columns behind an open star: what a statement that writes `*` of unknown tables gives for a name that others ask of what it wrote.

    CREATE VIEW v AS SELECT * FROM t      -- v.* comes from t.*; ask it for a, and v.a comes from t.a
    ALTER TABLE t RENAME TO u             -- the same, but u.* comes from t.* only if it is asked for itself

The statement is not resolved again: a name goes the way of the `*` through its result sets, except where these take the name out of the
star or have it already. Of two stars side by side each may have it: then each source is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import FILES, PERSISTENT
from headwater.model.kind import FDD, JOIN, KINDS, MOVED, candidate
from headwater.model.resolution import ORPHANS, Edge, Resolution

STAR = "*"
_MOST_NAMES = 10
"""Columns that a diagnostic names."""


class _Step(NamedTuple):
    """An edge into a star, from an entity's column."""

    entity: int
    name: str
    source: int
    """The column's number; `_UNWRITTEN`, if only the star's names flow."""
    kind: int
    place: object
    held: bool
    """Whether it says what a variable holds."""

    @property
    def is_star(self) -> bool:
        """Whether it comes from a star."""
        return self.name == STAR


_UNWRITTEN = -1


class _Star(NamedTuple):
    """A star of an entity: its column, if it is written, the names that do not pass, and what flows into it."""

    column: int
    left_out: frozenset[str]
    steps: tuple[_Step, ...]


class OpenStars:
    """The open stars that a statement writes, and the columns that were asked of them so far."""

    def __init__(self, resolution: Resolution) -> None:
        self._before = resolution
        self._stars: dict[int, list[_Star]] = {}
        self.unsure: dict[str, None] = {}
        """The names that were asked for and that several stars may have."""
        self.written = self._written()
        """The entities, by number, that the statement writes a star into which comes from somewhere."""
        if self.written:
            self._prepare()

    def _written(self) -> tuple[int, ...]:
        resolution = self._before
        written = set(resolution.written)
        if not written:
            return ()
        moved = tuple(dict.fromkeys(target for target, _ in resolution.moved))
        columns = [c for c, (entity, name, _) in enumerate(resolution.columns) if name == STAR and entity in written]
        if not columns:
            return moved
        filled = {target for target, _, kind, _ in resolution.edges if kind != JOIN}.intersection(columns)
        return tuple(dict.fromkeys([*(resolution.columns[c][0] for c in columns if c in filled), *moved]))

    def _prepare(self) -> None:
        resolution = self._before
        self._columns = list(resolution.columns)
        self._edges: list[Edge] = list(resolution.edges)
        self._values: list[Edge] = list(resolution.values)
        self._inferred = set(resolution.inferred)
        self._numbers: dict[tuple[int, str], int] = {}
        for number, (entity, name, _) in enumerate(self._columns):
            self._numbers.setdefault((entity, name), number)
        self._filled = {target for target, _, kind, _ in resolution.edges if kind != JOIN}
        self._find_stars()
        self._orders = {entity: self._order(entity) for entity in self.written}

    def _find_stars(self) -> None:
        left_out = dict(self._before.left_out)
        steps: dict[int, list[_Step]] = {}
        for held, edges in ((False, self._edges), (True, self._values)):
            for target, source, kind, place in edges:
                if self._columns[target][1] == STAR and kind != JOIN:
                    owner, name, _ = self._columns[source]
                    steps.setdefault(target, []).append(_Step(owner, name, source, kind, place, held))
        for column, into in steps.items():
            star = _Star(column, left_out.get(column, frozenset()), tuple(self._of_name(into)))
            self._stars.setdefault(self._columns[column][0], []).append(star)
        for target, owner in self._before.moved:
            same = _Step(owner, STAR, _UNWRITTEN, MOVED, None, held=False)
            self._stars.setdefault(target, []).append(_Star(_UNWRITTEN, frozenset(), (same,)))

    def _of_name(self, steps: Sequence[_Step]) -> Iterator[_Step]:
        """What flows into a column behind a star. Where a union puts listed columns beside another star, each may be the one."""
        starred = any(step.is_star for step in steps)
        for step in steps:
            meaning = KINDS[step.kind]
            passes = meaning.type == FDD and meaning.subtype == "IDENTITY"
            may_be = starred and passes and not step.is_star
            yield step._replace(kind=candidate(step.kind)) if may_be else step

    def _order(self, written: int) -> list[int]:
        """The entities behind the stars of one, the innermost first."""
        order: list[int] = []
        entered: set[int] = set()
        stack = [(written, False)]
        while stack:
            entity, done = stack.pop()
            if done:
                order.append(entity)
            elif entity not in entered:
                entered.add(entity)
                stack.append((entity, True))
                if entity == written or not self._is_end(entity):
                    stack += [(behind, False) for behind in self._behind(entity)]
        return order[:-1]

    def _behind(self, entity: int) -> Iterator[int]:
        for star in self._stars.get(entity, ()):
            for step in star.steps:
                if step.is_star:
                    yield step.entity

    def _is_end(self, entity: int) -> bool:
        return self._before.entities[entity].kind in PERSISTENT

    def column(self, entity: int, name: str) -> int | None:
        """The column of one of the `written` entities, if something flows into it."""
        found = self._numbers.get((entity, name))
        return found if found in self._filled else None

    def has_column(self, entity: int) -> bool:
        """Whether the star of one of the `written` entities is a column of it, which need not be asked for."""
        return self.column(entity, STAR) is not None

    def listed(self, entity: int) -> set[str]:
        """The names that the statement itself writes in one of its `written` entities."""
        return {self._columns[c][1] for c in self._filled if self._columns[c][0] == entity} - {STAR}

    @property
    def left_out(self) -> set[str]:
        """All names that some star of the statement leaves out."""
        return {name for _, names in self._before.left_out for name in names}

    def ask(self, written: int, name: str) -> list[int]:
        """Ask one of the `written` entities for a column; gives the entities that are asked for a column of that name in turn."""
        if self.column(written, name) is not None:
            return []
        way = _Way(name)
        needed = self._needed(written, name)
        for entity in self._orders[written]:
            if entity in needed and not self._is_end(entity):
                self._claim(entity, way)
        stars = self._having(written, name)
        if self._before.entities[written].kind in FILES:  # their pseudo column holds all columns, not unknown ones
            stars = [star._replace(steps=tuple(s for s in star.steps if s.is_star)) for star in stars]
        edges = self._behind_stars(stars, way)
        if edges:
            column = self._of_table(written, name)
            self._filled.add(column)
            self._edges += [(column, source, step.kind, step.place) for source, step in edges]
        return list(way.asked)

    def _needed(self, written: int, name: str) -> set[int]:
        """The entities that are met on the way of a name: not behind a star that leaves it out, nor behind who has it already."""
        needed = {written}
        for entity in (written, *reversed(self._orders[written])):
            if entity in needed and (entity == written or (entity, name) not in self._numbers):
                stars = self._having(entity, name)
                needed.update(step.entity for star in stars for step in star.steps)
        return needed

    def _claim(self, entity: int, way: _Way) -> None:
        """Make the column of a result set, or of a variable, if one of its stars has it."""
        found = self._numbers.get((entity, way.name))
        if found is not None:
            way.made[entity] = found
            return
        stars = self._having(entity, way.name)
        edges = self._behind_stars(stars, way)
        if not edges:
            return
        places = [self._columns[star.column][2] for star in stars]
        place = places[0] if len({None if p is None else self._before.locate(p) for p in places}) == 1 else None
        column = way.made[entity] = self._new(entity, way.name, place)
        for source, step in edges:
            (self._values if step.held else self._edges).append((column, source, step.kind, step.place))

    def _having(self, entity: int, name: str) -> list[_Star]:
        """The stars of an entity that may have a column."""
        return [star for star in self._stars.get(entity, ()) if name not in star.left_out]

    def _behind_stars(self, stars: Sequence[_Star], way: _Way) -> list[tuple[int, _Step]]:
        """What flows into a column behind some stars of one entity, and from where: candidates, where not every star has it."""
        found = [[(source, step) for step in star.steps for source in self._sources(step, way)] for star in stars]
        found = [each for each in found if each]
        edges = _each_once(each for one in found for each in one)
        sure = set.intersection(*({source for source, _ in each} for each in found)) if found else set()
        if all(source in sure for source, _ in edges):
            return edges
        self._say(way.name)
        return [
            (source, step if source in sure else step._replace(kind=candidate(step.kind))) for source, step in edges
        ]

    def _sources(self, step: _Step, way: _Way) -> Iterator[int]:
        """The column that an edge into a star leads from, for a column behind it; none if it is not there."""
        entity = step.entity
        if not step.is_star or entity == ORPHANS or self._before.entities[entity].by_position:
            yield step.source
        elif self._is_end(entity):
            way.asked[entity] = None
            yield self._of_table(entity, way.name)
        elif entity in way.made:
            yield way.made[entity]

    def _of_table(self, entity: int, name: str) -> int:
        found = self._numbers.get((entity, name))
        if found is None:
            found = self._new(entity, name, None)
            self._inferred.add(found)
        return found

    def _new(self, entity: int, name: str, place: object) -> int:
        number = self._numbers[entity, name] = len(self._columns)
        self._columns.append((entity, name, place))
        return number

    def _say(self, name: str) -> None:
        if not any(d.code is Code.AMBIGUOUS_COLUMN and d.subject == name for d in self._before.diagnostics):
            self.unsure[name] = None

    def resolution(self) -> Resolution:
        """The statement's resolution, with the columns that were asked for."""
        if not self.written:
            return self._before
        return self._before._replace(
            columns=self._columns,
            edges=self._edges,
            values=tuple(self._values),
            inferred=frozenset(self._inferred),
            diagnostics=[*self._before.diagnostics, *([ambiguous(self.unsure)] if self.unsure else ())],
        )


def _each_once(edges: Iterable[tuple[int, _Step]]) -> list[tuple[int, _Step]]:
    """Edges from the same source, of the same kind, are one."""
    return list({(source, step.kind): (source, step) for source, step in edges}.values())


def ambiguous(names: Iterable[str]) -> Diagnostic:
    """Says that several stars may have the columns that are asked of what a statement writes."""
    first, *others = ordered = sorted(names)
    listed = ", ".join(ordered[:_MOST_NAMES]) + (", …" if len(ordered) > _MOST_NAMES else "")
    what = f"{len(ordered)} columns" if others else f"column {first}"
    end = f": {listed}" if others else ""
    message = f"{what}, which other statements read, could come from several of the tables behind *{end}"
    return Diagnostic(Code.AMBIGUOUS_COLUMN, message, None, first, "give a schema for these tables")


class _Way:
    """A name on its way through a statement: the columns that it has in result sets, and the entities that are asked for it at the end."""

    __slots__ = ("asked", "made", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.made: dict[int, int] = {}
        self.asked: dict[int, None] = {}
