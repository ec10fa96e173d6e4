"""Makes a graph's arrays of a snapshot's tables: once, when the snapshot is built, so that every question afterwards starts at once.

Relations are read in parts, and of each only numbers stay in memory; their texts go straight into a file. See `files` for what is
written. Nothing depends on the order of the tables' rows but the numbers of relations, which nobody sees.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import Adjacency, between_tables, sides
from headwater.graph.fields import field_relations
from headwater.graph.files import (
    CONSTANT,
    FOLDER,
    FORMAT,
    INFERRED,
    ROW_SET,
    STATEMENT_FIELDS,
    UNKNOWN,
    Arrays,
    Ints,
    are_there,
    open_arrays,
)
from headwater.graph.lasting import lasting, name_lengths
from headwater.graph.process_lines import TemplateLines
from headwater.graph.relation_arrays import RelationArrays
from headwater.graph.row_writer import RowWriter, write_single
from headwater.graph.rows_by_id import RowsById
from headwater.store import Snapshot
from headwater.store.checked_folder import check_folder, write_checksums

_MANY = 2**31
_IN_PARTS = {"batch_size": 65536, "batch_readahead": 2, "fragment_readahead": 1}
_PLACE = ("script_id", "path", "line", "column", "lines", "size")
_NO_ORDINAL = np.iinfo(np.int32).max


def arrays_of(snapshot: Snapshot) -> Arrays:
    """Open the arrays of a snapshot. Those that an earlier version has written, or none, are made anew and kept in a cache."""
    listed = snapshot.paths(FOLDER)
    if listed and are_there(listed[0].parent):
        return open_arrays(listed[0].parent)
    place = snapshot.derived() / FOLDER
    if not are_there(place):
        _write_at(snapshot, place)
    check_folder(place)
    return open_arrays(place)


def _write_at(snapshot: Snapshot, place: Path) -> None:
    """Write the arrays to a folder, which appears as a whole; another process may be faster."""
    folder = place.with_name(f".{FOLDER}.{uuid4().hex[:8]}")
    folder.mkdir()
    try:
        write_arrays(snapshot, folder)
        write_checksums(folder)
        shutil.rmtree(place, ignore_errors=True)
        os.replace(folder, place)
    except OSError:
        if not are_there(place):
            raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_arrays(snapshot: Snapshot, folder: Path) -> None:
    """Write the graph's arrays of a snapshot's tables into an empty folder."""
    entities = _write_entities(snapshot, folder)
    nodes = _write_columns(snapshot, folder, entities)
    _write_names(folder)
    processes = _write_processes(snapshot, folder)
    _write_statements(snapshot, folder)
    relations = RelationArrays(nodes, processes)
    with RowWriter(folder / "details.arrow", ("expression", "start", "end")) as details:
        for batch in chain(snapshot.dataset("relations").to_batches(None, **_IN_PARTS), [field_relations(snapshot)]):
            relations.add(batch)
            details.write(batch)
    if relations.count >= _MANY:
        raise OverflowError(f"{relations.count} relations are more than a graph can hold")
    kinds = _write_relations(folder, len(entities), len(nodes), relations)
    (folder / "graph.json").write_text(json.dumps({"format": FORMAT, "kinds": kinds}) + "\n")


def _write_entities(snapshot: Snapshot, folder: Path) -> RowsById:
    """The entities, sorted; gives the rows of their ids."""
    fields = ["entity_id", "kind", "name", "spelling", "parts", "temporary", "scope_id", "complete", "defined_by"]
    fields.append("file_format")
    table = snapshot.table("entities", fields)
    order = pc.sort_indices(table, sort_keys=[("name", "ascending"), ("entity_id", "ascending")])
    table = table.take(order)
    write_single(folder / "entities.arrow", table)
    return RowsById("entity", table.column("entity_id").to_numpy())


def _write_columns(snapshot: Snapshot, folder: Path, entities: RowsById) -> RowsById:
    """The columns, sorted by entity, ordinal and name; gives the nodes of their ids."""
    table = snapshot.table(
        "columns", ["column_id", "entity_id", "name", "ordinal", "data_type", "inferred", "row_set", "value"]
    )
    names, name_codes = _coded(table.column("name"))
    types, type_codes = _coded(table.column("data_type"))
    entity = entities.rows(table.column("entity_id").to_numpy())
    ordinal = pc.fill_null(table.column("ordinal"), _NO_ORDINAL).to_numpy()
    order = np.lexsort((table.column("column_id").to_numpy(), name_codes, ordinal, entity))
    row_set = _flags(table, "row_set")
    ids = table.column("column_id").to_numpy()[order]
    entity = entity[order]
    start = np.searchsorted(entity, np.arange(len(entities) + 1)).astype(np.int32)
    rows = np.full(len(entities), -1, dtype=np.int32)
    row_nodes = np.flatnonzero(row_set[order])
    rows[entity[row_nodes]] = row_nodes
    write_single(folder / "names.arrow", pa.table({"name": names}))
    write_single(folder / "types.arrow", pa.table({"type": types}))
    _save(folder, entity_start=start, entity_rows=rows, node_entity=entity, node_id=ids)
    _save(folder, node_name=name_codes[order], node_type=type_codes[order])
    _save(folder, node_order=np.argsort(ids, kind="stable"))
    flags = _flags(table, "inferred") * INFERRED | row_set * ROW_SET | _values(table)
    _save(folder, node_flags=flags[order])
    return RowsById("column", ids)


def _write_names(folder: Path) -> None:
    """The nodes by name, in the order in which a search shows them."""
    with pa.memory_map(str(folder / "entities.arrow")) as file:
        entities = pa.ipc.open_file(file).get_batch(0)
        first, length = (~lasting(entities)).astype(np.int8), name_lengths(entities)
    entity, name, flags = (np.load(folder / f"{each}.npy") for each in ("node_entity", "node_name", "node_flags"))
    nodes = np.flatnonzero(flags & ROW_SET == 0)
    owner = entity[nodes]
    order = np.lexsort((nodes, length[owner], first[owner], name[nodes])) if len(nodes) else nodes
    nodes = nodes[order].astype(np.int32)
    start = np.searchsorted(name[nodes], np.arange(int(name.max(initial=-1)) + 2)).astype(np.int32)
    _save(folder, name_start=start, name_nodes=nodes)


def _flags(table: pa.Table, name: str) -> Ints:
    flags: Ints = pc.fill_null(table.column(name), False).to_numpy().astype(np.uint8)
    return flags


def _values(table: pa.Table) -> Ints:
    """Of each column, the bit of its value."""
    values = table.column("value")
    found: Ints = np.zeros(len(table), dtype=np.uint8)
    for word, bit in (("constant", CONSTANT), ("unknown", UNKNOWN)):
        found |= pc.fill_null(pc.equal(values, word), False).to_numpy().astype(np.uint8) * np.uint8(bit)
    return found


def _coded(column: pa.ChunkedArray) -> tuple[pa.Array, Ints]:
    """The distinct values of a column, sorted, and for each row which of them it has; -1 for null."""
    encoded = column.combine_chunks().dictionary_encode()
    values = encoded.dictionary
    order = pc.sort_indices(values).to_numpy()
    rank = np.empty(len(values) + 1, dtype=np.int32)
    rank[order] = np.arange(len(values), dtype=np.int32)
    rank[-1] = -1
    codes = pc.fill_null(encoded.indices, len(values)).to_numpy()
    return values.take(pa.array(order)), rank[codes]


def _write_processes(snapshot: Snapshot, folder: Path) -> RowsById:
    """The processes, each with the place where it stands first; gives the rows of their ids."""
    places = _first_places(snapshot)
    placed = places.column("process_id").to_numpy()
    ids: list[Ints] = []
    fields = ("process_id", "type", "procedure", "query_hash", "text", *_PLACE)
    with RowWriter(folder / "processes.arrow", fields) as writer:
        for batch in snapshot.dataset("processes").to_batches(batch_size=4096):
            own = batch.column("process_id")
            ids.append(own.to_numpy())
            at = np.minimum(np.searchsorted(placed, ids[-1]), max(len(placed) - 1, 0))
            missing = placed[at] != ids[-1] if len(placed) else np.ones(len(at), bool)
            rows = pa.array(at, mask=missing)
            where = {name: places.column(name).combine_chunks().take(rows) for name in _PLACE}
            plain = {name: batch.column(name) for name in fields if name not in where}
            writer.write(pa.RecordBatch.from_pydict({**plain, **where}))
    return RowsById("process", np.concatenate(ids) if ids else np.empty(0, np.int64))


def _write_statements(snapshot: Snapshot, folder: Path) -> None:
    """The statements of each script, in order."""
    table = snapshot.table("statements", ["script_id", "ordinal", *STATEMENT_FIELDS])
    table = table.sort_by([("script_id", "ascending"), ("ordinal", "ascending")])
    _save(folder, statement_script=table.column("script_id").to_numpy())
    columns = [pc.fill_null(table.column(name), 0).to_numpy().astype(np.int64) for name in STATEMENT_FIELDS]
    _save(folder, statement_fields=np.stack(columns, axis=1))


def _first_places(snapshot: Snapshot) -> pa.Table:
    """Of each process the first place, by path and offset: `process_id` and what `_PLACE` names."""
    scripts = snapshot.table("scripts", ["script_id", "path"]).sort_by(
        [("path", "ascending"), ("script_id", "ascending")]
    )
    statements = snapshot.table("statements", ["process_id", "script_id", "start", "end", "line", "column"])
    ids = scripts.column("script_id").to_numpy()
    by_id = np.argsort(ids)
    place = by_id[np.searchsorted(ids[by_id], statements.column("script_id").to_numpy())]  # in order of path
    start = pc.fill_null(statements.column("start"), 0).to_numpy()
    process = statements.column("process_id").to_numpy()
    order = np.lexsort((start, place, process))
    process = process[order]
    first = np.flatnonzero(np.concatenate([[True], process[1:] != process[:-1]])) if len(process) else process
    rows = pa.array(order[first])
    found = statements.take(rows)
    for name, values in TemplateLines(snapshot).columns(found).items():
        found = found.append_column(name, values)
    return found.append_column("path", scripts.column("path").take(pa.array(place[order[first]]))).select(
        ["process_id", *_PLACE]
    )


def _write_relations(
    folder: Path, tables: int, nodes: int, relations: RelationArrays
) -> list[tuple[str | bool | None, ...]]:
    """What is known of relations by number; gives the meanings of their kind codes."""
    _save(folder, relation_id=relations.take("id"))
    sources, targets, processes = (relations.take(name) for name in ("source", "target", "process"))
    kinds = relations.kinds(sources, processes)
    _save(folder, relation_source=sources, relation_target=targets)
    _save(folder, relation_kind=kinds, relation_process=processes)
    layers = relations.layers()[kinds]
    del kinds, processes
    _save_sides(folder, "", sides(nodes, sources, targets, layers))
    owner = np.load(folder / "node_entity.npy", mmap_mode="r")
    _save_sides(folder, "table_", between_tables(tables, owner[sources], owner[targets], layers))
    return [(*meaning.kind, meaning.star) for meaning in relations.meanings]


def _save_sides(folder: Path, of: str, both: Iterable[Adjacency]) -> None:
    for name, side in zip((f"{of}in", f"{of}out"), both, strict=True):
        arrays = {"bounds": side.bounds, "neighbours": side.neighbours, "relations": side.relations}
        _save(folder, **{f"{name}_{what}": array for what, array in arrays.items()})


def _save(folder: Path, **arrays: Ints) -> None:
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
