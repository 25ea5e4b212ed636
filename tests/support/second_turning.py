"""Turning back, for the second verifier: that section of `protocol/play.md`.

Imports nothing of the project.
"""

from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.support import second_war_jhong as war_jhong
from tests.support.second_play import Play
from tests.support.second_steps import (
    Fault,
    Message,
    Refused,
    Stamp,
    Step,
    sha256,
)
from tests.support.second_unsettled import Unsettled

SIGN_STEP = 2
SELF_PROVING = {"equivocation", "false-evidence", "word", "heads"}


def rank(stories: tuple[Stamp, Stamp]) -> tuple[int, int]:
    """Of several of one seat the least counts."""
    _, _, number, epoch, *_ = min(stories, key=lambda stamp: stamp[4])
    return number, epoch


class Table(Unsettled):
    """The course of a table with its game, which can be turned back."""

    def __init__(self, draft: list[Any]) -> None:
        super().__init__(draft)
        self.play = Play(draft, self)
        self.kept = []
        self.turning: set[int] = set()  # who is being put out
        self.put_out_before: set[int] = set()
        self.words: dict[tuple[int, int], int] = {}  # (put out, speaker): number of the word
        self.voted: set[int] = set()  # against whom votes of enough seats were heard
        self.stories: dict[int, tuple[Stamp, Stamp]] = {}
        self.deferred: list[Message] = []
        self.begin(self.play.program(), self.play.digest)

    # --- Judging --------------------------------------------------------------------------------

    def judge(self, message: Message) -> None:
        """As of every message, but for words and for what comes while the hand is turned back."""
        rule = self._broken_promise(message)
        kind = message.payload[0]
        if rule:
            self.blame(message, rule)
        elif kind in WORDS and message.number <= SIGN_STEP:
            self.blame(message, "word")
        elif kind in WORDS:
            WORDS[kind](self, message)
        elif kind == "leave":
            self.go(message)
        elif self._has_turned(message.seat):
            self.deferred.append(message)
        elif not self.turning:
            super().judge(message)
        self._begin_anew()

    def _broken_promise(self, message: Message) -> str:
        lane, lengths = self.accepted[message.seat], [head[0] for head in message.heads]
        if message.number:
            before = [head[0] for head in lane[message.number - 1].heads]
            if any(now < then for now, then in zip(lengths, before, strict=True)):
                return "heads"
        return ""

    def _has_turned(self, seat: int) -> bool:
        return any(
            speaker == seat and out not in self.put_out_before for out, speaker in self.words
        )

    def _hear_evidence(self, message: Message) -> None:
        try:
            one, other = self.two_stories(*message.payload[1:])
        except Refused:
            self.blame(message, "false-evidence")
            return
        if (one[0], message.seat) in self.words:
            self.blame(message, "word")
            return
        self.words[one[0], message.seat] = message.number
        self.found_two(one, other)

    def _hear_put_out(self, message: Message) -> None:
        _, out, votes = message.payload
        speaker = message.seat
        if out == speaker or out >= len(self.keys) or (out, speaker) in self.words:
            self.blame(message, "word")
        elif not self._are_right(message, out, votes):
            self.blame(message, "false-evidence")
        else:
            self.words[out, speaker] = message.number
            self.voted.add(out)
            self._vote_out(out)

    def _are_right(self, message: Message, out: int, votes: list[list[Any]]) -> bool:
        lengths = [head[0] for head in message.heads]
        gone = {seat for seat, speaker in self.words if speaker == message.seat}
        gone |= {
            seat
            for seat, last in self.gone.items()
            if last.payload == ["leave"] and last.number < lengths[seat]
        }
        least = len(self.keys) - len(gone)
        for _, table, voter, seat, place, step, electorate, signature in votes:
            seats = [one for one in range(8) if electorate >> one & 1]
            is_here = (table, seat, place, step) == (self.table, out, *votes[0][4:6])
            is_fair = max(seats) < len(self.keys) and voter != seat and {voter, seat} <= {*seats}
            if not (is_here and is_fair and 2 * len(votes) > len(seats) and 2 * len(seats) > least):
                return False
            said = [table, place, step.to_bytes(4, "big"), bytes([voter, seat, electorate])]
            signed = b"p2pjong/v1/vote\x00" + b"".join(said)
            try:
                Ed25519PublicKey.from_public_bytes(self.keys[voter]).verify(signature, signed)
            except InvalidSignature:
                return False
        return len({vote[2] for vote in votes}) == len(votes)

    def _vote_out(self, absent: int) -> None:
        if self.play.charter and absent not in self._out() and self._is_needed(absent):
            if absent in war_jhong.present(self.play.base):
                self.faults = [
                    fault
                    for fault in self.faults
                    if fault.seat != absent or fault.rule in SELF_PROVING
                ]
            self._put_out(absent)

    def close_lane(self, seat: int) -> None:
        """While a hand is turned back others may not know yet what we have found."""
        if not self.turning or seat in self._out() | self._outcasts():
            super().close_lane(seat)

    def _out(self) -> set[int]:
        return self.turning | self.put_out_before

    def end(self) -> None:
        """What came after the last answers not everyone has heard."""
        of_base = self.play.present_at_base()
        self.faults = [
            fault
            for fault in self.faults
            if fault.rule == "equivocation"
            or fault.seat not in of_base
            or fault.number < self.required[fault.seat]
        ]
        super().end()

    # --- Two stories ----------------------------------------------------------------------------

    def found_two(self, one: Stamp, other: Stamp) -> None:
        """A seat has told two stories."""
        if self.has_ended:
            return
        seat = one[0]
        known = self.stories.setdefault(seat, (one, other))
        if rank((one, other)) < rank(known):
            self.stories[seat] = (one, other)
        self._resolve(seat)

    def end_by(self, evidence: list[Any]) -> None:
        """Evidence at the end of a record: before the charter is signed it ended the table."""
        _, table, *stamps = evidence
        if table != self.table:
            raise Refused("other-table")
        one, other = self.two_stories(*stamps)
        self.is_read = True
        if self.has_ended:
            self.stories[one[0]] = (one, other)
            self._note_equivocation(one[0])
            return
        self.found_two(one, other)
        if not self.has_ended and not self.play.charter:
            self._break_off()
        self._run()
        self._accept_all()

    def _resolve(self, seat: int) -> None:
        if self.has_ended:
            return
        number = self.stories[seat][0][2]
        if not self.play.charter:
            if number < SIGN_STEP and (seat in self.disputed() or len(self.keys) == 2):
                self._break_off()
            elif number >= SIGN_STEP and self.step == SIGN_STEP:
                self.ignored.add(seat)
                self.close_lane(seat)
                self._waive(seat)
            return
        self._note_equivocation(seat)
        if self._is_needed(seat) or seat in self.ignored or seat in self.disputed():
            self._put_out(seat)

    def _waive(self, seat: int) -> None:
        if self.opened is not None and seat in self.missing():
            seats = [one for one in self.opened.seats if one != seat]
            self.opened = Step(self.opened.kind, seats, self.opened.check)

    def _break_off(self) -> None:
        for seat in self.stories:
            self._note_equivocation(seat)
        self.end()

    def _note_equivocation(self, seat: int) -> None:
        self.close_lane(seat)
        number, epoch = rank(self.stories[seat])
        known = [one for one in self.faults if (one.seat, one.rule) == (seat, "equivocation")]
        if any((one.number, one.epoch) <= (number, epoch) for one in known):
            return
        kept = [fault for fault in self.faults if fault.seat != seat or fault.number < number]
        self.faults = [*kept, Fault(epoch, seat, number, "equivocation")]

    def look_again(self) -> None:
        """What was put aside may come to more now."""
        for seat in sorted(self.stories.keys() - self.turning - self.put_out_before):
            if self.has_ended and not self.play.charter:
                self._note_equivocation(seat)
            self._resolve(seat)
        if self.play.charter and not self.has_ended:
            for absent in sorted(self.voted):
                self._vote_out(absent)

    # --- Turning back ---------------------------------------------------------------------------

    def _is_needed(self, seat: int) -> bool:
        if seat in self.play.present_at_base():
            return True
        return any(
            head[0] < need
            for (out, speaker), number in self.words.items()
            if out == seat
            for one, need in self.play.out_since.get(seat, {}).items()
            if one not in self._out()
            for head in [self.accepted[speaker][number].heads[one]]
        )

    def _put_out(self, seat: int) -> None:
        if seat in self.turning | self.put_out_before:
            return
        self.turning.add(seat)
        self.ignored.add(seat)
        self.close_lane(seat)
        self.remember(self.opened)
        self.opened, self.answers = None, {}
        outcasts = self._outcasts()
        self.gone = {one: message for one, message in self.gone.items() if one in outcasts}
        stay_out = self._out() | outcasts
        self.closed -= set(war_jhong.present(self.play.base)) - stay_out
        self._begin_anew()

    def _outcasts(self) -> set[int]:
        proven = {fault.seat for fault in self.faults if fault.rule in SELF_PROVING}
        return proven | {s for s, message in self.gone.items() if message.payload == ["leave"]}

    def _staying(self) -> list[int]:
        gone = self.turning | self.put_out_before | self._outcasts()
        return [seat for seat in self.play.present_at_base() if seat not in gone]

    def is_result_final(self) -> bool:
        """Whether the result that waits, if one does, stands."""
        if self.opened is None or self.opened.kind != "settled":
            return False
        present, digest = war_jhong.present(self.play.state), self.play.digest()
        signers = [seat for seat in present if self.has_signed(seat, self.place, digest)]
        return 2 * len(signers) > len(present)

    def _begin_anew(self) -> None:
        if not self.turning or self.has_ended:
            return
        self.settle(self._out())
        staying = self._staying()
        if self.play.state["phase"] == "over":
            if not self.live():
                self.end()
        elif all((out, seat) in self.words for seat in staying for out in self.turning):
            self._restart(staying)
        elif not self.live() and self.play.ends_without(self._out()):
            self._restart(staying)

    # --- Beginning anew ---------------------------------------------------------------------------

    def _restart(self, staying: list[int]) -> None:
        play = self.play
        self.put_out_before |= self.turning
        self.turning = set()
        out_before = set(range(len(self.keys))) - set(play.present_at_base())
        play.turn_back(self.put_out_before)
        out = sorted(self.put_out_before)
        content = play.charter + play.results.to_bytes(4, "big") + bytes([len(out), *out])
        content += play.digest()
        said: dict[int, int] = {}
        for (out_seat, speaker), number in self.words.items():
            if out_seat in self.put_out_before:
                said[speaker] = max(said.get(speaker, 0), number + 1)
        needed = {seat: said.get(seat, 0) for seat in staying}
        self._begin_at(sha256(b"p2pjong/v1/turned-back\x00", content), out_before, needed)
        self.bygone |= out_before
        for seat in out_before:
            self.close_lane(seat)
        self.closed -= {seat for seat in staying if seat not in self.gone}
        deferred, self.deferred = self.deferred, []
        for message in deferred:
            seat = message.seat
            if message.number < said.get(seat, 0):
                continue
            if self._has_turned(seat):
                self.deferred.append(message)
                continue
            leave = self.gone.get(seat)
            if leave is None or leave.payload == ["leave"]:
                self.gone.pop(seat, None)
                super().judge(message)
                if leave is not None:
                    self.gone.setdefault(seat, leave)
                self._run()

    def _begin_at(self, place: bytes, out_before: set[int], said: dict[int, int]) -> None:
        stay_out = self.put_out_before | out_before | self._outcasts()
        self.faults = [
            fault for fault in self.faults if fault.rule in SELF_PROVING or fault.seat in out_before
        ]
        self.gone = {seat: message for seat, message in self.gone.items() if seat in stay_out}
        self.place = self.chain = place
        self.epoch, self.step = self.play.base_epoch, 0
        self.required = [said.get(seat, 0) for seat in range(len(self.keys))]
        self.answers, self.closing = {}, {}
        self.is_turned = True
        self.begin(self.play.game(), self.play.digest)


WORDS: dict[str, Any] = {
    "convict": Table._hear_evidence,
    "put-out": Table._hear_put_out,
}
