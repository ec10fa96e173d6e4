"""Tags and policies from a YAML or JSON file; both have one form, and a file may hold both.

    tags:       {pii: [raw.customers.email, "*.ssn", "crm.*.phone*"]}
    names:      {pii: ["e?mail", "/^(ssn|phone)$/"]}
    cleared:    {pii: [crm.customers.token]}
    handling:   {pii: {masked: stop, aggregated: keep}}
    forbid:
      - {tag: pii, reaches: [dashboard, chart, "marts.*"], except: ["marts.secure.*"], reason: customers' data stays inside}

Every key is known and every value of its kind, or it is a `GovernanceError` with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from headwater.model.suggestion import did_you_mean
from headwater.project.objects import Place
from headwater.project.yaml_document import InvalidDocument, NoYaml, read_document
from headwater.project.yaml_value import Empty, Entries, Items, Text, Value
from headwater.tags.governance import ANY, KINDS, Forbidden, Governance, Handling, Rule, Treatment, expression_of

_KEYS = ("tags", "names", "cleared", "handling", "forbid")
_FORBIDDEN_KEYS = ("tag", "reaches", "except", "reason")
_HANDLING_KEYS = ("masked", "aggregated")


class GovernanceError(ValueError):
    """A file of tags or a policy that cannot be used; the message begins with its place."""


def read_governance(path: str | Path) -> Governance:
    """What a file says about tags."""
    shown = Path(path).as_posix()
    try:
        text = Path(path).read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise GovernanceError(f"{shown} does not exist") from error
    except UnicodeDecodeError as error:
        raise GovernanceError(f"{shown} is not UTF-8") from error
    try:
        content, complaints = read_document(text, shown)
    except InvalidDocument as error:
        raise GovernanceError(f"{error.place}: {error}") from error
    except NoYaml as error:
        raise GovernanceError(f"{shown}: this needs PyYAML: pip install 'headwater[project]'") from error
    for *_, complaint, place in complaints:
        raise GovernanceError(f"{place}: {complaint.partition(';')[0]}")
    return _governance(content)


def name_rule(tag: str, pattern: str, place: str) -> Rule:
    """A rule about bare names; `GovernanceError` if its regular expression is none."""
    expression = expression_of(pattern)
    if expression is not None:
        try:
            re.compile(expression)
        except re.error as error:
            raise GovernanceError(f"{place}: {pattern} is no regular expression: {error}") from error
    return Rule(tag, pattern, place)


def _governance(content: Value) -> Governance:
    if isinstance(content, Empty):
        return Governance()
    top = _entries(content, "the file", _KEYS)
    names = tuple(name_rule(rule.tag, rule.pattern, rule.place) for rule in _rules(top, "names"))
    return Governance(
        tuple(_rules(top, "tags")),
        names,
        tuple(_rules(top, "cleared")),
        {tag: _handling(tag, value) for tag, value in _mapping(top, "handling").items()},
        tuple(map(_forbidden, _listed(top.get("forbid")))),
    )


def _rules(top: Entries, key: str) -> Iterator[Rule]:
    for tag, patterns in _mapping(top, key).items():
        if not tag.strip():
            _wrong(patterns.place, f"{key} has a tag without a name")
        yield from (Rule(tag.strip(), each.value, str(each.place)) for each in _texts(patterns, f"{key}: {tag}"))


def _mapping(top: Entries, key: str) -> Mapping[str, Value]:
    value = top.get(key)
    return {} if value is None else _entries(value, key).values


def _handling(tag: str, value: Value) -> Handling:
    given = _entries(value, f"handling: {tag}", _HANDLING_KEYS)
    return Handling(**{key: _treatment(key, each) for key, each in given.values.items()})


def _treatment(key: str, value: Value) -> Treatment:
    said = value.value if isinstance(value, Text) else ""
    if said not in list(Treatment):
        _wrong(value.place, f"{key} must be one of {', '.join(Treatment)}" + (f", not {said}" if said else ""))
    return Treatment(said)


def _forbidden(value: Value) -> Forbidden:
    given = _entries(value, "forbid", _FORBIDDEN_KEYS)
    for key in ("tag", "reaches"):
        if given.get(key) is None:
            _wrong(given.place, f"forbid needs {key}, such as {'tag: pii' if key == 'tag' else 'reaches: [dashboard]'}")
    tags = tuple(each.value for each in _texts(given.values["tag"], "tag"))
    reaches = _texts(given.values["reaches"], "reaches")
    excepted = [] if given.get("except") is None else _texts(given.values["except"], "except")
    reason = given.get("reason")
    return Forbidden(
        tags,
        tuple(each.value for each in reaches if each.value in KINDS),
        tuple(_pattern(each) for each in reaches if each.value not in KINDS),
        tuple(Rule("", each.value, str(each.place)) for each in excepted),
        reason.value if isinstance(reason, Text) else "",
        str(given.place),
    )


def _pattern(text: Text) -> Rule:
    """What must not be reached by name; a bare word is more likely a kind with a slip in it."""
    near = did_you_mean(text.value, KINDS) if text.value.isalpha() else ""
    if near:
        _wrong(text.place, f"there is no kind {text.value}; {near}")
    return Rule("", text.value, str(text.place))


def _entries(value: Value, what: str, known: tuple[str, ...] = ()) -> Entries:
    if not isinstance(value, Entries):
        _wrong(value.place, f"{what} must be a mapping")
    for key, each in value.values.items():
        if known and key not in known:
            hint = did_you_mean(key, known) or f"there are {', '.join(known)}"
            _wrong(each.place, f"unknown key {key} in {what}; {hint}")
    return value


def _listed(value: Value | None) -> tuple[Value, ...]:
    if value is None:
        return ()
    return value.values if isinstance(value, Items) else (value,)


def _texts(value: Value, what: str) -> list[Text]:
    """A text, or a list of them, none of them empty."""
    found: list[Text] = []
    for each in _listed(value):
        if not isinstance(each, Text) or not each.value.strip():
            _wrong(each.place, f"{what} must be a text or a list of texts")
        found.append(each)
    if not found:
        _wrong(value.place, f"{what} has nothing in it; {ANY} stands for everything")
    return found


def _wrong(place: Place, words: str) -> NoReturn:
    raise GovernanceError(f"{place}: {words}")
