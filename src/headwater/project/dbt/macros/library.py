"""`Library`: the macros of a project, its packages and dbt; which one a name means, by dbt's rules.

A bare name means the macro of the package whose model is rendered, else of the project, else of dbt itself; `package.name` means that of a
package. A macro that calls another one of its own package must name the package; where it does not, it is understood all the same.
A macro is compiled when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from headwater.project.dbt.context.adapter import prefixes_of
from headwater.project.dbt.macros.texts import MacroText
from headwater.source.template import TemplateProblem

INTERNAL = "dbt"
"""The package by which dbt's own macros are called, whichever Python package has them."""
Compile = Callable[[MacroText, "Namespace"], Any]


class Library:
    """All macros. *context* has what is no macro; of it, *forced* wins over macros of the same name."""

    def __init__(
        self,
        project: str,
        adapter: str,
        search_orders: Mapping[str, Sequence[str]],
        context: Mapping[str, Any],
        forced: Mapping[str, Any],
        compile: Compile,
    ) -> None:
        self.project, self.context, self.forced = project, context, forced
        self.here = project
        """The package whose model is rendered."""
        self._prefixes = prefixes_of(adapter)
        self._search_orders = search_orders
        self._compile = compile
        self._texts: dict[str, dict[str, MacroText]] = {}
        self._made: dict[tuple[str, str], Any] = {}
        self._internal: dict[str, MacroText] = {}
        self._namespaces: dict[str, Namespace] = {}
        self.broken: dict[tuple[str, str], str] = {}
        """Macros that cannot be compiled, and why."""

    def add(self, macros: Iterable[MacroText], internal: bool = False) -> None:
        """Make macros known; the first of a name wins among dbt's own, the last in every other package."""
        for macro in macros:
            if internal:
                self._internal.setdefault(macro.name, macro)
            else:
                self._texts.setdefault(macro.package, {})[macro.name] = macro

    def has_package(self, name: str) -> bool:
        """Whether macros of a package are known."""
        return name in self._texts or (name == INTERNAL and bool(self._internal))

    def namespace(self, package: str) -> Namespace:
        """What names mean in a package's templates."""
        return self._namespaces.setdefault(package, Namespace(self, package))

    def text(self, package: str, name: str) -> MacroText | None:
        """A macro of a package."""
        own = self._texts.get(package, {}).get(name)
        return own if own is not None or package != INTERNAL else self._internal.get(name)

    def of_package(self, package: str) -> Iterable[MacroText]:
        """The macros of a package, as they are written."""
        return self._texts.get(package, {}).values()

    def meant(self, package: str, name: str) -> MacroText | None:
        """The macro that a bare name means in a package."""
        own = self.text(self.here, name) or self.text(self.project, name)
        return own or self._internal.get(name) or self.text(package, name)

    def macro(self, text: MacroText) -> Any:
        """A macro, compiled."""
        key = (text.package, text.name)
        if key not in self._made:
            try:
                self._made[key] = self._compile(text, self.namespace(text.package))
            except TemplateProblem as problem:
                self.broken[key] = str(problem)
                self._made[key] = None
        return self._made[key]

    def dispatched(self, name: str, namespace: str | None, package: str) -> Any:
        """The macro that `adapter.dispatch` means: by packages, and in each by the adapter's prefixes."""
        for searched in self._searched(namespace, package):
            for prefix in self._prefixes:
                wanted = f"{prefix}__{name}"
                found = self.text(searched, wanted) if searched else self.meant(package, wanted)
                made = self.macro(found) if found is not None else None
                if made is not None:
                    return made
        return None

    def _searched(self, namespace: str | None, package: str) -> Sequence[str]:
        """The packages to search; an empty name for what a bare name means, as dbt has it for a namespace that is no package."""
        if namespace is None:
            return ("",)
        given = self._search_orders.get(namespace)
        is_foreign = namespace != package and namespace in self._texts
        return given if given else (self.project, namespace, *(() if is_foreign else ("",)))


class ContextView(Mapping[str, Any]):
    """`context` in a template: all that it sees, by name."""

    def __init__(self, names: Callable[[], Namespace]) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __getitem__(self, name: str) -> Any:
        return self._names()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def get(self, name: str, default: Any = None) -> Any:
        """What a name means; a default for one that nobody has."""
        if name not in self:
            return default
        return self[name]


class PackageMacros(Mapping[str, Any]):
    """`dbt_utils` in a template: the macros of a package, by name."""

    def __init__(self, library: Library, package: str, unknown: Callable[[str], Any]) -> None:
        self._library, self._package, self._unknown = library, package, unknown

    def __getitem__(self, name: str) -> Any:
        if self._package == INTERNAL and name in self._library.forced:
            return self._library.forced[name]
        text = self._library.text(self._package, name)
        made = self._library.macro(text) if text is not None else None
        return made if made is not None else self._unknown(f"{self._package}.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1

    def get(self, name: str, default: Any = None) -> Any:
        """A macro by its name."""
        is_forced = self._package == INTERNAL and name in self._library.forced
        return self[name] if is_forced or self._library.text(self._package, name) is not None else default


class Namespace(Mapping[str, Any]):
    """What names mean in the templates of a package."""

    def __init__(self, library: Library, package: str) -> None:
        self._library, self._package = library, package
        self.unknown: Callable[[str], Any] = lambda name: None

    def __contains__(self, name: object) -> bool:
        library = self._library
        return isinstance(name, str) and (
            name in library.forced
            or library.meant(self._package, name) is not None
            or library.has_package(name)
            or name in library.context
        )

    def __getitem__(self, name: str) -> Any:
        library = self._library
        if name in library.forced:
            return library.forced[name]
        text = library.meant(self._package, name)
        made = library.macro(text) if text is not None else None
        if made is not None:
            return made
        if name in library.context:
            return library.context[name]
        return PackageMacros(library, name, self.unknown) if library.has_package(name) else self.unknown(name)

    def copy(self) -> dict[str, Any]:
        """Nothing: Jinja asks for all names only to show them in a traceback."""
        return {}

    def __iter__(self) -> Iterator[str]:
        return iter((*self._library.forced, *self._library.context))

    def __len__(self) -> int:
        return len(self._library.context)
