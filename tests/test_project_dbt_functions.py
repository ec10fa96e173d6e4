"""What templates see of Python, the adapter and relations, beside macros."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt_files import uncompiled
from headwater.model.diagnostic import Code


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("{{ try_or_compiler_error('no date', modules.datetime.datetime.strptime, '20240229', '%Y%m%d').month }}", "2"),
        ("{{ adapter.Relation.create(schema='s', identifier='t') }}", '"s"."t"'),
        ("{{ adapter.Column('a', 'int').data_type }}", "int"),
        ("{{ adapter.get_relation(database=none, schema='s', identifier='t', needs_information=true) is none }}", "True"),
        ("{{ this.identifier[:this.relation_max_name_length() - 60] }}", "lon"),
        ("{{ this.is_hive_metastore() }} {{ this.is_streaming_table }}", "False False"),
        ("{{ this.incorporate(path={'schema': none, 'identifier': 'u'}) }}", '"u"'),
        ("a{{ write('b') }}", "a"),
    ],
)  # fmt: skip
def test_what_templates_see(tmp_path: Path, template: str, sql: str) -> None:
    project = uncompiled(tmp_path, {"models/long_name.sql": template})
    assert {said.code for said, _ in project.remarks} == {Code.TEMPLATE}
    assert [model.sql for model in project.models] == [sql]


def test_a_function_that_fails_says_what_the_template_says(tmp_path: Path) -> None:
    template = "{{ try_or_compiler_error('this is no date', modules.datetime.datetime.strptime, 'x', '%Y') }}"
    project = uncompiled(tmp_path, {"models/m.sql": template})
    (problem,) = (said for said, _ in project.remarks if said.code is Code.UNREAD_MODEL)
    assert problem.message.endswith("it says: this is no date")


def test_a_function_is_called_within_the_budget(tmp_path: Path) -> None:
    template = "{{ try_or_compiler_error('too long', 'a'.ljust, 10**12) }}"
    project = uncompiled(tmp_path, {"models/m.sql": template})
    assert [model.sql for model in project.models] == [""]
    assert "too long" not in next(said.message for said, _ in project.remarks if said.code is Code.UNREAD_MODEL)
