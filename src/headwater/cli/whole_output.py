"""What commands about the whole graph put out: files of any size, or a few rows for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.raw_cells import cells_are_safe
from headwater.cli.tabular import print_as, table_lines

if TYPE_CHECKING:
    from headwater.cli.whole_session import Told

Frame = Any
"""A DataFrame of Spark's, which is not known here."""
_KINDS = (".parquet", ".csv", ".json")


def output_named(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuses what does not say what it is to become, and what cannot be written, before anything is worked out."""
    if value is None:
        return None
    if not value.endswith("/") and Path(value).suffix.lower() not in _KINDS:
        raise click.BadParameter(f"{value!r} ends with none of {', '.join(_KINDS)}, nor with / as a folder does")
    if not Path(value).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {Path(value).parent}")
    if value.endswith("/") and Path(value).exists():
        raise click.BadParameter(f"{value} exists; remove it or name another folder")
    if not value.endswith("/") and Path(value).is_dir():
        raise click.BadParameter(f"{value} is a folder; a folder is named with / at its end")
    return value


def write(frame: Frame, output: str, told: Told, quiet: bool) -> None:
    """Write all rows, and say how many they were."""
    from headwater.spark.whole.output import write_file, write_folder

    told.tell(f"writing {output}")
    path = Path(output)
    rows = (
        write_folder(frame, path)
        if output.endswith("/")
        else write_file(frame, path, path.suffix.lower()[1:], safe=cells_are_safe())
    )
    told.clear()
    if not quiet:
        click.echo(f"{rows:,} rows in {output}")


def show(frame: Frame, format: str, told: Told) -> None:
    """Print a frame that is small, in one of the four forms."""
    rows = [row.asDict() for row in frame.collect()]
    told.clear()
    print_as(
        format,
        lambda: table_lines(frame.columns, [list(row.values()) for row in rows]),
        frame.columns,
        lambda: [list(row.values()) for row in rows],
        lambda: [{name: _for_json(name, value) for name, value in row.items()} for row in rows],
    )


def _for_json(name: str, value: Any) -> Any:
    """Ids as strings: they are more than many readers of JSON can take as numbers."""
    return str(value) if name.endswith("_id") else value
