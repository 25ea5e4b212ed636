"""How past games of this home came out: one line of JSON each, kept when their journals go."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from p2pjong.errors import Exit, P2PJongError, storage_hint

HISTORY_FILE = "history.jsonl"


def note(home: Path, game: Mapping[str, Any]) -> None:
    """Adds a game that has ended. Raises P2PJongError if the disk refuses."""
    path = home / HISTORY_FILE
    line = json.dumps(game, separators=(",", ":")).encode("ascii") + b"\n"
    try:
        # One write at the end: two programs that end at once do not write into each other.
        number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(number, line)
        finally:
            os.close(number)
    except OSError as error:
        hint = storage_hint(error, "may you write to that folder?")
        message = f"the end of the game could not be noted in {path}: {error.strerror}"
        raise P2PJongError(message, hint, Exit.STORAGE) from error


def past_games(home: Path) -> list[dict[str, Any]]:
    """The games noted, the oldest first; a line that was cut off is passed over."""
    try:
        lines = (home / HISTORY_FILE).read_bytes().splitlines()
    except OSError:
        return []
    games = []
    for line in lines:
        try:
            game = json.loads(line)
        except ValueError:
            continue
        if isinstance(game, dict):
            games.append(game)
    return games
