"""Bringing lane messages to whoever lacks them, whichever links there are.

Implements "Gossip" of `protocol/play.md`. Every peer says what it holds and whom it is linked with;
a message is forwarded at once to those who have no link to its author, and sent again to those
who say that they lack it. Duplicates cost a hash and change nothing.
"""

from dataclasses import dataclass, field

from p2pjong.games.game import Seat
from p2pjong.session.effects import Effect, Send
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.history import Signed
from p2pjong.session.lanes import EARLY_MAX, Equivocation, Lanes, Missing
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Evidence, Have, Leave, Want

REPLY_BYTES_MAX = 1 << 20  # what one peer may call up between two ticks; the rest comes later


@dataclass
class Supply:
    """What a peer has called up since the last tick: of each lane up to where, and how much."""

    lengths: list[int]
    size_bytes: int = 0


@dataclass
class Gossip:
    """Who is linked with whom, and what each peer last said that it holds."""

    draft: bytes
    seats: int
    me: Seat
    links: set[Seat] = field(default_factory=set)
    _lengths: dict[Seat, list[int]] = field(default_factory=dict)
    _linked: dict[Seat, set[Seat]] = field(default_factory=dict)
    _told: dict[Seat, tuple[int, ...]] = field(default_factory=dict)
    _supplied: dict[Seat, Supply] = field(default_factory=dict)
    _evidence: dict[Seat, bytes] = field(default_factory=dict)

    def tick(self) -> None:
        """A second has passed: what was called up may have been lost, and may be again."""
        self._supplied.clear()

    def have(self, lanes: Lanes, to: Seat | None) -> Send:
        """Tell a peer, or all, what we hold."""
        linked = sum(1 << seat for seat in self.links)
        for seat in self.links if to is None else {to}:
            self._told[seat] = lanes.lengths()
        return Send(encode(Have(self.draft, lanes.lengths(), linked)), to)

    def forget(self, seat: Seat) -> None:
        """What this peer said no longer counts: its link is down."""
        self._lengths.pop(seat, None)
        self._linked.pop(seat, None)
        self._told.pop(seat, None)
        if seat in self._supplied:
            self._supplied[seat].lengths = [0] * self.seats  # lost, but paid for

    def on_have(self, sender: Seat, have: Have, lanes: Lanes) -> list[Effect]:
        """Send what the peer lacks; if it holds what we lack, tell it what we hold.

        But not twice the same: two peers that both lack what they cannot accept of each other
        would never come to rest.
        """
        self.check_table(have.draft)
        if len(have.lengths) != self.seats:
            raise Refusal("a table of another size")
        self._lengths[sender] = list(have.lengths)
        self._linked[sender] = {seat for seat in range(self.seats) if have.linked >> seat & 1}
        effects: list[Effect] = list(self._supply(sender, lanes))
        mine = lanes.lengths()
        is_behind = any(theirs > ours for theirs, ours in zip(have.lengths, mine, strict=True))
        if is_behind and self._told.get(sender) != mine:
            effects.append(self.have(lanes, sender))
        return effects

    def _supply(self, to: Seat, lanes: Lanes) -> list[Send]:
        """What the peer lacks and was not sent just now; not more than its allowance."""
        sends: list[Send] = []
        supplied = self._supply_of(to)
        for signed in self._lacking(to, lanes):
            if not self._may_call_up(to, len(signed.frame)):
                break
            supplied.lengths[signed.body.seat] = signed.number + 1
            sends.append(Send(signed.frame, to))
        return sends

    def _lacking(self, to: Seat, lanes: Lanes) -> list[Signed]:
        """The next of every lane first, for one of those can be accepted; what could not even wait
        there (`EARLY_MAX`) comes when the peer has more."""
        lacking: list[tuple[int, Signed]] = []
        for seat, lane in enumerate(lanes.accepted):
            said, sent = self._lengths[to][seat], self._supply_of(to).lengths[seat]
            part = lane[max(said, sent) : said + EARLY_MAX]
            lacking += [(signed.number - said, signed) for signed in part]
        return [signed for _, signed in sorted(lacking, key=lambda one: one[0])]

    def _supply_of(self, seat: Seat) -> Supply:
        return self._supplied.setdefault(seat, Supply([0] * self.seats))

    def _may_call_up(self, seat: Seat, size_bytes: int) -> bool:
        """Whether this peer may have so much more of us now; it is then taken off its allowance."""
        supplied = self._supply_of(seat)
        if supplied.size_bytes and supplied.size_bytes + size_bytes > REPLY_BYTES_MAX:
            return False
        supplied.size_bytes += size_bytes
        return True

    def holds(self, seat: Seat, lanes: Lanes) -> bool:
        """Whether this peer said that it holds all that we hold."""
        said = self._lengths.get(seat)
        return said is not None and all(
            theirs >= ours for theirs, ours in zip(said, lanes.lengths(), strict=True)
        )

    def forward(self, signed: Signed, sender: Seat) -> list[Effect]:
        """Pass a message on to the linked peers that have no link to its author.

        A leave goes to all: the game may be over by it here, and then nothing that we say names
        it; so who was told another story would wait for us.
        """
        author = signed.body.seat
        if isinstance(signed.body.payload, Leave):
            return list(self.pass_on(signed.frame, author, sender))
        return [
            Send(signed.frame, seat)
            for seat in sorted(self.links)
            if seat not in (author, sender) and author not in self._linked.get(seat, {author})
        ]

    def want(self, missing: Missing, sender: Seat) -> Send:
        """Ask who brought a message for the other story that one of its heads names."""
        return Send(encode(Want(self.draft, missing.seat, missing.number, missing.hash)), sender)

    def on_want(self, sender: Seat, want: Want, lanes: Lanes) -> list[Effect]:
        """Supply the very message that was asked for, if we have it."""
        self.check_table(want.draft)
        if want.seat >= self.seats:
            raise Refusal("asks for a seat that is not at this table")
        found = lanes.find(want.seat, want.number, want.hash)
        if found is None or not self._may_call_up(sender, len(found.frame)):
            return []
        return [Send(found.frame, sender)]

    def pass_on(self, frame: bytes, author: Seat, sender: Seat) -> list[Send]:
        """What stands by itself goes to all others: who lacks a link to its author lacks it."""
        return [Send(frame, seat) for seat in sorted(self.links - {author, sender})]

    def evidence(self, equivocation: Equivocation) -> Send:
        """Two stories of one lane, for everyone, now and whenever a link comes up."""
        found = Evidence(self.draft, equivocation.first, equivocation.second)
        self._evidence[equivocation.first.seat] = frame = encode(found)
        return Send(frame)

    def proof(self, to: Seat | None) -> list[Send]:
        """The evidence against each who told two stories, once more: a link may have been down."""
        return [Send(frame, to) for _, frame in sorted(self._evidence.items())]

    def check_table(self, draft: bytes) -> None:
        """Raises OtherTable unless the message is of this one."""
        if draft != self.draft:
            raise OtherTable("a message for another table")
