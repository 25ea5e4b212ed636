"""What the losers of a round pay its winner, to the letter of the text, and no more than they have.

won by     Ma wins: each loser    another wins: Ma, each other loser
a draw     4                      4, 2
a steal    2                      2, 1
"""

from collections.abc import Sequence

from p2pjong.games.game import Seat

BY_DRAW = 2
BY_STEAL = 1
MA_FACTOR = 2


def owed(seat: Seat, winner: Seat, ma: Seat, is_steal: bool) -> int:
    """How many tokens a loser owes; twice as many if it or the winner is Ma."""
    tokens = BY_STEAL if is_steal else BY_DRAW
    return tokens * MA_FACTOR if ma in (seat, winner) else tokens


def pay(
    tokens: Sequence[int], present: Sequence[bool], winner: Seat, ma: Seat, is_steal: bool
) -> tuple[int, ...]:
    """The tokens after the round. Who owes more than it has pays all it has (N11)."""
    after = list(tokens)
    for seat, is_present in enumerate(present):
        if is_present and seat != winner:
            paid = min(tokens[seat], owed(seat, winner, ma, is_steal))
            after[seat] -= paid
            after[winner] += paid
    return tuple(after)
