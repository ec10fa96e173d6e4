"""A cluster's Hadoop configuration as settings of obstore, so that the driver reaches what Spark reaches, with the same credentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from headwater.storage.uri import scheme

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Get = Callable[[str], "str | None"]

_S3 = {
    "access.key": "access_key_id",
    "secret.key": "secret_access_key",
    "session.token": "session_token",
    "endpoint": "endpoint",
    "endpoint.region": "region",
}
_GCS = {"fs.gs.auth.service.account.json.keyfile": "service_account", "fs.gs.project.id": "project_id"}


def object_store_settings(place: str, spark: SparkSession) -> Mapping[str, Any]:
    """The settings of obstore for a place, by the Hadoop configuration of a session."""
    get = hadoop_setting(spark)
    if scheme(place) in ("s3", "s3a", "s3n"):
        return _s3(urlsplit(place).netloc, get)
    if scheme(place) == "gs":
        return {ours: value for theirs, ours in _GCS.items() if (value := get(theirs))}
    return _azure(urlsplit(place).netloc, get)


def hadoop_setting(spark: SparkSession) -> Get:
    """Look up a setting of a session's Hadoop configuration; under Spark Connect, what the session shows of it."""
    session: Any = spark
    context = getattr(session, "_jsc", None)
    if context is not None:
        configuration = context.hadoopConfiguration()
        return lambda key: configuration.get(key)
    return lambda key: session.conf.get(f"spark.hadoop.{key}", None)


def _s3(bucket: str, get: Get) -> Mapping[str, Any]:
    def setting(key: str) -> str | None:
        return get(f"fs.s3a.bucket.{bucket}.{key}") or get(f"fs.s3a.{key}")

    found: dict[str, Any] = {ours: value for theirs, ours in _S3.items() if (value := setting(theirs))}
    if "endpoint" in found and "://" not in found["endpoint"]:
        secure = (setting("connection.ssl.enabled") or "true").lower() == "true"
        found["endpoint"] = f"{'https' if secure else 'http'}://{found['endpoint']}"
    if "endpoint" in found:
        found.setdefault("region", "us-east-1")
        found["virtual_hosted_style_request"] = (setting("path.style.access") or "false").lower() != "true"
    return found


def _azure(host: str, get: Get) -> Mapping[str, Any]:
    account_host = host.rpartition("@")[2]
    account = account_host.partition(".")[0]
    found: dict[str, Any] = {"account_name": account} if "@" in host else {}

    def setting(key: str) -> str | None:
        return get(f"{key}.{account_host}") or get(key)

    if key := setting("fs.azure.account.key"):
        found["account_key"] = key
    if client := setting("fs.azure.account.oauth2.client.id"):
        found["client_id"] = client
        found["client_secret"] = setting("fs.azure.account.oauth2.client.secret") or ""
        endpoint = setting("fs.azure.account.oauth2.client.endpoint") or ""
        found["tenant_id"] = urlsplit(endpoint).path.strip("/").partition("/")[0]
    return {name: value for name, value in found.items() if value}
