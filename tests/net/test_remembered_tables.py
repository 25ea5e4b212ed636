"""A table that answered is believed over what others say of it."""

import asyncio
import dataclasses
from collections.abc import Callable

import pytest

from p2pjong.net.address import Address
from p2pjong.net.announcement import BadAnnouncement
from p2pjong.net.discovery import PROBE_EVERY_S, Browser, FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError, unreachable
from tests.support.announced import FakeHearing, announce, hears, say_goodbye
from tests.support.virtual_clock import run_virtually

HOST, OTHER = fingerprint(bytes(32)), fingerprint(bytes([1]) * 32)
HERE, THERE, NOWHERE = (Address(f"10.77.1.{number}", 4711) for number in (1, 2, 99))


def table(*where: Address, host: str = HOST, free: int = 2) -> FoundTable:
    return FoundTable("Friday", bytes(16), "war-jhong", 4, free, False, host, where, 4711)


class Room(Browser):
    """A browser that hears of one table, and of what others say about it."""

    def __init__(self) -> None:
        super().__init__()
        self.announced: FoundTable | None = table(HERE)
        self.answers: dict[Address, str] = {HERE: HOST}
        self.tries: list[float] = []
        self._prober._who_answers = self._answer  # type: ignore[method-assign]
        hears(self, FakeHearing(lambda name: self.announced))

    async def __aenter__(self) -> "Room":
        await super().__aenter__()
        return self

    async def _answer(self, address: Address) -> str:
        self.tries.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.01)
        if address not in self.answers:
            raise unreachable("no answer")
        return self.answers[address]

    def hear(self, heard: FoundTable | None) -> None:
        self.announced = heard
        announce(self, ["Friday"])

    @property
    def is_shown(self) -> bool:
        return [found.fingerprint for found in self.tables()] == [HOST]


def test_goodbyes_that_others_say_hide_no_table() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(1)
            room.announced = None  # zeroconf believes them
            room.tries.clear()
            for _ in range(600):
                say_goodbye(room, "Friday")
                await asyncio.sleep(0.1)
                assert room.is_shown
            assert len(room.tries) < 30, "nor do they turn us against its host"

    run_virtually(scene())


def test_a_goodbye_right_behind_the_announcement_comes_too_early() -> None:
    """Whoever begins to look while somebody says goodbyes must find the table, too."""

    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            room.announced = None
            say_goodbye(room, "Friday")
            await asyncio.sleep(0.1)
            assert room.is_shown

    run_virtually(scene())


def test_who_says_goodbye_and_goes_is_off_the_list_at_once_and_then_forgotten() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(10.3)
            say_goodbye(room, "Friday")
            await asyncio.sleep(0.1)
            room.answers.clear()  # its sockets close a little later
            await asyncio.sleep(0.9)
            assert not room.tables()
            assert not room.unreachable(), "it did say goodbye"
            await asyncio.sleep(4 * PROBE_EVERY_S)
            assert not (room._following or room._heard or room._goodbyes or room._found)

    run_virtually(scene())


def test_a_host_that_fails_to_answer_once_while_others_say_goodbye_comes_back() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(1)
            room.announced = None
            say_goodbye(room, "Friday")
            answers, room.answers = room.answers, {}
            await asyncio.sleep(PROBE_EVERY_S)
            assert not room.tables()
            room.answers = answers
            await asyncio.sleep(2 * PROBE_EVERY_S)
            assert room.is_shown

    run_virtually(scene())


@pytest.mark.parametrize("is_first", [True, False], ids=["before the true ones", "after them"])
def test_addresses_that_others_announce_for_a_table_lead_nobody_astray(is_first: bool) -> None:
    async def scene() -> None:
        async with Room() as room:
            if not is_first:
                room.hear(table(HERE))
                await asyncio.sleep(1)
                assert room.is_shown
            for number in range(100):
                room.hear(table(Address("10.77.9.9", 1000 + number)))
                await asyncio.sleep(0.1)
                assert is_first or room.is_shown
                if number % 10 == 0:
                    room.hear(table(HERE))
                    await asyncio.sleep(0.1)
            assert room.is_shown
            assert room.tables()[0].addresses[0] == HERE
            assert len(room.tables()[0].addresses) <= 16

    run_virtually(scene())


def test_a_wrong_address_right_behind_the_true_one_does_not_replace_it() -> None:
    async def scene() -> None:
        async with Room() as room:
            for number in range(20):
                room.hear(table(HERE))
                room.hear(table(Address("10.77.9.9", 1000 + number)))
                await asyncio.sleep(0.25)
            assert room.is_shown

    run_virtually(scene())


def test_a_peer_that_announces_itself_in_the_place_of_another_does_not_get_it() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(1)
            room.answers[THERE] = OTHER
            for _ in range(20):
                room.hear(table(THERE, host=OTHER))
                await asyncio.sleep(1)
                assert room.is_shown
            del room.answers[HERE]
            await asyncio.sleep(2 * PROBE_EVERY_S)
            assert [found.fingerprint for found in room.tables()] == [OTHER]

    run_virtually(scene())


def test_a_host_that_moves_is_followed() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(1)
            room.answers = {THERE: HOST}
            room.hear(table(THERE))
            await asyncio.sleep(1)
            assert room.is_shown and room.tables()[0].addresses[0] == THERE

    run_virtually(scene())


def test_free_seats_follow_at_once_without_a_new_proof() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.hear(table(HERE))
            await asyncio.sleep(1)
            for free in (1, 0, 3):
                room.hear(table(HERE, free=free))
                assert [found.free_seats for found in room.tables()] == [free]

    run_virtually(scene())


# --- What is announced and does not answer ------------------------------------------------------


@pytest.mark.parametrize(("pause_s", "told_after_s"), [(0.0, 0.1), (3600.0, 1.3)])
def test_a_table_that_is_announced_and_does_not_answer_is_told(
    pause_s: float, told_after_s: float
) -> None:
    """Also before all tries are over: who looks for tables looks for two seconds."""

    async def scene() -> None:
        async with Room() as room:

            async def silence(address: Address) -> str:
                await asyncio.sleep(pause_s)
                raise unreachable("refused")

            room._prober._who_answers = silence  # type: ignore[method-assign]
            room.hear(table(HERE))
            await asyncio.sleep(told_after_s)
            (mute,) = room.unreachable()
            assert (mute.name, mute.addresses) == ("Friday", (HERE,))
            assert not room.tables()
            room._prober._who_answers = room._answer  # type: ignore[method-assign]
            await asyncio.sleep(2 * PROBE_EVERY_S)
            assert not room.unreachable() and room.is_shown

    run_virtually(scene())


def test_who_answers_as_somebody_else_is_no_table_that_does_not_answer() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.answers[HERE] = OTHER
            room.hear(table(HERE))
            await asyncio.sleep(5)
            assert not room.unreachable() and not room.tables()

    run_virtually(scene())


def test_of_those_that_do_not_answer_few_are_told() -> None:
    async def scene() -> None:
        async with Room() as room:
            room.answers.clear()

            def known(name: str) -> FoundTable:
                return dataclasses.replace(table(NOWHERE), name=name, table_id=name.encode()[:16])

            hears(room, FakeHearing(known))
            announce(room, (f"Ghost {number}" for number in range(500)))
            await asyncio.sleep(30)
            assert len(room.unreachable()) == 16

    run_virtually(scene())


def raising(error: Exception) -> Callable[[str], FoundTable | None]:
    def known(name: str) -> FoundTable | None:
        raise error

    return known


def test_an_announcement_that_cannot_be_read_is_asked_about_and_passed_over() -> None:
    async def scene() -> None:
        async with Room() as room:
            hears(room, FakeHearing(raising(BadAnnouncement("no v"))))
            announce(room, ["Friday"])
            await asyncio.sleep(3 * PROBE_EVERY_S)
            assert not room.tables() and not room.unreachable()
            assert not any(task.done() for task in room._following.values())

    run_virtually(scene())


def test_a_link_error_is_no_reason_to_stop_looking() -> None:
    async def scene() -> None:
        async with Room() as room:

            async def rude(address: Address) -> str:
                raise LinkError("broke off the connection")

            room._prober._who_answers = rude  # type: ignore[method-assign]
            room.hear(table(HERE))
            await asyncio.sleep(1)
            room._prober._who_answers = room._answer  # type: ignore[method-assign]
            await asyncio.sleep(2 * PROBE_EVERY_S)
            assert room.is_shown

    run_virtually(scene())
