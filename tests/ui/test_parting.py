"""Who leaves is told how it stands, and what becomes of the game without it."""

import click
import pytest

from p2pjong.front import Parted, Shown
from p2pjong.games.game import Over
from p2pjong.session.effects import Blame, Finished, Left, VotedOut
from p2pjong.session.lobby_view import LobbySeat
from p2pjong.ui.teller import Teller
from p2pjong.ui.text import width
from tests.support.war_jhong_views import view_of

HAND = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J F G"
SEATS = tuple(LobbySeat(name, name) for name in ("Ada", "Ben", "Cy"))
STANDING = Over("abandoned", (12, 30, 5), (), 4)
BY_FAULT = Over("fault", (12, 30, 5), (), 4)
LIE = Blame(1, "digest", "lies", 7)


def told(
    *effects: Shown, over: Over = STANDING, has_view: bool = True, fault: Blame | None = None
) -> list[str]:
    """What is printed as the game ends for seat 0, after these effects."""
    teller = Teller()
    teller.seated(SEATS, 0)
    if has_view:
        teller.view = view_of(HAND)
    for effect in effects:
        teller.lines(effect, 0.0)
    lines = teller.lines(Finished(over, bytes(32), fault), 0.0)
    return [click.unstyle(line) for line in lines]


def rows(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines if line[:1] == " "]


def test_who_leaves_sees_the_standing_best_first_and_that_the_others_go_on() -> None:
    lines = told(Left(0), Parted(2))
    assert lines[0] == "You left the game."
    assert rows(lines)[:3] == [["Ben", "30"], ["Ada", "(you)", "12"], ["Cy", "5"]]
    assert lines[-1] == " after 4 hands; the game goes on among the other 2"
    assert not any("is over" in line or "digest" in line for line in lines), "it is not"
    assert all(width(line) <= 80 for line in lines) and len(lines) < 24


def test_who_leaves_as_one_of_too_few_is_told_that_it_ends_for_all() -> None:
    lines = told(Left(0), Parted(0))
    assert lines[-1] == " after 4 hands; the game ends here for everyone"


@pytest.mark.parametrize(("hands", "said"), [(0, "no hand was finished"), (1, "after 1 hand")])
def test_how_much_was_played_is_told(hands: int, said: str) -> None:
    lines = told(Left(0), Parted(2), over=Over("abandoned", (0, 0, 0), (), hands))
    assert lines[-1].strip().startswith(f"{said};")


def test_who_was_voted_out_sees_the_standing_too() -> None:
    lines = told(VotedOut(0, (1, 2)))
    assert lines[0] == "For you the game is over. The others may go on."
    assert rows(lines)[0] == ["Ben", "30"]
    assert lines[-1] == " after 4 hands"


def test_before_anything_was_played_there_is_no_standing() -> None:
    assert told(Left(0), Parted(2), has_view=False) == ["You left the game."]


def test_who_leaves_a_game_that_is_decided_sees_its_end() -> None:
    lines = told(Left(0), Parted(2), over=Over("finished", (12, 101, 5), (1,), 5))
    assert lines[0] == "You left the game."
    assert "Ben wins the game." in lines
    assert rows(lines)[0] == ["*", "Ben", "101"]


def test_a_fault_that_ends_the_game_is_told_as_such() -> None:
    lines = told(VotedOut(0, (1, 2)), over=BY_FAULT, fault=LIE)
    assert "The game ended because Ben broke the rules; nobody wins." in lines
    assert not any("may go on" in line for line in lines)
    assert "The game ended because Ben broke the rules; nobody wins." in told(
        Left(0), Parted(0), over=BY_FAULT, fault=LIE
    )


def test_others_who_go_on_in_spite_of_a_fault_are_not_told_to_have_ended() -> None:
    lines = told(Left(0), Parted(2), over=BY_FAULT, fault=LIE)
    assert lines[0] == "You left the game." and "ended" not in " ".join(lines)
    assert lines[-1].endswith("the game goes on among the other 2")


def test_a_game_after_this_one_knows_nothing_of_it() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Left(0), 0.0)
    teller.lines(Parted(2), 0.0)
    teller.seated(SEATS, 0)
    teller.view = view_of(HAND)
    lines = teller.lines(Finished(STANDING, bytes(32)), 0.0)
    assert not any("goes on" in line for line in lines)
