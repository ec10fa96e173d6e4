"""Files of Iceberg tables through Headwater's storages, so that credentials and end points are those of its stores."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from pyiceberg.io import FileIO, InputFile, InputStream, OutputFile, OutputStream

from headwater.storage import Storage


class StorageFiles(FileIO):
    """Opens the files below the root of a storage, by their whole locations."""

    def __init__(self, storage: Storage, root: str) -> None:
        super().__init__({})
        self.storage = storage
        self.root = root.rstrip("/")

    def key(self, location: str) -> str:
        """The key of a location."""
        if not location.startswith(f"{self.root}/"):
            raise ValueError(f"{location} is not below {self.root}")
        return location.removeprefix(f"{self.root}/")

    def new_input(self, location: str) -> InputFile:
        """A file to read."""
        return _Input(self, location)

    def new_output(self, location: str) -> OutputFile:
        """A file to write."""
        return _Output(self, location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        """Delete a file."""
        named = location if isinstance(location, str) else location.location
        self.storage.delete([self.key(named)])


class _Input(InputFile):
    """A file to read: read whole, as only metadata and the small table of snapshots are read."""

    def __init__(self, files: StorageFiles, location: str) -> None:
        super().__init__(location)
        self._files = files

    def __len__(self) -> int:
        return len(self._content())

    def exists(self) -> bool:
        try:
            self._content()
        except FileNotFoundError:
            return False
        return True

    def open(self, seekable: bool = True) -> InputStream:
        return io.BytesIO(self._content())

    def _content(self) -> bytes:
        return self._files.storage.read(self._files.key(self.location))


class _Output(OutputFile):
    """A file to write: written on this machine first, and uploaded when it is closed."""

    def __init__(self, files: StorageFiles, location: str) -> None:
        super().__init__(location)
        self._files = files
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def exists(self) -> bool:
        return self.to_input_file().exists()

    def to_input_file(self) -> InputFile:
        return self._files.new_input(self.location)

    def create(self, overwrite: bool = False) -> OutputStream:
        return _Upload(self)

    def upload(self, path: Path) -> None:
        self._size = path.stat().st_size
        self._files.storage.upload(path, self._files.key(self.location))


class _Upload(io.FileIO):
    """A temporary file that becomes an output when it is closed."""

    def __init__(self, output: _Output) -> None:
        self._output = output
        with tempfile.NamedTemporaryFile(prefix="headwater-", delete=False) as made:
            self._path = Path(made.name)
        super().__init__(self._path, "w")

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        try:
            self._output.upload(self._path)
        finally:
            self._path.unlink(missing_ok=True)
