"""What is announced on this network, as zeroconf hears it; `discovery` finds out what is true.

Implements "Discovery" of `protocol/handshake.md`. The browser of zeroconf is not used: it writes
names that it has heard into its questions, and one that cannot be written ends its asking. What
comes from the network may make zeroconf stumble (`TRIPS`): then that one name is passed over.
"""

import asyncio
import logging
import struct
from collections.abc import Callable

import zeroconf
from zeroconf import (  # type: ignore[attr-defined]  # the two DNS names are missing in __all__
    DNSAddress,
    DNSOutgoing,
    DNSPointer,
    DNSQuestion,
    DNSService,
    DNSText,
    RecordUpdate,
    RecordUpdateListener,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceInfo

from p2pjong.net.address import Dialable, interfaces
from p2pjong.net.announcement import SERVICE_TYPE, BadAnnouncement, check_label, from_txt
from p2pjong.net.found_table import FoundTable, found_table
from p2pjong.net.multicast import Multicast, is_loopback_alone
from p2pjong.net.turns import Turns

# Soon after the start more than once: a packet may be lost, or the answer be just in the air.
ASK_AFTER_S = (0.3, 0.7, 1.0, 3.0)
ASK_EVERY_S = 5.0
RESOLVE_MS = 1500
ASKED_AT_ONCE = 64
ASKED_OF = ""  # whoever it is that answers: nobody owns a name
TRIPS = (zeroconf.Error, ValueError, LookupError, struct.error)
_TYPE_PTR, _CLASS_IN, _FLAGS_QUERY = 12, 1, 0
_SUFFIX = f".{SERVICE_TYPE}"

_log = logging.getLogger(__name__)


class Hearing:
    """Listens, and asks again and again who is there.

    `on_heard` is called with each name of which something was heard, and whether that was the last
    of it: a goodbye, or that its records ran out. Anyone can say either.
    """

    def __init__(
        self, on_heard: Callable[[str, bool], None], bind: str | None, watch_s: float
    ) -> None:
        self._on_heard = on_heard
        self._bind = bind
        self._multicast = Multicast(self._on_network, bind, watch_s)
        self._listener: _Listener | None = None
        self._turns = Turns(ASKED_AT_ONCE, ASKED_AT_ONCE)
        self._asking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins to listen and to ask."""
        await self._multicast.start()
        self._asking = asyncio.create_task(self._ask_forever())

    async def close(self) -> None:
        """Ends both."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait((self._asking,))
        if self._multicast.zeroconf is not None and self._listener is not None:
            self._multicast.zeroconf.zeroconf.async_remove_listener(self._listener)
        await self._multicast.close()

    def known(self, name: str) -> FoundTable | None:
        """The table that was announced under this name, if all of that was heard by now.

        Raises BadAnnouncement.
        """
        if self._multicast.zeroconf is None:
            return None
        try:
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            is_complete = info.load_from_cache(self._multicast.zeroconf.zeroconf)
            return self._announced(name, info) if is_complete else None
        except TRIPS as error:
            raise _passed_over(error) from error

    async def ask(self, name: str) -> FoundTable | None:
        """As `known`, after asking for it. Raises BadAnnouncement."""
        if self._multicast.zeroconf is None:
            return None
        try:
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            async with self._turns.turn(ASKED_OF):
                opened = self._multicast.zeroconf.zeroconf
                is_complete = await info.async_request(opened, RESOLVE_MS)
            return self._announced(name, info) if is_complete else None
        except TRIPS as error:
            raise _passed_over(error) from error

    def _announced(self, name: str, info: AsyncServiceInfo) -> FoundTable:
        announcement = from_txt(info.properties, info.port or 0)
        check_label(announcement, name.removesuffix(_SUFFIX))
        may = Dialable.here(is_loopback_alone(interfaces(), self._bind))
        return found_table(announcement, info.parsed_scoped_addresses(), may)

    async def _on_network(self) -> None:
        opened = self._multicast.zeroconf
        if opened is not None and self._listener is None:
            await opened.zeroconf.async_wait_for_start()
            self._listener = _Listener(self._on_heard)
            opened.zeroconf.async_add_listener(self._listener, None)
            # An answer to our own socket comes at once, but another program on port 5353 may get
            # it instead: what is asked below is answered to all.
            self._send_question(is_to_us_alone=True)
        self._send_question()

    async def _ask_forever(self) -> None:
        for pause_s in ASK_AFTER_S:
            await asyncio.sleep(pause_s)
            self._send_question()
        while True:
            await asyncio.sleep(ASK_EVERY_S)
            self._send_question()

    def _send_question(self, is_to_us_alone: bool = False) -> None:
        if self._multicast.zeroconf is not None:
            question = DNSQuestion(SERVICE_TYPE, _TYPE_PTR, _CLASS_IN)
            question.unicast = is_to_us_alone
            packet = DNSOutgoing(_FLAGS_QUERY)
            packet.add_question(question)
            self._multicast.zeroconf.zeroconf.async_send(packet)


def _passed_over(error: Exception) -> BadAnnouncement:
    if isinstance(error, BadAnnouncement):
        return error
    return BadAnnouncement(f"zeroconf cannot read it: {type(error).__name__}")


class _Listener(RecordUpdateListener):
    """Picks the names of tables out of the records that zeroconf hears."""

    def __init__(self, on_heard: Callable[[str, bool], None]) -> None:
        super().__init__()
        self._on_heard = on_heard
        self._heard: dict[str, bool] = {}  # of the packet at hand: whether it is the last of it

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        """Called before the records are in zeroconf's cache."""
        for update in records:
            record = update.new
            is_gone = record.is_expired(now)
            if isinstance(record, DNSAddress):
                if update.old is None:
                    for service in zc.cache.async_entries_with_server(record.name):
                        self._note(service.name, False)
            elif isinstance(record, DNSPointer):
                if record.name.lower() == SERVICE_TYPE:
                    self._note(record.alias, is_gone)
            elif isinstance(record, DNSService | DNSText) and (is_gone or update.old is None):
                self._note(record.name, is_gone)

    def _note(self, name: str, is_gone: bool) -> None:
        if name.lower().endswith(_SUFFIX):
            # One packet may say both: then it is there.
            self._heard[name] = self._heard.get(name, True) and is_gone

    def async_update_records_complete(self) -> None:
        """Called when they are."""
        heard, self._heard = self._heard, {}
        for name, is_gone in heard.items():
            self._on_heard(name, is_gone)
