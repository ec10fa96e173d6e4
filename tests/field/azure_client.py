"""One action on Azure's blob store: `azure_client.py ACTION ARGUMENTS…`; the answer is JSON on standard output.

The environment says where the server is. It runs in an environment with obstore.
"""

import base64
import email.utils
import hashlib
import hmac
import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

_VERSION = "2021-08-06"


def container(name: str) -> None:
    """Make a container; obstore cannot, so this signs the one request itself."""
    account, endpoint = os.environ["AZURE_STORAGE_ACCOUNT_NAME"], os.environ["AZURE_STORAGE_ENDPOINT"]
    now = email.utils.formatdate(usegmt=True)
    headers = f"x-ms-date:{now}\nx-ms-version:{_VERSION}\n"
    resource = f"/{account}/{account}/{name}\nrestype:container"
    signed = "PUT" + "\n" * 12 + headers + resource
    key = base64.b64decode(os.environ["AZURE_STORAGE_ACCOUNT_KEY"])
    signature = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
    sent = urllib.request.Request(f"{endpoint}/{name}?restype=container", method="PUT")
    for header, value in (("x-ms-date", now), ("x-ms-version", _VERSION), ("Content-Length", "0")):
        sent.add_header(header, value)
    sent.add_header("Authorization", f"SharedKey {account}:{signature}")
    with urllib.request.urlopen(sent, timeout=30) as answer:
        assert answer.status == 201


def _store(name: str) -> Any:
    from obstore.store import AzureStore  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return AzureStore(name, client_options={"allow_http": True})


def upload(folder: str, name: str, prefix: str) -> list[str]:
    """Put the files of a folder into a container."""
    store, keys = _store(name), []
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            keys.append(str(Path(prefix) / path.relative_to(folder)))
            store.put(keys[-1], path.read_bytes())
    return keys


def twice(name: str, path: str) -> list[str]:
    """Write an object that must be new, twice, then replace it twice by its first tag: how each write ended."""
    store, results = _store(name), []
    for mode in ("create", "create", "tag", "tag"):
        try:
            if mode == "create":
                made = store.put(path, b"x", mode="create")
                tag = made["e_tag"]
            else:
                store.put(path, mode.encode(), mode={"e_tag": tag})
            results.append("written")
        except Exception as error:  # noqa: BLE001 - the kind of error is the answer
            results.append(type(error).__name__)
    return results


ACTIONS: dict[str, Any] = {"container": container, "upload": upload, "twice": twice}

if __name__ == "__main__":
    print(json.dumps(ACTIONS[sys.argv[1]](*sys.argv[2:])))
