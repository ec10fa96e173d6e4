"""Files on a disk and in an object store: the same interface, the same answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headwater.storage import Storage, StorageError, open_storage, spark_uri
from headwater.storage.hadoop_settings import object_store_settings


@pytest.fixture(params=["disk", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "disk":
        return open_storage(tmp_path / "files")
    return open_storage(f"{request.getfixturevalue('bucket')}/some/prefix")


def test_what_is_written_is_read(storage: Storage) -> None:
    storage.write("a/b.txt", b"one")
    storage.write("a/b.txt", b"two")
    assert storage.read("a/b.txt") == b"two"
    with pytest.raises(FileNotFoundError):
        storage.read("a/c.txt")


def test_creating_fails_where_something_exists(storage: Storage) -> None:
    assert storage.create("snapshots/1.json", b"mine")
    assert not storage.create("snapshots/1.json", b"yours")
    assert storage.read("snapshots/1.json") == b"mine"


def test_of_many_that_create_exactly_one_succeeds(storage: Storage) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(10):
            won = list(pool.map(lambda who, n=number: storage.create(f"n/{n}", b"%d" % who), range(8)))
            assert sum(won) == 1
            assert storage.read(f"n/{number}") == b"%d" % won.index(True)


def test_files_are_listed_below_a_prefix_and_sorted(storage: Storage) -> None:
    for key in ("b/2", "b/1", "b/deep/3", "bb/4"):
        storage.write(key, b"12")
    assert [(file.key, file.size) for file in storage.files("b/")] == [("b/1", 2), ("b/2", 2), ("b/deep/3", 2)]
    assert len(storage.files("")) == 4
    assert storage.files("nothing/") == []


def test_deleting_ignores_what_is_not_there(storage: Storage) -> None:
    storage.write("x/1", b"")
    storage.delete(["x/1", "x/2"])
    storage.delete([])
    assert storage.files("") == []


def test_files_go_up_and_come_down(storage: Storage, tmp_path: Path) -> None:
    content = bytes(range(256)) * 5000
    (tmp_path / "local").write_bytes(content)
    storage.upload(tmp_path / "local", "data/file")
    storage.download("data/file", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == content
    with pytest.raises(FileNotFoundError):
        storage.download("data/other", tmp_path / "none")


def test_a_bucket_that_does_not_exist_is_told(bucket: str) -> None:
    storage = open_storage("s3://no-such-bucket/x")
    with pytest.raises(StorageError, match="the bucket does not exist"):
        storage.write("a", b"")


def test_a_server_that_does_not_answer_is_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.storage.object_store._RETRIES", {"max_retries": 0})
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StorageError) as caught:
        open_storage(f"{bucket}/x").read("a")
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        open_storage(tmp_path / "file").write("a/b", b"")


def test_a_disk_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    storage = open_storage(tmp_path)
    assert storage.create("a", b"mine")
    assert not storage.create("a", b"yours")
    assert storage.read("a") == b"mine"


@pytest.mark.parametrize(
    ("place", "uri"),
    [
        ("s3://b/x", "s3a://b/x"),
        ("abfss://c@a.dfs.core.windows.net/x", "abfss://c@a.dfs.core.windows.net/x"),
        ("hdfs://host:9000/x", "hdfs://host:9000/x"),
        ("/Volumes/a/b", "dbfs:/Volumes/a/b"),
    ],
)
def test_every_place_has_a_scheme_for_spark(place: str, uri: str) -> None:
    assert spark_uri(place) == uri


class _Session:
    """What the settings are read from under Spark Connect: the session's own configuration."""

    def __init__(self, **settings: str) -> None:
        self.conf = {f"spark.hadoop.{key.replace('_', '.')}": value for key, value in settings.items()}


def test_settings_of_a_cluster_become_those_of_the_library() -> None:
    session = _Session(
        fs_s3a_access_key="everywhere",
        fs_s3a_bucket_b_access_key="here",
        fs_s3a_secret_key="hidden",
        fs_s3a_endpoint="host:9000",
        fs_s3a_connection_ssl_enabled="false",
        fs_s3a_path_style_access="true",
    )
    found = object_store_settings("s3a://b/x", session)  # type: ignore[arg-type]
    assert found == {
        "access_key_id": "here",
        "secret_access_key": "hidden",
        "endpoint": "http://host:9000",
        "region": "us-east-1",
        "virtual_hosted_style_request": False,
    }


def test_settings_of_azure() -> None:
    session = _Session(fs_azure_account_key_a_dfs_core_windows_net="k")
    found = object_store_settings("abfss://c@a.dfs.core.windows.net/x", session)  # type: ignore[arg-type]
    assert found == {"account_name": "a", "account_key": "k"}
