"""Judging what seats sign, and turning a hand back: two stories, votes, and beginning anew.

Implements "Faults" and "Turning back" of `protocol/play.md`; see `turning.py` for the idea.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from p2pjong.games.game import Over, Seat
from p2pjong.session.charter import SIGN_STEP
from p2pjong.session.conduct import Conduct
from p2pjong.session.effects import Effect, Left, Send, VotedOut
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Equivocation
from p2pjong.session.votes import (
    TURNING_STEP,
    are_majority,
    bits_of,
    check_vote,
)
from p2pjong.session.votes import cast as sign_vote
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Convict,
    Evidence,
    Leave,
    PutOut,
    Vote,
)

# Of a seat, in one turning. Between two steps that await all, one seat alone has fewer to answer.
IDLE_MAX = 128
# Of all seats together, in one turning. Many small messages cost, too. An onlooker bears twice it.
IDLE_BYTES_MAX = 64 << 20
IDLE_BYTES_MIN = 4096


class TurnBack(Conduct):
    """The middle layer of `Session`: from an accepted message to a verdict."""

    def _judge(self, signed: Signed, is_own: bool) -> None:
        seat, payload = signed.body.seat, signed.body.payload
        self.signatures.note(signed)
        if isinstance(payload, Leave):
            self.departures.append((seat, signed.number))  # wrong or right
        broken = self._broken_promise(signed)
        if broken:
            self._condemn(signed, broken)
        elif signed.number <= SIGN_STEP and isinstance(payload, Convict | PutOut):
            # So the first messages of every lane are those of the charter, by their numbers.
            self._condemn(signed, "word")
        elif isinstance(payload, Convict):
            self._on_conviction(signed, payload)
        elif isinstance(payload, PutOut):
            self._on_put_out(signed, payload)
        elif isinstance(payload, Leave):
            self.course.depart(signed)
        elif self.turning.has_turned(seat):
            self._deferred.append(signed)
            self._count_idle(signed)
        elif self.turning.is_open or self.course.is_elsewhere(signed):
            self._count_idle(signed)
        else:
            self.course.judge(signed, is_own)
            self._report_new_faults()
        # What is left belongs to the hand that is turned back: only its place in its lane counts.
        if self.course.is_closed(seat):
            self._shut(seat)
            if isinstance(payload, Leave):
                self._effects.append(Left(seat))
        self._begin_anew()

    def _count_idle(self, signed: Signed) -> None:
        """One message more that means nothing by itself, of which an honest seat says few.

        More of them are not accepted, and so not kept, unless others rest on them.
        """
        seat = signed.body.seat
        self._add_idle_bytes(signed)
        self.lanes.is_full = self._idle_bytes > IDLE_BYTES_MAX
        self._idle[seat] += 1
        if self._idle[seat] == IDLE_MAX:
            self.lanes.idle[seat] = len(self.lanes.accepted[seat])

    def _add_idle_bytes(self, signed: Signed) -> None:
        self._idle_bytes += max(len(signed.frame), IDLE_BYTES_MIN)

    def _broken_promise(self, signed: Signed) -> str:
        """The rule that a message breaks by what its author has signed before, if any."""
        seat, heads = signed.body.seat, signed.body.heads
        if signed.number:
            before = self.lanes.accepted[seat][signed.number - 1].body.heads
            if any(now.length < then.length for now, then in zip(heads, before, strict=True)):
                return "heads"
        return ""

    def _condemn(self, signed: Signed, rule: str) -> None:
        self.course.condemn(signed, rule)
        self._report_new_faults()

    # --- Two stories ---------------------------------------------------------------------------

    def _convict(self, equivocation: Equivocation) -> None:
        """Two stories in one lane: everyone gets the proof, and the hand is turned back."""
        if self.is_over:
            return  # what all have signed is not undone by what comes to light later
        seat = equivocation.first.seat
        known = self._stories.get(seat)
        if known is None or equivocation.rank < known.rank:
            self._effects.append(self.gossip.evidence(equivocation))
            self._stories[seat] = equivocation
        self._resolve(seat)

    def _resolve(self, seat: Seat) -> None:
        """Draw the conclusions from this seat's two stories that can be drawn by now."""
        if self.is_over:
            return
        equivocation = self._stories[seat]
        if self.charter is None and not self._is_split(equivocation):
            self._put_aside(equivocation)
            return
        self._note_stories(equivocation)
        first, second = equivocation.first, equivocation.second
        if self.charter is None or seat == self.me:
            self._break_off()
        elif self._is_needed(seat) or seat in self.lanes.ignored or self._is_disputed(seat):
            self._put_out(seat, lambda: Convict(first, second))

    def _note_stories(self, equivocation: Equivocation) -> None:
        first, second = equivocation.first, equivocation.second
        evidence = (encode(first), encode(second))
        fault = Fault(first.epoch, first.seat, first.number, "equivocation", evidence)
        self.course.convict(fault)
        self._report_new_faults()

    def _is_split(self, equivocation: Equivocation) -> bool:
        """Whether others rest on the other story of a nonce: then there is no charter to sign."""
        if equivocation.first.number >= SIGN_STEP:
            return False
        return self._is_disputed(equivocation.first.seat) or len(self.draft.seats) == 2

    def _is_disputed(self, seat: Seat) -> bool:
        """Whether somebody rests on another story of this seat than we."""
        return any(missing.seat == seat for missing in self.lanes.disputed())

    def _put_aside(self, equivocation: Equivocation) -> None:
        """Two stories before the charter is signed here: for others play may have begun.

        Which signature of the charter anyone has heard makes no difference, and it is not waited
        for any more. A second story of a nonce may be told late, to make us leave.
        """
        if self.course.step == SIGN_STEP and equivocation.first.number >= SIGN_STEP:
            self.lanes.ignore(equivocation.first.seat)
            self.course.waive(equivocation.first.seat)

    def _look_again(self) -> None:
        """A step has closed, or more was heard: two stories may come to more than before."""
        for seat in sorted(self._stories.keys() - self.turning.out - self.turning.done):
            self._resolve(seat)
        for absent in self._votes.seats():
            self._count_votes(absent)
        for absent in sorted(self._majorities):
            self._vote_out(absent)

    def _break_off(self) -> None:
        """There will be no charter. Others learn from our last message what we had seen."""
        for equivocation in self._stories.values():
            self._note_stories(equivocation)
        if self.course.faults and not self._has_left:
            self._has_left = True
            self._say(Leave())
        self._end()

    def _on_evidence(self, sender: Seat, message: Evidence) -> None:
        self.gossip.check_table(message.draft)
        # It stands on its own: whether that lane is closed here, or how far it has come, is nothing
        # to it.
        self._convict(self.lanes.compare(message.first, message.second))
        self._run()
        self._accept_waiting(sender)
        if not self.is_over:
            self._look_again()
            self._accept_waiting(sender)

    def _on_conviction(self, signed: Signed, word: Convict) -> None:
        """A seat turns the hand back, with evidence."""
        speaker = signed.body.seat
        try:
            equivocation = self.lanes.compare(word.first, word.second)
        except Refusal:
            self._condemn(signed, "false-evidence")
            return
        out = equivocation.first.seat
        if self.turning.is_told(out, speaker):
            self._condemn(signed, "word")
            return
        self.turning.hear(out, speaker, signed.past)
        if speaker == self.me:
            self._convicted[out] = equivocation.rank
        self._convict(equivocation)

    # --- Votes ---------------------------------------------------------------------------------

    def propose_absent(self, seat: Seat) -> list[Effect]:
        """Our seat votes that this one, which is awaited now, is absent."""
        if self._may_be_absent(seat):
            self._cast(seat)
            self._count_votes(seat)
            self._run()
        return self.drain()

    def _cast(self, seat: Seat) -> None:
        assert self._secrets is not None, "an onlooker has no vote"
        electorate = self._stays() if self.turning.is_open else self.play.present()
        vote = Vote(
            draft=self.gossip.draft,
            voter=self.me,
            seat=seat,
            place=self.course.place,
            step=self._voting_step(),
            electorate=bits_of({*electorate, seat}),
            signature=bytes(64),
        )
        vote = sign_vote(vote, self._secrets.sign)
        if self._votes.hear(vote, self.course.place):
            self._effects.append(Send(encode(vote)))

    def _voting_step(self) -> int:
        return TURNING_STEP if self.turning.is_open else self.course.step

    def _tell_votes(self, to: Seat | None) -> list[Effect]:
        """Say again who has voted in the step that is open: a link may have been down."""
        if self.is_over:
            return []
        current = self._votes.of(self.course.place, self._voting_step())
        return [Send(encode(vote), to) for vote in current if vote.seat in self._missing()]

    def _vote_again(self) -> None:
        """Our votes name who may vote as far as we know by now: somebody may have left."""
        for vote in self._votes.of(self.course.place, self._voting_step()):
            if vote.voter == self.me and self._may_be_absent(vote.seat):
                self._cast(vote.seat)
                self._count_votes(vote.seat)

    def _voters(self) -> range:
        return range(len(self.draft.seats))

    def _on_vote(self, sender: Seat, vote: Vote) -> None:
        self.gossip.check_table(vote.draft)
        if self._votes.hear(vote, self.course.place) and not self.is_over:
            self._effects += self.gossip.pass_on(encode(vote), vote.voter, sender)
            self._count_votes(vote.seat)
            self._run()
            self._accept_waiting(sender)

    def _count_votes(self, absent: Seat) -> None:
        """Put the seat out if a strict majority wants it in this step, once the charter is signed.

        In a step that has closed the seat was back before there were enough. One that was open when
        the hand was turned back closes no more.
        """
        if self.charter is None or absent in self._majorities:
            return
        for step in {self.course.step, self._voting_step()}:
            votes = self._votes.majority(absent, self.course.place, step)
            if votes and self._is_enough(votes, self._gone_for_all()):
                self._majorities[absent] = votes
                self._vote_out(absent)
                return

    def _vote_out(self, absent: Seat) -> None:
        votes = self._majorities[absent]
        if absent in self._put_out_ever() or self.is_over:
            return
        if not (absent == self.me or self._is_needed(absent)):
            return
        if absent in self.play.present():
            self._effects.append(VotedOut(absent, tuple(vote.voter for vote in votes)))
        if absent == self.me:
            self._finish()
        else:
            if absent in self.play.present_in(self.play.base):
                self.course.strike(absent)
            self._put_out(absent, lambda: PutOut(absent, votes))

    def _gone_for_all(self) -> set[Seat]:
        return self._put_out_ever() | self.course.left()

    def _is_enough(self, votes: Sequence[Vote], gone: Collection[Seat]) -> bool:
        """Whether those who may vote are more than half of the table, but for who is gone.

        Whoever has cheated may be left out besides; that others see only as the game goes on.
        """
        least = len(self.draft.seats) - len(gone)
        return all(2 * vote.electorate.bit_count() > least for vote in votes)

    def _on_put_out(self, signed: Signed, word: PutOut) -> None:
        """A seat turns the hand back by votes, which count wherever they were heard."""
        speaker, out = signed.body.seat, word.seat
        if out == speaker or out >= len(signed.body.heads) or self.turning.is_told(out, speaker):
            self._condemn(signed, "word")
        elif not self._are_right(signed, word):
            self._condemn(signed, "false-evidence")
        else:
            self.turning.hear(out, speaker, signed.past)
            self._majorities.setdefault(out, word.votes)
            self._vote_out(out)

    def _are_right(self, signed: Signed, word: PutOut) -> bool:
        """Whether these votes put that seat out, by what the author of the word had heard.

        Whoever has begun anew already follows votes of the place before: so any one place will do.
        """
        body, votes = signed.body, word.votes
        gone = {seat for seat in self._voters() if self.turning.is_told(seat, body.seat)}
        about = {(vote.draft, vote.seat) for vote in votes}
        if about != {(self.gossip.draft, word.seat)} or not are_majority(votes):
            return False
        try:
            for vote in votes:
                check_vote(vote, self.lanes.keys)
        except Refusal:
            return False
        return self._is_enough(votes, gone | self.course.left(signed.past))

    # --- Turning back --------------------------------------------------------------------------

    def _is_needed(self, seat: Seat) -> bool:
        """Whether somebody's hand rests on this seat; else it is out already, and no matter."""
        if seat in self.play.present_at_base():
            return True
        return self.turning.is_heard(seat, self.play.out_since.get(seat, {}))

    def _put_out(self, seat: Seat, word: Callable[[], Convict | PutOut]) -> None:
        """Turn the hand back without this seat, and say so in our own lane."""
        if seat in self._put_out_ever():
            return
        self.turning.out.add(seat)
        self.lanes.ignore(seat)
        self.unsettled.hold(self.course.suspend())
        # Verdicts of this hand fall with it: their words count. Of who is out by the last result
        # others may not know yet.
        gone = self._put_out_ever() | self.course.outcasts()
        self.lanes.reopen({*self.play.present_in(self.play.base)} - gone)
        self._withdraw()
        if self.me in self._stays() and not self.turning.is_told(seat, self.me):
            self._say(word())
        self._begin_anew()

    def _begin_anew(self) -> None:
        """When all who stay have turned back: the hand begins anew, at one place for all.

        Where too few are left for that there is nothing to wait for.
        """
        if not self.turning.is_open or self.is_over:
            return
        self.unsettled.close(self._put_out_ever())
        self._report_new_faults()
        stays = self._stays()
        if isinstance(self.play.pending(), Over):
            if self.unsettled.is_empty:
                self._end()
        elif not self.turning.missing(stays) or self._is_in_vain():
            self._restart(stays)

    def _is_in_vain(self) -> bool:
        """Whether the game ends for all who stay, whatever more is said."""
        put_out = frozenset(self._put_out_ever())
        return self.unsettled.is_empty and self.play.ends_without(put_out)

    def _restart(self, stays: tuple[Seat, ...]) -> None:
        assert self.charter is not None
        self.turning.close()
        put_out = frozenset(self.turning.done)
        out_before = frozenset(range(len(self.draft.seats))) - set(self.play.present_at_base())
        self.play.turn_back(put_out)
        settled, digest = self.play.results_closed(), self.play.public_digest()
        place = self.turning.place(self.charter, settled, digest)
        lengths = self.turning.lengths()
        # Of who does not stay some may have heard more: nobody need have.
        required = {seat: lengths.get(seat, 0) for seat in stays}
        self.course.restart(
            self.play.steps(), place, self.play.base_epoch, put_out, out_before, required
        )
        self.lanes.pass_over(out_before)
        self.lanes.reopen(seat for seat in stays if not self.course.is_closed(seat))
        self._idle.clear()
        self.lanes.idle.clear()
        self._idle_bytes, self.lanes.is_full = 0, False
        self._judge_deferred(lengths)

    def _judge_deferred(self, lengths: Mapping[Seat, int]) -> None:
        """What seats have said after their words: they had all words before we had."""
        deferred, self._deferred = self._deferred, []
        for signed in deferred:
            seat = signed.body.seat
            if signed.number < lengths.get(seat, 0):
                continue
            if self.turning.has_turned(seat):
                self._deferred.append(signed)
            elif self.course.has_left(seat) or not self.course.is_closed(seat):
                self.course.judge_late(signed)
                self._report_new_faults()
                self._run()
