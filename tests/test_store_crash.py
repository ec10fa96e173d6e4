"""Publishing that is killed at each of its calls, one after the other: the store opens with the old or the new snapshot, whole.

On a disk the calls are the operating system's, and three things are looked at after each: the files as the killed process left them; those
after a power failure, without what was not flushed; and those whose names reached the disk, but not their contents. In an object store the
calls are the storage's. `pytest -s` prints how many points there were.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.storage.disk import Disk
from headwater.store import Store, StoreError
from headwater.store.build_folder import begin
from headwater.store.repair import planned_repair, repair
from headwater.store.schema import TABLES
from headwater.store.verify import verify
from power_failure import FailingCalls, FailingStorage, FaultPoint, Killed
from stores import make_store

pytestmark = pytest.mark.slow

OLD = TABLES["tags"].schema.empty_table()
NEW = pa.Table.from_pylist([{"entity_id": 1, "tag": "pii", "origin": "schema", "place": "a.sql:1"}], OLD.schema)

Action = Callable[[Store], None]


def publish(store: Store, tags: pa.Table = NEW) -> None:
    """What a build does with the store, without Spark: Spark's files are written as Spark writes them, and nothing flushes them."""
    store.create()
    store.sweep()
    with begin(store) as build:
        if store.storage.folder is None:
            files = [build.write("statements", TABLES["statements"].schema.empty_table())]
        else:
            spark = store.storage.folder / "data" / build.id / "statements"
            spark.mkdir(parents=True)
            pq.write_table(TABLES["statements"].schema.empty_table(), spark / "part-0.parquet")
            (spark / "_SUCCESS").touch()
            files = build.listed("statements")
        before = build.previous
        others = (name for name in TABLES if name not in ("tags", "statements"))
        listed = {name: before.files(name) if before else [build.write(name, empty(name))] for name in others}
        build.publish({**listed, "statements": files, "tags": [build.write("tags", tags)]}, {"time": "then"})
    store.prune(1)


def empty(name: str) -> pa.Table:
    return TABLES[name].schema.empty_table()


def state(place: str | Path) -> str:
    """Which snapshot a store opens with; it has to be whole."""
    store = Store(place)
    try:
        found = store.snapshot()
    except StoreError as error:
        if "no store in" in str(error) or "no snapshot yet" in str(error):
            return "none"
        raise
    tags = found.table("tags")
    assert not verify(Store(place)).damages
    assert store.names()[-1] == found.name
    return "new" if len(tags) else "old"


def goes_on(place: Path) -> None:
    """The next build can start from what is there."""
    publish(Store(place))
    assert state(place) == "new"


@contextmanager
def failing(place: Path, point: FaultPoint) -> Iterator[tuple[Store, FailingCalls]]:
    store = Store(place)
    calls = FailingCalls(place.parent, point)
    store.storage = Disk(place, calls)
    try:
        yield store, calls
    finally:
        calls.close()


def killed_at_each_call(tmp_path: Path, before: Callable[[Path], object], action: Action, old: str) -> Counter[str]:
    """Kill an action at each call; gives how many points of each kind there were."""
    made = tmp_path / "before"
    made.mkdir()
    before(made / "lineage")
    point = FaultPoint()
    folder = copied(made, tmp_path / "counted")
    with failing(folder / "lineage", point) as (store, _):
        action(store)
    assert state(folder / "lineage") == "new"
    states = [states_after(tmp_path / str(at), made, action, at) for at in range(len(point.calls))]
    for at, found in enumerate(states):
        assert set(found) <= {old, "new"}, (at, point.calls[at], found)
    assert states[0] == [old] * 3
    assert states[-1] == ["new"] * 3
    first_new = next(at for at, found in enumerate(states) if "new" in found)
    assert all(found == ["new"] * 3 for found in states[first_new + 2 :]), "what is new once stays new"
    return Counter(point.calls)


def copied(made: Path, folder: Path) -> Path:
    shutil.copytree(made, folder)
    return folder


def states_after(folder: Path, made: Path, action: Action, at: int) -> list[str]:
    """Which snapshot the store opens with after a kill at a call: as it was left, and after two kinds of power failure."""
    copied(made, folder)
    with failing(folder / "lineage", FaultPoint(at)) as (store, calls):
        with pytest.raises(Killed):
            action(store)
        calls.after_power_failure(folder.with_name(f"{at}-off"))
        calls.with_names_only(folder.with_name(f"{at}-names"))
    places = [each / "lineage" for each in (folder, folder.with_name(f"{at}-off"), folder.with_name(f"{at}-names"))]
    found = [state(place) for place in places]
    if at % 10 == 0:
        for place in places:
            goes_on(place)
    for place in places:
        shutil.rmtree(place.parent)
    return found


def test_the_first_build(tmp_path: Path) -> None:
    report("disk, first build", killed_at_each_call(tmp_path, lambda place: None, publish, "none"))


def test_a_later_build_that_removes_the_snapshot_before(tmp_path: Path) -> None:
    points = killed_at_each_call(tmp_path, lambda place: publish(Store(place), OLD), publish, "old")
    report("disk, later build", points)


def test_a_disk_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("os.link", refused)
    points = killed_at_each_call(tmp_path, lambda place: publish(Store(place), OLD), publish, "old")
    report("disk without hard links", points)


def test_a_store_of_the_first_version(tmp_path: Path) -> None:
    report("disk, format 1", killed_at_each_call(tmp_path, first_version, publish, "old"))


def first_version(place: Path) -> None:
    """A store of format 1."""
    made = make_store(place.parent / "made", "")
    name = "20261102T000000-000001-bbbbbb"
    for table in TABLES:
        (place / "snapshots" / name / table).mkdir(parents=True)
        shutil.copy(made.snapshot().paths(table)[0], place / "snapshots" / name / table / "part-0.parquet")
    (place / "snapshots" / name / "run.json").write_text("{}")
    (place / "current").write_text(f"{name}\n")
    (place / "store.json").write_text('{"format": 1}')
    shutil.rmtree(made.path)


def test_a_repair_that_is_killed_can_be_done_again(tmp_path: Path) -> None:
    store = make_store(tmp_path / "before" / "lineage", "")
    make_store(tmp_path / "before" / "lineage", "tag d.t.c pii")
    store.storage.write("snapshots/00000002.json", b"")
    store.storage.write("store.json", b"{")
    point = FaultPoint()
    with failing(copied(store.path.parent, tmp_path / "counted") / "lineage", point) as (counted, _):
        repair(counted, planned_repair(counted, verify(counted)))
    for at in range(len(point.calls)):
        folder = copied(store.path.parent, tmp_path / str(at))
        with failing(folder / "lineage", FaultPoint(at)) as (dying, _), pytest.raises(Killed):
            repair(dying, planned_repair(dying, verify(dying)))
        again = Store(folder / "lineage")
        repair(again, planned_repair(again, verify(again)))
        assert state(folder / "lineage") == "old"
    report("disk, repair", Counter(point.calls))


def test_an_object_store(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("headwater.store.layout._REMOTE_LISTING_SECONDS", 0.0)
    point = FaultPoint()
    publish(Store(f"{bucket}/counted"), OLD)
    publish(in_object_store(f"{bucket}/counted", point))
    place, states = f"{bucket}/lineage", []
    publish(Store(place), OLD)
    for at in range(len(point.calls)):
        if state(place) == "new":
            publish(Store(place), OLD)
        with pytest.raises(Killed):
            publish(in_object_store(place, FaultPoint(at)))
        states.append(state(place))
    assert set(states) == {"old", "new"}
    first_new = states.index("new")
    assert set(states[first_new:]) == {"new"}
    report("S3", Counter(point.calls))


def in_object_store(place: str, point: FaultPoint) -> Store:
    store = Store(place)
    store.storage = FailingStorage(store.storage, point)
    return store


def report(what: str, points: Counter[str]) -> None:
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(points.items()))
    print(f"\n{what}: {sum(points.values())} points ({kinds})")
