"""Values of a YAML file as Python's own: texts, numbers, truth values, dates, lists and dictionaries, as YAML has it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from headwater.project.yaml_value import Empty, Items, Text, Value


def plain(value: Value) -> object:
    """The value without its places; what stands in several places, by an alias, is made once."""
    return _plain(value, {})


def _plain(value: Value, known: dict[int, object]) -> object:
    if isinstance(value, Empty):
        return None
    if id(value) not in known:
        if isinstance(value, Text):
            known[id(value)] = _scalar(value)
        elif isinstance(value, Items):
            known[id(value)] = [_plain(item, known) for item in value.values]
        else:
            known[id(value)] = {key: _plain(each, known) for key, each in value.values.items()}
    return known[id(value)]


def _scalar(text: Text) -> object:
    """What a text means: quoted ones mean themselves, others by their form; one that has the form only is a text."""
    if text.style and not text.tag:
        return text.value
    yaml, resolver, constructor = _tools()
    tag = text.tag if text.tag not in ("", "!") else resolver.resolve(yaml.ScalarNode, text.value, (not text.tag, True))
    try:
        return constructor.construct_object(yaml.ScalarNode(tag, text.value))
    except (yaml.YAMLError, ValueError, KeyError, AttributeError):
        return text.value


@cache
def _tools() -> tuple[Any, Any, Any]:
    yaml: Any = import_module("yaml")
    return yaml, yaml.resolver.Resolver(), yaml.constructor.SafeConstructor()
