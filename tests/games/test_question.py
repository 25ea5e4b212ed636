"""What all scorers refuse."""

import pytest

from p2pjong.games.question import BadQuestion, check_copies, read_cards, read_count

COPIES = {"A": 2, "B": 1}


def test_cards_within_the_deck_pass() -> None:
    check_copies([], COPIES)
    check_copies(["A", "B", "A"], COPIES)


def test_more_copies_than_the_deck_has_are_refused() -> None:
    with pytest.raises(BadQuestion, match="3 cards A, but the deck has 2"):
        check_copies(["A", "A", "B", "A"], COPIES)


def test_an_unknown_card_is_quoted_shortly_and_harmlessly() -> None:
    with pytest.raises(BadQuestion) as caught:
        check_copies(["\x1b[2J" + "x" * 1000], COPIES)
    assert len(str(caught.value)) < 60 and "\x1b" not in str(caught.value)


def test_lists_of_codes_are_read_and_nothing_else() -> None:
    assert read_cards(["A", "B"], "hand") == ("A", "B")
    for asked in (None, "AB", {"A": 1}, [1], [["A"]]):
        with pytest.raises(BadQuestion, match="hand is a list of card codes"):
            read_cards(asked, "hand")


def test_counts_are_read_and_nothing_else() -> None:
    assert read_count(3, "generals") == 3
    for asked in (None, True, -1, 1.5, "1"):
        with pytest.raises(BadQuestion, match="generals is a number of cards"):
            read_count(asked, "generals")
