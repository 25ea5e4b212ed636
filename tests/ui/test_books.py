"""Open books as people see them: whose cards they were, and who has not shown them."""

import pytest

from p2pjong.games import GAMES
from p2pjong.games.game import NOBODY, Options
from p2pjong.session.effects import Books
from p2pjong.ui.game_words import words_of
from p2pjong.ui.names import Names
from p2pjong.ui.render import books_lines
from p2pjong.ui.teller import Teller
from p2pjong.ui.text import COLUMNS, width

NAMES = Names(("Ann", "Bob"))


@pytest.mark.parametrize("game", list(GAMES))
def test_every_hand_and_the_deck_are_told_in_the_games_own_words(game: str) -> None:
    deck = GAMES[game].deck
    books = Books(3, ((0, deck[:3]), (1, deck[3:5])), deck[5:])
    lines = books_lines(books, NAMES, game)
    shown = " ".join(lines)
    assert "Ann still held" in shown
    assert "Bob still held" in shown
    assert "left in the deck" in shown
    assert "3" in lines[0]
    for face in set(deck):
        assert words_of(game).card(face) in shown
    assert all(width(line) <= COLUMNS for line in lines)


def test_who_has_not_opened_its_books_is_named_and_its_cards_are_not_shown() -> None:
    deck = GAMES["war-jhong"].deck
    lines = books_lines(Books(1, ((0, deck[:2]), (1, ("", ""))), ("",), (1,)), NAMES, "war-jhong")
    assert lines[-1] == "Bob (seat 1) did not open their books of hand 1"
    assert not any("Bob still held" in line or "deck" in line for line in lines)


def test_books_that_hold_nothing_take_no_line() -> None:
    assert books_lines(Books(1, ((0, ()),), ()), NAMES, "war-jhong") == []


def test_a_screen_tells_them_when_they_come() -> None:
    teller = Teller()
    teller.names = NAMES
    game = GAMES["war-jhong"]
    books = Books(1, ((0, game.deck[:2]),), game.deck[2:4])
    assert teller.lines(books, 0.0) == [], "before there is a game there are none"
    teller.view = game.view(game.start(2, Options()), NOBODY, {})
    assert teller.lines(books, 0.0) == books_lines(books, NAMES, "war-jhong") != []
