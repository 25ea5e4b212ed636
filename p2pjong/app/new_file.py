"""Files that people name to be written: what they hold already is never lost."""

from pathlib import Path

from p2pjong.errors import Exit, P2PJongError


def holds_something(path: Path) -> bool:
    """Whether writing there would lose what somebody kept; a device or a pipe keeps nothing."""
    return path.is_file() and path.stat().st_size > 0


def check_new(path: Path, option: str) -> None:
    """Raises P2PJongError if there is such a file already."""
    if holds_something(path):
        raise P2PJongError(
            f"{path} already exists, and would be overwritten",
            f"choose another name for {option}, or move the old file away",
            Exit.STORAGE,
        )


def unused(path: Path) -> Path:
    """The path, or the first of name-2, name-3, ... that holds nothing yet."""
    number, free = 2, path
    while holds_something(free):
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free
