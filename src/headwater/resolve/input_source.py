"""Druid's external data: EXTERN and its kin, whose files stand in an input source's JSON; APPEND, which puts tables one after another.

```sql
SELECT a FROM TABLE(EXTERN('{"type":"http","uris":["https://h/x.json"]}', '{"type":"json"}')) EXTEND (a VARCHAR)   -- a of https://h/x.json
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.files import parse_json
from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.resolve.builder import Owner
from headwater.resolve.call_argument import named, named_table
from headwater.resolve.from_item import add_derived, alias_columns
from headwater.resolve.generator import arguments_of
from headwater.resolve.location import path_from_text, read_location
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import in_from

_PLACES = ("uris", "uri", "prefixes", "files", "paths", "path", "basedir")
"""What an input source calls the places of its files."""


@in_from("extern", dialects=("druid",))
def extern(scope: Scope, node: Any, call: Any) -> bool:
    """`EXTERN(inputSource, inputFormat[, signature])`, each in JSON."""
    texts = [each.name for each in arguments_of(call) if isinstance(each, exp.Literal) and each.is_string]
    given = [_parsed(text) for text in texts]
    if not given or not isinstance(given[0], dict):
        return False
    places = _places(given[0])
    if not places and given[0].get("type") != "inline":
        return False
    signature = given[2] if len(given) > 2 and isinstance(given[2], list) else []
    names = [each["name"] for each in signature if isinstance(each, dict) and isinstance(each.get("name"), str)]
    return _put(scope, node, places, names)


@in_from("http", "s3", "localfiles", "google", "azurestorage", "hdfs", dialects=("druid",))
def files(scope: Scope, node: Any, call: Any) -> bool:
    """`HTTP(uris => ARRAY['https://…'], format => 'csv')`, `S3(…)`, `LOCALFILES(files => …)`."""
    options = dict(named(scope, each) for each in arguments_of(call))
    places = [text for name in _PLACES for text in _texts(options.get(name))]
    return bool(places) and _put(scope, node, places, [])


@in_from("inline", dialects=("druid",))
def inline(scope: Scope, node: Any, call: Any) -> bool:
    """`INLINE(data => ARRAY['a,b'], format => 'csv')`: what stands in the statement is nobody's table."""
    return _put(scope, node, [], [])


@in_from("append", dialects=("druid",))
def append(scope: Scope, node: Any, call: Any) -> bool:
    """`TABLE(APPEND('t1', 't2'))`: the rows of all tables, their columns by name."""
    names = [each.name for each in arguments_of(call) if isinstance(each, exp.Literal) and each.is_string]
    if not names or len(names) < len(arguments_of(call)):
        return False
    builder = scope.builder
    parts = [[exp.to_identifier(part, quoted=True) for part in name.split(".")] for name in names]
    tables: list[Owner] = [builder.reads(builder.table(named_table(part))) for part in parts]
    result = ResultSet(builder, "union", node)
    result.is_union = True
    for table in tables:
        builder.edge(result.rows, table.rows, FROM_ROWS, None)
        for name, column in table.star():
            known = result.columns.get(name)
            if known is None:
                result.pass_on(table, name, column, node)
            else:
                builder.edge(known, column, IDENTITY, node)
                result.stars.extend([table] if name == "*" else [])
    add_derived(scope, node, result.complete())
    return True


def _parsed(text: str) -> Any:
    """What a text holds in JSON; None if it is none."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def _places(source: dict[str, Any]) -> list[str]:
    """The files of an input source in JSON."""
    lower = {key.lower(): value for key, value in source.items()}
    found: list[str] = []
    for key in _PLACES:
        value = lower.get(key)
        found += [value] if isinstance(value, str) else [v for v in value or () if isinstance(v, str)]
    scheme = {"s3": "s3", "google": "gs", "azurestorage": "az"}.get(str(source.get("type")).lower(), "")
    for each in lower.get("objects") or ():
        if scheme and isinstance(each, dict) and {"bucket", "path"} <= each.keys():
            found.append(f"{scheme}://{each['bucket']}/{each['path']}")
    return found


def _texts(node: Any) -> list[str]:
    """The strings of a list, or the one that stands alone."""
    each = node.expressions if isinstance(node, exp.Array) else [node]
    return [text.name for text in each if isinstance(text, exp.Literal) and text.is_string]


def _put(scope: Scope, node: Any, places: Sequence[str], signature: list[str]) -> bool:
    """Put files into FROM, with the columns that EXTEND or the signature lists."""
    builder = scope.builder
    owners = [read_location(builder, path_from_text(place, node), named=True) for place in dict.fromkeys(places)]
    result = ResultSet(builder, "function", node)
    result.is_union = True
    for owner in owners:
        builder.edge(result.rows, owner.rows, FROM_ROWS, None)
    listed = alias_columns(scope, node) or signature
    for name in listed or ["*"]:
        column = result.add(name, node)
        for owner in owners:
            builder.edge(column, owner.claim(name), IDENTITY, node)
    if not listed:
        result.open = True
        result.stars.extend(owners)
    add_derived(scope, node, result.complete())
    return True
