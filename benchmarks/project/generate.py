"""A Visivo project out of nothing, with the truth about it: what each metric and property is made of, and what breaks with which column.

Models read one raw table or two; metrics aggregate columns, dimensions, or are made of metrics, of one model or of several that relations
join; insights, charts and dashboards show these. The truth is kept while the text is written, and never read back from it.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = "warehouse"
NAME = "bench"


@dataclass(frozen=True, slots=True)
class Size:
    """How large a project is."""

    models: int = 500
    columns: int = 20
    metrics: int = 1000
    insights: int = 500
    properties: int = 4
    per_chart: int = 2
    per_dashboard: int = 10


@dataclass(slots=True)
class Made:
    """An object of the project: the raw columns that its value comes from, and the models without which it fails."""

    values: frozenset[str]
    models: frozenset[int]


@dataclass(slots=True)
class Truth:
    """What is true of a generated project, by the names that the graph has."""

    values: dict[str, frozenset[str]] = field(default_factory=dict)
    """The raw columns that the values of a metric or property come from."""
    broken: dict[str, set[str]] = field(default_factory=dict)
    """What cannot be read any more without a raw column."""


class Generator:
    """Writes a project and keeps the truth."""

    def __init__(self, size: Size, seed: int = 7) -> None:
        self._size = size
        self._random = random.Random(seed)
        self._models: list[str] = []
        self._columns: list[dict[str, str]] = []
        """Of each model, its columns and the raw column behind each."""
        self._read: list[set[str]] = []
        """Of each model, the raw columns that its query names."""
        self._neighbours: dict[int, list[int]] = {}
        self._dimensions: list[dict[str, Made]] = []
        self._metrics: dict[str, Made] = {}
        self._needs: dict[str, frozenset[int]] = {}
        """Of each column in the graph, the models without which it fails."""
        self.truth = Truth()

    def write(self, folder: Path) -> Truth:
        """Write the project's files."""
        folder.mkdir(parents=True, exist_ok=True)
        models = [self._model(number) for number in range(self._size.models)]
        relations = [self._relation(number) for number in range(1, self._size.models)]
        metrics = [self._metric(number) for number in range(self._size.metrics)]
        shown = [self._insight(number) for number in range(self._size.insights)]
        charts, dashboards = self._charts(), self._dashboards()
        head = f"name: {NAME}\nsources: [{{name: {SOURCE}, type: duckdb, database: bench.duckdb}}]\n"
        includes = "includes: [{path: models.visivo.yml}, {path: metrics.visivo.yml}, {path: shown.visivo.yml}]\n"
        (folder / "project.visivo.yml").write_text(head + includes + "relations:\n" + "".join(relations))
        (folder / "models.visivo.yml").write_text("models:\n" + "".join(models))
        own = [text for text in metrics if text]
        (folder / "metrics.visivo.yml").write_text("metrics:\n" + "".join(own))
        (folder / "shown.visivo.yml").write_text(
            "insights:\n" + "".join(shown) + "charts:\n" + charts + "dashboards:\n" + dashboards
        )
        for column, needs in self._needs.items():
            for model in needs:
                for raw in self._read[model]:
                    self.truth.broken.setdefault(raw, set()).add(column)
        return self.truth

    def _model(self, number: int) -> str:
        name, table = f"m{number}", f"raw_{number}"
        raw = [f"{SOURCE}.{table}.c{i}" for i in range(self._size.columns)]
        columns = {f"f{i}": each for i, each in enumerate(raw)}
        listed = ", ".join(f"a.c{i} AS f{i}" for i in range(self._size.columns))
        read = set(raw)
        text = f"SELECT {listed} FROM {table} AS a"
        if number and self._random.random() < 0.3:
            other = self._random.randrange(number)
            joined = f"{SOURCE}.raw_{other}.c1"
            text = (
                f"SELECT {listed}, b.c1 AS extra FROM {table} AS a JOIN raw_{other} AS b ON a.c0 = b.c0 WHERE a.c2 > 0"
            )
            columns["extra"] = joined
            read |= {joined, f"{SOURCE}.raw_{other}.c0"}
        dimensions = {
            "d0": Made(frozenset({columns["f3"], columns["f4"]}), frozenset({number})),
            "d1": Made(frozenset({columns["f3"], columns["f4"], columns["f5"]}), frozenset({number})),
        }
        self._models.append(name)
        self._columns.append(columns)
        self._read.append(read)
        self._dimensions.append(dimensions)
        for column in columns:
            self._needs[f"{NAME}.model.{name}.{column}"] = frozenset({number})
        for dimension in dimensions:
            self._needs[f"{NAME}.dimension.{name}.{dimension}.value"] = frozenset({number})
        return (
            f"  - name: {name}\n    source: ${{ref({SOURCE})}}\n    sql: {text}\n    dimensions:\n"
            "      - {name: d0, expression: f3 + f4}\n      - {name: d1, expression: d0 * f5}\n"
        )

    def _relation(self, number: int) -> str:
        """A tree: each model is related to one before it."""
        other = self._random.randrange(max(0, number - 10), number)
        self._neighbours.setdefault(number, []).append(other)
        self._neighbours.setdefault(other, []).append(number)
        condition = f"${{ref(m{other}).f0}} = ${{ref(m{number}).f0}}"
        return f'  - {{name: r{number}, condition: "{condition}"}}\n'

    def _between(self, one: int, other: int) -> frozenset[int]:
        """The models on the way from one to another, both included."""
        before: dict[int, int] = {one: one}
        pending = deque([one])
        while other not in before:
            model = pending.popleft()
            for near in self._neighbours.get(model, ()):
                if near not in before:
                    before[near] = model
                    pending.append(near)
        way = [other]
        while way[-1] != one:
            way.append(before[way[-1]])
        return frozenset(way)

    def _metric(self, number: int) -> str:
        name = f"k{number}"
        model = self._random.randrange(self._size.models)
        kind = self._random.random()
        known = list(self._metrics)
        if kind < 0.6 or len(known) < 10:
            column = self._random.choice(sorted(self._columns[model]))
            made = Made(frozenset({self._columns[model][column]}), frozenset({model}))
            expression = f"SUM(${{ref(m{model}).{column}}})"
        elif kind < 0.7:
            dimension = self._random.choice(["d0", "d1"])
            made = self._dimensions[model][dimension]
            expression = f"AVG(${{ref(m{model}).{dimension}}})"
        elif kind < 0.9:
            one = self._random.choice(known)
            made = self._metrics[one]
            expression = f"${{ref({one})}} * 2"
        else:
            one, other = (self._random.choice(known) for _ in range(2))
            made = self._together(self._metrics[one], self._metrics[other])
            expression = f"${{ref({one})}} / NULLIF(${{ref({other})}}, 0)"
        self._metrics[name] = made
        full = f"{NAME}.metric.{name}.value"
        self.truth.values[full] = made.values
        self._needs[full] = made.models
        return f'  - {{name: {name}, expression: "{expression}"}}\n'

    def _together(self, *made: Made) -> Made:
        """Several in one query: the models between theirs are needed as well."""
        models = [model for each in made for model in sorted(each.models)]
        joined = frozenset(models)
        for other in models[1:]:
            joined |= self._between(models[0], other)
        return Made(frozenset().union(*(each.values for each in made)), joined)

    def _insight(self, number: int) -> str:
        model = self._random.randrange(self._size.models)
        near = [model, *self._neighbours.get(model, ())]
        own: dict[str, tuple[str, Made]] = {}
        for position in range(self._size.properties):
            of = self._random.choice(near) if position else model
            column = self._random.choice(sorted(self._columns[of]))
            single = Made(frozenset({self._columns[of][column]}), frozenset({of}))
            if position < self._size.properties - 1:
                own[f"p{position}"] = (f"${{ref(m{of}).{column}}}", single)
            else:
                own[f"p{position}"] = (f"SUM(${{ref(m{of}).{column}}})", single)
        needs = self._together(*(made for _, made in own.values())).models
        for name, (_, made) in own.items():
            full = f"{NAME}.insight.i{number}.{name}"
            self.truth.values[full] = made.values
            self._needs[full] = needs
        props = "".join(f"      {name}: ?{{{text}}}\n" for name, (text, _) in own.items())
        return f"  - name: i{number}\n    props:\n      type: scatter\n{props}"

    def _charts(self) -> str:
        made = ""
        for number in range(self._size.insights // self._size.per_chart):
            shown = range(number * self._size.per_chart, (number + 1) * self._size.per_chart)
            for insight in shown:
                self._needs[f"{NAME}.chart.c{number}.i{insight}"] = self._needs[f"{NAME}.insight.i{insight}.p0"]
            listed = ", ".join(f'"${{ref(i{insight})}}"' for insight in shown)
            made += f"  - {{name: c{number}, insights: [{listed}]}}\n"
        return made

    def _dashboards(self) -> str:
        made, charts = "", self._size.insights // self._size.per_chart
        for number in range(charts // self._size.per_dashboard):
            shown = range(number * self._size.per_dashboard, (number + 1) * self._size.per_dashboard)
            for chart in shown:
                insights = range(chart * self._size.per_chart, (chart + 1) * self._size.per_chart)
                needs = frozenset().union(*(self._needs[f"{NAME}.chart.c{chart}.i{each}"] for each in insights))
                self._needs[f"{NAME}.dashboard.b{number}.c{chart}"] = needs
            items = ", ".join(f'{{chart: "${{ref(c{chart})}}"}}' for chart in shown)
            made += f"  - {{name: b{number}, rows: [{{height: medium, items: [{items}]}}]}}\n"
        return made
