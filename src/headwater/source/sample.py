"""Some of the texts that folders, globs and paths name: enough to guess their dialect."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from headwater.files import passes_over
from headwater.source.find import find_files
from headwater.sql.text import read_text

_MAX_FILES = 200
_NO_SQL = (".py", ".ipynb", ".scala", ".r", ".parquet", ".json", ".csv")
"""Files that hold other things than SQL, or SQL among them."""


def sample_texts(paths: Sequence[str]) -> list[str]:
    """The texts of the first SQL files; an `OSError` if a path leads nowhere on this machine."""
    files = islice(find_files(paths), _MAX_FILES)
    return [
        read_text(Path(path)).text for path in files if not path.lower().endswith(_NO_SQL) and not passes_over(path)
    ]
