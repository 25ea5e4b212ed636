"""Turning back, for the second verifier: that section of `protocol/play.md`.

Imports nothing of the project.
"""

from typing import Any

from tests.support import second_war_jhong as war_jhong
from tests.support.second_play import Play
from tests.support.second_steps import (
    CONVICT_BYTES_MAX,
    Course,
    Fault,
    Message,
    Refused,
    sha256,
)

CHARTER_STEPS = 3
SELF_PROVING = {"equivocation", "false-evidence", "vote", "broken-vote", "settled-count"}


class Table(Course):
    """The course of a table with its game, which can be turned back."""

    def __init__(self, draft: list[Any]) -> None:
        super().__init__(draft)
        self.play = Play(draft, self)
        self.turning: set[int] = set()  # who is being put out
        self.put_out_before: set[int] = set()
        self.words: dict[int, dict[int, int]] = {}
        self.votes: dict[tuple[int, int], int] = {}
        self.put_aside: list[tuple[Message, Message]] = []
        self.begin(self.play.program(), self.play.digest)

    # --- Judging --------------------------------------------------------------------------------

    def judge(self, message: Message) -> None:
        """As of every message, but for words and for what comes while the hand is turned back."""
        if self._breaks_vote(message):
            self.blame(message, "broken-vote")
        elif message.payload[0] in ("convict", "vote-absent"):
            self._hear_word(message)
        elif self.turning:
            if message.payload == ["leave"]:
                self.go(message)
            self._begin_anew()
        else:
            super().judge(message)

    def _breaks_vote(self, message: Message) -> bool:
        return any(
            voter == message.seat and message.heads[absent][0] > number
            for (voter, absent), number in self.votes.items()
        )

    def _hear_word(self, message: Message) -> None:
        lane = self.accepted[message.seat]
        signed = sum(one.payload[0] == "settled" for one in lane)
        if message.payload[1] > signed:
            self.blame(message, "settled-count")
        elif message.payload[0] == "vote-absent":
            self._hear_vote(message)
        else:
            self._hear_evidence(message)
        self._begin_anew()

    def _hear_evidence(self, message: Message) -> None:
        _, settled, *lanes = message.payload
        try:
            one, other = map(self.signed_message, lanes)
            if (one.seat, one.number) != (other.seat, other.number) or one.hash == other.hash:
                raise Refused("no two stories")
        except Refused:
            self.blame(message, "false-evidence")
            return
        self.words.setdefault(one.seat, {})[message.seat] = settled
        self.found_two(one, other)

    def _hear_vote(self, message: Message) -> None:
        _, settled, absent, number = message.payload
        voter = message.seat
        is_there = absent < len(self.keys) and absent != voter
        if not is_there or message.heads[absent][0] != number:
            self.blame(message, "vote")
            return
        self.votes[voter, absent] = number
        self.words.setdefault(absent, {})[voter] = settled
        self._count_votes(absent)

    def _count_votes(self, absent: int) -> None:
        if not self.play.charter or all(voted != absent for _, voted in self.votes):
            return
        present = war_jhong.present(self.play.state)
        heard = self.words.get(absent, {})
        voters = [seat for seat in present if seat != absent and seat in heard]
        if absent in present and 2 * len(voters) > len(present):
            self._put_out(absent)

    # --- Two stories ----------------------------------------------------------------------------

    def found_two(self, one: Message, other: Message) -> None:
        """A seat has told two stories."""
        if self.has_ended:
            return
        first = min(one, other, key=lambda message: message.hash)
        if not self.play.charter and first.number >= CHARTER_STEPS:
            self.put_aside.append((one, other))
            return
        if one.size + other.size > CONVICT_BYTES_MAX - 4096:
            raise Refused("two stories too long to be handed on")
        self._note_equivocation(first)
        if first.seat in self.turning | self.put_out_before:
            return
        if self.play.charter:
            self._put_out(first.seat)
        else:
            self.has_ended = True

    def _note_equivocation(self, first: Message) -> None:
        seat, number = first.seat, first.number
        self.faults = [
            fault for fault in self.faults if fault.seat != seat or fault.number < number
        ]
        if not any((one.seat, one.rule) == (seat, "equivocation") for one in self.faults):
            self.faults.append(Fault(first.epoch, seat, number, "equivocation"))
        self.close_lane(seat)

    def step_closed(self) -> None:
        """Once the charter is signed, what was put aside comes up."""
        if self.play.charter:
            aside, self.put_aside = self.put_aside, []
            for one, other in aside:
                self.found_two(one, other)
            for absent in sorted(self.words):
                self._count_votes(absent)

    # --- Turning back ---------------------------------------------------------------------------

    def _put_out(self, seat: int) -> None:
        if seat in self.turning | self.put_out_before:
            return
        if seat not in war_jhong.present(self.play.base):
            return
        self.turning.add(seat)
        self.ignored.add(seat)
        self.close_lane(seat)
        self.opened, self.answers = None, {}
        outcasts = self._outcasts()
        self.gone = {one: message for one, message in self.gone.items() if one in outcasts}
        self.closed -= set(self._staying())
        self._begin_anew()

    def _outcasts(self) -> set[int]:
        proven = {fault.seat for fault in self.faults if fault.rule in SELF_PROVING}
        return proven | {s for s, message in self.gone.items() if message.payload == ["leave"]}

    def _staying(self) -> list[int]:
        gone = self.turning | self.put_out_before | self._outcasts()
        return [seat for seat in war_jhong.present(self.play.base) if seat not in gone]

    def is_signed_by_all(self, staying: list[int]) -> bool:
        """Whether all who stay have signed the result that waits, before they turned back."""
        is_waiting = bool(staying) and self.play.state["phase"] == "settle"
        return is_waiting and all(self._has_signed(seat) for seat in staying)

    def _has_signed(self, seat: int) -> bool:
        wanted = ["settled", self.play.digest()]
        for one in self.accepted[seat]:
            if one.place == self.place and one.payload == wanted:
                return True
            if one.place == self.place and one.payload[0] == "convict":
                return False
        return False

    def is_signed_by_most(self) -> bool:
        """Whether more than half of the present seats have signed the result that waits."""
        if self.play.state["phase"] != "settle":
            return False
        present = war_jhong.present(self.play.state)
        signers = [seat for seat in present if seat not in self.turning and self._has_signed(seat)]
        return 2 * len(signers) > len(present)

    def _begin_anew(self) -> None:
        staying = self._staying()
        if not self.turning or self.has_ended:
            return
        if self.is_signed_by_all(staying):
            self.play.close_result()
        if self.play.state["phase"] == "over":
            self.has_ended = True
        elif all(s in self.words.get(out, {}) for s in staying for out in self.turning):
            self._restart(staying)

    def _restart(self, staying: list[int]) -> None:
        play = self.play
        self.put_out_before |= self.turning
        self.turning, self.words = set(), {}
        out = sorted(self.put_out_before)
        play.turn_back([seat for seat in out if seat in war_jhong.present(play.base)])
        content = play.charter + play.results.to_bytes(4, "big") + bytes([len(out), *out])
        self._begin_at(sha256(b"p2pjong/v1/turned-back\x00", content))
        self.closed -= {seat for seat in staying if seat not in self.gone}

    def _begin_at(self, place: bytes) -> None:
        stay_out = self.put_out_before | self._outcasts()
        self.faults = [
            fault
            for fault in self.faults
            if fault.rule in SELF_PROVING or fault.epoch <= self.play.base_epoch
        ]
        self.gone = {seat: message for seat, message in self.gone.items() if seat in stay_out}
        self.place = self.chain = place
        self.epoch, self.step = self.play.base_epoch, 0
        self.required = [0 for _ in self.keys]
        self.answers, self.closing = {}, {}
        self.begin(self.play.game(), self.play.digest)
