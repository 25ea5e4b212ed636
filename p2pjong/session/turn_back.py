"""Judging what seats sign, and turning a hand back: two stories, votes, and beginning anew.

Implements "Faults" and "Turning back" of `protocol/play.md`; see `turning.py` for the idea.
"""

from collections.abc import Callable

from p2pjong.games.game import (
    Over,
    Seat,
    Settle,
)
from p2pjong.session.charter import CHARTER_STEPS
from p2pjong.session.conduct import Conduct
from p2pjong.session.effects import (
    Effect,
    Left,
    Store,
    VotedOut,
)
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.lanes import CONVICT_BYTES_MAX, Equivocation, Signed
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    Convict,
    Evidence,
    Lane,
    Leave,
    Settled,
    VoteAbsent,
    Willing,
)

EVIDENCE_SPARE_BYTES = 4096  # what a conviction holds beside its two messages


class TurnBack(Conduct):
    """The middle layer of `Session`: from an accepted message to a verdict."""

    def _judge(self, signed: Signed, is_own: bool) -> None:
        seat, payload = signed.body.seat, signed.body.payload
        if self._breaks_vote(signed):
            self._condemn(signed, "broken-vote")
        elif isinstance(payload, Convict | VoteAbsent):
            self._on_word(signed, payload)
        elif self.turning.is_open:
            # What else belongs to the hand that is turned back means nothing any more.
            if isinstance(payload, Leave):
                self.course.depart(signed)
            self._begin_anew()
        else:
            self.course.judge(signed, is_own)
            self._report_new_faults()
        if self.course.is_closed(seat):
            self.lanes.close(seat)
            if isinstance(payload, Leave):
                self._effects.append(Left(seat))

    def _condemn(self, signed: Signed, rule: str) -> None:
        self.course.condemn(signed, rule)
        self._report_new_faults()

    def _convict(self, equivocation: Equivocation) -> None:
        """Two stories in one lane: everyone gets the proof, and the hand is turned back."""
        if self.is_over:
            return  # what all have signed is not undone by what comes to light later
        first, second = sorted((equivocation.first, equivocation.second), key=lambda s: s.hash)
        if self.charter is None and first.number >= CHARTER_STEPS:
            self._later.append(equivocation)  # for others play has begun; here it soon will
            return
        evidence = (first.frame, second.frame)
        if sum(map(len, evidence)) > CONVICT_BYTES_MAX - EVIDENCE_SPARE_BYTES:
            raise Refusal("two stories too long to be handed on")
        seat = first.body.seat
        self.course.convict(Fault(first.body.epoch, seat, first.number, "equivocation", evidence))
        self._report_new_faults()
        if seat in self.turning.out | self.turning.done | self._exposed:
            return
        self._exposed.add(seat)  # of who was out already, too, all are told once: not for ever
        self._effects.append(self.gossip.evidence(first, second))
        if self.charter is None or seat == self.me:
            self._keep_stories(first, second)
            self._finish()
            return
        lanes: list[Lane] = [decode(frame, Lane) for frame in evidence]
        self._put_out(seat, lambda: Convict(self.play.results_closed(), lanes[0], lanes[1]))

    def _convict_later(self) -> None:
        """What came to light before our charter closed."""
        if self.charter is not None:
            later, self._later = self._later, []
            for equivocation in later:
                self._convict(equivocation)
            for absent in sorted(self.turning.words):
                self._count_votes(absent)

    def _keep_stories(self, *stories: Signed) -> None:
        """Both belong in the record, also one that was never accepted here."""
        self._effects += [
            Store(one.body.seat, one.number, one.frame)
            for one in stories
            if self.lanes.find(one.body.seat, one.number, one.hash) is None
        ]

    def _on_evidence(self, message: Evidence) -> None:
        # It stands on its own: whether that lane is closed here, or how far it has come, is nothing
        # to it.
        self._convict(self.lanes.compare(message.first, message.second))
        self._run()

    def _on_word(self, signed: Signed, word: Convict | VoteAbsent) -> None:
        """A seat turns the hand back, with evidence or by its vote."""
        speaker = signed.body.seat
        if word.settled > self._signed_results(speaker):
            self._condemn(signed, "settled-count")
        elif isinstance(word, VoteAbsent):
            self._on_vote(signed, word)
        else:
            try:
                equivocation = self.lanes.compare(word.first, word.second)
            except Refusal:
                self._condemn(signed, "false-evidence")
                return
            self.turning.hear(equivocation.first.body.seat, speaker, word.settled)
            self._convict(equivocation)
        self._begin_anew()

    def _signed_results(self, seat: Seat) -> int:
        """How many results this seat has signed in its lane."""
        lane = self.lanes.accepted[seat]
        return sum(isinstance(signed.body.payload, Settled) for signed in lane)

    def _on_vote(self, signed: Signed, vote: VoteAbsent) -> None:
        voter, absent = signed.body.seat, vote.seat
        heads = signed.body.heads
        if absent == voter or absent >= len(heads) or heads[absent].length != vote.number:
            self._condemn(signed, "vote")
            return
        self._votes[voter, absent] = vote.number
        self.turning.hear(absent, voter, vote.settled)
        self._votes_against.add(absent)
        self._count_votes(absent)
        self._vote_if_enough(absent)

    def _count_votes(self, absent: Seat) -> None:
        """Put the seat out if a strict majority wants it, once the charter is signed."""
        if self.charter is None or absent not in self._votes_against:
            return
        present = self.play.present()
        voters = self.turning.speakers(absent, [seat for seat in present if seat != absent])
        if absent not in present or 2 * len(voters) <= len(present):
            return
        if absent not in self.turning.out | self.turning.done:
            self._effects.append(VotedOut(absent, voters))
        if absent == self.me:
            self._finish()
            return
        number = len(self.lanes.accepted[absent])
        self._put_out(absent, lambda: VoteAbsent(self.play.results_closed(), absent, number))

    def _breaks_vote(self, signed: Signed) -> bool:
        """Whether its author acknowledges more of a lane than it had voted to."""
        return any(
            voter == signed.body.seat and signed.body.heads[absent].length > number
            for (voter, absent), number in self._votes.items()
        )

    def _put_out(self, seat: Seat, word: Callable[[], Convict | VoteAbsent]) -> None:
        """Turn the hand back without this seat, and say so in our own lane."""
        if seat in self.turning.out | self.turning.done:
            return
        if seat not in self.play.present_in(self.play.base):
            return  # it is out already, and nothing of the hand rests on it
        self.turning.out.add(seat)
        self.lanes.ignore(seat)
        self.course.suspend()
        self.lanes.reopen(self._stays())  # verdicts of this hand fall with it: their words count
        self._withdraw()
        if self.me in self._stays() and not self.turning.speakers(seat, [self.me or 0]):
            self._say(word())
        self._begin_anew()

    def _begin_anew(self) -> None:
        """When all who stay have turned back: the hand begins anew, at one place for all."""
        stays = self._stays()
        if not self.turning.is_open or self.is_over:
            return
        if stays and isinstance(self.play.pending(), Settle):
            # Who stays and has signed has closed it, or will: all of them make it final for all.
            # Who had every signature before may be done with the game, and gives no word.
            if all(self._has_signed_result(seat) for seat in stays):
                self.play.accept_result()
        if isinstance(self.play.pending(), Over):
            self._finish()
        elif not self.turning.missing(stays):
            self._restart(stays)

    def _restart(self, stays: tuple[Seat, ...]) -> None:
        assert self.charter is not None
        self.turning.close()
        gone = frozenset(self.turning.done)
        self.play.turn_back(gone)
        place = self.turning.place(self.charter, self.play.results_closed())
        self.course.restart(self.play.steps(), place, self.play.base_epoch, gone)
        self.lanes.reopen(seat for seat in stays if not self.course.is_closed(seat))
        self._willing.clear()

    # --- Absence -------------------------------------------------------------------------------

    def propose_absent(self, seat: Seat) -> list[Effect]:
        """Our seat would vote this one absent; it does once a strict majority would.

        Nothing is signed before that, so who comes back in time costs nobody anything.
        """
        if self._may_be_absent(seat):
            self._willing.add(seat)
            self._effects.append(self.gossip.willing(seat, self.lanes))
            self._vote_if_enough(seat)
        return self.drain()

    def _on_willing(self, sender: Seat, message: Willing) -> None:
        if self.gossip.on_willing(message, self.lanes):
            self._others_willing.setdefault(message.seat, set()).add(sender)
            self._vote_if_enough(message.seat)

    def _vote_if_enough(self, seat: Seat) -> None:
        if seat not in self._willing or not self._may_be_absent(seat):
            return
        present = self.play.present()
        # Who has voted says no more that it would.
        willing = self._others_willing.get(seat, set()) | set(self.turning.words.get(seat, ()))
        others = willing & set(present)
        if 2 * (len(others) + 1) > len(present):
            self._willing.discard(seat)
            number = len(self.lanes.accepted[seat])
            # Nobody may go on with a lane after voting against it: not even we, if it comes back.
            self.lanes.freeze(seat)
            self._say(VoteAbsent(self.play.results_closed(), seat, number))
            self._run()

    def _tell_willing(self) -> list[Effect]:
        """Say again whom we would vote absent; who is no longer awaited is forgiven."""
        self._willing = {seat for seat in self._willing if self._may_be_absent(seat)}
        self._others_willing.clear()
        return [self.gossip.willing(seat, self.lanes) for seat in sorted(self._willing)]
