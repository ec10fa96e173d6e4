"""What is collected while a project is read: its objects, the names they have, and remarks on what is wrong.

Values are asked for by the shape they should have; one of another shape is remarked on, and counts as not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headwater.model.diagnostic import Code, Diagnostic
from headwater.project.objects import Field, Model, Place, Presentation, Relation, Source
from headwater.project.text import Variable, pieces
from headwater.project.yaml_value import Empty, Entries, Items, Text, Value


@dataclass(slots=True)
class Reading:
    """A project that is being read."""

    environment: Mapping[str, str]
    project: str = ""
    """Its name."""
    root: Entries | None = None
    """The project file itself, for `${project.…}`."""
    default_source: str = ""
    sources: dict[str, Source] = field(default_factory=dict)
    models: list[Model] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    presentations: list[Presentation] = field(default_factory=list)
    catalogs: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    remarks: list[tuple[Diagnostic, Place]] = field(default_factory=list)
    command_tables: dict[str, str] = field(default_factory=dict)
    """The tables that models put a command's output into, by the model's name."""
    arranged: set[str] = field(default_factory=set)
    """Names of rows, items and texts of dashboards: selectors may refer to them, but they hold no data."""
    _names: dict[str, Place] = field(default_factory=dict)
    _unset: set[tuple[str, Place]] = field(default_factory=set)

    def remark(self, code: Code, message: str, place: Place, subject: str = "", hint: str = "") -> None:
        """Notes something that is wrong."""
        self.remarks.append((Diagnostic(code, message, subject=subject, hint=hint), place))

    def claim(self, name: str, place: Place, scope: str = "") -> bool:
        """Whether a name is still free; it is taken then. Two of one name are remarked on, and the first counts."""
        key = f"{scope}.{name}" if scope else name
        first = self._names.get(key)
        if first is None:
            self._names[key] = place
        elif first != place:  # an alias of YAML brings the same object once more
            message = f"{key} is also defined in {first}:{first.column}; that one counts"
            self.remark(Code.DUPLICATE_NAME, message, place, key, "give one of them another name")
        return first is None

    def entries(self, value: Value | None, what: str) -> Entries | None:
        """A mapping."""
        if value is None or isinstance(value, (Entries, Empty)):
            return value if isinstance(value, Entries) else None
        self.wrong(value, what, "a mapping")
        return None

    def items(self, value: Value | None, what: str) -> tuple[Value, ...]:
        """The values of a list; nothing written is an empty one."""
        if value is None or isinstance(value, (Items, Empty)):
            return value.values if isinstance(value, Items) else ()
        self.wrong(value, what, "a list")
        return ()

    def objects(self, value: Value | None, what: str) -> Iterator[Entries]:
        """The mappings of a list."""
        for item in self.items(value, what):
            entries = self.entries(item, f"an entry of {what}")
            if entries is not None:
                yield entries

    def text(self, value: Value | None, what: str) -> Text | None:
        """A text."""
        if value is None or isinstance(value, (Text, Empty)):
            return value if isinstance(value, Text) else None
        self.wrong(value, what, "a text")
        return None

    def wrong(self, value: Value, what: str, wanted: str) -> None:
        """Remarks that a value has not the shape it should have."""
        message = f"{what} should be {wanted}, and is {_SHAPES[type(value)]}"
        self.remark(Code.INVALID_PROJECT, message, value.place, what)

    def setting(self, value: Value | None, what: str) -> str:
        """A short text such as a name, with the environment's variables filled in; empty if there is none."""
        text = self.text(value, what)
        if text is None:
            return ""
        parts = (
            self.variable(piece.part, text, piece.start)
            if isinstance(piece.part, Variable)
            else text.value[piece.start : piece.end]
            for piece in pieces(text.value)
        )
        return "".join(parts).strip()

    def wording(self, value: Value | None, what: str) -> str:
        """A text for people, as it is written; empty if there is none."""
        text = self.text(value, what)
        return text.value.strip() if text else ""

    def variable(self, variable: Variable, text: Text, offset: int) -> str:
        """The value of a variable that a text names; of one that is not set, its name."""
        value = self.environment.get(variable.name)
        if value is None and (variable.name, text.place) not in self._unset:
            self._unset.add((variable.name, text.place))
            message = f"the environment has no variable {variable.name}"
            hint = "set it, so that names that are made of it are known"
            self.remark(Code.UNSET_VARIABLE, message, text.at(offset), variable.name, hint)
        return variable.name if value is None else value

    def name(self, entries: Entries, what: str, otherwise: str = "") -> str:
        """An object's name; one that should have a name and has none is remarked on."""
        name = self.setting(entries.get("name"), f"the name of {what}")
        if not name and not otherwise:
            self.remark(Code.INVALID_PROJECT, f"{what} has no name", entries.place, what, "give it a name")
        return name or otherwise


_SHAPES: dict[type[Text | Items | Entries | Empty], str] = {
    Text: "a text",
    Items: "a list",
    Entries: "a mapping",
    Empty: "empty",
}
