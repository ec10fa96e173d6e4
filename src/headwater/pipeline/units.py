"""Pieces to units, what is analysed once, however often it occurs; and which unit needs the definitions of which.

The same text under the same dialect and default schema is one unit. Where a piece hangs on something of its own script, a temporary table
or a table that different scripts define differently, it is a unit of its own.

All of it goes by ids, as arrays in the driver: names and texts stay where they are.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

_FIELDS = ("ordinal", "text_key", "exact", "scoped", "temporary", "mentions", "defines")
_AT_ONCE = 4
"""Files that are read at a time."""

PLACE = pa.schema(
    [
        ("script_id", pa.int64()),
        ("ordinal", pa.int32()),
        ("time", pa.int64()),
        ("unit_id", pa.int64()),
        ("place", pa.int64()),
        ("first", pa.bool_()),
    ]
)
"""Of every piece its unit, its place in the corpus, and whether it stands for its unit."""

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


def read_pieces(scripts: pa.Table, cuts: Path) -> Pieces:
    """The pieces of cut scripts, out of files; of the scripts, `path` and `last_seen` decide on their order."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = pa.concat_tables(pool.map(_flat, sorted(cuts.glob("*.parquet"))))
    return _sorted(found, _ranks(scripts, found))


def _flat(path: Path) -> pa.Table:
    """The pieces in a file, one row for each."""
    with pq.ParquetFile(path) as file:
        cuts = file.read(["script_id", *(f"pieces.list.element.{name}" for name in _FIELDS)])
    lists = cuts.column("pieces").combine_chunks()
    inside = pc.list_flatten(lists)
    script = cuts.column("script_id").take(pc.list_parent_indices(lists))
    return pa.table({"script_id": script, **{name: pc.struct_field(inside, name) for name in _FIELDS}})


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


def _sorted(found: pa.Table, ranks: tuple[Ids, Ids]) -> Pieces:
    script, ordinal = found.column("script_id").to_numpy(), found.column("ordinal").to_numpy().astype(np.int64)
    order = np.lexsort((script, ordinal, *ranks))
    ranked = found.take(pa.array(order))
    known = np.unique(pc.list_flatten(found.column("defines")).to_numpy())
    return Pieces(
        script[order],
        ordinal[order],
        ranks[0][order],
        *(ranked.column(key).to_numpy() for key in ("text_key", "exact")),
        *(ranked.column(flag).to_numpy(zero_copy_only=False) for flag in ("scoped", "temporary")),
        *(_names(ranked.column(names), known) for names in ("mentions", "defines")),
    )


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
    scoped = pieces.scoped | _overridden(pieces)
    own = mixed(mixed(mixed(pieces.text) + pieces.script) + pieces.ordinal)
    ids, first, of_piece = np.unique(np.where(scoped, own, pieces.text), return_index=True, return_inverse=True)
    return Units(ids, first.astype(np.int64), scoped[first], of_piece.astype(np.int64))


def mixed(numbers: Ids) -> Ids:
    """Numbers to ids that look like chance, as SplitMix64 makes them."""
    x = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


def _overridden(pieces: Pieces) -> Flags:
    """Pieces behind a definition, in their own script, of a table that is defined differently elsewhere."""
    lasting = pieces.defines.where(~pieces.temporary[pieces.defines.piece])
    texts, text = np.unique(pieces.text[lasting.piece], return_inverse=True)
    variants, _ = distinct_pairs(lasting.name, text, len(texts))
    contested = np.bincount(variants) > 1
    here = _InScripts(pieces, lasting.where(contested[lasting.name]))
    behind = here.before(pieces.mentions) >= 0
    found = np.zeros(len(pieces.script), bool)
    found[pieces.mentions.piece[behind]] = True
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


def write_places(pieces: Pieces, units: Units, path: Path) -> None:
    """A file that says of every piece which unit it is, its place in the corpus, and whether it stands for its unit.

    Of two pieces, path, time, ordinal and script tell which comes first: the place of one says nothing about itself.
    """
    place = np.arange(len(pieces.script))
    columns = {
        "script_id": pieces.script,
        "ordinal": pieces.ordinal.astype(np.int32),
        "time": pieces.time,
        "unit_id": units.ids[units.of_piece],
        "place": place,
        "first": units.first[units.of_piece] == place,
    }
    pq.write_table(pa.table(columns, schema=PLACE), path, compression="zstd")
