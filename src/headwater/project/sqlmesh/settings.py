"""SQLMesh's settings: `config.yaml`, or as far as plain values go `config.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.project.sqlmesh.config_program import Oversized, config_of
from headwater.sql.text import read_text

_ENVIRONMENT = re.compile(r"\{\{\s*env_var\(\s*['\"](\w+)['\"](?:\s*,\s*['\"]([^'\"]*)['\"])?\s*\)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the settings say."""

    name: str
    dialect: str
    default_kind: str = "VIEW"
    gateway: str = ""
    infers_names: bool = False
    variables: Mapping[str, object] = field(default_factory=dict)


def read_sqlmesh_settings(file: Path, environment: Mapping[str, str], remarks: Remarks) -> Settings:
    """The settings in a file; where it cannot be read, the defaults, and a remark says so."""
    shown = file.as_posix()
    found = _python(file, environment, remarks) if file.suffix == ".py" else read_yaml(file, shown, remarks)
    gateways, gateway = inner(found, "gateways"), text(found, "default_gateway")
    if not gateway:
        gateway = next(iter(gateways), "")
    used = inner(gateways, gateway) or inner(found, "gateway")
    defaults = inner(found, "model_defaults")
    engine = text(inner(used, "connection"), "type") or text(inner(found, "default_connection"), "type")
    named = _given(text(defaults, "dialect"), environment).partition(",")[0].strip().lower()
    variables = {**inner(found, "variables"), **inner(used, "variables")}
    return Settings(
        name=text(found, "project") or file.resolve().parent.name or "sqlmesh",
        dialect=_dialect(named, engine, Place(shown), remarks),
        default_kind=text(defaults, "kind").upper() or "VIEW",
        gateway=gateway,
        infers_names=inner(found, "model_naming").get("infer_names") is True,
        variables={str(name).lower(): _value(value, environment) for name, value in variables.items()},
    )


def _given(value: str, environment: Mapping[str, str]) -> str:
    """A value with the environment's variables that it asks for."""
    return _ENVIRONMENT.sub(lambda match: environment.get(match[1], match[2] or ""), value)


def _value(value: object, environment: Mapping[str, str]) -> object:
    return _given(value, environment) if isinstance(value, str) else value


def _dialect(named: str, engine: str, place: Place, remarks: Remarks) -> str:
    """The dialect of models that say none: the settings' own, else that of the gateway's engine."""
    found = dialect_of_adapter(named) or (dialect_of_adapter(engine.lower()) if not named else None)
    if found is None:
        what = f"the dialect {named} is not known" if named else "the settings name no dialect"
        message = f"{what}; models that name none are read as DuckDB's SQL, which is SQLMesh's default engine"
        remarks.add(Code.GUESSED_DIALECT, message, place, hint="set model_defaults.dialect", subject=named)
    elif not named:
        message = f"the settings name no dialect; models that name none are read in that of the gateway, {found}"
        remarks.add(Code.GUESSED_DIALECT, message, place, hint="set model_defaults.dialect")
    return found or "duckdb"


def _python(file: Path, environment: Mapping[str, str], remarks: Remarks) -> Document:
    """What `config.py` says in plain values."""
    try:
        return config_of(read_text(file).text, environment)
    except Oversized as excess:
        remarks.add(Code.UNREADABLE_FILE, f"{file.as_posix()} cannot be read: {excess}", Place(file.as_posix()))
        return {}
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        remarks.add(Code.UNREADABLE_FILE, f"{file.as_posix()} is no Python that can be read", Place(file.as_posix()))
        return {}
