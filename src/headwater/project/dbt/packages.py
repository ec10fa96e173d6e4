"""A project and its packages: where each lies, and what its `dbt_project.yml` says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from headwater.files import leads_out, refusal
from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, inners, text, texts
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.folder import PROJECT_FILE
from headwater.project.dbt.package import KINDS_OF_PATHS, Package
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.objects import Place

_LISTS = ("packages.yml", "dependencies.yml")


def packages_of(root: Path, settings: Document, surroundings: Surroundings, remarks: Remarks) -> tuple[Package, ...]:
    """The project, and the packages of it that are at hand: installed, or local ones that it names."""
    own = Package(text(settings, "name") or "dbt", root, "", settings)
    found = {own.name: own}
    installed = text(settings, "packages-install-path") or "dbt_packages"
    if leads_out(root / installed, root):
        _tell_outside("packages-install-path", installed, own, remarks)
        installed = ""
    for folder in filter(None, (installed, "dbt_modules")):
        for place in sorted((root / folder).glob(f"*/{PROJECT_FILE}")) if (root / folder).is_dir() else ():
            _add(found, place.parent, f"{folder}/{place.parent.name}", surroundings, remarks)
    pending = [own]
    while pending:
        package = pending.pop()
        for local in _local(package, surroundings, remarks):
            place = (package.root / local).resolve()
            if refusal(place):
                _tell_outside("the package", local, package, remarks)
            elif (place / PROJECT_FILE).is_file():
                shown = f"{package.folder}/{local}" if package.folder else local
                made = _add(found, place, shown, surroundings, remarks)
                pending += [made] if made is not None else []
    for package in found.values():
        for kind in KINDS_OF_PATHS:
            for path in set(package.written_paths(kind)) - set(package.paths(kind)):
                _tell_outside(kind, path, package, remarks)
    return tuple(found.values())


def _tell_outside(what: str, path: str, package: Package, remarks: Remarks) -> None:
    """Say that a path of a project leads out of what was named."""
    shown = (package.root / PROJECT_FILE).as_posix()
    message = f"{what} {path} leads out of the folders that were named: it is not read"
    remarks.add(Code.UNREADABLE_FILE, message, Place(shown), subject=path, hint="name its folder, too")


def _add(
    found: dict[str, Package], root: Path, folder: str, surroundings: Surroundings, remarks: Remarks
) -> Package | None:
    settings = surroundings.settings(read_yaml(root / PROJECT_FILE, f"{folder}/{PROJECT_FILE}", remarks))
    name = text(settings, "name")
    if not name or name in found:
        return None
    found[name] = Package(name, root, folder, settings)
    return found[name]


def _listed(package: Package, surroundings: Surroundings, remarks: Remarks) -> Iterator[Document]:
    for file in _LISTS:
        path = package.root / file
        if path.is_file():
            yield from inners(surroundings.settings(read_yaml(path, path.as_posix(), remarks)), "packages")


def _local(package: Package, surroundings: Surroundings, remarks: Remarks) -> Iterator[str]:
    return (text(entry, "local") for entry in _listed(package, surroundings, remarks) if text(entry, "local"))


def missing_packages(packages: tuple[Package, ...], surroundings: Surroundings, remarks: Remarks) -> tuple[str, ...]:
    """Packages that the project asks for and that are not at hand, by the names that they most likely have."""
    known = {package.name for package in packages}
    wanted = (text(entry, "package") or text(entry, "git") for entry in _listed(packages[0], surroundings, remarks))
    names = (re.sub(r"\.git$", "", each.rstrip("/")).rpartition("/")[2].replace("-", "_") for each in wanted if each)
    return tuple(dict.fromkeys(name for name in names if name not in known))


def search_orders(settings: Document) -> Mapping[str, tuple[str, ...]]:
    """Where macros of a package are looked for, by `dispatch`."""
    return {text(each, "macro_namespace"): texts(each, "search_order") for each in inners(settings, "dispatch")}
