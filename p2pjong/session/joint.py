"""The joint key of the seats at a table, and who is to blame if there is none.

Implements "Keys" of `protocol/play.md`.
"""

from collections.abc import Mapping

from p2pjong.crypto.group import Point
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import joint_key
from p2pjong.games.game import Seat
from p2pjong.session.course import Course, HandVoid


def key_of_all(publics: Mapping[Seat, Point], seats: tuple[Seat, ...], course: Course) -> Point:
    """The sum of the keys that these seats have just opened. Raises HandVoid if it is nothing."""
    try:
        return joint_key([publics[seat] for seat in seats])
    except InvalidProof as error:
        # Every card would lie open. A seat that drew its own key is in no such sum but by a chance
        # of one in 2^252: all of them together have made it.
        for seat in seats:
            course.blame(seat, "joint-key")
        raise HandVoid(seats) from error
