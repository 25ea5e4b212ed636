"""A session without seat, duty or voice, which reads a record or a journal and judges as peers do.

Implements "The audit" of `protocol/audit.md`: the rules that a file has and a table has not.
"""

from p2pjong.games.game import NOBODY, Game
from p2pjong.session.books import Opening
from p2pjong.session.effects import Books, Effect
from p2pjong.session.faults import Refusal
from p2pjong.session.history import Signed
from p2pjong.session.session import Session
from p2pjong.wire.messages import Draft, Evidence, Lane

# Peers accept some hundred messages of a seat that mean nothing until a hand begins anew; who makes
# up a record may have a million.
IDLE_BYTES_MAX = 128 << 20
# Who writes a record writes no message twice, and none that its program dropped.
SPARE_MAX = 1 << 16


class Onlooker(Session):
    """Reads one file, whose messages `read` takes one by one; `begin` comes first.

    It believes nothing that it has not checked, and keeps no more of it than may still be asked
    for. `books` are those opened so far, of each hand that ended an epoch.
    """

    def __init__(self, draft: Draft, game: Game, is_checked: bool = False) -> None:
        super().__init__(draft, game, None, is_checked)
        self.lanes.is_record = True
        self.books: list[Books] = []
        self._required: list[int] = []  # how much of each lane answers must name, last we looked
        self._is_last = False  # evidence of two stories: no lane message follows

    def read(self, message: Lane | Evidence) -> list[Effect]:
        """What the file has next.

        Raises Refusal on a message that no file may hold, and InvalidProof on what the seats can
        only have contrived all together.
        """
        if isinstance(message, Evidence):
            effects = self._read_evidence(message)
        elif self._is_last:
            raise Refusal("a lane message after evidence")
        else:
            effects = self.receive(NOBODY, message)
        if self.lanes.spare > SPARE_MAX:
            raise Refusal(f"more than {SPARE_MAX} messages that change nothing")
        if self._required != self.course.required:
            self._forget()
        return effects

    def _read_evidence(self, message: Evidence) -> list[Effect]:
        """A file ends with the stories that are in no word of its writer."""
        self._is_last = True
        self.lanes.spare += 1
        effects = self.receive(NOBODY, message)
        if self.is_over:
            self._note_stories(self.lanes.compare(message.first, message.second))
        elif self.charter is None:
            self._break_off()
        return [*effects, *self.drain()]

    def _count_idle(self, signed: Signed) -> None:
        """A file is read as it is, for others may rest on what means nothing here."""
        self._add_idle_bytes(signed)
        if self._idle_bytes > IDLE_BYTES_MAX:
            raise Refusal("more messages that mean nothing than any peer accepts")

    def _tell_books(self, opening: Opening) -> None:
        opening.check()
        self.books.append(opening.books())
        super()._tell_books(opening)

    def _forget(self) -> None:
        self._required = list(self.course.required)
        points = [self.course.required, *self.unsettled.required()]
        for seat, lane in enumerate(self.lanes.accepted):
            lane.forget(min(point[seat] for point in points))
