"""Private tables on real links: a host's door, and how a joiner shows that it knows the code."""

import asyncio
import secrets
from typing import TypeVar

from p2pjong.app import turned_away
from p2pjong.app.station import Down, Heard, Station, Up
from p2pjong.session.code_check import BadElement, Between, JoinerCheck, WrongCode
from p2pjong.session.door import Door
from p2pjong.session.joiner_lobby import LobbyClosed
from p2pjong.session.lobby import REFUSALS, LobbyEffect
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Bye,
    CodeAnswer,
    CodePassed,
    CodeStart,
    LobbyMessage,
    Refused,
)

Expected = TypeVar("Expected", CodeAnswer, CodePassed)

ANSWER_S = 10.0
# So long no check begins after ten wrong codes. It bounds the guesses a second, whoever makes them
# and from however many addresses; a friend who comes meanwhile waits.
SHUT_S = 5.0


class Doorway:
    """A host's door: checks off the event loop, one after the other."""

    def __init__(self, station: Station, code: str) -> None:
        self._station = station
        self._door = Door(station.key, secrets.token_bytes, code)
        self._shut_until_s = 0.0
        self._waiting: dict[bytes, asyncio.TimerHandle] = {}

    @property
    def code(self) -> str:
        """What the host's person tells those who may come in."""
        return self._door.code

    def admits(self, key: bytes) -> bool:
        """Whether this identity may ask for a seat."""
        return self._door.admits(key)

    def admit(self, key: bytes) -> None:
        """Let in one of our own bots without a code."""
        self._door.admit(key)

    def expel(self, key: bytes) -> list[LobbyEffect]:
        """Our person has sent somebody away."""
        return self._door.expel(key)

    def up(self, link: Up) -> None:
        """A new link."""
        self._door.linked(link.key, link.transcript)

    def down(self, key: bytes) -> list[LobbyEffect]:
        """A link is gone."""
        self._stop_waiting(key)
        before = self.code
        effects = self._door.gone(key)
        self._shut_if_changed(before)
        return effects

    async def hear(self, key: bytes, message: LobbyMessage) -> list[LobbyEffect]:
        """A message of the check."""
        self._stop_waiting(key)
        loop = asyncio.get_running_loop()
        wait_s = self._shut_until_s - loop.time()
        if isinstance(message, CodeStart) and wait_s > 0:
            again = Heard(key, message)
            self._waiting[key] = loop.call_later(wait_s, self._station.inbox.put_nowait, again)
            return []
        before = self.code
        effects = await asyncio.to_thread(self._door.receive, key, message)
        self._shut_if_changed(before)
        return effects

    def _stop_waiting(self, key: bytes) -> None:
        waiting = self._waiting.pop(key, None)
        if waiting is not None:
            waiting.cancel()

    def _shut_if_changed(self, before: str) -> None:
        if self.code != before:
            self._shut_until_s = asyncio.get_running_loop().time() + SHUT_S


async def show_code(station: Station, host: bytes, code: str, table: str) -> None:
    """Shows the host that we know the code, and that it does, too. Raises P2PJongError.

    `table` is what our person calls it.
    """
    link = station.mesh.link(host)
    if link is None:
        raise turned_away.gone("lost")
    between = Between(link.transcript, joiner=station.key, host=host)
    check = await asyncio.to_thread(JoinerCheck, code, between, secrets.token_bytes)
    try:
        station.mesh.send(host, encode(await asyncio.to_thread(check.start)))
        answer = await _heard(station, host, CodeAnswer)
        station.mesh.send(host, encode(await asyncio.to_thread(check.prove, answer)))
        check.accept(await _heard(station, host, CodePassed))
    except (BadElement, WrongCode) as error:
        raise turned_away.impostor() from error
    except LobbyClosed as closed:
        raise turned_away.refused(closed, table) from closed
    except TimeoutError:
        raise turned_away.silent() from None


async def _heard(station: Station, host: bytes, kind: type[Expected]) -> Expected:
    """The host's next message, which must be of this kind. Raises LobbyClosed, TimeoutError."""
    async with asyncio.timeout(ANSWER_S):
        while True:
            match await station.inbox.get():
                case Down(key, reason) if key == host:
                    raise turned_away.gone(reason)
                case Heard(key, Refused(reason)) if key == host:
                    raise LobbyClosed(reason, REFUSALS.get(reason, ""))
                case Heard(key, Bye()) if key == host:
                    raise LobbyClosed("closed", REFUSALS["closed"])
                case Heard(key, message) if key == host and isinstance(message, kind):
                    return message
                case Heard(key, _) if key == host:
                    raise LobbyClosed("broken", "the host answered what it was not asked")
