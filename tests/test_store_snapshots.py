"""How snapshots come into a store and go: one at a time, whole, and never two at once; on a disk and in an object store."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import headwater
from headwater.store import Store, StoreError
from headwater.store.build_folder import AnotherBuild, begin
from headwater.store.schema import TABLES
from stores import rows_of, write_tables


@pytest.fixture(params=["disk", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("headwater.store.layout._REMOTE_LISTING_SECONDS", 0.0)
    return str(tmp_path / "lineage") if request.param == "disk" else f"{request.getfixturevalue('bucket')}/lineage"


def fill(place: str, lines: str) -> Store:
    store = Store(place)
    store.create()
    rows = rows_of(lines, {})
    write_tables(store, {name: pa.Table.from_pylist([*r.values()], TABLES[name].schema) for name, r in rows.items()})
    return store


def test_a_snapshot_is_read_as_it_was_written(place: str) -> None:
    fill(place, "a.t.x -> a.u.y")
    graph = headwater.open(place)
    assert [str(each.what) for each in graph.upstream("a.u.y").columns()] == ["a.t.x"]


def test_the_newest_snapshot_is_the_current_one_and_earlier_ones_stay(place: str) -> None:
    first = fill(place, "a.t.x -> a.u.y").snapshot()
    second = fill(place, "a.t.z -> a.u.y").snapshot()
    store = Store(place)
    assert store.names() == [first.name, second.name]
    assert store.snapshot().digest() == second.digest() != first.digest()
    assert store.snapshot(first.name).digest() == first.digest()


def test_of_two_builds_at_once_one_is_published_and_the_other_names_it(place: str) -> None:
    store = fill(place, "a.t.x -> a.u.y")
    tables = store.snapshot().manifest.tables
    with pytest.raises(AnotherBuild) as caught, begin(Store(place)) as slow:  # noqa: PT012
        kept = slow.write("tags", TABLES["tags"].schema.empty_table())
        with begin(Store(place)) as quick:
            published = quick.publish(tables, {"host": "there", "time": "noon"})
        slow.publish({**tables, "tags": [kept]}, {})
    assert f"another build on there published the snapshot {published.name} at noon" in str(caught.value)
    assert Store(place).names() == [store.names()[0], published.name]
    assert not [file for file in store.storage.files("data/") if slow.id in file.key]


def test_a_build_that_started_from_a_snapshot_that_is_gone_is_not_published(place: str) -> None:
    store = fill(place, "a.t.x -> a.u.y")
    tables = store.snapshot().manifest.tables
    with pytest.raises(AnotherBuild), begin(Store(place)) as slow:  # noqa: PT012
        for _ in range(3):
            with begin(Store(place)) as quick:
                quick.publish(tables, {})
        Store(place).prune(1)
        slow.publish(tables, {})
    assert Store(place).snapshot().manifest.number == 4


def test_old_snapshots_go_with_the_files_that_only_they_list(place: str) -> None:
    first = fill(place, "a.t.x -> a.u.y").snapshot()
    with begin(Store(place)) as build:  # lists the first one's files again, but for the relations
        relations = build.write("relations", TABLES["relations"].schema.empty_table())
        build.publish({**first.manifest.tables, "relations": [relations]}, {})
    store = Store(place)
    assert store.prune(1) == [first.name]
    keys = {file.key for file in store.storage.files("data/")}
    assert first.manifest.tables["relations"][0].key not in keys
    assert first.manifest.tables["entities"][0].key in keys
    assert len(store.snapshot().table("relations")) == 0


def test_what_a_dead_build_left_goes_and_what_a_living_one_has_stays(place: str) -> None:
    store = fill(place, "a.t.x -> a.u.y")
    with begin(store) as living:
        living.write("relations", TABLES["relations"].schema.empty_table())
        dead = living.id.replace(f"-{os.getpid()}-", "-999999999-")
        store.storage.write(f"data/{dead}/relations/0.parquet", b"")
        store.storage.write(f"work/{dead}/split/0.parquet", b"")
        store.prune(10)
        left = [file.key for file in store.storage.files("")]
        assert not [key for key in left if dead in key]
        assert [key for key in left if living.id in key]
    assert len(store.snapshot().table("relations")) == 1


def test_a_build_that_fails_leaves_nothing(place: str) -> None:
    store = fill(place, "a.t.x -> a.u.y")
    before = [file.key for file in store.storage.files("")]
    with pytest.raises(ZeroDivisionError), begin(store) as build:  # noqa: PT012
        build.write("relations", TABLES["relations"].schema.empty_table())
        raise ZeroDivisionError
    assert [file.key for file in store.storage.files("")] == before


def test_a_damaged_manifest_is_told(place: str) -> None:
    store = fill(place, "a.t.x -> a.u.y")
    store.storage.write("snapshots/00000007.json", b"{")
    with pytest.raises(StoreError, match=r"00000007\.json is damaged: it is not JSON; .*headwater store repair"):
        Store(place).snapshot()


def test_a_place_with_other_things_is_refused(place: str) -> None:
    store = Store(place)
    store.storage.write("photo.jpg", b"")
    with pytest.raises(StoreError, match="holds other things"):
        store.create()


def test_a_remote_store_is_read_from_copies(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))
    store = fill(f"{bucket}/lineage", "a.t.x -> a.u.y")
    store.snapshot().table("relations")
    copies = list((tmp_path / "cache").rglob("*.parquet"))
    assert len(copies) == 1
    copies[0].write_bytes(copies[0].read_bytes()[:-1])  # a copy that was cut off is not used
    assert len(store.snapshot().table("relations")) == 1
    store.storage.delete([store.snapshot().files("columns")[0].key])
    with pytest.raises(StoreError, match="is missing"):
        store.snapshot().table("columns")


def test_a_store_of_the_first_version_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    made = fill(str(tmp_path / "made"), "a.t.x -> a.u.y")
    old = tmp_path / "old"
    for name in ("20261101T000000-000000-aaaaaa", "20261102T000000-000001-bbbbbb"):
        for table in TABLES:
            (old / "snapshots" / name / table).mkdir(parents=True)
            shutil.copy(made.snapshot().paths(table)[0], old / "snapshots" / name / table / "part-0.parquet")
        (old / "snapshots" / name / "run.json").write_text('{"time": "then"}')
    (old / "current").write_text("20261102T000000-000001-bbbbbb\n")
    (old / "store.json").write_text('{"format": 1}')
    digest = made.snapshot().digest()
    assert Store(old).snapshot().digest() == digest
    assert Store(old).snapshot("2026-11-01").run == {"time": "then"}
    store = fill(str(old), "a.t.z -> a.u.y")
    assert json.loads((old / "store.json").read_text())["format"] == 2
    assert len(store.names()) == 3
    assert store.snapshot("2026-11-02").digest() == digest
    store.prune(1)
    assert [path.name for path in (old / "snapshots").iterdir()] == ["00000003.json"]
