"""Names as a database stores them, in a catalog that was made from its lists: which of them were quoted.

In a dialect that folds names, one that is not in the folded case can only be a quoted one: `CustomerName` in PostgreSQL. But people also
type catalogs, in the one case that is easy to type: where no name at all has the dialect's case, those of the other case are folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from headwater.sql.spelled_name import split_name

FoldName = Callable[[str], str]
"""The folded form of a name as a schema spells it; quotes around it keep its case."""

_QUOTES = ('"', "`", "[")


class StoredNames:
    """Reads names of one catalog: folded, unless they can only be quoted ones.

    >>> StoredNames(str.lower, lambda: ())("a")
    'a'
    """

    __slots__ = ("_all_names", "_are_stored", "_fold", "_keeps_quoted")

    def __init__(self, fold: FoldName, all_names: Callable[[], Iterable[str]]) -> None:
        self._fold = fold
        self._all_names = all_names
        self._are_stored: bool | None = None
        self._keeps_quoted = fold('"aA"') == "aA" != fold("aA")

    def __call__(self, name: str) -> str:
        """One name, or one part of a dotted name."""
        folded = self._fold(name)
        if not self._keeps_quoted or folded == name or name.startswith(_QUOTES):
            return folded
        is_mixed = not (name.islower() or name.isupper())
        return name if is_mixed or self._has_folded_case() else folded

    def dotted(self, name: str) -> str:
        """A name of several parts."""
        folded = self._fold(name)
        if not self._keeps_quoted or folded == name:
            return folded
        return ".".join(map(self, split_name(name)))

    def _has_folded_case(self) -> bool:
        """Whether some name has the case that the dialect folds to: then the names are as the database stores them."""
        if self._are_stored is None:
            cased = (name for name in self._all_names() if name.islower() or name.isupper())
            self._are_stored = any(self._fold(name) == name for name in cased)
        return self._are_stored
