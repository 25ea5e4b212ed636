"""Which table is meant by what somebody typed: one rule for people, scripts and bots.

`NAME`, or the words with which it begins; or `NAME#FINGERPRINT`, where the beginning of its host's
fingerprint tells one table of several with one name.
"""

import re

from p2pjong.wire.lookalikes import begins_like, look_alike

# At least a group of four letters, as people read them from a screen.
_PINNED = re.compile(r"(?P<name>.*?)\s*#\s*(?P<host>[a-z2-7]{4}(-[a-z2-7]{4}){0,7})", re.I)


def is_meant(typed: str, name: str, fingerprint: str) -> bool:
    """Whether this table may be the one that is meant."""
    return begins_like(name, typed) or is_pinned(typed, name, fingerprint)


def is_pinned(typed: str, name: str, fingerprint: str) -> bool:
    """Whether the table was named together with the fingerprint of its host."""
    pinned = _PINNED.fullmatch(typed.strip())
    if pinned is None or not fingerprint.startswith(pinned["host"].lower()):
        return False
    return not pinned["name"] or begins_like(name, pinned["name"])


def is_exactly(typed: str, name: str) -> bool:
    """Whether the whole name was typed, or what people would take for it."""
    return look_alike(typed, name)
