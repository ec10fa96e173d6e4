"""The files of a project: the first one and what it includes, each once, in the order in which they are met.

What lies in a git repository is not fetched; a copy that Visivo has made is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from headwater.files import files_in, open_file, refusal
from headwater.model.diagnostic import Code
from headwater.model.span import LineIndex
from headwater.project.objects import Place
from headwater.project.read import VISIVO_FILES
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.template import first_control, without_templates
from headwater.project.yaml_document import InvalidDocument, read_document
from headwater.project.yaml_value import Entries, Value

LARGEST = 8 * 1024 * 1024
"""The most bytes of a file that is read: people write no larger ones."""


_NAMES = (".yml", ".yaml")


def read_files(reading: Reading, first: Path) -> dict[str, Entries]:
    """The mappings that a project's files hold, by the paths under which they are shown."""
    found: dict[str, Entries] = {}
    seen: set[Path] = set()
    pending: list[tuple[Path, Place]] = [(first, Place(shown(first)))]
    while pending:
        path, place = pending.pop()
        real = Path(os.path.realpath(path))
        if real in seen:
            continue
        seen.add(real)
        document = _read(reading, path, place)
        if document is None:
            continue
        found[shown(path)] = document
        pending += reversed(list(_of_dbt(reading, document, first.parent)))
        pending += reversed(list(_included(reading, document, path.parent, first.parent)))
    return found


def shown(path: Path) -> str:
    """A path as people see it."""
    return Path(os.path.normpath(path)).as_posix()


def _read(reading: Reading, path: Path, asked: Place) -> Entries | None:
    """What a file holds; None, and a remark, if that is not to be had."""
    place = Place(shown(path))
    if path.exists() and not path.is_file():
        reading.remark(Code.UNREADABLE_FILE, f"{place.path} is no file", asked, place.path)
        return None
    try:
        with open_file(path) as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        reading.remark(Code.UNREADABLE_FILE, f"{place.path} cannot be read: {_reason(error)}", asked, place.path)
        return None
    if len(content) > LARGEST:
        message = f"the file has more than {LARGEST:,} bytes"
        reading.remark(Code.UNREADABLE_FILE, message, place, place.path, "include several smaller ones")
        return None
    try:
        text = content.decode("utf-8-sig")
        value, complaints = read_document(without_templates(text), place.path)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reading.remark(
            Code.UNREADABLE_FILE, "the file is not UTF-8", Place(place.path, line), place.path, "save it as UTF-8"
        )
        return None
    except InvalidDocument as error:
        reading.remark(Code.INVALID_PROJECT, str(error), error.place, place.path)
        return None
    for code, message, where in complaints:
        reading.remark(code, message, where)
    control = first_control(text)
    if control is not None:
        message = "this part of a template is not rendered: what stands in it counts once"
        reading.remark(Code.TEMPLATE, message, Place(place.path, *LineIndex(text).position(control)))
    return reading.entries(value, place.path)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _included(reading: Reading, document: Entries, folder: Path, root: Path) -> Iterator[tuple[Path, Place]]:
    """The files that a file includes, and where it says so."""
    for entries in reading.objects(document.get("includes"), "includes"):
        path = reading.setting(entries.get("path"), "the path of an include")
        if not path:
            continue
        target = Path(f"{folder}/{path}")
        if target.is_dir() and refusal(target):
            message = f"the include {path} leads out of the folders that were named: it is not read"
            reading.remark(Code.INCLUDED_FILE, message, entries.place, path, "name its folder, too")
            continue
        if ".git" in path and not target.exists():
            cached = _cached(path, root)
            if cached is not None:
                yield cached, entries.place
                continue
            message = f"{path} lies in a git repository and is not read"
            hint = "once Visivo has run, its copy is read; or check it out and include the folder"
            reading.remark(Code.INCLUDED_FILE, message, entries.place, path, hint)
            continue
        if target.is_dir():
            depth = reading.setting(entries.get("depth"), "the depth of an include")
            exclusions = _exclusions(reading, entries.get("exclusions"))
            found = _in_folder(target, int(depth) if depth.isdecimal() else None, exclusions)
            yield from ((file, entries.place) for file in found)
        else:
            yield target, entries.place


def _of_dbt(reading: Reading, document: Entries, root: Path) -> Iterator[tuple[Path, Place]]:
    """The file in which Visivo keeps what it has taken from a dbt project."""
    dbt = reading.entries(document.get("dbt"), "dbt")
    if dbt is None or reading.wording(dbt.get("enabled"), "enabled").lower() in {"false", "no", "off"}:
        return
    file = root / (reading.setting(dbt.get("output_file"), "the output_file of dbt") or "target/dbt.yml")
    if file.is_file():
        yield file, dbt.place
    else:
        message = f"what Visivo takes from dbt is not there: {shown(file)}"
        reading.remark(
            Code.INCLUDED_FILE, message, dbt.place, shown(file), "let Visivo make it; or read the dbt project itself"
        )


def _cached(path: str, root: Path) -> Path | None:
    """The copy of `owner/repository.git@version -- file` that Visivo keeps beside the project."""
    repository, _, version = path.partition("@")
    version, _, file = (part.strip() for part in version.partition("--"))
    folder = root / ".visivo_cache" / f"{repository.replace('.git', '')}@{version}"
    found = [folder / name for name in ([file] if file else VISIVO_FILES)]
    return next((candidate for candidate in found if candidate.is_file()), None)


def _exclusions(reading: Reading, value: Value | None) -> list[str]:
    patterns = (reading.setting(item, "an exclusion") for item in reading.items(value, "exclusions"))
    return [pattern for pattern in patterns if pattern]


def _in_folder(folder: Path, depth: int | None, exclusions: list[str]) -> list[Path]:
    """YAML files below a folder, sorted: as deep as is said, without what is excluded."""

    def is_entered(path: str) -> bool:
        return (depth is None or path.count("/") < depth) and not _excluded(Path(path), exclusions)

    found = (path for path in files_in(folder, is_entered) if path.lower().endswith(_NAMES))
    return [folder / path for path in found if not _excluded(Path(path), exclusions)]


def _excluded(path: Path, exclusions: list[str]) -> bool:
    return any(_matches(path, pattern) for pattern in exclusions)


def _matches(path: Path, pattern: str) -> bool:
    """Whether a path is meant by a pattern: a name, a glob, or a regular expression."""
    whole = path.as_posix()
    if fnmatch(path.name, pattern) or fnmatch(whole, pattern):
        return True
    if pattern.startswith("*/"):
        parts = path.parts
        if any(fnmatch("/".join(parts[i:]), pattern[2:]) for i in range(len(parts))):
            return True
    try:
        return re.search(pattern, whole) is not None
    except re.error:
        return False
