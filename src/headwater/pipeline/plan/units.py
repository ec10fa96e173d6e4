"""Pieces to units, what is analysed once, however often it occurs; and which unit needs the definitions of which.

The same text under the same dialect and default schema is one unit. Where a piece hangs on something of its own script, a temporary table
or a table that different scripts define differently, it is a unit of its own.

All of it goes by ids, as arrays in the driver: names and texts stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.ids import Flags, Ids


@dataclass(frozen=True, slots=True)
class Names:
    """Pairs of a piece and a name, sorted by piece. Names are small numbers."""

    piece: Ids
    name: Ids

    def where(self, kept: Flags) -> Names:
        """Some of the pairs."""
        return Names(self.piece[kept], self.name[kept])


@dataclass(frozen=True, slots=True)
class NamesOfTexts:
    """The names in each text: those of text *n* are `names[starts[n] : starts[n + 1]]`."""

    starts: Ids
    names: Ids

    def of(self, pieces: Pieces, numbers: Ids) -> Names:
        """The names in some pieces, which are sorted."""
        text = pieces.text[numbers]
        first, behind = self.starts[text], self.starts[text + 1]
        return Names(np.repeat(numbers, behind - first), self.names[spans(first, behind)])

    def texts_with(self, wanted: Flags) -> Flags:
        """Whether each text has one of some names."""
        found = np.zeros(len(self.starts) - 1, bool)
        text = np.repeat(np.arange(len(found)), np.diff(self.starts))
        found[text[wanted[self.names]]] = True
        return found


@dataclass(frozen=True, slots=True)
class Texts:
    """What the distinct texts of pieces mention and define: the same text has the same names, wherever it occurs."""

    keys: Ids
    """Sorted. The same key means the same, unless something of the piece's own script comes in."""
    temporary: Flags
    """Whether what a text defines is temporary."""
    names: Ids
    """The names that some text defines, sorted. Other names do not matter here."""
    mentions: NamesOfTexts
    defines: NamesOfTexts


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces in their order: by path, then by ordinal.

    The statements of a log have one path: the one that was run last comes last; those of the same time are told apart by their ids.
    """

    script: Ids
    ordinal: Ids
    time: Ids
    """When its script was run last, in microseconds; 0 where that is not known."""
    text: Ids
    """The number of its text among the `texts`."""
    exact: Ids
    """A hash of the text to the last literal."""
    scoped: Flags
    texts: Texts

    def lasting_definitions(self, names: Flags | None = None) -> Names:
        """The tables that pieces define for others, or some of these tables."""
        wanted = names if names is not None else np.ones(len(self.texts.names), bool)
        defining = self.texts.defines.texts_with(wanted) & ~self.texts.temporary
        found = self.texts.defines.of(self, np.flatnonzero(defining[self.text]))
        return found if names is None else found.where(names[found.name])


@dataclass(frozen=True, slots=True)
class Units:
    """The units, sorted by id, and the unit of each piece. Of all places where a unit occurs, the first stands for it."""

    ids: Ids
    first: Ids
    """The number of its first piece."""
    scoped: Flags
    of_piece: Ids


def sorted_pieces(scripts: pa.Table, pieces: pa.Table, names: pa.Table) -> Pieces:
    """The pieces of scripts in their order, on which the scripts' `path` and `last_seen` decide; and the names in their texts."""
    time, path = _ranks(scripts, pieces)
    script, ordinal = _numbers(pieces, "script_id"), _numbers(pieces, "ordinal")
    order = np.lexsort((script, ordinal, time, path))
    return _pieces(pieces, names, time, order, None)


def _pieces(pieces: pa.Table, names: pa.Table, time: Ids, order: Ids, known: Ids | None) -> Pieces:
    """Pieces in an order, with those of their names that are *known*; without these, those that some piece defines."""
    keys, text = np.unique(_numbers(pieces, "text_key"), return_inverse=True)
    return Pieces(
        script=_numbers(pieces, "script_id")[order],
        ordinal=_numbers(pieces, "ordinal")[order],
        time=time[order],
        text=text.astype(np.int64, copy=False)[order],
        exact=_numbers(pieces, "exact")[order],
        scoped=pieces.column("scoped").to_numpy(zero_copy_only=False)[order],
        texts=_texts(keys, names, known),
    )


def _numbers(table: pa.Table, name: str) -> Ids:
    found: Ids = table.column(name).to_numpy().astype(np.int64, copy=False)
    return found


def _texts(keys: Ids, names: pa.Table, known: Ids | None) -> Texts:
    """What texts mention and define; *names* may have a text several times, and others."""
    listed, first = np.unique(_numbers(names, "text_key"), return_index=True)
    rows = names.take(pa.array(first[np.searchsorted(listed, keys)])) if len(keys) else names.slice(0, 0)
    if known is None:
        known = np.unique(pc.list_flatten(rows.column("defines")).to_numpy())
    temporary = rows.column("temporary").to_numpy(zero_copy_only=False)
    return Texts(keys, temporary, known, *(_names_of(rows.column(each), known) for each in ("mentions", "defines")))


def _names_of(column: pa.ChunkedArray, known: Ids) -> NamesOfTexts:
    """The names of texts that are known, as numbers."""
    lists = column.combine_chunks()
    text = pc.list_parent_indices(lists).to_numpy().astype(np.int64)
    name = pc.list_flatten(lists).to_numpy()
    if len(known):
        at = np.minimum(np.searchsorted(known, name), len(known) - 1)
        text, name = text[known[at] == name], at[known[at] == name].astype(np.int64)
    else:
        text, name = text[:0], name[:0]
    return NamesOfTexts(np.searchsorted(text, np.arange(len(column) + 1)), name)


def _ranks(scripts: pa.Table, pieces: pa.Table) -> tuple[Ids, Ids]:
    """For each piece, the time of its script, if it has one, and the rank of its path."""
    paths = scripts.column("path").combine_chunks().dictionary_encode()
    order = pc.sort_indices(paths.dictionary).to_numpy()
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    times = pc.fill_null(scripts.column("last_seen").cast(pa.int64()), 0).to_numpy()
    ids = scripts.column("script_id").to_numpy()
    by_id = np.argsort(ids)
    script = by_id[np.searchsorted(ids[by_id], pieces.column("script_id").to_numpy())]
    return times[script], ranks[paths.indices.to_numpy()[script]]


def units_of(pieces: Pieces, contested: Ids) -> Units:
    """The units of pieces, by the names that are contested."""
    scoped, own = _scoped(pieces, contested)
    ids, first, of_piece = np.unique(own, return_index=True, return_inverse=True)
    return Units(ids, first.astype(np.int64), scoped[first], of_piece.astype(np.int64, copy=False))


def contested(texts: Texts) -> Ids:
    """The names of tables that different texts define."""
    text = np.repeat(np.arange(len(texts.keys)), np.diff(texts.defines.starts))
    lasting = ~texts.temporary[text]
    name, _ = distinct_pairs(texts.defines.names[lasting], text[lasting], len(texts.keys))
    return texts.names[np.flatnonzero(np.bincount(name) > 1)]


def unit_ids(pieces: pa.Table, names: pa.Table, contested: Ids) -> Ids:
    """The unit of each of some pieces, which are all those of their scripts, by the names that are contested in the corpus."""
    count = len(pieces)
    found = _pieces(pieces, names, np.zeros(count, np.int64), np.arange(count), contested)
    return _scoped(found, contested)[1]


def _scoped(pieces: Pieces, contested: Ids) -> tuple[Flags, Ids]:
    """Whether each piece is a unit of its own, and its unit."""
    scoped = pieces.scoped | _overridden(pieces, contested)
    found = pieces.texts.keys[pieces.text]
    own = np.flatnonzero(scoped)
    found[own] = mixed(mixed(mixed(found[own]) + pieces.script[own]) + pieces.ordinal[own])
    return scoped, found


def mixed(numbers: Ids) -> Ids:
    """Numbers to ids that look like chance, as SplitMix64 makes them."""
    x = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


def piece_ids(script: Ids, ordinal: Ids) -> Ids:
    """The ids of pieces."""
    return mixed(mixed(script) + ordinal)


def _overridden(pieces: Pieces, contested: Ids) -> Flags:
    """Pieces behind a definition, in their own script, of a table that is defined differently elsewhere."""
    found = np.zeros(len(pieces.script), bool)
    is_contested = np.isin(pieces.texts.names, contested)
    if not is_contested.any():
        return found
    here = _InScripts(pieces, pieces.lasting_definitions(is_contested))
    mentioning = pieces.texts.mentions.texts_with(is_contested)
    mentions = pieces.texts.mentions.of(pieces, np.flatnonzero(mentioning[pieces.text]))
    mentions = mentions.where(is_contested[mentions.name])
    found[mentions.piece[here.before(mentions) >= 0]] = True
    return found


class _InScripts:
    """Definitions, to be found by script and name."""

    def __init__(self, pieces: Pieces, definitions: Names) -> None:
        self._pieces = pieces
        self._scripts = np.unique(pieces.script[definitions.piece])
        self._definers = _Sorted(self._keys(definitions), pieces.ordinal[definitions.piece], definitions.piece)

    def _keys(self, names: Names) -> Ids:
        """A number for each name in a script that has definitions; -1 in others."""
        if not len(self._scripts):
            return np.full(len(names.piece), -1, np.int64)
        script = self._pieces.script[names.piece]
        at = np.minimum(np.searchsorted(self._scripts, script), len(self._scripts) - 1)
        return np.where(self._scripts[at] == script, names.name * len(self._scripts) + at, -1)

    def before(self, names: Names) -> Ids:
        """For each piece and name, the last piece before it in its script that defines the name; -1 if there is none."""
        return self._definers.before(self._keys(names), self._pieces.ordinal[names.piece])


class _Sorted:
    """Pieces by a key and a place, to be found by searching."""

    def __init__(self, keys: Ids, places: Ids, pieces: Ids) -> None:
        self._keys, number = np.unique(keys, return_inverse=True)
        self._room = int(places.max(initial=0)) + 2
        order = np.lexsort((places, number))
        self._at = (number * self._room + places)[order]
        self._number = number[order]
        self._pieces = pieces[order]

    def before(self, keys: Ids, places: Ids) -> Ids:
        """For each key and place, the last piece of that key before the place; -1 if there is none."""
        if not len(self._keys):
            return np.full(len(keys), -1, np.int64)
        number = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        at = np.searchsorted(self._at, number * self._room + np.minimum(places, self._room - 1)) - 1
        found = (self._keys[number] == keys) & (at >= 0) & (self._number[at] == number)
        return np.where(found, self._pieces[at], -1)


def requirements(pieces: Pieces, units: Units) -> tuple[Ids, Ids]:
    """Which unit needs which: two arrays of units' numbers, the one that needs and the one that defines.

    In force is the last definition before it in its own script, where the unit is of its script alone; for a unit that defines the same
    table itself, the one before it; else the last of the corpus, by path.
    """
    named = pieces.texts.mentions.of(pieces, np.sort(units.first))
    user = units.of_piece[named.piece]
    lasting = pieces.lasting_definitions()
    all_over = _Sorted(lasting.name, lasting.piece, lasting.piece)
    nowhere = len(pieces.script)
    defined = pieces.texts.defines.of(pieces, np.sort(units.first))
    own = np.isin(named.name * nowhere + named.piece, defined.name * nowhere + defined.piece)
    elsewhere = all_over.before(named.name, np.where(own, named.piece, nowhere))
    definer = np.where(units.scoped[user], _in_own_script(pieces, units, named), -1)
    definer = np.where(definer >= 0, definer, elsewhere)
    needed = definer >= 0
    user, definer = user[needed], units.of_piece[definer[needed]]
    return distinct_pairs(user[user != definer], definer[user != definer], len(units.ids))


def _in_own_script(pieces: Pieces, units: Units, named: Names) -> Ids:
    """For each piece and name, the last definition before it in its own script, temporary ones included; -1 if there is none."""
    scripts = np.unique(pieces.script[units.first[units.scoped]])
    here = np.flatnonzero(np.isin(pieces.script, scripts)) if len(scripts) else scripts
    return _InScripts(pieces, pieces.texts.defines.of(pieces, here)).before(named)


def spans(starts: Ids, ends: Ids) -> Ids:
    """All numbers from each start to its end."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    found: Ids = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return found


def distinct_pairs(one: Ids, other: Ids, others: int) -> tuple[Ids, Ids]:
    """Pairs of numbers, each once, sorted; *others* is how many there are of the second kind."""
    pairs = np.unique(one * others + other)
    return np.divmod(pairs, max(others, 1))
