"""Who is who in a sentence."""

import pytest

from p2pjong.ui.names import Names

NAMES = Names(("Ada", "Ben", "Cy"), me=1)


@pytest.mark.parametrize(
    ("seat", "verb", "sentence"),
    [
        (0, "discard", "Ada discards"),
        (1, "discard", "You discard"),
        (0, "lay down", "Ada lays down"),
        (0, "go", "Ada goes"),
        (1, "are", "You are"),
        (2, "are", "Cy is"),
        (2, "have", "Cy has"),
    ],
)
def test_sentences_agree_with_their_subject(seat: int, verb: str, sentence: str) -> None:
    assert NAMES.does(seat, verb) == sentence


def test_lists_end_with_you() -> None:
    assert NAMES.listed((0,)) == "Ada"
    assert NAMES.listed((1,)) == "you"
    assert NAMES.listed((0, 1, 2)) == "Ada, Cy and you"


def test_two_of_one_name_are_told_apart() -> None:
    names = Names(("Ada", "Ada\x1b", "Ben"), me=2)
    assert names.plain(0) == "Ada (seat 0)"
    assert names.plain(1) == "Ada (seat 1)"


def test_a_seat_beyond_the_table_is_no_crash() -> None:
    assert Names(()).plain(3) == "seat 3"
