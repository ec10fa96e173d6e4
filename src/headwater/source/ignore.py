"""`IgnoreRules`: files that are not to be read, by patterns as in `.gitignore`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pathspec import GitIgnoreSpec

from headwater.sql.text import read_text

IGNORE_FILE = ".headwaterignore"


class IgnoreRules:
    """Patterns and the folders they count from; of several that fit a path, the last one decides, and `!` takes a path back in.

    >>> rules = IgnoreRules().with_patterns("", ["old/", "*_test.sql", "!keep_test.sql"])
    >>> [rules.ignores(path) for path in ("old/a.sql", "x/b_test.sql", "keep_test.sql")]
    [True, True, False]
    """

    __slots__ = ("_layers",)

    def __init__(self, layers: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._layers = layers

    def with_patterns(self, folder: str, patterns: Iterable[str]) -> IgnoreRules:
        """These rules and, after them, patterns that count from a folder, which is a path with slashes, or empty."""
        return IgnoreRules((*self._layers, (folder, GitIgnoreSpec.from_lines(patterns))))

    def with_file(self, folder: str, file: Path) -> IgnoreRules:
        """These rules and those of an ignore file, if there is one."""
        return self.with_patterns(folder, read_text(file).text.splitlines()) if file.is_file() else self

    def ignores(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path, with slashes, is not to be read."""
        ignored = False
        for folder, spec in self._layers:
            if not folder or path.startswith(f"{folder}/"):
                below = path[len(folder) + 1 :] if folder else path
                verdict = spec.check_file(f"{below}/" if is_folder else below).include
                ignored = ignored if verdict is None else verdict
        return ignored
