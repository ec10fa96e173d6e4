"""A folder of files that can be made again, with a list of their checksums: for what readers keep in a cache."""

from __future__ import annotations

from pathlib import Path

from headwater.storage import StorageError
from headwater.store.checksum import Damaged, checksum, sealed, unsealed
from headwater.store.local_files import MAX_CHECKED_BYTES, check_file

_LIST = "checksums.json"


def write_checksums(folder: Path) -> None:
    """Write the list of the files in a folder."""
    files = {path.name: [path.stat().st_size, checksum(path)] for path in sorted(folder.iterdir())}
    (folder / _LIST).write_bytes(sealed({"files": files}))


def check_folder(folder: Path) -> None:
    """Refuse a folder with a file that is not as it was written. Files that take long to read are checked for their size only."""
    try:
        files = unsealed((folder / _LIST).read_bytes(), must=True)["files"]
        content = sum(size for size, _ in files.values()) <= MAX_CHECKED_BYTES
        for name, (size, expected) in files.items():
            check_file(folder / name, size, expected if content else "")
    except FileNotFoundError:  # made by an earlier version
        return
    except (Damaged, KeyError) as error:
        raise StorageError(f"{folder} is damaged; remove that folder, it is made anew") from error
