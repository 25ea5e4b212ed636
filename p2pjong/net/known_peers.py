"""Which names were met with which keys, so that a familiar name with a strange key is noticed."""

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from p2pjong.net.identity import fingerprint, make_private_directory, write_private_file
from p2pjong.wire.lookalikes import look_alike
from p2pjong.wire.names import clean_name

KNOWN_PEERS_FILE = "known_peers.json"
KNOWN_PEERS_MAX = 1000

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KnownPeer:
    """A key met at a table, and the name it went by when last met (a day, as YYYY-MM-DD)."""

    name: str
    key: bytes
    is_bot: bool
    last_met: str


@dataclass(frozen=True)
class StrangeKey:
    """A warning: this name came before with other keys and never with this one.

    `before` is who had this key when it was last met, if it was: under another name, or as a bot.
    """

    name: str
    key: bytes
    known: tuple[KnownPeer, ...]
    before: KnownPeer | None = None

    def __str__(self) -> str:
        known = self.known[-1]
        who = (
            f"{self.name} does not have the key of the {self.name} that you met on {known.last_met}"
        )
        if known.name.casefold() != self.name.casefold():
            # On many a screen the two names are the same picture.
            who = (
                f"{self.name} only looks like {known.name}, met on {known.last_met}, and has "
                "another key"
            )
        return (
            f"{who}: {fingerprint(self.key)}, not {fingerprint(known.key)}. {self._who_else()}"
            "Ask before you trust the name."
        )

    def _who_else(self) -> str:
        if self.before is None:
            return "Someone else, or a new machine? "
        kind = "a bot called " if self.before.is_bot else ""
        return f"On {self.before.last_met} that key was {kind}{self.before.name}. "


class KnownPeers:
    """The identities met so far, oldest first; kept in the home directory."""

    def __init__(self, home: Path) -> None:
        self._path = home / KNOWN_PEERS_FILE
        self._peers: dict[bytes, KnownPeer] = _read(self._path)

    def peers(self) -> tuple[KnownPeer, ...]:
        """All that are remembered, the longest unseen first."""
        return tuple(self._peers.values())

    def fingerprints(self) -> frozenset[str]:
        """Those of all that are remembered."""
        return frozenset(map(fingerprint, self._peers))

    def warning(self, name: str, key: bytes, is_bot: bool) -> StrangeKey | None:
        """What to say of a peer under this name with this key, before it is remembered."""
        before = self._peers.get(key)
        if before and look_alike(before.name, name) and is_bot >= before.is_bot:
            return None  # who it was, whoever else is called so; but no bot becomes a person
        # That a seat says it is a bot costs nothing: it is no way to a person's name.
        same = [peer for peer in self._peers.values() if look_alike(peer.name, name)]
        people = tuple(peer for peer in same if not peer.is_bot and peer.key != key)
        return StrangeKey(clean_name(name), key, people, before) if people else None

    def remember(self, name: str, key: bytes, is_bot: bool, today: str) -> None:
        """Keeps that this name was met with this key; the file is replaced in one step."""
        self._peers.pop(key, None)
        self._peers[key] = KnownPeer(clean_name(name), key, is_bot, today)
        while len(self._peers) > KNOWN_PEERS_MAX:
            self._peers.pop(next(iter(self._peers)))
        make_private_directory(self._path.parent)
        write_private_file(self._path, _to_json(self._peers.values()))


def _to_json(peers: Any) -> bytes:
    rows = [
        {"name": peer.name, "key": peer.key.hex(), "bot": peer.is_bot, "met": peer.last_met}
        for peer in peers
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode("utf-8") + b"\n"


def _read(path: Path) -> dict[bytes, KnownPeer]:
    try:
        rows = json.loads(path.read_bytes())
        peers = [_from_row(row) for row in rows]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError) as error:
        # Losing the memory of names costs warnings; it must not cost the game.
        _log.warning("%s cannot be read (%s); names met before are forgotten", path, error)
        return {}
    return {peer.key: peer for peer in peers}


def _from_row(row: Any) -> KnownPeer:
    key = bytes.fromhex(row["key"])
    if len(key) != 32:
        raise ValueError("a key is 32 bytes")
    return KnownPeer(clean_name(str(row["name"])), key, bool(row["bot"]), str(row["met"]))
