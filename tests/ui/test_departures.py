"""What a terminal tells of who has left, was voted out or was caught, and what follows."""

from dataclasses import replace
from typing import Any

import click
import pytest

from p2pjong.front import Linked, Stuck, Told
from p2pjong.games.game import Event, Over
from p2pjong.session.effects import Blame, Finished, Happened, Left, VotedOut
from p2pjong.ui import endings
from p2pjong.ui.names import Names
from p2pjong.ui.teller import Teller
from p2pjong.ui.terminal import TerminalFront
from p2pjong.ui.text import COLUMNS, width
from tests.support.fake_screen import FakeScreen
from tests.support.misdeeds import MISDEEDS
from tests.support.terminal import HAND, SEATS, run
from tests.support.trials import try_in
from tests.support.war_jhong_views import view_of


def test_who_left_is_told_with_what_becomes_of_the_game() -> None:
    def told(gone: tuple[int, ...], present: tuple[bool, ...] = (True, True, True)) -> str:
        teller = Teller()
        teller.seated(SEATS, 0)
        teller.view = replace(view_of(HAND), present=present)
        return click.unstyle(
            " ".join(line for seat in gone for line in teller.lines(Left(seat), 0))
        )

    assert told((1,)).startswith("Ben has left the game. Play on as usual. When Ben is needed")
    assert told((1, 2)).endswith("Cy has left the game. Too few players are left to go on.")
    assert told((2,), (True, False, True)).endswith("Too few players are left to go on.")
    assert told((0,)) == "", "the end tells it"


@pytest.mark.parametrize("is_told", [True, False])
def test_who_was_told_to_go_is_not_told_of_a_game_that_is_over(is_told: bool) -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    over = Finished(Over("abandoned", (0, 0, 0), (), 0), bytes(32))
    if is_told:
        teller.lines(Left(0), 0.0)
    told = click.unstyle(" ".join(teller.lines(over, 0.0)))
    assert ("You left the game." in told) == is_told
    assert ("the game is over" in told) != is_told
    teller.seated(SEATS, 0)
    assert teller.gone_by is None, "a game after this one is another thing"


def test_who_is_voted_absent_is_told_that_it_is_over_for_it_alone() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(VotedOut(0, (1, 2)))
            front.show(Finished(Over("abandoned", (0, 0, 0), (), 0), bytes(32)))
            assert "You are removed from the game: Ben and Cy voted for it." in screen.text
            assert "For you the game is over. The others may go on." in screen.text
            assert "abandoned" not in screen.text
            assert await front.rematch() is False, "there is nobody to ask for another game"

    run(scene())


@pytest.mark.parametrize(
    ("stuck", "why"),
    [
        (Stuck(1, 65, 2, False, "Leaving costs all."), "one of two is no majority"),
        (Stuck(1, 65, 4, True, "Leaving costs all."), "takes 3 of the 4 players"),
        (Stuck(1, 65, 4, False, "Leaving costs all."), "cannot be removed by vote now"),
    ],
)
def test_without_a_majority_the_screen_says_what_can_be_done(stuck: Stuck, why: str) -> None:
    lines = endings.stuck_lines(stuck, Names(("Ada", "Ben"), 0))
    told = click.unstyle(" ".join(lines))
    assert "Ben has been silent for 1 min 05 s." in told and why in told
    assert "You can wait" in told and "leave with q. Leaving costs all." in told


def test_a_false_shuffle_is_told_at_the_terminal_in_plain_words_and_once() -> None:
    """Of a real cheat at a real table; `test_rule_words.py` has all the others."""
    misdeed = next(one for one in MISDEEDS if one.name == "doubles a card in the deck")
    table = try_in("war-jhong", misdeed, 2)

    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS[:2], 0)
            for effect in table.peers[0].seen:
                if isinstance(effect, Told):
                    front.show(effect)
        told = " ".join(screen.text.split())
        said = "Ben broke the rules: they shuffled the deck dishonestly; the proof does not hold."
        assert told.count(said) == told.count("broke the rules:") == 1
        assert "The game ended because Ben broke the rules; nobody wins." in told
        assert all(width(line) <= COLUMNS for line in screen.lines)

    run(scene())


def test_who_left_in_order_is_not_told_to_be_out_of_reach_too() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Linked((1, 2)), 0.0)
    teller.lines(Left(1), 0.0)
    assert teller.lines(Linked((2,)), 0.0) == []


def test_what_the_machine_did_when_all_had_left_is_no_choice_of_its_person() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    discard = Happened(Event("discarded", 0, ("J",)), view_of(HAND))
    assert "You discard J" in click.unstyle("\n".join(teller.lines(discard, 0.0)))
    teller.lines(Left(1), 0.0)
    assert teller.lines(discard, 0.0) != [], "two are enough"
    told = teller.lines(Left(2), 0.0)
    assert "Too few players are left to go on." in click.unstyle("\n".join(told))
    assert teller.lines(discard, 0.0) == []


@pytest.mark.parametrize("gone", [Left(1), VotedOut(1, (0, 2)), Blame(1, "digest", "lies", 7)])
def test_who_is_out_is_told_once_as_it_goes_and_not_again_as_the_hand_is_void(gone: Any) -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    out = Happened(Event("seat_left", 1), view_of(HAND))
    assert teller.lines(out, 0.0) != [], "the game alone has told of it"
    assert teller.lines(gone, 0.0) != []
    assert teller.lines(out, 0.0) == []
    teller.seated(SEATS, 0)
    assert teller.lines(out, 0.0) != [], "in the next game it is news again"


@pytest.mark.parametrize("second", [Left(2), VotedOut(2, (0, 1)), Blame(2, "digest", "lies", 7)])
def test_when_one_of_three_is_left_nothing_goes_on_however_the_others_went(second: Any) -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Happened(Event("dealt", 0, number=12), view_of(HAND)), 0.0)
    teller.lines(second, 0.0)
    told = click.unstyle("\n".join(teller.lines(Left(1), 0.0)))
    assert "Too few players are left to go on." in told and "choose as usual" not in told
