"""The service's messages to trees: wrappers and the chains of parents that stand for inheritance are left out."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.zetasql.tree import Column, Node, Type

_LEFT_OUT = frozenset(
    {"signature", "function_call_info", "type_annotation_map", "annotation_map", "collation", "in_collation"}
    | {"collation_list", "hint_list", "column_access_list", "error_mode", "type_modifiers", "returning_annotation_map"}
    | {"generated_column_expr_list", "file_descriptor_set", "function_name_location"}
)
"""Fields that say nothing about where data comes from."""
_TYPE_NAMES = {"DOUBLE": "FLOAT64", "FLOAT": "FLOAT32"}


class Messages:
    """Makes trees; types that were met before are made once."""

    def __init__(self) -> None:
        from zetasql.wasi._pb2.zetasql.public import type_pb2

        self._kinds: Any = type_pb2.TypeKind
        self._types: dict[bytes, Type] = {}

    def tree(self, message: Any) -> Any:
        """The tree of a message."""
        name = message.DESCRIPTOR.name
        if name.startswith("Any"):
            chosen = message.WhichOneof("node")
            return self.tree(getattr(message, chosen)) if chosen else None
        if name == "ResolvedColumnProto":
            return Column(message.column_id, message.table_name, message.name, self.type(message.type))
        if name == "TypeProto":
            return self.type(message)
        if name in ("FunctionRefProto", "TableRefProto", "TableValuedFunctionRefProto"):
            return message.name
        if name == "ValueWithTypeProto":
            return _written(message.value)
        fields: dict[str, Any] = {}
        self._fill(fields, message)
        return Node(name.removeprefix("Resolved").removesuffix("Proto"), fields)

    def _fill(self, fields: dict[str, Any], message: Any) -> None:
        for field, value in message.ListFields():
            name = field.name
            if name == "parent" and field.message_type is not None:
                self._fill(fields, value)
            elif name in _LEFT_OUT:
                continue
            elif name == "parse_location_range":
                fields["written"] = True
            elif field.message_type is not None:
                fields[name] = [self.tree(each) for each in value] if field.is_repeated else self.tree(value)
            elif field.is_repeated:
                fields[name] = list(value)
            elif field.enum_type is not None:
                found = field.enum_type.values_by_number.get(value)
                fields[name] = found.name if found is not None else str(value)
            else:
                fields[name] = value

    def type(self, message: Any) -> Type:
        """A type."""
        key = message.SerializeToString()
        found = self._types.get(key)
        if found is None:
            found = self._types[key] = self._made(message)
        return found

    def _made(self, message: Any) -> Type:
        name = self._kinds.Name(message.type_kind).removeprefix("TYPE_")
        if name == "ARRAY":
            return Type(name, element=self.type(message.array_type.element_type))
        if name == "RANGE":
            return Type(name, element=self.type(message.range_type.element_type))
        fields = tuple((each.field_name, self.type(each.field_type)) for each in message.struct_type.field)
        return Type(_TYPE_NAMES.get(name, name), fields)


def _written(value: Any) -> str:
    """A constant as SQL would have it, as far as that is short."""
    chosen = value.WhichOneof("value")
    if chosen is None:
        return "NULL"
    content = getattr(value, chosen)
    if chosen == "string_value":
        return f"'{content}'"
    return str(content) if isinstance(content, (bool, int, float)) else chosen.removesuffix("_value")
