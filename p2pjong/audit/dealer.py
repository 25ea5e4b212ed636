"""The cards of a table as an auditor has them: ciphertexts, whose key is on each, and proofs.

Implements "Card operations" of `protocol/play.md` with the proofs of `protocol/shuffle.md`. An
auditor knows no secret: it asks for the answers to each step of an operation, checks them, and
keeps for each slot what the proofs leave of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from p2pjong.audit.faults import Breach
from p2pjong.audit.steps import Ask, Step, Steps, Void
from p2pjong.audit.tally import Tally
from p2pjong.crypto.commitment import combine_toss, open_commitment
from p2pjong.crypto.group import Point, decode_point, decode_points, face_point
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import (
    Ciphertext,
    KeyProof,
    SharesProof,
    decode_slots,
    joint_key,
    open_slot,
    unmask,
    veil_faces,
    verify_key,
    verify_shares,
)
from p2pjong.crypto.membership import MembershipProof, verify_membership
from p2pjong.crypto.shuffle_check import ShuffleProof, verify_shuffle
from p2pjong.crypto.switch import Switch, SwitchProof, verify_switch
from p2pjong.games.game import (
    NOBODY,
    Draw,
    Face,
    Facts,
    Game,
    Give,
    Open,
    Operation,
    Order,
    Peek,
    ProveAmong,
    Reveil,
    Seat,
    Show,
    Shuffle,
    Slot,
    Toss,
)
from p2pjong.wire.messages import (
    Echo,
    KeyCommit,
    KeyOpen,
    Ordered,
    ProvenAmong,
    Shares,
    Shuffled,
    Switched,
    TossCommit,
    TossOpen,
)

Checked = TypeVar("Checked")
DECK: Seat = NOBODY
Move = tuple[Slot, Seat]


@dataclass(frozen=True)
class Card:
    """A face-down slot, and whose key alone is on it (DECK: the joint key)."""

    slot: Ciphertext
    holder: Seat


@dataclass
class Epoch:
    """All cards under one set of keys."""

    keys: dict[Seat, Point] = field(default_factory=dict)
    cards: dict[Slot, Card] = field(default_factory=dict)
    # What must be kept to read all of it once the secret keys are published.
    decks: list[tuple[tuple[Face, ...], tuple[Ciphertext, ...]]] = field(default_factory=list)
    opened: list[tuple[Card, Face]] = field(default_factory=list)


class Dealer:
    """How the operations of a game change the cards of an epoch."""

    def __init__(self, game: Game, steps: Steps, ask: Ask, tally: Tally, is_kept: bool) -> None:
        self.points = {face_point(game.name, face): face for face in sorted(set(game.deck))}
        self.epoch = Epoch()
        self._game, self._steps, self._ask, self._tally = game.name, steps, ask, tally
        self._is_kept = is_kept
        self._present: tuple[Seat, ...] = ()

    def forget(self) -> None:
        """The epoch is over: so are its keys and slots."""
        self.epoch = Epoch()

    def carry_out(self, operation: Operation, present: tuple[Seat, ...]) -> Facts:
        """What all learn from an operation at which these seats are present. Raises Void."""
        self._present = present
        facts = Facts()
        match operation:
            case Shuffle():
                self._shuffle(operation)
            case Draw(moves=moves):
                self._deliver(moves, "to share keys for the draw")
            case Peek(seat=seat, slots=slots):
                self._deliver([(slot, seat) for slot in slots], "to share keys for the look")
            case Open(seat=seat, slots=slots):
                facts = Facts(opened=self._open(seat, slots))
            case Reveil():
                self._reveil(operation)
            case Give(giver=giver, taker=taker, slot=slot):
                self._pass_on(giver, taker, [slot], "to hand over a card")
            case Show(seat=seat, viewer=viewer, slots=slots):
                if slots:
                    self._switch(seat, viewer, slots, "to show its hand")
            case ProveAmong():
                self._prove_among(operation)
            case Order(judge=judge, seats=seats):
                facts = Facts(order=self._order(judge, seats))
            case Toss(sides=sides):
                facts = Facts(tossed=self._toss(sides))
        return facts

    # --- Keys and decks -----------------------------------------------------------------------

    def _shuffle(self, operation: Shuffle) -> None:
        if operation.fresh_keys:
            self._make_keys()
        key = self._joint_key()
        faces = [face_point(self._game, face) for face in operation.faces]
        deck = veil_faces(faces, key)
        for seat in self._present:
            deck = self._shuffled(seat, key, deck, "to shuffle the deck")
        self._echo()
        for number, slot in zip(operation.slots, deck, strict=True):
            self.epoch.cards[number] = Card(slot, DECK)
        if self._is_kept:
            self.epoch.decks.append((operation.faces, deck))

    def _make_keys(self) -> None:
        """Committed, echoed, opened with a proof: no rogue key, and no last mover."""
        self.forget()
        self._steps.epoch += 1
        seats = self._present
        context = self._steps.contexts(seats)
        purpose = "to commit to a key"
        commitments = self._ask(Step(KeyCommit, seats, purpose, lambda _, said: said.commitment))
        self._echo()

        def check(seat: Seat, said: KeyOpen) -> Point:
            content = said.key + said.proof
            check_opening(context[seat], commitments[seat], content, said.opening)
            key = proven(lambda: _check_key(context[seat], said))
            self._tally.add("keys")
            return key

        self.epoch.keys = self._ask(Step(KeyOpen, seats, "to open its key", check))

    def _joint_key(self) -> Point:
        """Raises Void where the keys add up to nothing: none of them was drawn by chance."""
        try:
            return joint_key([self.epoch.keys[seat] for seat in self._present])
        except InvalidProof as error:
            for seat in self._present:
                self._steps.blame_answer(seat, "joint-key")
            raise Void(self._present) from error

    def _echo(self) -> None:
        """All sign the chain of what they have seen, before anything that rests on it is opened."""
        chain = self._steps.chain

        def check(seat: Seat, said: Echo) -> None:
            if said.chain != chain:
                raise Breach("echo")

        self._ask(Step(Echo, self._present, "to confirm", check))

    def _shuffled(
        self, seat: Seat, key: Point, before: Sequence[Ciphertext], purpose: str
    ) -> tuple[Ciphertext, ...]:
        """The slots as this seat has shuffled them, under this key."""
        context = self._steps.context(seat)
        kind = "shuffles" if purpose == "to shuffle the deck" else "reveils"

        def check(_: Seat, said: Shuffled) -> tuple[Ciphertext, ...]:
            after = proven(lambda: _check_shuffle(context, key, before, said))
            self._tally.add(kind)
            return after

        after: tuple[Ciphertext, ...] = self._ask(Step(Shuffled, (seat,), purpose, check))[seat]
        return after

    def _reveil(self, operation: Reveil) -> None:
        """The holder has shuffled its hand under its own key."""
        seat = operation.seat
        before = [self._of(seat, number) for number in operation.slots]
        after = self._shuffled(seat, self.epoch.keys[seat], before, "to mix its hand")
        for number in operation.slots:
            del self.epoch.cards[number]
        for number, slot in zip(operation.fresh, after, strict=True):
            self.epoch.cards[number] = Card(slot, seat)

    # --- From hand to hand --------------------------------------------------------------------

    def _deliver(self, moves: Sequence[Move], purpose: str) -> None:
        """Each slot comes under one seat's key alone: off the joint key, or off a peeker's."""
        self._unveil([move for move in moves if self.epoch.cards[move[0]].holder == DECK], purpose)
        peeked: dict[tuple[Seat, Seat], list[Slot]] = {}
        for number, to in moves:
            holder = self.epoch.cards[number].holder
            if holder != to:
                peeked.setdefault((holder, to), []).append(number)
        for (holder, to), numbers in sorted(peeked.items()):
            self._pass_on(holder, to, numbers, "to pass on cards of the deck")

    def _unveil(self, moves: Sequence[Move], purpose: str) -> None:
        """Every other seat has taken its key off; what is left is under the drawer's alone."""
        asked = {seat: [number for number, to in moves if to != seat] for seat in self._present}
        asked = {seat: numbers for seat, numbers in asked.items() if numbers}
        if not asked:
            return
        given = self._shares(asked, purpose)
        for number, to in moves:
            shares = [given[seat][number] for seat in asked if seat != to]
            self.epoch.cards[number] = Card(unmask(self.epoch.cards[number].slot, shares), to)

    def _open(self, seat: Seat, numbers: Sequence[Slot]) -> tuple[tuple[Slot, Face], ...]:
        """The holder has taken its own key off, for all to see."""
        slots = [self._of(seat, number) for number in numbers]
        given = self._shares({seat: numbers}, "to show its cards")
        opened = []
        for number, slot in zip(numbers, slots, strict=True):
            face = self.points.get(open_slot(slot, [given[seat][number]]))
            if face is None:
                raise InvalidProof("a card bears no face of the deck")  # the proofs rule it out
            opened.append((number, face))
            self._note_opened(self.epoch.cards.pop(number), face)
        return tuple(opened)

    def _note_opened(self, card: Card, face: Face) -> None:
        if self._is_kept:
            self.epoch.opened.append((card, face))

    def _shares(
        self, asked: Mapping[Seat, Sequence[Slot]], purpose: str
    ) -> dict[Seat, dict[Slot, Point]]:
        """Of each of these seats its shares of the slots that it was asked for."""
        context = self._steps.contexts(asked)

        def check(seat: Seat, said: Shares) -> dict[Slot, Point]:
            slots = [self.epoch.cards[number].slot for number in asked[seat]]
            key = self.epoch.keys[seat]
            shares = proven(lambda: _check_shares(context[seat], key, slots, said))
            self._tally.add("shares", len(slots))
            return dict(zip(asked[seat], shares, strict=True))

        return self._ask(Step(Shares, tuple(asked), purpose, check))

    def _pass_on(self, holder: Seat, to: Seat, numbers: Sequence[Slot], purpose: str) -> None:
        after = self._switch(holder, to, numbers, purpose)
        for number, slot in zip(numbers, after, strict=True):
            self.epoch.cards[number] = Card(slot, to)

    def _switch(
        self, holder: Seat, to: Seat, numbers: Sequence[Slot], purpose: str
    ) -> tuple[Ciphertext, ...]:
        """The slots as their holder has put them under another seat's key."""
        context, keys = self._steps.context(holder), (self.epoch.keys[holder], self.epoch.keys[to])
        before = [self._of(holder, number) for number in numbers]

        def check(_: Seat, said: Switched) -> tuple[Ciphertext, ...]:
            after = proven(lambda: _check_switch(context, keys, before, said))
            self._tally.add("switches", len(before))
            return after

        after: tuple[Ciphertext, ...] = self._ask(Step(Switched, (holder,), purpose, check))[holder]
        return after

    def _prove_among(self, operation: ProveAmong) -> None:
        """The holder has proven that its slots bear nothing but some of these faces."""
        seat = operation.seat
        context, key = self._steps.context(seat), self.epoch.keys[seat]
        slots = [self._of(seat, number) for number in operation.slots]
        faces = [face_point(self._game, face) for face in operation.faces]

        def check(_: Seat, said: ProvenAmong) -> None:
            proven(lambda: _check_membership(context, key, slots, faces, said))
            self._tally.add("passes")

        self._ask(Step(ProvenAmong, (seat,), "to prove that it can play nothing", check))

    def _of(self, holder: Seat, number: Slot) -> Ciphertext:
        card = self.epoch.cards[number]
        assert card.holder == holder, "the rules let none but its holder use a card"
        return card.slot

    # --- Orders and tosses --------------------------------------------------------------------

    def _order(self, judge: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        def check(_: Seat, said: Ordered) -> tuple[Seat, ...]:
            if sorted(said.seats) != sorted(seats):
                raise Breach("order")
            return said.seats

        order: tuple[Seat, ...] = self._ask(Step(Ordered, (judge,), "to say who was first", check))[
            judge
        ]
        return order

    def _toss(self, sides: int) -> int:
        """Committed, echoed, opened: one honest seat suffices for a fair number."""
        seats = self._present
        context = self._steps.contexts(seats)
        commitments = self._ask(Step(TossCommit, seats, "to toss", lambda _, said: said.commitment))
        self._echo()

        def check(seat: Seat, said: TossOpen) -> bytes:
            check_opening(context[seat], commitments[seat], said.part, said.opening)
            return said.part

        parts = self._ask(Step(TossOpen, seats, "to open its toss", check))
        return combine_toss(context[seats[0]], [parts[seat] for seat in seats], sides)


# --- Checks of single messages --------------------------------------------------------------------


def check_opening(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    """Raises Breach unless the commitment was made to this content, in this context."""
    try:
        open_commitment(context, commitment, content, nonce)
    except InvalidProof as error:
        raise Breach("commitment") from error


def proven(verify: Callable[[], Checked]) -> Checked:
    """What `verify` returns. Raises Breach on a proof that does not hold."""
    try:
        return verify()
    except InvalidProof as error:
        raise Breach(f"proof-{error.failure}") from error


def _check_key(context: bytes, said: KeyOpen) -> Point:
    key = decode_point(said.key)
    verify_key(context, key, KeyProof.decode(said.proof))
    return key


def _check_shuffle(
    context: bytes, key: Point, before: Sequence[Ciphertext], said: Shuffled
) -> tuple[Ciphertext, ...]:
    after = decode_slots(said.cards, len(before))
    verify_shuffle(context, key, before, after, ShuffleProof.decode(said.proof, len(before)))
    return after


def _check_shares(
    context: bytes, key: Point, slots: Sequence[Ciphertext], said: Shares
) -> tuple[Point, ...]:
    shares = decode_points(said.shares, len(slots))
    verify_shares(context, key, slots, shares, SharesProof.decode(said.proof))
    return shares


def _check_switch(
    context: bytes, keys: tuple[Point, Point], before: Sequence[Ciphertext], said: Switched
) -> tuple[Ciphertext, ...]:
    after = decode_slots(said.cards, len(before))
    verify_switch(context, Switch(*keys, before, after), SwitchProof.decode(said.proof))
    return after


def _check_membership(
    context: bytes,
    key: Point,
    slots: Sequence[Ciphertext],
    faces: Sequence[Point],
    said: ProvenAmong,
) -> None:
    proof = MembershipProof.decode(said.proof, len(slots), len(faces))
    verify_membership(context, key, slots, faces, proof)
