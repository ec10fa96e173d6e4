"""Search as somebody types: tables and columns whose whole name has some words in it, the best first.

How well a word fits, best first:

    0  it is the whole name                      `sales.orders`, `sales.orders.amount`
    1  it is the last part: a table's own name, or a column's      `orders`, `amount`, `orders.amount`
    2  the last part begins with it              `ord`, `am`, `orders.am`; `orders.` has all columns of the table
    3  the whole name begins with it             `sal`
    4  a word in the name begins with it         `items` in `order_items`
    5  it is somewhere in the name
    6  it is in the name of the column's table only

Several words must all be there, and the one that fits worst decides. Of what fits equally well lasting tables come before temporary ones
and results, tables before columns, short names before long ones. A pattern with `*`, `?` or `[…]` is compared with the whole name.

A name is never spelled out to be compared: words are looked for in the names of tables and in the distinct names of columns, and only as
many nodes are put in order as are shown. What fits worse than all that is shown may not have been counted: then `exact` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import ranges
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.lasting import lasting, name_lengths
from headwater.graph.occurrences import Names, Occurrences
from headwater.graph.search import has_signs, matching_columns, matching_tables
from headwater.model.quoted_name import without_quotes

What = Literal["table", "column"]
LAST, LAST_BEGINS, BEGINS, WORD, PART, TABLE_ONLY, NOT = range(1, 8)
_MANY = 100_000
"""Columns that are looked at one by one; of more only some are, and not all are counted."""
_FIRST = 2000
"""How many names and tables are looked at then."""
_WORDS = 64
"""Words of which it is remembered where they are: who types a second one has typed the first."""
_IS_COLUMN, _NUMBER = 1 << 61, (1 << 32) - 1
"""Bits of the numbers by which what was found is put in order."""
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What was found, best first: of each whether it is a column, and its number as a node or table."""

    items: tuple[tuple[bool, int], ...]
    total: int
    exact: bool
    """Whether there are just so many; else at least."""


@dataclass(frozen=True, slots=True)
class _Class:
    """What fits equally well: tables, and columns, of which the first are there."""

    tables: Ints
    columns: Ints
    total: int
    """How many tables and columns there are."""
    exact: bool = True


class Finder:
    """The names of a graph, made ready to be searched.

    Tables stand here in the order in which they are shown, whatever they are searched by: their *places*. So the first ones of any that
    fit are the best.
    """

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        lasts, lengths = lasting(arrays.entities), name_lengths(arrays.entities)
        self.numbers = np.lexsort((np.arange(len(lasts)), lengths, ~lasts))
        """The number of the table of each place."""
        self.place_of = np.empty(len(lasts), np.int64)
        self.place_of[self.numbers] = np.arange(len(lasts))
        self._passing, self._length = ~lasts, lengths.astype(np.int64)
        order = pa.array(self.numbers)
        self.tables = pc.utf8_lower(pc.fill_null(arrays.entity_field("name"), "").take(order))
        heads, last_parts = _cut_names(arrays)
        self.last_parts = pc.utf8_lower(last_parts.take(order))
        coded = pc.utf8_lower(heads.take(order)).dictionary_encode()
        self._heads, self._head_of = coded.dictionary.to_pylist(), coded.indices.to_numpy()
        self.columns = pc.utf8_lower(arrays.names)
        self.most_dots: int = pc.max(pc.count_substring(self.tables, ".")).as_py() or 0
        self.in_tables, self.in_columns = Names(self.tables), Names(self.columns)
        self._column_length: Ints = pc.utf8_length(self.columns).to_numpy(zero_copy_only=False).astype(np.int64)
        self._sizes = (np.diff(arrays.entity_start) - (arrays.entity_rows >= 0))[self.numbers]
        self._table_ranks, self._name_ranks = (
            lru_cache(_WORDS)(self._ranked_tables),
            lru_cache(_WORDS)(self._ranked_names),
        )

    def find(self, text: str, kinds: Collection[str], what: What | None, limit: int, offset: int) -> Numbers:
        """The tables and columns that fit, from *offset* on."""
        text = without_quotes(text)
        page = _Page(self, self._of_kinds(kinds) if kinds else None, what, offset + limit)
        words = text.lower().split()
        if has_signs(text):
            classes = self._like(text.strip(), page)
        elif len(words) == 1:
            classes = self._one(words[0], page)
        else:
            classes = self._several([part for word in words for part in word.split(".") if part], page)
        for each in classes:
            page.add(each)
            if page.full and self.arrays.nodes > _MANY:
                page.exact = False
                break
        return page.cut(offset)

    def _of_kinds(self, kinds: Collection[str]) -> Ints:
        found = pc.is_in(self.arrays.entity_field("kind"), value_set=pa.array(sorted(kinds), pa.string()))
        return _mask(found)[self.numbers]

    def with_head(self, head: str) -> Ints:
        """Of each place, whether what stands before the last part is this, or ends with it at a dot."""
        fits = np.array([each == head or each.endswith(f".{head}") for each in self._heads], dtype=bool)
        found: Ints = fits[self._head_of]
        return found

    def _like(self, pattern: str, page: _Page) -> Iterator[_Class]:
        tables = page.places(np.sort(self.place_of[matching_tables(self.arrays, pattern)]))
        columns = page.nodes(matching_columns(self.arrays, pattern))
        yield _Class(tables, columns, len(tables) + len(columns))

    # One word

    def _one(self, word: str, page: _Page) -> Iterator[_Class]:
        """Classes of tables and columns, best first; each is worked out only when it is asked for."""
        tables, names = _Taken(len(self.tables)), _Taken(len(self.columns))
        dotted = _Dotted(self, word, page)
        yield page.made(tables.take(pc.equal(self.tables, word)), dotted.whole())
        last = tables.take(pc.equal(self.last_parts, word), dotted.tables(exact=True))
        yield page.made(last, dotted.last(), names.take(pc.equal(self.columns, word)))
        begins = tables.take(pc.starts_with(self.last_parts, word), dotted.tables(exact=False))
        yield page.made(begins, dotted.begins(), names.take(pc.starts_with(self.columns, word)))
        yield page.made(tables.take(pc.starts_with(self.tables, word)))
        in_tables, in_names = self.in_tables.with_text(word), self.in_columns.with_text(word)
        at_word = tables.take_numbers(in_tables.numbers[in_tables.at_word])
        yield page.made(at_word, _NONE, names.take_numbers(in_names.numbers[in_names.at_word]))
        yield page.made(tables.take_numbers(in_tables.numbers), dotted.inside(), names.take_numbers(in_names.numbers))
        yield self._of_tables(np.flatnonzero(tables.taken), names.taken, dotted.found, page)

    def _of_tables(self, places: Ints, names: Ints, found: Ints, page: _Page) -> _Class:
        """The columns of tables that fit, without those that fit by themselves."""
        if page.what == "table":
            return _Class(_NONE, _NONE, 0)
        places = page.allowed(places)
        exact = int(self._sizes[places].sum()) <= _MANY
        nodes = self.nodes_of(places if exact else places[: page.limit])
        nodes = nodes[~names[self.arrays.node_name[nodes]]]
        nodes = nodes[~np.isin(nodes, found)] if found.size else nodes
        return _Class(_NONE, nodes, len(nodes), exact)

    # Several words

    def _several(self, words: list[str], page: _Page) -> Iterator[_Class]:
        """Classes of tables and columns in whose names all words are."""
        if not words:
            return
        by_table, by_name = [self._table_ranks(word) for word in words], [self._name_ranks(word) for word in words]
        worst = np.maximum.reduce(by_table)
        nodes, exact = self._candidates(by_table, by_name, page) if page.what != "table" else (_NONE, True)
        own, name = self.place_of[self.arrays.node_entity[nodes]], self.arrays.node_name[nodes]
        fit = np.maximum.reduce([np.minimum(t[own], n[name]) for t, n in zip(by_table, by_name, strict=True)])
        named = np.minimum.reduce([n[name] for n in by_name]) < NOT
        fit = np.where(named | (fit == NOT), fit, TABLE_ONLY)
        for rank in range(LAST, NOT):
            tables, columns = page.places(np.flatnonzero(worst == rank)), nodes[fit == rank]
            yield _Class(tables, columns, len(tables) + len(columns), exact)

    def _candidates(self, by_table: list[Ints], by_name: list[Ints], page: _Page) -> tuple[Ints, bool]:
        """The columns that the rarest word can mean, and whether these are all."""
        sizes = [
            self.count(np.flatnonzero(n < NOT)) + int(self._sizes[t < NOT].sum())
            for t, n in zip(by_table, by_name, strict=True)
        ]
        rarest = int(np.argmin(sizes))
        names, tables = np.flatnonzero(by_name[rarest] < NOT), page.allowed(np.flatnonzero(by_table[rarest] < NOT))
        exact = sizes[rarest] <= _MANY
        nodes = np.union1d(
            self.named(names, None if exact else _FIRST), self.nodes_of(tables if exact else tables[:_FIRST])
        )
        return page.nodes(nodes.astype(np.int64)), exact

    def _ranked_tables(self, word: str) -> Ints:
        ranks = _inside(self.in_tables.with_text(word), len(self.tables))
        ranks[_mask(pc.starts_with(self.tables, word))] = BEGINS
        ranks[_mask(pc.starts_with(self.last_parts, word))] = LAST_BEGINS
        ranks[_mask(pc.equal(self.last_parts, word))] = LAST
        return ranks

    def _ranked_names(self, word: str) -> Ints:
        ranks = _inside(self.in_columns.with_text(word), len(self.columns))
        ranks[_mask(pc.starts_with(self.columns, word))] = LAST_BEGINS
        ranks[_mask(pc.equal(self.columns, word))] = LAST
        return ranks

    # Nodes

    def named(self, names: Ints, first: int | None = None) -> Ints:
        """The nodes of some names; if some are enough, so many that the first ones are among them."""
        start = self.arrays.name_start
        starts, stops = start[names].astype(np.int64), start[names + 1].astype(np.int64)
        starts, stops = starts[stops > starts], stops[stops > starts]
        if first is not None:
            if len(starts) > first:
                best = np.argpartition(self.keys(self.arrays.name_nodes[starts]), first)[:first]
                starts, stops = starts[best], stops[best]
            stops = np.minimum(stops, starts + first)
        return self.arrays.name_nodes[ranges(starts, stops)].astype(np.int64)

    def count(self, names: Ints) -> int:
        """How many nodes have these names."""
        start = self.arrays.name_start
        return int((start[names + 1] - start[names]).sum())

    def nodes_of(self, places: Ints) -> Ints:
        """The columns of the tables of some places, without row sets."""
        start, tables = self.arrays.entity_start, self.numbers[places]
        nodes = ranges(start[tables].astype(np.int64), start[tables + 1].astype(np.int64))
        found: Ints = nodes[self.arrays.node_flags[nodes] & ROW_SET == 0]
        return found

    def keys(self, nodes: Ints) -> Ints:
        """Numbers by which columns of one class are put in order: lasting ones, short names, tables' names."""
        own = self.arrays.node_entity[nodes]
        length = self._length[own] + self._column_length[self.arrays.node_name[nodes]]
        return _packed(self._passing[own], length, nodes) | _IS_COLUMN

    def table_keys(self, places: Ints) -> Ints:
        """The same for tables, which come first."""
        tables = self.numbers[places]
        return _packed(self._passing[tables], self._length[tables], tables)


def _packed(passing: Ints, length: Ints, number: Ints) -> Ints:
    return (passing.astype(np.int64) << 62) + (length << 32) + number


def _inside(found: Occurrences, count: int) -> Ints:
    """Ranks of names that a word is in."""
    ranks = np.full(count, NOT, np.int8)
    ranks[found.numbers] = np.where(found.at_word, WORD, PART)
    return ranks


class _Taken:
    """Which tables or names a class has taken already."""

    def __init__(self, count: int) -> None:
        self.taken: Ints = np.zeros(count, dtype=bool)

    def take(self, fitting: pa.Array, also: Ints = _NONE) -> Ints:
        """Those that fit and were not taken before, in order; and some more."""
        found = np.flatnonzero(_mask(fitting))
        return self.take_numbers(np.union1d(found, also) if also.size else found)

    def take_numbers(self, numbers: Ints) -> Ints:
        """The same, of numbers."""
        fresh: Ints = numbers[~self.taken[numbers]]
        self.taken[fresh] = True
        return fresh


class _Dotted:
    """What a word with dots means if it is cut at one of them, into the end of a table's name and the beginning of a column's."""

    def __init__(self, finder: Finder, word: str, page: _Page) -> None:
        self._finder = finder
        self._page = page
        dots = (at for at, sign in enumerate(word) if sign == "." and at)
        self._cuts = [_Cut(finder, word[:at], word[at + 1 :]) for at in islice(dots, finder.most_dots + 1)]
        self._by_itself = np.zeros(len(finder.columns), dtype=bool)
        if self._cuts:
            self._by_itself[finder.in_columns.with_text(word).numbers] = True
        self.found = _NONE
        """All columns that were given so far."""

    def whole(self) -> Ints:
        """The table's whole name and the column's whole name."""
        return self._columns(lambda cut: cut.whole, exact=True)

    def last(self) -> Ints:
        """The end of the table's name at a dot, and the column's whole name."""
        return self._columns(lambda cut: cut.end, exact=True)

    def begins(self) -> Ints:
        """The table's name, or the end of it at a dot, and the beginning of the column's."""
        return self._columns(lambda cut: cut.whole | cut.end, exact=False)

    def inside(self) -> Ints:
        """Any end of the table's name, and the beginning of the column's."""
        return self._columns(lambda cut: cut.any_end, exact=False)

    def _columns(self, tables: Callable[[_Cut], Ints], exact: bool) -> Ints:
        finder, found = self._finder, _NONE
        for cut in self._cuts if self._page.what != "table" else ():
            fitting = (cut.names if exact else cut.names_begin) & ~self._by_itself
            if fitting.any():
                nodes = finder.nodes_of(self._page.allowed(np.flatnonzero(tables(cut))))
                found = np.union1d(found, nodes[fitting[finder.arrays.node_name[nodes]]]).astype(np.int64)
        found = found[~np.isin(found, self.found)]
        self.found = np.concatenate([self.found, found])
        return found

    def tables(self, exact: bool) -> Ints:
        """Tables whose last parts the word is, or is the beginning of."""
        found = [np.flatnonzero(cut.tables(exact)) for cut in self._cuts]
        return np.unique(np.concatenate([_NONE, *found]))


class _Cut:
    """A word cut at a dot; what its parts mean is worked out when it is asked for, once."""

    def __init__(self, finder: Finder, head: str, tail: str) -> None:
        self._finder = finder
        self._head = head
        self._tail = tail

    @cached_property
    def whole(self) -> Ints:
        """Of each place, whether the head is the table's name."""
        return _mask(pc.equal(self._finder.tables, self._head))

    @cached_property
    def end(self) -> Ints:
        """Whether it is the end of it, at a dot."""
        return _mask(pc.ends_with(self._finder.tables, f".{self._head}"))

    @property
    def any_end(self) -> Ints:
        """Whether it is the end of it, anywhere."""
        return _mask(pc.ends_with(self._finder.tables, self._head))

    @cached_property
    def names(self) -> Ints:
        """Of each name of columns, whether it is the tail."""
        return _mask(pc.equal(self._finder.columns, self._tail))

    @cached_property
    def names_begin(self) -> Ints:
        """Whether it begins with the tail."""
        return _mask(pc.starts_with(self._finder.columns, self._tail))

    def tables(self, exact: bool) -> Ints:
        """Of each place, whether the tail is the last part, or begins it, and the head stands before it."""
        compared = pc.equal if exact else pc.starts_with
        found = _mask(compared(self._finder.last_parts, self._tail))
        return found & self._finder.with_head(self._head) if found.any() else found


def _mask(found: pa.Array) -> Ints:
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)


class _Page:
    """What is shown: the first of what fits best."""

    def __init__(self, finder: Finder, wanted: Ints | None, what: What | None, limit: int) -> None:
        self._finder = finder
        self._wanted = wanted
        self.what = what
        self.limit = limit
        self._found: list[tuple[bool, int]] = []
        self._total = 0
        self.exact = True

    @property
    def full(self) -> bool:
        """Whether there is no room for more."""
        return len(self._found) >= self.limit

    def allowed(self, places: Ints) -> Ints:
        """Those of some tables that are of a wanted kind."""
        return places if self._wanted is None else places[self._wanted[places]]

    def places(self, places: Ints) -> Ints:
        """Those of some tables that are asked for."""
        return _NONE if self.what == "column" else self.allowed(places)

    def nodes(self, nodes: Ints) -> Ints:
        """Those of some columns that are asked for."""
        if self.what == "table":
            return _NONE
        return (
            nodes
            if self._wanted is None
            else nodes[self._wanted[self._finder.place_of[self._finder.arrays.node_entity[nodes]]]]
        )

    def made(self, tables: Ints, columns: Ints = _NONE, names: Ints = _NONE) -> _Class:
        """A class of tables, columns, and all columns of some names."""
        tables, finder = self.places(tables), self._finder
        if self.what == "table":
            return _Class(tables, _NONE, len(tables))
        named = self.nodes(finder.named(names, self.limit if self._wanted is None else None))
        count = finder.count(names) if self._wanted is None else len(named)
        return _Class(tables, np.concatenate([named, columns]), len(tables) + count + len(columns))

    def add(self, found: _Class) -> None:
        """Show a class behind the others."""
        self._total += found.total
        self.exact &= found.exact
        room = self.limit - len(self._found)
        tables = found.tables[: max(room, 0)]
        keys = np.concatenate([self._finder.table_keys(tables), self._finder.keys(found.columns)])
        if 0 < room < len(keys):
            keys = keys[np.argpartition(keys, room)[:room]]
        keys = np.sort(keys)[: max(room, 0)]
        self._found += zip((keys & _IS_COLUMN != 0).tolist(), (keys & _NUMBER).tolist(), strict=True)

    def cut(self, offset: int) -> Numbers:
        """The page."""
        return Numbers(tuple(self._found[offset : self.limit]), self._total, self.exact)


def _cut_names(arrays: Arrays) -> tuple[pa.Array, pa.Array]:
    """What stands before the last part of each table's name, and the last part; of a name without parts, nothing and the name."""
    names, parts = pc.fill_null(arrays.entity_field("name"), "").to_pylist(), arrays.entity_field("parts")
    values, offsets = parts.values, parts.offsets.to_numpy()
    there = np.diff(offsets) > 0
    last = (
        values.take(pa.array(np.where(there, offsets[1:] - 1, 0))) if len(values) else pa.nulls(len(parts), pa.string())
    )
    lasts = pc.if_else(pa.array(there), last, None).to_pylist()
    cut = [(name, name if part is None else part) for name, part in zip(names, lasts, strict=True)]
    heads = [
        name[: -len(part) - 1] if len(name) > len(part) and name.endswith(f".{part}") else "" for name, part in cut
    ]
    return pa.array(heads, pa.string()), pa.array([part for _, part in cut], pa.string())
