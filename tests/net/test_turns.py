"""Turns: bounded, fair by origin, and by turns who came last and who has waited longest."""

import asyncio
from collections.abc import Sequence

import pytest

from p2pjong.net.turns import Turns
from tests.support.virtual_clock import run_virtually

STAY_S = 1.0


class Party:
    """Guests of several origins, each of whom stays for a second; who is in, and who came when."""

    def __init__(self, at_once: int, of_one_origin: int) -> None:
        self.turns = Turns(at_once, of_one_origin)
        self.inside: list[str] = []
        self.came: list[str] = []
        self.most: dict[str, int] = {}

    async def visit(self, guest: str) -> None:
        origin = guest.split()[0]
        async with self.turns.turn(origin):
            self.inside.append(guest)
            self.came.append(guest)
            alike = sum(one.split()[0] == origin for one in self.inside)
            self.most[origin] = max(self.most.get(origin, 0), alike)
            self.most["all"] = max(self.most.get("all", 0), len(self.inside))
            await asyncio.sleep(STAY_S)
            self.inside.remove(guest)

    def invite(self, guests: Sequence[str]) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self.visit(guest)) for guest in guests]


def of(origin: str, count: int) -> list[str]:
    return [f"{origin} {number}" for number in range(count)]


def test_no_more_than_so_many_go_at_once_and_of_one_origin_fewer() -> None:
    async def scene() -> Party:
        party = Party(6, 4)
        await asyncio.gather(*party.invite(of("a", 9) + of("b", 9)))
        return party

    party = run_virtually(scene())
    assert len(party.came) == 18
    assert party.most == {"a": 4, "b": 4, "all": 6}


def test_one_origin_does_not_keep_another_waiting() -> None:
    async def scene() -> float:
        party = Party(4, 2)
        flood = party.invite(of("flood", 50))
        await asyncio.sleep(0)
        await asyncio.gather(*party.invite(["friend"]))
        waited_s = asyncio.get_running_loop().time()
        for task in flood:
            task.cancel()
        await asyncio.wait(flood)
        return waited_s

    assert run_virtually(scene()) == STAY_S, "it was let in at once"


def test_where_all_go_the_origin_with_the_fewest_is_next() -> None:
    async def scene() -> list[str]:
        party = Party(2, 2)
        await asyncio.gather(*party.invite(["a 0", "a 1", "a 2", "b", "a 3"]))
        return party.came

    # Of the first two only one origin was there; then the one that has nobody inside.
    assert run_virtually(scene())[:3] == ["a 0", "a 1", "b"]


def test_by_turns_goes_who_came_last_and_who_has_waited_longest() -> None:
    async def scene() -> list[str]:
        party = Party(1, 1)
        await asyncio.gather(*party.invite([f"{letter} x" for letter in "abcdef"]))
        return party.came

    assert run_virtually(scene()) == [f"{letter} x" for letter in "abfced"]


def test_within_one_origin_too() -> None:
    async def scene() -> list[str]:
        party = Party(2, 1)
        await asyncio.gather(*party.invite(of("a", 6)))
        return party.came

    assert run_virtually(scene()) == [f"a {number}" for number in (0, 1, 5, 2, 4, 3)]


@pytest.mark.parametrize("is_let_in", [False, True])
def test_who_gives_up_takes_nobodys_turn(is_let_in: bool) -> None:
    async def scene() -> list[str]:
        party = Party(1, 1)
        first, *others = party.invite(of("a", 3))
        await asyncio.sleep(0.1)
        gone = first if is_let_in else others[0]
        gone.cancel()
        await asyncio.wait([first, *others])
        assert gone.cancelled()
        assert not party.turns._waiting and not party.turns._going, "nothing stays of it"
        return party.came

    assert len(run_virtually(scene())) == (3 if is_let_in else 2)


def test_who_gives_up_in_the_moment_of_being_let_in_gives_the_turn_back() -> None:
    async def scene() -> list[str]:
        party = Party(1, 1)
        async with party.turns.turn("a"):
            second, third = party.invite(["a 2", "a 3"])
            await asyncio.sleep(0)
        third.cancel()  # it was let in, and does not know it yet
        await asyncio.wait([second, third])
        return party.came

    assert run_virtually(scene()) == ["a 2"]
