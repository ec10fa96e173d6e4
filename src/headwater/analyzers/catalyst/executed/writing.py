"""Commands that wrote a query's result: files, tables of every kind, views, tables of other databases."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed, executes
from headwater.analyzers.catalyst.executed.generated import generated_at_path, generated_in_table, write_generated
from headwater.analyzers.catalyst.executed.owners import parts_of
from headwater.analyzers.catalyst.places import Place, jdbc_place, local, place_of
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.catalyst.rewritten import insert_of_merge
from headwater.analyzers.select import Unread
from headwater.model.entity import EntityKind
from headwater.resolve.builder import Table
from headwater.resolve.statement import Outcome

_NOWHERE = "NoopTable"


@executes("InsertIntoHadoopFsRelationCommand")
def insert_into_files(work: Executed, plan: Any, node: Node) -> Outcome:
    """`df.write.parquet(path)`, and INSERT into a table of files."""
    result = work.query(node.children[0])
    described = node.fields.get("catalogTable")
    if described:
        table = work.owners.table(parts_of(described["identifier"]))
    else:
        table = work.owners.path(local(str(plan.outputPath().toString())), str(plan.fileFormat().toString()).lower())
    work.write(table, work.names(plan.outputColumnNames()), result)
    return Outcome("Insert")


@executes("InsertIntoHiveTable")
def insert_into_hive(work: Executed, plan: Any, node: Node) -> Outcome:
    """INSERT into a table of Hive's; CREATE TABLE AS of one does the same, inside."""
    result = work.query(node.children[0])
    table = work.owners.table(parts_of(node.fields["table"]["identifier"]))
    work.write(table, work.names(plan.outputColumnNames()), result)
    return Outcome("Insert")


@executes("InsertIntoHiveDirCommand")
def insert_into_directory(work: Executed, plan: Any, node: Node) -> Outcome:
    """`INSERT OVERWRITE DIRECTORY … STORED AS`."""
    uri = plan.storage().locationUri()
    if uri.isEmpty():
        raise Unread("a directory without a path")
    result = work.query(node.children[0])
    work.write(work.owners.path(local(str(uri.get().toString())), ""), work.names(plan.outputColumnNames()), result)
    return Outcome("Insert")


@executes("CreateDataSourceTableAsSelectCommand")
def create_table(work: Executed, plan: Any, node: Node) -> Outcome:
    """`saveAsTable`, CREATE TABLE AS; one that appends to a table which is there does not define it."""
    result = work.query(node.tree("query"), "select_list")
    table = work.owners.table(parts_of(node.fields["table"]["identifier"]))
    names = work.names(plan.outputColumnNames())
    work.write(table, names, result)
    if str(plan.mode().toString()) == "Append":
        return Outcome("Insert")
    work.define(table, names, plan.query())
    return Outcome("Create Table")


@executes("CreateTableAsSelect", "ReplaceTableAsSelect")
def create_in_catalog(work: Executed, plan: Any, node: Node) -> Outcome:
    """`writeTo(t).create()`, CREATE TABLE AS in a catalog that is not Spark's own."""
    result = work.query(node.tree("query"), "select_list")
    resolved = plan.name()
    identifier = resolved.identifier()
    parts = (str(resolved.catalog().name()), *map(str, identifier.namespace()), str(identifier.name()))
    table = work.owners.table(parts)
    names = [name for name, _ in result.outputs]
    work.write(table, names, result)
    work.define(table, names, plan.query())
    return Outcome("Create Table")


@executes("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic")
def insert_into_catalog(work: Executed, plan: Any, node: Node) -> Outcome:
    """`writeTo(t).append()`, INSERT into a table of another catalog, or into a data source; one into `noop` is only a query."""
    if str(plan.table().table().getClass().getSimpleName()).startswith(_NOWHERE):
        return Outcome("Select", work.query(node.children[0], "select_list"))
    target = node.tree("table")
    if target is not None and work.jvm.text_of(plan).lstrip().upper().startswith("MERGE"):
        outcome = insert_of_merge(work, target, node.children[0])
        if outcome is not None:
            return outcome
    _strip_idle_casts(node.children[0])
    result = work.query(node.children[0])
    [table] = work.owners.at(place_of(work.jvm, plan.table()))
    listed = attributes(target) if target is not None and not node.fields.get("isByName") else []
    names = [a.label for a in listed] or [name for name, _ in result.outputs]
    work.write(table, names, result)
    write_generated(work, table, names, result, generated_in_table(plan.table().table()))
    return Outcome("Insert")


def _strip_idle_casts(query: Node) -> None:
    """Spark before 4.1 casts each column that is inserted to the type that it has already."""
    for item in query.fields["projectList"] if query.name == "Project" else ():
        if [each["class"].rpartition(".")[2] for each in item] == ["Alias", "Cast", "AttributeReference"]:
            _, cast, column = item
            if cast["dataType"] == column["dataType"]:
                item.remove(cast)


@executes("InsertIntoDataSourceCommand")
def insert_into_relation(work: Executed, plan: Any, node: Node) -> Outcome:
    """INSERT into a table that stands for one of another database."""
    target = node.tree("logicalRelation")
    if target is None:
        raise Unread("an INSERT without its table")
    result = work.query(node.tree("query"))
    [table] = work.owners.of(target)
    work.write(table, [a.label for a in attributes(target)], result)
    return Outcome("Insert")


@executes("SaveIntoDataSourceCommand")
def save(work: Executed, plan: Any, node: Node) -> Outcome:
    """`df.write.format("jdbc").save()`, and other sources that write for themselves."""
    result = work.query(node.tree("query"))
    options = {str(key).lower(): str(value) for key, value in work.jvm.dict_of(plan.options()).items()}
    table = _saved_to(work, options, str(plan.dataSource().getClass().getSimpleName()))
    names = [name for name, _ in result.outputs]
    work.write(table, names, result)
    write_generated(work, table, names, result, generated_at_path(work, plan.dataSource(), options.get("path", "")))
    return Outcome("Insert")


def _saved_to(work: Executed, options: dict[str, str], source: str) -> Table:
    if "path" in options:
        place = Place((), (local(options["path"]),))
    elif "dbtable" in options and "url" in options:
        place = jdbc_place(options["url"], options["dbtable"])
    else:
        raise Unread(f"what {source} writes to")
    return work.owners.at(place)[0]


@executes("CreateViewCommand")
def create_view(work: Executed, plan: Any, node: Node) -> Outcome | None:
    """CREATE VIEW; a temporary one is no job: whatever reads it shows its query."""
    if node.word("viewType") != "PersistedView":
        return None
    result = work.query(node.tree("plan"), "select_list")
    chosen = [str(each._1()) for each in work.jvm.list_of(plan.userSpecifiedColumns())]
    _view(work, node, chosen or [name for name, _ in result.outputs], result, plan.plan())
    return Outcome("Create View")


@executes("AlterViewAsCommand")
def alter_view(work: Executed, plan: Any, node: Node) -> Outcome | None:
    """ALTER VIEW … AS."""
    if "database" not in node.fields["name"]:
        return None
    result = work.query(node.tree("query"), "select_list")
    _view(work, node, [name for name, _ in result.outputs], result, plan.query())
    return Outcome("Create View")


def _view(work: Executed, node: Node, names: list[str], result: Any, query: Any) -> None:
    view = work.owners.table(parts_of(node.fields["name"]))
    row = work.builder.entities[view.entity]
    row.kind, row.type = EntityKind.VIEW, "view"
    work.write(view, names, result)
    work.define(view, names, query, view=True)
