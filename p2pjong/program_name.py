"""How this program was called: whatever tells people to type a command names it so.

`scripts/p2pjong` of a clone says so in the environment; else the command is on the path.
"""

import os
import re
import shlex

from p2pjong.errors import readable, visible

CALLED_VARIABLE = "P2PJONG_CALLED"
# The program as texts have it: with a command behind, and not as a part of a path.
COMMAND = re.compile(
    r"(?<![\w/.-])p2pjong(?= (?:host|join|bot|tables|doctor|identity|verify|record|score|rules"
    r"|arena|help)\b)"
)


def program_name() -> str:
    """The program as it was called, fit for a shell."""
    given = visible(readable(os.environ.get(CALLED_VARIABLE, "")))
    return shlex.quote(given) if given else "p2pjong"


def as_typed(text: str) -> str:
    """The text, with each command in it as it can be typed here."""
    return COMMAND.sub(lambda _: program_name(), text)
