"""`config(…)`, which writes nothing and is kept, and `config.get(…)`, which gives what was kept or what YAML says."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.model.unknown_part import UNKNOWN_MACRO_PART
from headwater.source.jinja_unknown import unmarked


class Config:
    """The configuration of the model that is rendered."""

    def __init__(self, others: Mapping[str, object]) -> None:
        """*others*: what folders and YAML files say."""
        self.kept: dict[str, object] = {}
        self._others = others

    def __call__(self, *args: object, **settings: object) -> str:
        """Keep settings."""
        for given in (*(arg for arg in args if isinstance(arg, Mapping)), settings):
            self.kept.update({str(name): value for name, value in unmarked(dict(given), UNKNOWN_MACRO_PART).items()})
        return ""

    def set(self, name: str, value: object = None) -> str:
        """Keep one setting."""
        return self({str(name): value})

    def get(self, name: str, default: object = None, **_: object) -> object:
        """What is set under a name; a default where that is nothing."""
        found = self.kept.get(name, self._others.get(name))
        return default if found is None else found

    def require(self, name: str, **_: object) -> object:
        """What is set under a name, which must be."""
        found = self.get(name)
        if found is None:
            raise LookupError(f"{name} is not configured")
        return found

    def meta_get(self, name: str, default: object = None, **_: object) -> object:
        """What `meta` has under a name."""
        for meta in (self.kept.get("meta"), self._others.get("meta")):
            if isinstance(meta, Mapping) and name in meta:
                return meta[name]
        return default

    meta_require = meta_get

    def persist_relation_docs(self) -> bool:
        """Whether comments are written: they count for nothing here."""
        return False

    persist_column_docs = persist_relation_docs
