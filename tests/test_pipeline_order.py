"""Units, what they need, and their order: arrays against plain loops that say the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from headwater.pipeline.ids import Ids
from headwater.pipeline.plan.order import BEFORE, downstream, order
from headwater.pipeline.plan.units import Pieces, Units, contested, requirements, sorted_pieces, units_of
from headwater.pipeline.split.chunk import SCHEMAS


@dataclass(frozen=True)
class Piece:
    script: int
    ordinal: int
    text: int
    scoped: bool
    temporary: bool
    mentions: tuple[int, ...]
    defines: tuple[int, ...]


_names = st.lists(st.integers(0, 4), max_size=3, unique=True).map(tuple)
_piece = st.tuples(st.integers(0, 5), st.booleans(), st.booleans(), _names, _names)


@st.composite
def corpora(draw: st.DrawFn) -> list[Piece]:
    """Pieces of a few scripts, in order; the same text mentions and defines the same."""
    meanings: dict[int, tuple[bool, tuple[int, ...], tuple[int, ...]]] = {}
    found = []
    for script in range(draw(st.integers(1, 4))):
        for ordinal, (text, scoped, temporary, mentions, defines) in enumerate(draw(st.lists(_piece, max_size=6))):
            temporary, mentions, defines = meanings.setdefault(text, (temporary, mentions, defines))
            found.append(Piece(script, ordinal, text, scoped, temporary, mentions, defines))
    return found


def arrays(corpus: list[Piece]) -> Pieces:
    scripts = sorted({p.script for p in corpus})
    times = pa.nulls(len(scripts), pa.timestamp("us", "UTC"))
    listed = pa.table(
        {"script_id": pa.array(scripts, pa.int64()), "path": [f"{n}" for n in scripts], "last_seen": times}
    )
    rows = [(p.script, p.ordinal, p.text, p.text, p.scoped) for p in corpus]
    named = [(p.text, p.temporary, p.mentions, p.defines) for p in corpus]
    pieces, names = (
        pa.Table.from_pylist([dict(zip(SCHEMAS[table].names, row, strict=True)) for row in found], SCHEMAS[table])
        for table, found in (("pieces", rows), ("names", named))
    )
    return sorted_pieces(listed, pieces, names)


def made(pieces: Pieces) -> Units:
    return units_of(pieces, contested(pieces.texts))


def is_overridden(piece: Piece, corpus: list[Piece]) -> bool:
    lasting = [p for p in corpus if not p.temporary]
    contested = {n for p in lasting for n in p.defines if len({q.text for q in lasting if n in q.defines}) > 1}
    before = [p for p in lasting if p.script == piece.script and p.ordinal < piece.ordinal]
    return any(n in contested and n in p.defines for n in piece.mentions for p in before)


def key(piece: Piece, corpus: list[Piece]) -> tuple[int, ...]:
    own = piece.scoped or is_overridden(piece, corpus)
    return (piece.text, piece.script, piece.ordinal) if own else (piece.text,)


@given(corpora())
def test_the_same_text_is_one_unit_unless_its_script_has_a_say(corpus: list[Piece]) -> None:
    units = made(arrays(corpus))
    keys = [key(piece, corpus) for piece in corpus]
    for i, one in enumerate(keys):
        for j, other in enumerate(keys):
            assert (one == other) == (units.of_piece[i] == units.of_piece[j])
    assert [keys.index(keys[first]) for first in units.first] == units.first.tolist()


def definer(piece: Piece, name: int, corpus: list[Piece]) -> Piece | None:
    """The definition in force, by the rule's own words."""
    definitions = [p for p in corpus if name in p.defines]
    local = [p for p in definitions if p.script == piece.script and p.ordinal < piece.ordinal]
    if len(key(piece, corpus)) > 1 and local:
        return local[-1]
    lasting = [p for p in definitions if not p.temporary]
    if name in piece.defines:
        lasting = [p for p in lasting if corpus.index(p) < corpus.index(piece)]
    return lasting[-1] if lasting else None


@given(corpora())
def test_a_unit_needs_the_definition_in_force(corpus: list[Piece]) -> None:
    pieces = arrays(corpus)
    units = made(pieces)
    user, needed = requirements(pieces, units)
    expected = set()
    for number, first in enumerate(units.first.tolist()):
        for name in corpus[first].mentions:
            found = definer(corpus[first], name, corpus)
            if found is not None and units.of_piece[corpus.index(found)] != number:
                expected.add((number, int(units.of_piece[corpus.index(found)])))
    assert sorted(expected) == list(zip(user.tolist(), needed.tolist(), strict=True))


_pairs = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda p: p[0] != p[1]), max_size=60)


def ends(pairs: list[tuple[int, int]]) -> tuple[Ids, Ids]:
    unique = sorted(set(pairs))
    return np.array([u for u, _ in unique], np.int64), np.array([d for _, d in unique], np.int64)


@given(_pairs, st.integers(1, 4), st.data())
def test_a_task_finds_what_its_units_need(pairs: list[tuple[int, int]], cores: int, data: st.DataObject) -> None:
    forward = [(max(pair), min(pair)) for pair in pairs]
    user, needed = ends(forward)
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=31, max_size=31)))
    found = order(user, needed, wanted, cores)
    assert not len(found.cycles)
    assert ((found.tasks >= 0) == wanted).all()
    stage_of = {task: number for number, stage in enumerate(found.stages) for task in stage}
    assert sorted(stage_of) == sorted(set(found.tasks[wanted].tolist()))
    for one, other in zip(user.tolist(), needed.tolist(), strict=True):
        assert found.levels[one] > found.levels[other]
        if wanted[one] and wanted[other]:
            here, there = int(found.tasks[one]), int(found.tasks[other])
            assert here == there or stage_of[there] < stage_of[here]
        elif wanted[one]:
            assert found.tasks[other] == BEFORE


@given(_pairs)
def test_circles_are_opened(pairs: list[tuple[int, int]]) -> None:
    user, needed = ends(pairs)
    found = order(user, needed, np.ones(31, bool), 2)
    for one, other in zip(user.tolist(), needed.tolist(), strict=True):
        assert found.levels[one] > found.levels[other] or len(found.cycles)
    if not any(reaches(pairs, other, one) for one, other in pairs):
        assert not len(found.cycles)


def reaches(pairs: list[tuple[int, int]], start: int, end: int) -> bool:
    seen, front = {start}, [start]
    while front:
        here = front.pop()
        for one, other in pairs:
            if one == here and other not in seen:
                seen.add(other)
                front.append(other)
    return end in seen


@given(_pairs, st.sets(st.integers(0, 30), max_size=3))
def test_downstream_is_what_needs_it(pairs: list[tuple[int, int]], start: set[int]) -> None:
    user, needed = ends(pairs)
    flags = np.isin(np.arange(31), list(start))
    found = downstream(user, needed, flags)
    assert set(np.flatnonzero(found).tolist()) == {n for n in range(31) if any(reaches(pairs, n, s) for s in start)}


def test_large_levels_are_many_tasks_and_chains_few() -> None:
    nobody = np.array([], np.int64)
    wide = order(nobody, nobody, np.ones(5_000, bool), 2)
    sizes = np.bincount(wide.tasks)
    assert len(wide.stages) == 1
    assert sizes.max() <= 1_000
    assert sizes[-1] < sizes[0]
    chains = np.arange(600).reshape(6, 100)
    long = order(chains[:, 1:].ravel(), chains[:, :-1].ravel(), np.ones(600, bool), 2)
    assert len(long.stages) == 1
    assert [len(set(long.tasks[chain].tolist())) for chain in chains] == [1] * 6
    assert len(set(long.tasks.tolist())) == 4


def test_what_nobody_needs_fills_idle_cores() -> None:
    tables = np.arange(1_000)
    chain = np.arange(1_000, 3_001)
    queries = np.arange(3_001, 8_001)
    user = np.concatenate([chain, queries])
    definer = np.concatenate([np.concatenate([tables[:1], chain[:-1]]), np.repeat(tables, 5)])
    found = order(user, definer, np.ones(8_001, bool), 2)
    first, second, last = (np.isin(found.tasks, stage) for stage in found.stages)
    assert np.flatnonzero(first).tolist() == tables.tolist()
    assert second[chain[:-1]].all()
    assert found.tasks[chain[0]] == found.stages[1].start  # the longest is begun first
    assert np.count_nonzero(second[queries]) == 2_000
    assert np.count_nonzero(last[queries]) == 3_000


def test_a_corpus_without_pieces() -> None:
    pieces = arrays([])
    units = made(pieces)
    user, needed = requirements(pieces, units)
    assert len(units.ids) == len(user) == len(needed) == 0
    assert order(user, needed, np.ones(0, bool), 2).stages == ()
