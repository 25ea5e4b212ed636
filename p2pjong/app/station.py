"""What a peer keeps from its first lobby to its last rematch: identity, links, and one inbox.

Everything the network brings becomes an event of the inbox, decoded and bounded; a frame that no
client of ours sends costs its sender the link.
"""

import logging
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TypeAlias

from p2pjong.app.fair_queue import FairQueue
from p2pjong.app.going import Going
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

# Of one peer, before its link is closed. What TCP and TLS hold back comes in one go.
WAITING_MAX = 4096
WAITING_BYTES_MAX = 8 << 20
# A host that gathers hears a few words of each: nobody has more to say before the game.
LOBBY_WAITING_MAX = 256
# What a seat still says of the game before does no harm; who goes on and on is at no table.
PASSED_OVER_MAX = 256


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
    size_bytes: int = field(default=0, compare=False)  # of its frame


NetEvent: TypeAlias = Up | Down | Heard


class Inbox(FairQueue[NetEvent]):
    """The events of all links: those of one in their order, the links in turn."""

    def put_nowait(self, item: NetEvent, source: Hashable = None, size_bytes: int = 0) -> None:
        size_bytes = item.size_bytes if isinstance(item, Heard) else 0
        super().put_nowait(item, item.key, size_bytes)


class Station:
    """Identity, listener, mesh and inbox of one running peer; an async context manager."""

    def __init__(self, settings: PeerSettings) -> None:
        self.settings = settings
        self.identity: Identity = load_identity(settings.home)
        self.known = KnownPeers(settings.home)
        self.listener = Listener.open(settings.port, settings.bind or None)
        self.inbox = Inbox()
        self.is_gathering = False  # a host before the game: words of a table are for nobody
        self._passed_over: Counter[bytes] = Counter()
        self.may_link: Callable[[bytes], bool] = lambda key: False
        # A host's person is told of friends who cannot come in.
        self.tell_other_version: Callable[[Address], None] = lambda address: None
        # What those are told to whom nobody listens now; None: we listen to this identity.
        self.answer_unheard: Callable[[bytes], bytes | None] = lambda key: None
        self.going = Going()
        self.mesh = Mesh(self.identity, self.listener, self._callbacks())

    def _callbacks(self) -> Callbacks:
        return Callbacks(
            on_frame=self._on_frame,
            on_up=self._on_up,
            on_down=self._on_down,
            may_link=lambda key, address: self.may_link(key),
            on_other_version=lambda address: self.tell_other_version(address),
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

    def _on_down(self, key: bytes, reason: str) -> None:
        self._passed_over.pop(key, None)
        self.inbox.put_nowait(Down(key, reason))

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        if self.turn_away(key):
            return
        try:
            message = decode(frame, LobbyMessage | TableMessage)
        except DecodeError as error:
            self.refuse(key, f"sent a malformed frame: {error}")
            return
        if self.is_gathering and not isinstance(message, LobbyMessage):
            self._pass_over(key)
            return
        waiting_max = LOBBY_WAITING_MAX if self.is_gathering else WAITING_MAX
        if not self.inbox.has_room(key, waiting_max, WAITING_BYTES_MAX):
            self.refuse(key, "sends faster than it can be heard")
            return
        self.inbox.put_nowait(Heard(key, message, len(frame)))

    def _pass_over(self, key: bytes) -> None:
        self._passed_over[key] += 1
        if self._passed_over[key] > PASSED_OVER_MAX:
            self.refuse(key, "goes on about a table that is not there")

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
        log.info("peer %s %s; link closed", key.hex()[:8], reason)
        self.mesh.drop(key, CloseCode.MALFORMED)
