"""Help that names the commands as they can be typed here."""

from collections.abc import Iterable

import click

from p2pjong.program_name import as_typed


class HelpFormatter(click.HelpFormatter):
    """As click writes help, with every command as it can be typed."""

    def write_text(self, text: str) -> None:
        """Before lines are broken."""
        super().write_text(as_typed(text))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Before lines are broken."""
        super().write_dl([(name, as_typed(text)) for name, text in rows], col_max, col_spacing)


class HelpContext(click.Context):
    """A context whose help is written by `HelpFormatter`."""

    formatter_class = HelpFormatter
