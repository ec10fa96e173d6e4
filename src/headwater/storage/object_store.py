"""Objects in S3, Google Cloud Storage and Azure, by `obstore`: it has conditional writes, which `pyarrow.fs` lacks (decision 13)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    PreconditionError,
    UnauthenticatedError,
)
from obstore.store import from_url

from headwater.storage.environment import environment_settings, is_without_tls
from headwater.storage.interface import StorageError, StoredFile
from headwater.storage.uri import scheme, spark_uri

_KEYS_PER_DELETE = 500
_PATIENCE: dict[str, Any] = {"timeout": "120s", "connect_timeout": "10s"}
_RETRIES: Any = {"max_retries": 5, "retry_timeout": timedelta(seconds=60)}


class ObjectStorage:
    """The objects below a prefix of a bucket."""

    folder = None

    def __init__(self, place: str, settings: Mapping[str, Any]) -> None:
        self.uri = spark_uri(place).rstrip("/")
        self._place = place.rstrip("/")
        config = {**environment_settings(place), **settings}
        patience = dict(_PATIENCE)
        if is_without_tls(config):
            patience["allow_http"] = True
        with self._reasons(""):
            options: dict[str, Any] = {"config": config, "client_options": patience, "retry_config": _RETRIES}
            self._store: Any = from_url(_url(self._place), **options, **_credentials(place, config))

    def read(self, key: str) -> bytes:
        """Read an object."""
        with self._reasons(key):
            return bytes(obstore.get(self._store, key).bytes())

    def write(self, key: str, content: bytes) -> None:
        """Write an object, or replace it: objects appear as a whole."""
        with self._reasons(key):
            obstore.put(self._store, key, content)

    def create(self, key: str, content: bytes) -> bool:
        """Write an object if it does not exist (`If-None-Match: *`)."""
        with self._reasons(key):
            try:
                obstore.put(self._store, key, content, mode="create", use_multipart=False)
            except (AlreadyExistsError, PreconditionError):
                return False
        return True

    def files(self, prefix: str) -> list[StoredFile]:
        """List objects."""
        found: list[StoredFile] = []
        with self._reasons(prefix):
            for batch in obstore.list(self._store, prefix or None):
                found += (StoredFile(each["path"], each["size"], each["last_modified"].timestamp()) for each in batch)
        return sorted(file for file in found if file.key.startswith(prefix))

    def delete(self, keys: Iterable[str]) -> None:
        """Delete objects."""
        all_keys = list(keys)
        for first in range(0, len(all_keys), _KEYS_PER_DELETE):
            with self._reasons(all_keys[first]):
                try:
                    obstore.delete(self._store, all_keys[first : first + _KEYS_PER_DELETE])
                except FileNotFoundError:
                    self._delete_one_by_one(all_keys[first : first + _KEYS_PER_DELETE])

    def _delete_one_by_one(self, keys: list[str]) -> None:
        for key in keys:
            try:
                obstore.delete(self._store, key)
            except FileNotFoundError:
                continue

    def clear(self, prefix: str) -> None:
        """Delete all files with a prefix."""
        self.delete([file.key for file in self.files(prefix)])

    def upload(self, source: Path, key: str) -> None:
        """Copy a local file to a key."""
        with self._reasons(key):
            obstore.put(self._store, key, source)

    def download(self, key: str, target: Path) -> None:
        """Copy an object to a local path."""
        with self._reasons(key), target.open("wb") as file:
            for chunk in obstore.get(self._store, key):
                file.write(chunk)

    def flush(self, prefix: str) -> None:
        """Do nothing: an object is durable as soon as it is written."""

    @contextmanager
    def _reasons(self, key: str) -> Iterator[None]:
        """Turn refusals into `StorageError`, in one line and without what a request carries."""
        try:
            yield
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise StorageError(f"{self._place}: the bucket does not exist") from error
            raise FileNotFoundError(f"{self._place}/{key}") from error
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise StorageError(f"{self._place}: access denied; check the credentials and their permissions") from error
        except (BaseError, ValueError) as error:
            raise StorageError(f"{self._place}: {_line(error)}") from error


def _line(error: Exception) -> str:
    """The reason in an error of obstore: its first sentence, without URLs' queries."""
    text = str(error).partition("\n\n")[0].partition("Debug source")[0]
    words = " ".join(text.split())
    return " ".join(word.partition("?")[0] if "://" in word else word for word in words.split(" "))[:300]


def _url(place: str) -> str:
    """A place as obstore names it."""
    return f"s3://{place.partition('://')[2]}" if scheme(place) in ("s3a", "s3n") else place


def _credentials(place: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Credentials by boto3, where it is installed and neither settings nor environment have keys: profiles, single sign-on."""
    if scheme(place) not in ("s3", "s3a", "s3n") or "access_key_id" in config or "AWS_ACCESS_KEY_ID" in os.environ:
        return {}
    try:
        from boto3.session import Session
        from obstore.auth.boto3 import Boto3CredentialProvider
    except ImportError:
        return {}
    session = Session()
    return {"credential_provider": Boto3CredentialProvider(session)} if session.get_credentials() else {}
