"""`identity`: who this machine's peer is to others, shown or exported; never the private key."""

import json
from pathlib import Path

import click

from p2pjong.commands.flags import answer_json, common_options, json_option
from p2pjong.errors import Exit, P2PJongError, storage_hint


@click.command()
@click.option(
    "--home",
    metavar="DIR",
    envvar="P2PJONG_HOME",
    show_envvar=True,
    help="Where keys and journals are kept.  [default: your data directory]",
)
@click.option(
    "--export",
    "export",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the public half to a new file that you can give to anyone.",
)
@json_option
@common_options
def identity(home: str | None, export: Path | None, is_json: bool) -> int:
    """Show who you are to others: your key and its fingerprint.

    The key is made on first use. Others recognise you by it, whatever name you give.
    """
    from p2pjong.net.identity import IDENTITY_FILE, home_directory, load_identity

    directory = home_directory(home)
    own = load_identity(directory)
    public = {"fingerprint": own.fingerprint, "key": own.key.hex()}
    if export is not None:
        _write_new(export, json.dumps(public) + "\n")
    kept = (directory / IDENTITY_FILE).absolute()
    if is_json:
        answer_json({**public, "kept": str(kept)})
        return Exit.OK
    click.echo(f"fingerprint  {click.style(own.fingerprint, bold=True)}")
    click.echo(f"public key   {own.key.hex()}")
    click.echo(f"kept in      {kept}")
    click.echo("Anyone with this file can play as you. Keep it secret.", err=True)
    if export is not None:
        click.echo(f"The public half is in {export}.", err=True)
    return Exit.OK


def _write_new(path: Path, text: str) -> None:
    """Never over a file that is there: it might be the private key itself."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        is_there = isinstance(error, FileExistsError)
        new = "--export takes the name of a file that does not exist yet"
        hint = new if is_there else storage_hint(error)
        message = f"{path} cannot be written: {error.strerror}"
        raise P2PJongError(message, hint, Exit.STORAGE) from error
