"""Looking for tables: our own is none to join, and a running one is listed once."""

import asyncio
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app import searching
from p2pjong.app.choosing import Wanted, offer
from p2pjong.app.searching import Search, nothing_found, one_of_each
from p2pjong.app.waiting_word import told_if_long
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable
from tests.support.peers import front
from tests.support.virtual_clock import run_virtually

OWN = "0" * 16


def table(name: str, fingerprint: str, table_id: bytes = b"t", **rest: Any) -> FoundTable:
    defaults: dict[str, Any] = {
        "name": name,
        "table_id": table_id,
        "game": "war-jhong",
        "seats": 4,
        "free_seats": 2,
        "code_needed": False,
        "fingerprint": fingerprint,
        "addresses": (Address("192.0.2.7", 4242),),
        "port": 4242,
    }
    return FoundTable(**{**defaults, **rest})


class Network:
    """In place of a browser: these tables are there from the start."""

    def __init__(self, *found: FoundTable) -> None:
        self.found = found
        self.silent: tuple[FoundTable, ...] = ()

    def __call__(self, on_change: Callable[[], None], **_: Any) -> "Network":
        return self

    async def __aenter__(self) -> "Network":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def tables(self) -> tuple[FoundTable, ...]:
        return self.found

    def unreachable(self) -> tuple[FoundTable, ...]:
        return self.silent


class Here:
    """A station with an identity, and ten seconds to look."""

    class identity:  # stands for an attribute
        fingerprint = OWN

    class settings:  # stands for an attribute
        wait_s = 10.0
        bind = ""
        role = "join"
        table = ""
        home = Path(".")


def search(
    monkeypatch: pytest.MonkeyPatch, *found: FoundTable, typed: str = "", known: str = ""
) -> tuple[Any, float, list[str]]:
    """What comes of a search, when, and what was said."""
    monkeypatch.setattr(searching, "Browser", Network(*found))
    person, here = front(), Here()
    wanted = Wanted(typed, lambda table: table.fingerprint == known)

    async def scene() -> tuple[Any, float]:
        came: Any
        async with Search(here, person, wanted) as looking:  # type: ignore[arg-type]
            try:
                came = await looking.run()
            except P2PJongError as error:
                came = error
        return came, asyncio.get_running_loop().time()

    came, at_s = run_virtually(scene())
    return came, at_s, person.said


def test_the_only_table_being_our_own_is_told_at_once_with_the_command_that_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error, at_s, _ = search(monkeypatch, table("Ada's table", OWN))
    assert isinstance(error, P2PJongError) and error.code == Exit.NOTHING_FOUND
    assert "the only table found is your own" in error.message
    assert "p2pjong join --home ~/.p2pjong-second" in error.hint
    assert at_s < 1.0


def test_beside_our_own_table_another_one_is_found_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    others = table("Ben's table", "1" * 16, b"u")
    found, _, said = search(monkeypatch, table("Ada's table", OWN), others)
    assert found == (others,)
    assert not any("Ada's table" in line for line in said)


def test_a_running_table_that_all_its_seats_announce_is_listed_once() -> None:
    seats = [table("Ada's table", f"{seat}" * 16, is_playing=True, free_seats=0) for seat in (1, 2)]
    assert one_of_each(seats) == (seats[0],)
    shown = offer(seats[0])
    assert shown.fingerprint == "", "it is of any seat, and not of the host"
    assert offer(table("Ada's table", "1" * 16)).fingerprint == "1" * 9


def test_of_gathering_tables_none_is_hidden_by_one_that_claims_to_be_it() -> None:
    alike = [table("Ada's table", f"{host}" * 16) for host in (1, 2)]
    assert one_of_each(alike) == tuple(alike)


def test_a_running_table_is_told_once_in_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [table("Ada's table", f"{seat}" * 16, is_playing=True, free_seats=0) for seat in (1, 2)]
    found, _, said = search(monkeypatch, *seats)
    assert sum("found Ada's table" in line for line in said) == 1
    assert "Ada's table: playing)" in nothing_found("", found).message


@pytest.mark.parametrize(("takes_s", "told"), [(0.9, []), (1.1, ["Connecting ..."])])
def test_what_takes_more_than_a_second_is_told(takes_s: float, told: list[str]) -> None:
    person = front()

    async def scene() -> None:
        async with told_if_long(person, "Connecting"):
            await asyncio.sleep(takes_s)

    run_virtually(scene())
    assert person.said == told


def test_a_search_by_name_waits_a_moment_for_likelier_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = table("Ada's table", "1" * 16)
    for typed in ("ada", "Ada's table"):
        found, at_s, _ = search(monkeypatch, ada, typed=typed)
        assert found == (ada,) and 2 < at_s < 5, "a friend's may show itself yet"
    assert search(monkeypatch, ada, typed="Ada's table", known="1" * 16)[1] < 1
    assert search(monkeypatch, ada, typed="ben")[1] == 10


def test_who_names_the_fingerprint_too_waits_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = table("Ada's table", "abcd-efgh-" + "1" * 6)
    found, at_s, _ = search(monkeypatch, ada, typed="ada#abcd-efgh")
    assert found == (ada,) and at_s < 1


def test_who_looks_for_another_table_is_not_told_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = table("Ada's table", OWN)
    found, _, _ = search(monkeypatch, own, typed="No such")
    assert found == ()
    assert nothing_found("No such", found).message.startswith("no table 'No such' on this network")
    error, _, _ = search(monkeypatch, own, table("Ben's table", "1" * 16, b"u"), typed="ada")
    assert "your own" in error.message


# --- What is announced and does not answer ------------------------------------------------------


def silent(name: str) -> FoundTable:
    where = Address("10.0.0.7", 4242)
    return dataclasses.replace(table(name, "1" * 16), addresses=(where,), port=4242)


@pytest.mark.parametrize("typed", ["", "Ada's table", "ada"])
def test_a_table_that_does_not_answer_is_told_with_what_to_do_on_which_machine(typed: str) -> None:
    error = nothing_found(typed, (), (silent("Ada's table"),))
    told = "Ada's table is announced at 10.0.0.7:4242, but does not answer there"
    assert error.message == told and error.code is Exit.NOTHING_FOUND
    for part in ("10.0.0.7", "firewall", "TCP port 4242", "p2pjong doctor", "--connect"):
        assert part in error.hint


def test_one_that_nobody_asked_for_is_not_told() -> None:
    error = nothing_found("Ben", (), (silent("Ada's table"),))
    assert error.message.startswith("no table 'Ben'")
    full = (table("Ben's", "2" * 16, free_seats=0),)
    assert "full" in nothing_found("", full, (silent("Ada's table"),)).message


def test_a_search_keeps_what_did_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network()
    network.silent = (silent("Ada's table"), silent("Own"))
    network.silent = (network.silent[0], dataclasses.replace(network.silent[1], fingerprint=OWN))
    monkeypatch.setattr(searching, "Browser", network)

    async def scene() -> tuple[FoundTable, ...]:
        wanted = Wanted("", lambda table: False)
        async with Search(Here(), front(), wanted) as looking:  # type: ignore[arg-type]
            await looking.run()
            return looking.unreachable()

    assert run_virtually(scene()) == network.silent[:1]
