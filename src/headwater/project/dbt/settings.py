"""What `dbt_project.yml` and `profiles.yml` say: paths, variables, the configuration of folders, the adapter.

models:
shop:
staging:
+materialized: view
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headwater.project.dbt.document import Document, as_document, inner, text, texts
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.remarks import Remarks

_PATHS = {
    "model-paths": "models",
    "seed-paths": "seeds",
    "snapshot-paths": "snapshots",
    "analysis-paths": "analyses",
    "macro-paths": "macros",
}
_KNOWN = ("materialized", "enabled", "tags", "meta", "delimiter", "quote_columns", "column_types")
"""What folders may say that is asked for here."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A project's settings. Nothing else of them is looked at: profiles hold passwords."""

    content: Document
    adapter: str

    @property
    def name(self) -> str:
        """The project's name."""
        return text(self.content, "name") or "dbt"

    def paths(self, kind: str) -> tuple[str, ...]:
        """The folders of a kind of files."""
        return texts(self.content, kind) or (_PATHS[kind],)

    def variables(self, given: Mapping[str, object]) -> dict[str, object]:
        """The variables of the project; those that are *given* win."""
        content = inner(self.content, "vars")
        return {**content, **inner(content, self.name), **given}

    def of_folder(self, section: str, path: str) -> dict[str, object]:
        """The configuration that a file below *path* has from the folders that it lies in."""
        found: dict[str, object] = {}
        level = inner(self.content, section)
        for step in ("", self.name, *path.split("/")[1:]):
            level = as_document(level.get(step)) if step else level
            for key in _KNOWN:
                value = level.get(f"+{key}", level.get(key))
                if value is not None:
                    found[key] = (
                        [*texts(found, key), *texts(level, f"+{key}"), *texts(level, key)] if key == "tags" else value
                    )
        return found


def read_settings(folder: Folder, root: Path, environment: Mapping[str, str], remarks: Remarks) -> Settings:
    """The settings of a project that is not compiled."""
    profiles = Path(environment.get("DBT_PROFILES_DIR") or root) / "profiles.yml"
    content = read_yaml(profiles, profiles.as_posix(), remarks) if profiles.is_file() else {}
    profile = inner(content, text(folder.settings, "profile"))
    outputs = inner(profile, "outputs")
    chosen = inner(outputs, text(profile, "target")) or as_document(next(iter(outputs.values()), None))
    return Settings(folder.settings, text(chosen, "type"))
