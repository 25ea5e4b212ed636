"""`help`: what `--help` shows, for those who type it as a command."""

import difflib

import click

from p2pjong.commands.flags import common_options
from p2pjong.errors import Exit
from p2pjong.settings import usage


@click.command()
@click.argument("command", default="")
@common_options
@click.pass_context
def help(context: click.Context, command: str) -> int:
    """Show what COMMAND does, and its options; without one what commands there are."""
    top = context.parent
    assert top is not None and isinstance(top.command, click.Group)
    if not command:
        click.echo(top.get_help())
        return Exit.OK
    found = top.command.get_command(top, command)
    if found is None:
        near = difflib.get_close_matches(command, top.command.list_commands(top), 1)
        meant = f": did you mean {near[0]}?" if near else ""
        raise usage(f"there is no command {command!r}{meant}", "p2pjong help lists them")
    click.echo(found.get_help(found.context_class(found, info_name=command, parent=top)))
    return Exit.OK
