"""`headwater completion`: the script that lets a shell complete commands, options, dialects, codes and files."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

PROGRAM = "headwater"


@click.command(
    short_help="Print a shell's completion script.",
    epilog="""\b
To switch it on:
  bash  headwater completion bash > ~/.local/share/bash-completion/completions/headwater
  zsh   headwater completion zsh > "${fpath[1]}/_headwater"
  fish  headwater completion fish > ~/.config/fish/completions/headwater.fish

\b
Or for this session only:
  bash  source <(headwater completion bash)
  zsh   source <(headwater completion zsh)
  fish  headwater completion fish | source""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that makes a shell complete what is typed after `headwater`."""
    found = get_completion_class(shell)
    if found is None:
        raise click.ClickException(f"{shell} is not among the shells that this version of click knows")
    made = found(context.find_root().command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE")
    click.echo(ShellComplete.source(made))
