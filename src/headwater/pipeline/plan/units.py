"""Pieces to units, what is analysed once, however often it occurs; and which unit needs the definitions of which.

The same text under the same dialect and default schema is one unit. Where a piece hangs on something of its own script, a temporary table
or a table that different scripts define differently, it is a unit of its own.

All of it goes by ids, as arrays in the driver: names and texts stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ids = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


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
    """The key of what the piece says: the same key, the same meaning, unless something of its own script comes in."""
    exact: Ids
    """A hash of the text to the last literal."""
    scoped: Flags
    temporary: Flags
    """Whether what it defines is temporary."""
    names: Ids
    """The names that some piece defines, sorted."""
    mentions: Names
    defines: Names


@dataclass(frozen=True, slots=True)
class Names:
    """Names, as small numbers, in pairs with the pieces that have them; sorted by piece."""

    piece: Ids
    name: Ids

    def where(self, kept: Flags) -> Names:
        """Some of the pairs."""
        return Names(self.piece[kept], self.name[kept])


@dataclass(frozen=True, slots=True)
class Units:
    """The units, sorted by id, and the unit of each piece. Of all places where a unit occurs, the first stands for it."""

    ids: Ids
    first: Ids
    """The number of its first piece."""
    scoped: Flags
    of_piece: Ids


def sorted_pieces(scripts: pa.Table, pieces: pa.Table) -> Pieces:
    """The pieces of scripts in their order, on which the scripts' `path` and `last_seen` decide."""
    ranks = _ranks(scripts, pieces)
    script, ordinal = pieces.column("script_id").to_numpy(), pieces.column("ordinal").to_numpy()
    order = np.lexsort((script, ordinal, *ranks))
    known = np.unique(pc.list_flatten(pieces.column("defines")).to_numpy())
    return _pieces(pieces.take(pa.array(order)), ranks[0][order], known)


def _pieces(table: pa.Table, time: Ids, known: Ids) -> Pieces:
    """Pieces, with those of their names that are *known*."""

    def numbers(name: str) -> Ids:
        found: Ids = table.column(name).to_numpy().astype(np.int64, copy=False)
        return found

    return Pieces(
        script=numbers("script_id"),
        ordinal=numbers("ordinal"),
        time=time,
        text=numbers("text_key"),
        exact=numbers("exact"),
        scoped=table.column("scoped").to_numpy(zero_copy_only=False),
        temporary=table.column("temporary").to_numpy(zero_copy_only=False),
        names=known,
        mentions=_names(table.column("mentions"), known),
        defines=_names(table.column("defines"), known),
    )


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


def _names(column: pa.ChunkedArray, known: Ids) -> Names:
    """Pairs of a piece and a name that somebody defines; what nobody defines is of no interest here."""
    lists = column.combine_chunks()
    piece = pc.list_parent_indices(lists).to_numpy().astype(np.int64)
    name = pc.list_flatten(lists).to_numpy()
    if not len(known):
        return Names(piece[:0], name[:0])
    at = np.minimum(np.searchsorted(known, name), len(known) - 1)
    defined = known[at] == name
    return Names(piece[defined], at[defined].astype(np.int64))


def units_of(pieces: Pieces) -> Units:
    """The units of pieces."""
    scoped, own = _scoped(pieces, contested(pieces))
    ids, first, of_piece = np.unique(own, return_index=True, return_inverse=True)
    return Units(ids, first.astype(np.int64), scoped[first], of_piece.astype(np.int64))


def contested(pieces: Pieces) -> Ids:
    """The names of tables that different texts define."""
    lasting = pieces.defines.where(~pieces.temporary[pieces.defines.piece])
    texts, text = np.unique(pieces.text[lasting.piece], return_inverse=True)
    variants, _ = distinct_pairs(lasting.name, text, len(texts))
    return pieces.names[np.flatnonzero(np.bincount(variants) > 1)]


def unit_ids(pieces: pa.Table, contested: Ids) -> Ids:
    """The unit of each of some pieces, which are all those of their scripts, by the names that are contested in the corpus."""
    found = _pieces(pieces, np.zeros(len(pieces), np.int64), contested)
    return _scoped(found, contested)[1]


def _scoped(pieces: Pieces, contested: Ids) -> tuple[Flags, Ids]:
    """Whether each piece is a unit of its own, and its unit."""
    scoped = pieces.scoped | _overridden(pieces, contested)
    own = mixed(mixed(mixed(pieces.text) + pieces.script) + pieces.ordinal)
    return scoped, np.where(scoped, own, pieces.text)


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
    if not len(contested):
        return found
    is_contested = np.isin(pieces.names, contested)
    lasting = pieces.defines.where(~pieces.temporary[pieces.defines.piece])
    here = _InScripts(pieces, lasting.where(is_contested[lasting.name]))
    mentions = pieces.mentions.where(is_contested[pieces.mentions.name])
    found[mentions.piece[here.before(mentions) >= 0]] = True
    return found


class _InScripts:
    """Definitions, to be found by script and name."""

    def __init__(self, pieces: Pieces, definitions: Names) -> None:
        self._pieces = pieces
        self._scripts, number = np.unique(pieces.script, return_inverse=True)
        self._script = number.astype(np.int64)
        self._definers = _Sorted(self._keys(definitions), pieces.ordinal[definitions.piece], definitions.piece)

    def _keys(self, names: Names) -> Ids:
        return names.name * len(self._scripts) + self._script[names.piece]

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
    is_first = np.zeros(len(pieces.script), bool)
    is_first[units.first] = True
    named = pieces.mentions.where(is_first[pieces.mentions.piece])
    lasting = pieces.defines.where(~pieces.temporary[pieces.defines.piece])
    all_over = _Sorted(lasting.name, lasting.piece, lasting.piece)
    user = units.of_piece[named.piece]
    nowhere = len(pieces.script)
    own = np.isin(named.name * nowhere + named.piece, pieces.defines.name * nowhere + pieces.defines.piece)
    elsewhere = all_over.before(named.name, np.where(own, named.piece, nowhere))
    local = np.where(units.scoped[user], _InScripts(pieces, pieces.defines).before(named), -1)
    definer = np.where(local >= 0, local, elsewhere)
    needed = definer >= 0
    user, definer = user[needed], units.of_piece[definer[needed]]
    return distinct_pairs(user[user != definer], definer[user != definer], len(units.ids))


def distinct_pairs(one: Ids, other: Ids, others: int) -> tuple[Ids, Ids]:
    """Pairs of numbers, each once, sorted; *others* is how many there are of the second kind."""
    pairs = np.unique(one * others + other)
    return np.divmod(pairs, max(others, 1))
