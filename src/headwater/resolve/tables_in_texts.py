"""Functions that are called for what they do to the tables that their texts name: `SELECT COPY_PARTITIONS_TO_TABLE('a', 1, 2, 'b')`.

Vertica moves partitions and trains models like this. MADlib's functions, in Greenplum, read and write tables by texts of many
kinds: they are said.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.create_model import create_model
from headwater.resolve.function import call, called
from headwater.resolve.rename import move, partition_move
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome
from headwater.sql.form import CreateModel, PartitionMove
from headwater.sql.moving_calls import COPY_CALL, PARTITION_CALLS, TRAINING_CALLS
from headwater.sql.respell.vertica import MODEL


def moved_by_call(builder: Builder, node: Any, environment: Environment) -> Outcome | None:
    """What a query of one call does to the tables that it names; None for any other query."""
    items = node.args.get("expressions")
    if not items or len(items) != 1 or builder.dialect.family != "postgres":
        return None
    item = items[0].this if isinstance(items[0], exp.Alias) else items[0]
    if isinstance(item, exp.Dot) and item.this.name.lower() == "madlib" and isinstance(item.expression, exp.Anonymous):
        _say_training(builder, item.expression)
        return None
    if not isinstance(item, exp.Anonymous) or not builder.dialect.calls_move_rows:
        return None
    name, texts = str(item.this).lower(), [e for e in item.expressions if isinstance(e, exp.Literal) and e.is_string]
    if name in PARTITION_CALLS and len(item.expressions) > 3:
        return _move_partitions(builder, name, item.expressions, environment)
    if name == COPY_CALL and len(texts) > 1:
        move(builder, builder.table(_table(builder, texts[0])), builder.table(_table(builder, texts[1])))
        return Outcome("Create Table")
    if name in TRAINING_CALLS and len(texts) > 1:
        model, trained = (_table(builder, text) for text in texts[:2])
        return create_model(builder, CreateModel(model, (trained,)), environment)
    return None


@called(MODEL)
def using_model(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Vertica's `PREDICT_LINEAR_REG(a USING PARAMETERS model_name='m')`: the value depends on the model."""
    if not scope.dialect.calls_move_rows or not node.expressions or not isinstance(node.expressions[0], exp.Literal):
        call(scope, node, target, kind)
        return
    model = scope.builder.reads(scope.builder.table(_table(scope.builder, node.expressions[0])))
    scope.edges.append((target, model.claim("*"), kind, node))


def _move_partitions(builder: Builder, name: str, arguments: list[Any], environment: Environment) -> Outcome | None:
    """`f('source', first, last, 'target')`; the tables of a swap change places."""
    source, target = arguments[0], arguments[3]
    if not isinstance(source, exp.Literal) or not isinstance(target, exp.Literal):
        builder.say(Code.DYNAMIC_SQL, f"the tables of {name} are not known", source, name)
        return None
    form = PartitionMove(_table(builder, target), _table(builder, source), swap=name.startswith("swap"))
    return partition_move(builder, form, environment)


def _table(builder: Builder, text: Any) -> Any:
    """The table that a text names, as SQL would spell it."""
    try:
        return exp.to_table(text.name, dialect=builder.dialect.grammar_name)
    except (SqlglotError, ValueError):
        return exp.Table(this=exp.to_identifier(text.name, quoted=True))


def _say_training(builder: Builder, call: Any) -> None:
    """A function of MADlib that gets texts only reads and writes the tables that they name."""
    texts = [each for each in call.expressions if isinstance(each, exp.Literal) and each.is_string]
    if len(texts) > 1 and call.find(exp.Column) is None:
        message = f"madlib.{call.this} reads and writes tables that its texts name; they are not followed"
        builder.say(Code.DYNAMIC_SQL, message, call, str(call.this))
