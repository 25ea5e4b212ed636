"""Seats in a row: who is in the game, who comes after whom, who leads."""

from p2pjong.games.seating import leaders, others_after, put, seats_here


def test_one_item_of_a_row_is_replaced() -> None:
    assert put((1, 2, 3), 0, 9) == (9, 2, 3)
    assert put((1, 2, 3), 2, 9) == (1, 2, 9)


def test_seats_that_are_out_are_passed_over_in_turn_order_which_wraps_round() -> None:
    present = (True, False, True, True)
    assert seats_here(present) == (0, 2, 3)
    assert others_after(present, 2) == (3, 0)
    assert others_after(present, 1) == (2, 3, 0)


def test_equals_lead_together_and_who_is_out_does_not() -> None:
    assert leaders((True, True, True), (3, 5, 5)) == (1, 2)
    assert leaders((True, False, True), (3, 9, 1)) == (0,)
