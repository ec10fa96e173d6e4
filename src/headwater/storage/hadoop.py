"""Files on HDFS, and on every other file system that Hadoop's Java client knows: through the JVM of the Spark session, or a small one.

A build uses the session's own JVM, and so the cluster's jars and credentials. A reader has none: it starts a JVM with the jars of the
installed PySpark, and reads the configuration in HADOOP_CONF_DIR.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from headwater.storage.interface import StorageError, StoredFile
from headwater.storage.uri import join

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class HadoopStorage:
    """The files below a folder of a Hadoop file system."""

    folder = None

    def __init__(self, place: str, jvm: Any, configuration: Any) -> None:
        self.uri = place.rstrip("/")
        self._jvm = jvm
        with self._reasons(""):
            self._system = jvm.org.apache.hadoop.fs.FileSystem.get(jvm.java.net.URI(self.uri), configuration)

    @classmethod
    def of(cls, place: str, spark: SparkSession | None) -> HadoopStorage:
        """The storage of a place, by a session's JVM if there is one."""
        session: Any = spark
        if session is not None:
            context = getattr(session, "_jsc", None)
            if context is None:
                raise StorageError(
                    f"{place}: a Spark Connect session does not give access to this file system; "
                    "name a store on S3, Google Cloud Storage or Azure, or a mounted folder"
                )
            return cls(place, session._jvm, context.hadoopConfiguration())
        jvm = _own_jvm()
        return cls(place, jvm, jvm.org.apache.hadoop.conf.Configuration())

    def read(self, key: str) -> bytes:
        """Read a file."""
        with self._reasons(key):
            stream = self._system.open(self._path(key))
            try:
                return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def write(self, key: str, content: bytes) -> None:
        """Write a small file, or replace it."""
        with self._reasons(key):
            beside = self._written_beside(key, content)
            self._system.delete(self._path(key), False)
            self._system.rename(beside, self._path(key))

    def create(self, key: str, content: bytes) -> bool:
        """Write a small file if it does not exist: a rename, which fails if the name is taken."""
        with self._reasons(key):
            beside = self._written_beside(key, content)
            if not self._system.exists(self._path(key)) and self._system.rename(beside, self._path(key)):
                return True
            self._system.delete(beside, False)
            return False

    def _written_beside(self, key: str, content: bytes) -> Any:
        beside = self._path(f"{key.rpartition('/')[0]}/.tmp-{uuid4().hex[:12]}".lstrip("/"))
        stream = self._system.create(beside, True)
        stream.write(bytearray(content))
        stream.close()
        return beside

    def files(self, prefix: str) -> list[StoredFile]:
        """List files."""
        found: list[StoredFile] = []
        with self._reasons(prefix):
            folder = self._path(prefix)
            if not self._system.exists(folder):
                return found
            above = self._system.makeQualified(self._path("")).toUri().getPath().rstrip("/") + "/"
            listed = self._system.listFiles(folder, True)
            while listed.hasNext():
                each = listed.next()
                key = each.getPath().toUri().getPath().removeprefix(above)
                if not key.rpartition("/")[2].startswith(".tmp-"):
                    found.append(StoredFile(key, each.getLen(), each.getModificationTime() / 1000))
        return sorted(found)

    def delete(self, keys: Iterable[str]) -> None:
        """Delete files."""
        for key in keys:
            with self._reasons(key):
                self._system.delete(self._path(key), False)

    def clear(self, prefix: str) -> None:
        """Delete all files with a prefix."""
        self.delete([file.key for file in self.files(prefix)])

    def upload(self, source: Path, key: str) -> None:
        """Copy a local file to a key."""
        with self._reasons(key):
            self._system.copyFromLocalFile(False, True, self._local(source), self._path(key))

    def download(self, key: str, target: Path) -> None:
        """Copy a file to a local path."""
        with self._reasons(key):
            self._system.copyToLocalFile(False, self._path(key), self._local(target), True)

    def flush(self, prefix: str) -> None:
        """Do nothing: a closed file of HDFS is durable."""

    def _path(self, key: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(join(self.uri, key) if key else self.uri)

    def _local(self, path: Path) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"file://{path.absolute()}")

    @contextmanager
    def _reasons(self, key: str) -> Iterator[None]:
        """Turn Java's exceptions into `StorageError`, in one line."""
        from py4j.protocol import Py4JError, Py4JJavaError

        try:
            yield
        except Py4JJavaError as error:
            java = error.java_exception
            name = java.getClass().getSimpleName()
            if name == "FileNotFoundException":
                raise FileNotFoundError(f"{self.uri}/{key}") from error
            reason = str(java.getMessage() or name).strip().splitlines()[0]
            raise StorageError(f"{self.uri}: {reason}") from error
        except Py4JError as error:
            raise StorageError(f"{self.uri}: the Java process does not answer") from error


@cache
def _own_jvm() -> Any:
    """A JVM with the jars of the installed PySpark, without Spark itself."""
    try:
        from pyspark.conf import SparkConf
        from pyspark.java_gateway import launch_gateway
    except ImportError as error:
        raise StorageError(
            "files on HDFS are read by Hadoop's Java client, which comes with PySpark: pip install 'headwater[spark]'"
        ) from error
    from headwater.runtime.java import NoJava, java_home

    try:
        os.environ["JAVA_HOME"] = str(java_home())
    except NoJava as error:
        raise StorageError(str(error)) from error
    launch: Any = launch_gateway
    return launch(SparkConf(loadDefaults=False).setMaster("local[1]").setAppName("headwater")).jvm
