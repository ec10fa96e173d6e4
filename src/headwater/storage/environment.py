"""Settings of object stores that the environment has under names which the Rust libraries, obstore and delta-rs, do not read themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from headwater.storage.uri import scheme

_ENDPOINTS = ("endpoint", "aws_endpoint", "azure_storage_endpoint")


def environment_settings(place: str) -> dict[str, str]:
    """End point and region of the object store of a place, as the environment says."""
    if scheme(place) in ("az", "abfs", "abfss"):
        endpoint = os.environ.get("AZURE_STORAGE_ENDPOINT") or os.environ.get("AZURE_ENDPOINT")
        return {"endpoint": endpoint} if endpoint else {}
    if scheme(place) not in ("s3", "s3a", "s3n"):
        return {}
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    found = {"endpoint": endpoint, "region": region or ("us-east-1" if endpoint else None)}
    return {name: value for name, value in found.items() if value}


def is_without_tls(settings: Mapping[str, Any]) -> bool:
    """Whether settings name an end point that is reached by plain HTTP."""
    return any(str(settings.get(each, "")).startswith("http://") for each in _ENDPOINTS)
