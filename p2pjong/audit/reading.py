"""The reading of one record from its first message to its last: the program asks, this hears.

Implements "The audit" of `protocol/audit.md`. Messages are taken in as the file has them, accepted
when all that they rest on is here, and judged one by one; the program of the table (`play.py`) goes
on as soon as the step that it asked for is complete.
"""

from collections import deque
from collections.abc import Iterator

from p2pjong.audit.faults import Refused
from p2pjong.audit.lanes import Lanes, Message, Stories
from p2pjong.audit.play import Play, draft_hash
from p2pjong.audit.steps import Answers, Step, Steps, TurnedBack, Void
from p2pjong.audit.turning import Ended, Turning
from p2pjong.games.game import Game, Seat
from p2pjong.wire.messages import Convict, Draft, Evidence, Lane, Leave, PutOut, Settled, VoteAbsent


class EndOfRecord(Exception):
    """The file has no more messages, and the program has not ended."""


# What means nothing by itself is kept until the hand begins anew. Peers accept some hundred such
# messages of a seat; who makes up a record may have a million. Small ones cost as much as these:
IDLE_BYTES_MAX = 128 << 20
IDLE_BYTES_MIN = 4096
# Who writes a record writes no message twice, and none that its program dropped.
SPARE_MAX = 1 << 16


class Reading:
    """One record under the eyes of an auditor, who believes nothing that it has not checked.

    Raises ValueError if the draft's options are none of the game's.
    """

    def __init__(self, draft: Draft, game: Game, messages: Iterator[Lane | Evidence]) -> None:
        seats = len(draft.seats)
        self._table = draft_hash(draft)
        self._messages = messages
        self.lanes = Lanes(self._table, [entry.key for entry in draft.seats])
        self.steps = Steps(self.lanes, seats, self._table)
        self.play = Play(draft, game, self.steps, self._ask)
        self.turning = Turning(self.lanes, self.steps, self.play, seats)
        self.has_ended = False
        self.departures: list[tuple[Seat, int]] = []  # who left, with which message of its lane
        self._due: deque[Message] = deque()  # put off until the hand began anew
        self._put_off: list[Message] = []
        self._lengths: dict[Seat, tuple[int, ...]] = {}  # which each seat named last
        self._has_closed = False  # a step, and nobody has looked again since
        self._has_looked = True  # since the last message was taken in
        self._idle_bytes = 0  # of messages that mean nothing, since a hand last began anew
        self._spare = 0  # messages that changed nothing at all
        self._is_last = False  # evidence of two stories: no lane message follows

    def read(self) -> None:
        """Read all of it. Raises Refused on a message that no record may hold, and InvalidProof
        on what the seats can only have contrived all together."""
        try:
            self._run()
        except EndOfRecord:
            return
        except Ended:
            pass
        self.has_ended = True
        self.steps.conclude(self.play.present_at_base())
        self.play.close_books()
        self._read_on()

    def _run(self) -> None:
        """The program, which begins its hand anew as often as that is turned back."""
        try:
            self.play.sign_charter()
        except Void:
            self.turning.break_off()
        while True:
            try:
                self.play.run()
                self._look_after_closing()
            except TurnedBack:
                pass
            if not self.steps.is_suspended:
                return
            self._turn_back()

    def _turn_back(self) -> None:
        while not self.turning.begin_anew():
            self._hear()
        self._due.extend(self._put_off)
        self._put_off = []
        self._idle_bytes = 0
        self._has_closed = False

    # --- The program asks -----------------------------------------------------------------------

    def _ask(self, step: Step) -> Answers:
        """The complete set of answers to a step, as far as one must read for it."""
        self.steps.open(step, self.play.digest())
        self._look_after_closing()
        if self._due:
            self._hear()
        while not self.steps.is_suspended and self.steps.missing():
            self._hear()
        if self.steps.is_suspended:
            raise TurnedBack
        self._has_closed = True
        return self.steps.close()

    def _look_after_closing(self) -> None:
        if self._has_closed:
            self._has_closed = False
            self.turning.look_again()

    # --- One thing after another ----------------------------------------------------------------

    def _hear(self) -> None:
        """Go on by one thing: judge a message, look again, or take in what the file has next."""
        if self._is_last and not self.play.charter:
            self.turning.break_off()
        elif self._due:
            self._judge_late(self._due.popleft())
        elif (message := self.lanes.accept_next()) is not None:
            self._judge(message)
        elif not self._has_looked:
            self._has_looked = True
            self.turning.look_again()
        else:
            self._has_looked = False
            self._take_in(next(self._messages, None))

    def _take_in(self, message: Lane | Evidence | None) -> None:
        if message is None:
            raise EndOfRecord
        if isinstance(message, Evidence):
            self.turning.find(self._compare(message))
        elif (stories := self._take_in_lane(message)) is not None:
            self.turning.find(stories)

    def _take_in_lane(self, message: Lane) -> Stories | None:
        if self._is_last:
            raise Refused("a lane message after evidence")
        early = self.lanes.waiting()
        stories = self.lanes.take_in(message)
        if self.lanes.waiting() == early:
            self._count_spare()
        return stories

    def _compare(self, evidence: Evidence) -> Stories:
        if evidence.draft != self._table:
            raise Refused("a message of another table")
        self._is_last = True
        self._count_spare()
        return self.lanes.compare(evidence.first, evidence.second)

    def _count_spare(self) -> None:
        self._spare += 1
        if self._spare > SPARE_MAX:
            raise Refused(f"more than {SPARE_MAX} messages that change nothing")

    def _read_on(self) -> None:
        """After the end messages are taken in, and only evidence changes what is told."""
        for message in self._messages:
            if isinstance(message, Evidence):
                self.steps.blame_stories(self._compare(message))
            else:
                self._take_in_lane(message)

    def is_result_final(self) -> bool:
        """Whether nobody can undo the result that waits, if one does: most have signed it, after
        all had come to it; or it closes though the hand is turned back."""
        if self.steps.is_suspended:
            return self.turning.is_result_certain()
        step, waiting = self.steps.current, self.play.waiting_result()
        is_signing = step is not None and step.kind is Settled
        return waiting is not None and is_signing and waiting.is_by_majority

    # --- Judging ----------------------------------------------------------------------------------

    def _judge(self, message: Message) -> None:
        """Make of an accepted message what it is worth."""
        self.steps.note(message)
        self._count_idle(message)
        rule = self._broken_promise(message)
        if not rule and not isinstance(message.payload, Convict | VoteAbsent | PutOut | Leave):
            self._judge_answer(message)
            return
        self.steps.keep(message)
        if rule:
            self.steps.blame(message, rule)
        elif isinstance(message.payload, Leave):
            self.departures.append((message.seat, message.number))
            self.steps.go(message)
        else:
            self.turning.hear(message)

    def _count_idle(self, message: Message) -> None:
        """Raises Refused on more messages that mean nothing by themselves than peers accept."""
        if (
            self.steps.is_suspended
            or self.turning.has_turned(message.seat)
            or self.steps.is_elsewhere(message)
        ):
            self._idle_bytes += max(message.size_bytes, IDLE_BYTES_MIN)
            if self._idle_bytes > IDLE_BYTES_MAX:
                raise Refused("more messages that mean nothing than any peer accepts")

    def _broken_promise(self, message: Message) -> str:
        """The rule that a message breaks by what its author has signed before; "" if none."""
        lengths = message.lengths
        before = self._lengths.get(message.seat, (0,) * len(lengths))
        self._lengths[message.seat] = lengths
        if self.turning.breaks_vote(message):
            return "broken-vote"
        if any(now < then for now, then in zip(lengths, before, strict=True)):
            return "heads"
        return ""

    def _judge_answer(self, message: Message) -> None:
        if self.turning.has_turned(message.seat):
            self._put_off.append(message)
        elif not self.steps.is_elsewhere(message):
            self.steps.keep(message)
            if not self.steps.is_suspended:
                self.steps.judge(message)

    def _judge_late(self, message: Message) -> None:
        """A message that was put off: its author may have left since."""
        seat = message.seat
        if seat in self.turning.done or message.number < self.turning.end_of_words(seat):
            return
        if self.steps.is_suspended or self.turning.has_turned(seat):
            self._judge_answer(message)
        elif not self.steps.is_elsewhere(message):
            self.steps.keep(message)
            self.steps.judge_late(message)
