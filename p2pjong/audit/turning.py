"""Turning back: a seat told two stories, or was voted absent; the hand begins anew without it.

Implements "Turning back" of `protocol/play.md`. Two stories may have led honest peers to different
points, each rightly, so nothing of the hand counts any more: each seat that stays gives its word,
and once all words are here, what came before them is the same for everyone.
"""

from hashlib import sha256

from p2pjong.audit.faults import Breach, Refused
from p2pjong.audit.lanes import Lanes, Message, Stories
from p2pjong.audit.play import Play
from p2pjong.audit.steps import Steps
from p2pjong.audit.tally import Ballot
from p2pjong.audit.unsettled import Unsettled
from p2pjong.games.game import Seat
from p2pjong.wire.messages import Convict, PutOut, VoteAbsent

PLACE_LABEL = b"p2pjong/v1/turned-back\x00"
SIGN_STEP = 2  # of the charter, after its nonces are committed to and opened


class Ended(Exception):
    """The program has ended before the game did."""


class Turning:
    """Words, votes and stories, and what follows from them."""

    def __init__(self, lanes: Lanes, steps: Steps, play: Play, seats: int) -> None:
        self.done: set[Seat] = set()  # who was put out before
        self._words: dict[Seat, dict[Seat, int]] = {}  # against whom: {speaker: number}
        self._pasts: dict[Seat, list[tuple[int, ...]]] = {}  # what its words had heard of each lane
        self._votes: dict[Seat, dict[Seat, Message]] = {}  # against whom: {voter: its vote}
        self._stories: dict[Seat, Stories] = {}
        self._unsettled = Unsettled(lanes, steps, play)
        self._lanes, self._steps, self._play, self._seats = lanes, steps, play, range(seats)

    def has_turned(self, speaker: Seat) -> bool:
        """Whether this seat has given a word on which the hand has not yet begun anew."""
        return any(
            speaker in speakers for out, speakers in self._words.items() if out not in self.done
        )

    # --- Words and votes ----------------------------------------------------------------------

    def breaks_vote(self, message: Message) -> bool:
        """Whether its author goes on with a lane that it has voted absent."""
        return any(
            message.seat in voters and head.length > voters[message.seat].payload.number
            for absent, voters in self._votes.items()
            for head in [message.body.heads[absent]]
        )

    def hear(self, message: Message) -> None:
        """A word or a vote, which answers no step. Raises Ended."""
        try:
            if message.number <= SIGN_STEP:
                # The numbers of the charter's messages are those of its steps, in every lane.
                raise Breach("vote" if isinstance(message.payload, VoteAbsent) else "word")
            match message.payload:
                case Convict() as word:
                    self._hear_conviction(message, word)
                case PutOut(seat=out):
                    self._hear_word(message, out)
                    self._count_votes(out)
                case VoteAbsent() as vote:
                    self._hear_vote(message, vote)
        except Breach as breach:
            self._steps.blame(message, breach.rule)

    def _hear_conviction(self, message: Message, word: Convict) -> None:
        try:
            stories = self._lanes.compare(word.first, word.second)
        except Refused as error:
            raise Breach("false-evidence") from error
        self._note_word(message, stories.seat)
        self.find(stories)

    def _hear_word(self, message: Message, out: Seat) -> None:
        if out == message.seat or out not in self._seats:
            raise Breach("word")
        self._note_word(message, out)

    def _note_word(self, message: Message, out: Seat) -> None:
        speakers = self._words.setdefault(out, {})
        if message.seat in speakers:
            raise Breach("word")
        speakers[message.seat] = message.number
        self._pasts.setdefault(out, []).append(message.lengths)

    def _hear_vote(self, message: Message, vote: VoteAbsent) -> None:
        if vote.seat == message.seat or vote.seat not in self._seats:
            raise Breach("vote")
        voters = self._votes.setdefault(vote.seat, {})
        if message.body.heads[vote.seat].length != vote.number or message.seat in voters:
            raise Breach("vote")
        voters[message.seat] = message
        self._count_votes(vote.seat)

    def _count_votes(self, absent: Seat) -> None:
        """Put the seat out if more than half of the present seats have voted against it."""
        if not self._play.charter:
            return
        present = self._play.present()
        voters = [seat for seat in present if seat in self._votes.get(absent, {})]
        if 2 * len(voters) > len({*present, absent}) and self._is_needed(absent):
            if absent not in self._out() and absent in self._play.present_in_base():
                self._steps.strike(absent)
            self._put_out(absent)

    def ballots(self) -> tuple[Ballot, ...]:
        """Every seat against which a vote was accepted, with who cast it in which message."""
        put_out = self._out()
        return tuple(
            Ballot(absent, tuple((s, vote.number) for s, vote in sorted(votes.items())), is_out)
            for absent, votes in sorted(self._votes.items())
            for is_out in [absent in put_out]
            if votes
        )

    # --- Two stories --------------------------------------------------------------------------

    def find(self, stories: Stories) -> None:
        """Two stories are found. Raises Ended if there can be no charter."""
        known = self._stories.setdefault(stories.seat, stories)
        if stories.rank < known.rank:
            self._stories[stories.seat] = stories
        self._draw_conclusions(self._stories[stories.seat])

    def _draw_conclusions(self, stories: Stories) -> None:
        seat = stories.seat
        if self._play.charter:
            self._steps.blame_stories(stories)
            if self._is_needed(seat) or self._rests_on(seat):
                self._put_out(seat)
        elif stories.number < SIGN_STEP:
            # Whoever waits here rests on a nonce that is not ours: no charter can come.
            if len(self._seats) == 2 or self._lanes.is_disputed(seat):
                self.break_off()
        elif self._steps.number == SIGN_STEP:
            # What is signed is fixed by now, and play may have begun for others.
            self._lanes.ignore(seat)
            self._steps.waive(seat)

    def break_off(self) -> None:
        """There is no charter: note all two stories, and end. Raises Ended."""
        for stories in self._stories.values():
            self._steps.blame_stories(stories)
        raise Ended

    def look_again(self) -> None:
        """A step has closed, or more was heard: it may come to more than before. Raises Ended."""
        for seat in sorted(self._stories.keys() - self._out()):
            self._draw_conclusions(self._stories[seat])
        for absent in sorted(self._votes):
            self._count_votes(absent)

    # --- Putting out --------------------------------------------------------------------------

    def _is_needed(self, seat: Seat) -> bool:
        """Whether the hand rests on this seat; otherwise it is out already, and no matter."""
        if seat in self._play.present_at_base():
            return True
        put_out, since = self._out(), self._play.out_since.get(seat, {})
        lengths = {one: need for one, need in since.items() if one not in put_out}
        # Whoever gives its word and knows that the seat is out wants another hand, and no more.
        return any(
            past[one] < need for past in self._pasts.get(seat, []) for one, need in lengths.items()
        )

    def _rests_on(self, seat: Seat) -> bool:
        """Whether what others say may rest on another of its stories."""
        return self._lanes.is_ignored(seat) or self._lanes.is_disputed(seat)

    def _out(self) -> set[Seat]:
        return self.done | self._steps.without

    def _put_out(self, seat: Seat) -> None:
        if seat in self._out():
            return
        self._lanes.ignore(seat)
        self._unsettled.hold(self._steps.suspend(seat))
        # What was found of them in this hand falls with it: their words count. Of who is out by the
        # last result others may not know yet.
        self._lanes.open_again(self._play.present_in_base() - self._gone())

    def _stay(self) -> tuple[Seat, ...]:
        """Who goes on when the hand begins anew."""
        gone = self._gone()
        return tuple(seat for seat in self._play.present_at_base() if seat not in gone)

    def _gone(self) -> set[Seat]:
        return self._out() | self._steps.outcasts()

    def missing(self) -> tuple[Seat, ...]:
        """The seats that stay and have not yet given all their words."""
        return tuple(
            seat
            for seat in self._stay()
            if any(seat not in self._words.get(out, {}) for out in self._steps.without)
        )

    # --- Beginning anew -----------------------------------------------------------------------

    def begin_anew(self) -> bool:
        """Begin the hand anew if all words are here; says whether. Raises Ended."""
        self._unsettled.close(self._out())
        if self._play.is_over:
            if self._unsettled.is_empty:
                raise Ended
        elif not self.missing():
            self._begin()
            return True
        return False

    def is_result_certain(self) -> bool:
        """Whether the result that waits closes, while the hand is turned back."""
        return self._unsettled.is_certain(self._out())

    def _begin(self) -> None:
        play, stay = self._play, self._stay()
        self.done |= self._steps.without
        out_before = set(self._seats) - set(play.present_at_base())
        play.turn_back(self.done)
        place = self._place(play.charter, len(play.results), play.digest())
        self._steps.begin_anew(place, play.base.epoch, out_before, self.done)
        # Of who does not stay some may have heard more than others: nobody need have.
        self._steps.require([self.end_of_words(s) if s in stay else 0 for s in self._seats])
        self._lanes.pass_over(out_before)
        self._lanes.open_again(seat for seat in stay if seat not in self._steps.gone)

    def end_of_words(self, seat: Seat) -> int:
        """How long this seat's lane is with all its words against who was put out."""
        numbers = [self._words[out].get(seat, -1) for out in self.done & self._words.keys()]
        return max(numbers, default=-1) + 1

    def _place(self, charter: bytes, results: int, digest: bytes) -> bytes:
        """What names the table from now on: nothing signed before fits it, nor what is signed by
        who goes on from another state than this."""
        out = bytes(sorted(self.done))
        content = charter + results.to_bytes(4, "big") + len(out).to_bytes(1, "big") + out
        return sha256(PLACE_LABEL + content + digest).digest()
