"""What a peer keeps from its first lobby to its last rematch: identity, links, and one inbox.

Everything the network brings becomes an event of the inbox, decoded and bounded; a frame that no
client of ours sends costs its sender the link.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TypeAlias

from p2pjong.net.address import Address
from p2pjong.net.identity import Identity, load_identity
from p2pjong.net.known_peers import KnownPeers
from p2pjong.net.listener import Listener
from p2pjong.net.mesh import Callbacks, Mesh
from p2pjong.settings import PeerSettings
from p2pjong.wire.codec import DecodeError, decode
from p2pjong.wire.handshake import CloseCode
from p2pjong.wire.messages import LobbyMessage, TableMessage

log = logging.getLogger(__name__)

INBOX_MAX = 4096


@dataclass(frozen=True)
class Up:
    """A link with this identity is open."""

    key: bytes
    address: Address
    transcript: bytes  # names the link, the same at both ends


@dataclass(frozen=True)
class Down:
    """The link with this identity is gone."""

    key: bytes
    reason: str


@dataclass(frozen=True)
class Heard:
    """A message of a linked identity."""

    key: bytes
    message: LobbyMessage | TableMessage


NetEvent: TypeAlias = Up | Down | Heard


class Station:
    """Identity, listener, mesh and inbox of one running peer; an async context manager."""

    def __init__(self, settings: PeerSettings) -> None:
        self.settings = settings
        self.identity: Identity = load_identity(settings.home)
        self.known = KnownPeers(settings.home)
        self.listener = Listener.open(settings.port, settings.bind or None)
        self.inbox: asyncio.Queue[NetEvent] = asyncio.Queue()
        self.may_link: Callable[[bytes], bool] = lambda key: False
        # What those are told to whom nobody listens now; None: we listen to this identity.
        self.answer_unheard: Callable[[bytes], bytes | None] = lambda key: None
        self.going = asyncio.Event()  # we are to leave wherever we are, and nobody need be asked
        self.mesh = Mesh(self.identity, self.listener, self._callbacks())

    def _callbacks(self) -> Callbacks:
        return Callbacks(
            on_frame=self._on_frame,
            on_up=self._on_up,
            on_down=lambda key, reason: self.inbox.put_nowait(Down(key, reason)),
            may_link=lambda key, address: self.may_link(key),
        )

    @property
    def key(self) -> bytes:
        """Our identity."""
        return self.identity.key

    async def __aenter__(self) -> "Station":
        self.mesh.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.mesh.close()

    def _on_up(self, key: bytes) -> None:
        link = self.mesh.link(key)
        assert link is not None
        self.inbox.put_nowait(Up(key, link.address, link.transcript))

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        if self.turn_away(key):
            return
        try:
            message = decode(frame, LobbyMessage | TableMessage)
        except DecodeError as error:
            self.refuse(key, f"sent a malformed frame: {error}")
            return
        if self.inbox.qsize() >= INBOX_MAX:
            self.refuse(key, "sends faster than it can be heard")
            return
        self.inbox.put_nowait(Heard(key, message))

    def turn_away(self, key: bytes) -> bool:
        """Whether this identity is one to whom nobody listens: then it is told why, and its link
        ends. No word of it has been read: strangers cannot make a table that plays work."""
        answer = self.answer_unheard(key)
        if answer is None:
            return False
        log.info("peer %s came too late and was turned away", key.hex()[:8])
        self.mesh.send(key, answer)
        self.mesh.drop(key, CloseCode.REFUSED)
        return True

    def refuse(self, key: bytes, reason: str) -> None:
        """Close the link of a peer that sends what no client of ours sends."""
        log.warning("peer %s %s; link closed", key.hex()[:8], reason)
        self.mesh.drop(key, CloseCode.MALFORMED)
