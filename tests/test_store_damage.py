"""Damages to every kind of file in a store: an answer is the same as before, or one line on standard error and exit code 2.

`pytest -s` prints the table of outcomes.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from command import Result, Run
from headwater.store import Store, StoreError
from headwater.store.build_folder import begin
from headwater.store.verify import verify
from stores import make_store
from whole_store import AFTER, publish, tables, whole_store

Damage = Callable[[bytes], "bytes | None"]


def flipped(at: float) -> Damage:
    """One bit flipped, in a byte that stands at this part of the file."""

    def flip(content: bytes) -> bytes:
        place = min(int(at * len(content)), len(content) - 1)
        return content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :]

    return flip


FLIPPED = flipped(0.6)
DAMAGES: dict[str, tuple[Damage, ...]] = {
    "removed": (lambda content: None,),
    "cut off": (lambda content: content[: len(content) // 2],),
    "emptied": (lambda content: b"",),
    "flipped": (flipped(0.1), FLIPPED),
    "foreign": (lambda content: b'{"format": 2, "number": 2, "dropped": []}\n',),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damage")
    whole_store(folder / "lineage")
    return folder


@pytest.fixture
def ask(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Result]]:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HEADWATER_CACHE", str(folder / "cache"))
    first = Store(folder / "lineage").names()[0]

    def asked(*names: str) -> dict[str, Result]:
        questions = {
            "upstream": ("upstream", "d.u.y", "--format", "json"),
            "earlier": ("upstream", "d.t.y", "--as-of", first, "--format", "json"),
            "diff": ("diff", first, "current", "--format", "json"),
            "export": ("export", "lineage", "-f", "json", "-q"),
            "csv": ("export", "lineage", "-f", "csv", "-q"),
            "tables": ("export", "lineage", "-f", "sqlflow-json", "-q"),
            "report": ("report", "-f", "markdown", "-o", "-"),
            "check": ("check", "--store", "lineage", "-q"),
            "diagnostics": ("diagnostics", "--format", "json"),
            "tags": ("tags", "--format", "json"),
        }
        return {name: run(*questions[name]) for name in names or questions}

    return asked


def kind_of(key: str) -> str:
    """The kind of a file, as the table of outcomes names it."""
    parts = key.split("/")
    return {"data": parts[2] if len(parts) > 2 else "", "snapshots": "manifest", "cache": "cache"}.get(parts[0], key)


def damaged_files(folder: Path) -> Iterator[Path]:
    """All files; of the arrays in the cache, which are the same as those of the store, one of each form."""
    seen: set[str] = set()
    for path in sorted((folder / "lineage").rglob("*")):
        is_array = path.parent.name == "graph" and "cache" in path.parts
        if path.is_file() and not (is_array and path.suffix in seen):
            seen |= {path.suffix} if is_array else set()
            yield path


def outcome(before: Result, after: Result) -> str:
    """`same`, `refused`, or what is wrong."""
    if (after.code, after.out) == (before.code, before.out):
        return "same"
    one_line = after.err.strip().count("\n") == 0 and after.err.strip() != "" and "Traceback" not in after.err
    return "refused" if (after.code, after.out, one_line) == (2, "", True) else f"wrong: {after}"


def starts_a_build(store: Path) -> Result:
    """What the start of the next build says."""
    try:
        with begin(Store(store)):
            return Result(0, "", "")
    except StoreError as error:
        return Result(2, "", str(error))


@pytest.mark.slow
def test_no_damage_makes_a_wrong_answer(folder: Path, ask: Callable[..., dict[str, Result]]) -> None:
    store = folder / "lineage"
    sound = {**ask(), "build": starts_a_build(store)}
    assert {result.code for result in sound.values()} <= {0, 1}, sound
    found: Counter[tuple[str, str, str]] = Counter()
    wrong = []
    for path in damaged_files(folder):
        content, key = path.read_bytes(), path.relative_to(store).as_posix()
        for damage, make in damages_of(path):
            made = make(content)
            path.unlink()  # files may be links
            if made is not None:
                path.write_bytes(made)
            answers = {**ask(*questions_about(key)), "build": starts_a_build(store)}
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            for name, answer in answers.items():
                said = outcome(sound[name], answer)
                found[kind_of(key), damage, said.partition(":")[0]] += 1
                wrong += [(key, damage, name, said)] if said.startswith("wrong") else []
    print_table(found)
    assert not wrong, "\n".join(map(str, wrong))
    assert sum(number for (_, _, said), number in found.items() if said == "refused") > 300


def damages_of(path: Path) -> list[tuple[str, Damage]]:
    """All damages; to most of the arrays, which are checked in one place, only two."""
    every = [(name, make) for name, makes in DAMAGES.items() for make in makes]
    return [each for each in every if each[0] == "removed" or each[1] is FLIPPED] if path.suffix == ".npy" else every


def questions_about(key: str) -> tuple[str, ...]:
    """The questions that are asked after a damage: all after that of a table; those that arrays answer after that of an array."""
    return ("upstream", "diff") if "graph" in key.split("/") else ()


def print_table(found: Counter[tuple[str, str, str]]) -> None:
    print(f"\n{'file':<16}{'damage':<10}{'same':>7}{'refused':>9}{'wrong':>7}")
    for kind, damage in sorted({(kind, damage) for kind, damage, _ in found}):
        numbers = [found[kind, damage, said] for said in ("same", "refused", "wrong")]
        print(f"{kind:<16}{damage:<10}{numbers[0]:>7}{numbers[1]:>9}{numbers[2]:>7}")
    totals = [sum(n for (*_, said), n in found.items() if said == wanted) for wanted in ("same", "refused", "wrong")]
    print(f"{'all':<26}{totals[0]:>7}{totals[1]:>9}{totals[2]:>7}")


def test_every_bit_of_the_small_files_is_checked(folder: Path, tmp_path: Path) -> None:
    """Every third byte of `store.json` and `current.json`, and every eleventh of the manifests."""
    store = folder / "lineage"
    names = Store(store).names()
    for path in (store / "store.json", store / "current.json", *sorted((store / "snapshots").iterdir())):
        content = path.read_bytes()
        for at in range(0, len(content), 11 if len(content) > 300 else 3):
            path.write_bytes(content[:at] + bytes([content[at] ^ (1 << at % 8)]) + content[at + 1 :])
            with suppress(StoreError):
                assert Store(store).names() == names, (path, at)
        path.write_bytes(content)


def test_verify_finds_every_damaged_file(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    store = folder / "lineage"
    assert run("store", "verify").code == 0
    for path in (path for path in damaged_files(folder) if "cache" not in path.parts):
        content = path.read_bytes()
        path.write_bytes(flipped(0.5)(content))
        damages = verify(Store(store)).damages
        path.write_bytes(content)
        assert [damage.key for damage in damages] == [path.relative_to(store).as_posix()]


@pytest.mark.parametrize("key", ["store.json", "current.json", "snapshots/00000002.json"])
def test_servers_do_not_start_with_a_damaged_store(key: str, tmp_path: Path, run: Run) -> None:
    store = whole_store(tmp_path / "lineage")
    store.storage.write(key, b"{")
    for command in ("serve", "mcp"):
        code, out, err = run(command, store.place)
        assert (code, out, f"{key} is damaged" in err, err.count("\n")) == (2, "", True, 1), command


@pytest.mark.slow
def test_a_server_does_not_answer_from_damaged_arrays(tmp_path: Path) -> None:
    from fastapi.testclient import TestClient

    from headwater.server.app import application

    store = whole_store(tmp_path / "lineage")
    path = store.snapshot().paths("graph")[0]
    path.write_bytes(flipped(0.5)(path.read_bytes()))
    with TestClient(application(store.place), base_url="http://127.0.0.1") as client:
        answer = client.get("/api/v1/tables")
    assert (answer.status_code, answer.json()["code"]) == (503, "store")


def test_verify_prints_a_line_for_each_damaged_file_and_ends_with_2(tmp_path: Path, run: Run) -> None:
    store = whole_store(tmp_path / "lineage")
    one, other = store.snapshot().paths("tags")[0], store.snapshot().paths("columns")[0]
    one.unlink()
    other.write_bytes(other.read_bytes()[:-1])
    code, out, err = run("store", "verify", store.place)
    assert (code, len(out.splitlines()), "2 files damaged or missing" in err) == (2, 2, True)
    assert f"{one} is missing" in out
    assert f"{other} is damaged: it has" in out


def test_verify_says_what_has_no_checksum(tmp_path: Path, run: Run) -> None:
    store = make_store(tmp_path / "lineage", AFTER)
    without_checksums(store)
    code, out, _ = run("store", "verify", store.place)
    assert (code, out.splitlines()[0][:20]) == (0, "no checksums: 8 file")
    path = store.snapshot().paths("entities")[0]
    path.write_bytes(flipped(0.05)(path.read_bytes()))
    assert run("store", "verify", store.place).code == 2


def without_checksums(store: Store) -> None:
    """Make a store's manifests those of the version before."""
    import json

    for file in store.storage.files("snapshots/"):
        found = json.loads(store.storage.read(file.key))
        old = {name: found[name] for name in ("number", "name", "run", "tables")}
        store.storage.write(file.key, json.dumps(old).encode())
    store.storage.delete(["current.json"])


def test_a_store_of_the_version_before_is_read_and_built_on(tmp_path: Path) -> None:
    store = whole_store(tmp_path / "lineage")
    without_checksums(store)
    publish(Store(store.place), tables(AFTER))
    assert len(Store(store.place).names()) == 3
    assert not verify(Store(store.place)).damages


# Repair


def test_repair_only_says_what_it_would_do_without_yes(tmp_path: Path, run: Run) -> None:
    store = whole_store(tmp_path / "lineage")
    first = store.names()[0]
    store.snapshot().paths("graph")[0].write_bytes(b"")
    files = [file[:2] for file in store.storage.files("")]
    code, out, _ = run("store", "repair", store.place)
    assert (code, f"the last whole snapshot is 1: {first}" in out, "--yes" in out) == (1, True, True)
    assert [file[:2] for file in store.storage.files("")] == files


@pytest.mark.parametrize("key", ["snapshots/00000002.json", "snapshots/00000001.json", "store.json", "current.json"])
@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_a_repaired_store_opens_and_keeps_its_data(key: str, content: bytes | None, tmp_path: Path, run: Run) -> None:
    store = whole_store(tmp_path / "lineage")
    names = store.names()
    if content is None and key == "current.json":
        return  # that is how a store of an earlier version is, and nothing is wrong with it
    (tmp_path / "lineage" / key).unlink() if content is None else store.storage.write(key, content)
    data = [file.key for file in store.storage.files("data/")]
    if not (key.endswith("1.json") and content is None):  # the oldest manifest may have been removed for its age
        assert run("store", "verify", store.place).code == 2
        assert run("store", "repair", store.place, "--yes").code == 0
    assert Store(store.place).names() == [n for n in names if not key.endswith(f"{names.index(n) + 1}.json")]
    publish(Store(store.place), tables(AFTER))
    repaired = Store(store.place)
    repaired.sweep()
    assert repaired.snapshot().manifest.number == 3
    assert {*data} <= {file.key for file in repaired.storage.files("data/")}
    assert not verify(repaired).damages


def test_a_store_without_a_whole_snapshot_is_not_repaired(tmp_path: Path, run: Run) -> None:
    store = make_store(tmp_path / "lineage", AFTER)
    store.snapshot().paths("tags")[0].unlink()
    code, _, err = run("store", "repair", store.place, "--yes")
    assert (code, "no snapshot that is whole: build into a new folder" in err) == (2, True)


def test_whole_stores_are_left_alone(tmp_path: Path, run: Run) -> None:
    store = make_store(tmp_path / "lineage", AFTER)
    assert run("store", "repair", store.place, "--yes")[:2] == (
        0,
        f"the last whole snapshot is 1: {store.names()[0]}\nnothing to do\n",
    )


# History


def test_a_clock_that_is_set_back_loses_no_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "lineage"
    store = Store(place)
    store.create()
    for day in (18, 10, 12):
        clock = (2026, 11, day, 0, 0, 0, 0, 0, 0)
        with monkeypatch.context() as patch:
            patch.setattr("time.gmtime", lambda *_, at=clock: __import__("time").struct_time(at))
            publish(store, tables(AFTER), graph=False)
    store.sweep()
    assert [name[:8] for name in Store(place).names()] == ["20261118", "20261110", "20261112"]
    assert Store(place).snapshot().name.startswith("20261112")
    assert Store(place).prune(2)[0].startswith("20261118")


def test_a_clock_that_was_set_back_in_a_store_of_the_first_version(tmp_path: Path) -> None:
    made = make_store(tmp_path / "made", AFTER)
    old = tmp_path / "old"
    names = ["20261118T000000-000001-aaaaaa", "20261110T000000-000002-bbbbbb", "20261101T000000-000003-cccccc"]
    for name in names:
        for table in TABLES_OF_FORMAT_1:
            (old / "snapshots" / name / table).mkdir(parents=True)
            shutil.copy(made.snapshot().paths(table)[0], old / "snapshots" / name / table / "part-0.parquet")
        (old / "snapshots" / name / "run.json").write_text("{}")
    (old / "current").write_text(names[1])
    (old / "store.json").write_text('{"format": 1}')
    assert Store(old).names() == names[:2]
    assert Store(old).snapshot().name == names[1]
    for content in (b"", b"\xff\xfe", b"20261110", b"[]"):
        (old / "current").write_bytes(content)
        with pytest.raises(StoreError, match=r"current is damaged"):
            Store(old).snapshot()
    (old / "current").write_text(names[1])
    (old / "snapshots" / names[1] / "run.json").write_bytes(b"{\xff")
    with pytest.raises(StoreError, match=r"run\.json is damaged"):
        Store(old).snapshot()


TABLES_OF_FORMAT_1 = ("scripts", "statements", "processes", "entities", "columns", "relations", "diagnostics", "tags")
