"""Which table is meant by what was typed, and what there is to choose from meanwhile."""

from typing import Any

import pytest

from p2pjong.app.choosing import Choice, Wanted
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable

FRIEND, STRANGER, OTHER = ("aaaa-bbbb-" + letter * 4 for letter in "cde")


def table(name: str, host: str = STRANGER, **rest: Any) -> FoundTable:
    defaults: dict[str, Any] = {
        "name": name,
        "table_id": name.encode(),
        "game": "war-jhong",
        "seats": 4,
        "free_seats": 2,
        "code_needed": False,
        "fingerprint": host,
        "addresses": (Address("192.0.2.7", 4242),),
        "port": 4242,
    }
    return FoundTable(**{**defaults, **rest})


def meant(typed: str, *tables: FoundTable) -> list[FoundTable]:
    """The candidates; one that is alone is joined, of several a person is asked."""
    return list(Wanted(typed, lambda table: table.fingerprint == FRIEND).candidates(tables))


ADA = table("Ada's table", FRIEND)


def test_the_only_table_that_begins_so_is_it() -> None:
    ben = table("Ben's table", OTHER)
    for typed in ("ada", "ADA'S", "Ada's table", "\u0410da", "ada's  table"):
        assert meant(typed, ben, ADA) == [ADA]
    assert meant("a", ben, ADA) == meant("table", ben, ADA) == []


def test_a_strangers_table_of_just_that_name_does_not_stand_for_the_one_that_is_meant() -> None:
    """`join ada` sat down at it unasked, while "Ada's table" was there."""
    lure = table("ada")
    assert meant("ada", lure, ADA) == [ADA, lure], "a host that was met before comes first"
    unknown = table("Ada's table", OTHER)
    assert meant("ada", lure, unknown) == [lure, unknown], "and nobody is joined unasked"


def test_of_two_tables_of_one_name_that_of_a_friend_comes_first() -> None:
    alike = [table(name, STRANGER) for name in ("Ada's table", "\u0410da's table", "Ada's table.")]
    assert meant("Ada's table", *alike, ADA)[0] == ADA
    assert len(meant("Ada's table", *alike, ADA)) == 4


def test_the_whole_name_of_a_friends_table_is_enough_whatever_else_begins_so() -> None:
    assert meant("Ada's table", table("Ada's table 2"), ADA) == [ADA]
    strangers = [table("Friday"), table("Friday 2", OTHER)]
    assert meant("Friday", *strangers) == strangers


@pytest.mark.parametrize("typed", ["Ada's table#aaaa-bbbb-dddd", "ada #AAAA-BBBB-D"[:-2], "#aaaa"])
def test_a_fingerprint_behind_the_name_tells_tables_of_one_name_apart(typed: str) -> None:
    lure = table("Ada's table", STRANGER)
    other = table("Ada's table", "ffff-bbbb-cccc")
    ben = table("Ben's table", "ffff-cccc-dddd")
    assert meant(typed, other, lure, ben) == [lure]


def test_a_name_may_hold_what_looks_like_a_fingerprint() -> None:
    odd = table("Game #aaaa")
    assert meant("Game #aaaa", odd, table("Game", "ffff-bbbb-cccc")) == [odd]


def test_a_table_that_plays_is_no_rival_but_a_friends_is_worth_a_question() -> None:
    playing = table("Ada's table", OTHER, is_playing=True, free_seats=0)
    lure = table("ada")
    assert meant("ada", playing, lure) == [lure]
    assert meant("ada", playing) == [playing], "its host says so"
    friends = table("Ada's table", FRIEND, is_playing=True, free_seats=0)
    assert meant("ada", friends, lure) == [friends, lure]
    assert meant("ada", friends, ADA, lure) == [ADA, lure]


def test_without_a_name_any_table_with_a_free_seat_is_meant_a_friends_first() -> None:
    full = table("Full", free_seats=0)
    other = table("Other")
    assert meant("", full, other, ADA) == [ADA, other]


# --- Choosing while tables come and go ------------------------------------------------------------


def choice_of(*tables: FoundTable) -> Choice:
    choice = Choice(Wanted("", lambda table: table.fingerprint == FRIEND))
    choice.update(tables)
    return choice


def shown(choice: Choice) -> list[tuple[int, str, bool]]:
    return [(offer.number, offer.table, offer.is_gone) for offer in choice.offers()]


def test_each_table_keeps_its_number_whatever_comes_and_goes() -> None:
    one, two, new = table("One"), table("Two", OTHER), table("A new one", OTHER)
    choice = choice_of(one, two)
    choice.update([new, two])
    assert shown(choice) == [(1, "One", True), (2, "Two", False), (3, "A new one", False)]
    choice.update([one, two, new])
    assert shown(choice)[0] == (1, "One", False), "it is back"
    assert choice.chosen(choice.offers()[2]) == new


def test_what_a_table_says_of_itself_is_followed() -> None:
    one = table("One")
    choice = choice_of(one, ADA)
    assert [offer.is_known for offer in choice.offers()] == [True, False]
    full = table("One", free_seats=0, addresses=(Address("192.0.2.8", 4242),))
    choice.update([full, ADA])
    assert (choice.offers()[1].seats_free, choice.offers()[1].is_gone) == (0, False)
    assert choice.chosen(choice.offers()[1]) == full
