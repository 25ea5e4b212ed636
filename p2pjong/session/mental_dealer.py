"""The mental dealer: card operations carried out by all seats together, each step proven.

Implements "The dealer" of `protocol/play.md` over the proofs of `protocol/shuffle.md`. One uniform
rule: a slot is veiled under the joint key (in the deck), under its holder's key alone, or open;
every change is a public message that everyone verifies. Nothing travels sealed.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import singledispatchmethod
from typing import Any, TypeAlias

from p2pjong.crypto.commitment import combine_toss, commit
from p2pjong.crypto.group import Point, decode_point, decode_points, face_point
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import (
    Ciphertext,
    KeyPair,
    KeyProof,
    SharesProof,
    decode_slots,
    encode_slots,
    make_key,
    make_shares,
    open_slot,
    prove_key,
    prove_shares,
    read_slot,
    unmask,
    veil_faces,
    verify_key,
    verify_shares,
)
from p2pjong.crypto.membership import MembershipProof, prove_membership, verify_membership
from p2pjong.crypto.shuffle import ShuffleProof, prove_shuffle, shuffle_slots, verify_shuffle
from p2pjong.crypto.switch import Switch, SwitchProof, prove_switch, verify_switch
from p2pjong.games.game import (
    NOBODY,
    Draw,
    Face,
    Facts,
    Game,
    Give,
    Known,
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
from p2pjong.session.books import Card, Opening, Shown
from p2pjong.session.charter import check_opening
from p2pjong.session.course import Answers, Course, Step, no_duty
from p2pjong.session.faults import PeerFault
from p2pjong.session.joint import key_of_all
from p2pjong.session.purposes import Purpose
from p2pjong.session.seed import Seed
from p2pjong.session.tally import Tally
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

Steps: TypeAlias = Generator[Step, Answers, None]
DECK: Seat = NOBODY


class MentalDealer:
    """Serves one seat's copy of the table."""

    def __init__(self, game: Game, course: Course, me: Seat, seed: Seed, tally: Tally) -> None:
        self._game = game.name
        self._course = course
        self._me = me
        self._seed = seed
        self._tally = tally
        self._faces = {face_point(game.name, face): face for face in sorted(set(game.deck))}
        self._operation: Operation | None = None
        self._facts: Facts | None = None
        self._cards: dict[Slot, Card] = {}
        self._known: dict[Slot, Face] = {}
        self._shown = Shown()
        self._publics: dict[Seat, Point] = {}
        self._own: KeyPair | None = None
        self.present: Callable[[], tuple[Seat, ...]] = tuple
        self.shuffled = 0

    # --- The interface that both dealers share ------------------------------------------------

    def begin(self, operation: Operation) -> None:
        """Take on an operation; `steps` then carries it out."""
        self._operation, self._facts = operation, None

    def facts(self) -> Facts | None:
        """The public outcome, once all steps of the operation have closed."""
        return self._facts

    def known(self, seat: Seat) -> Known:
        """The faces that our own seat knows; another's are not to be had here."""
        return dict(self._known) if seat == self._me else {}

    def steps(self) -> Steps:
        """The steps of the operation that was begun."""
        self._facts = yield from self._carry_out(self._operation)

    def forget(self) -> None:
        """The epoch is over: erase its keys and slots, and what they derive from."""
        self._seed.walk_on()
        self._own, self._publics, self._cards, self._shown = None, {}, {}, Shown()

    def opening(self, hand: int, zones: Mapping[str, tuple[Slot, ...]]) -> Opening:
        """The books of this epoch, to be opened now that hand `hand` has ended like this."""
        cards = (self._faces, self._cards, self._shown)
        return Opening(hand, zones, self._publics, *cards, self._me, self._own)

    @singledispatchmethod
    def _carry_out(self, operation: Any) -> Generator[Step, Answers, Facts]:
        raise AssertionError(f"no game of this version asks for {operation}")

    # --- Keys and the deck --------------------------------------------------------------------

    @_carry_out.register
    def _shuffle(self, operation: Shuffle) -> Generator[Step, Answers, Facts]:
        self.shuffled = 0
        if operation.fresh_keys:
            yield from self._make_keys()
        key = key_of_all(self._publics, self.present(), self._course)
        deck = veil_faces([face_point(self._game, face) for face in operation.faces], key)
        for seat in self.present():
            deck = yield from self._shuffle_once(seat, key, deck, Purpose.SHUFFLE_DECK)
            self.shuffled += 1
        yield self._echo()
        for number, slot in zip(operation.slots, deck, strict=True):
            self._cards[number] = Card(slot, DECK)
        self._shown.decks.append((operation.faces, deck))
        return Facts()

    def _make_keys(self) -> Steps:
        """Commit, echo, open with a proof of knowledge: no rogue key, and no last mover."""
        self._known, self._cards, self._shown = {}, {}, Shown()
        self._course.epoch += 1
        seats = self.present()
        context = {seat: self._course.context(seat) for seat in seats}
        own = self._draw_key(context)
        commitments = yield Step(
            KeyCommit,
            seats,
            Purpose.COMMIT_KEY,
            accept_any,
            make=lambda: KeyCommit(commit(context[self._me], _opened(own()), own().opening)),
        )
        yield self._echo()

        def check(seat: Seat, payload: KeyOpen) -> None:
            commitment = commitments[seat].commitment
            check_opening(context[seat], commitment, _opened(payload), payload.opening)
            proven(lambda: _check_key(context[seat], payload))
            self._tally.add("keys")

        openings = yield Step(KeyOpen, seats, Purpose.OPEN_KEY, check, make=own)
        self._publics = {seat: Point(openings[seat].key) for seat in seats}

    def _draw_key(self, context: dict[Seat, bytes]) -> Callable[[], KeyOpen]:
        """Our key share of the epoch, as the message that opens it."""
        if self._me not in context:
            return no_duty
        entropy = self._seed.entropy(context[self._me])
        self._own = make_key(context[self._me], entropy)
        proof = prove_key(context[self._me], self._own, entropy)
        opening = entropy.take("key-opening", self._own.public, 32)
        opened = KeyOpen(self._own.public, proof.encode(), opening)
        return lambda: opened

    def _echo(self) -> Step:
        """All sign the hash of what they have seen, before anything that rests on it is opened."""
        chain = self._course.chain

        def check(seat: Seat, payload: Echo) -> None:
            if payload.chain != chain:
                raise PeerFault("echo")

        return Step(Echo, self.present(), Purpose.CONFIRM, check, make=lambda: Echo(chain))

    def _shuffle_once(
        self, seat: Seat, key: Point, before: Sequence[Ciphertext], reason: Purpose
    ) -> Generator[Step, Answers, tuple[Ciphertext, ...]]:
        """One seat shuffles `before`, under `key`, and proves it."""
        kind = "shuffles" if reason is Purpose.SHUFFLE_DECK else "reveils"
        context = self._course.context(seat)
        made: list[tuple[Ciphertext, ...]] = []

        def make() -> Shuffled:
            entropy = self._seed.entropy(context)
            shuffled = shuffle_slots(context, key, before, entropy)
            proof = prove_shuffle(context, key, before, shuffled, entropy)
            made.append(shuffled.after)
            return Shuffled(encode_slots(shuffled.after), proof.encode())

        def check(seat: Seat, payload: Shuffled) -> None:
            made.append(proven(lambda: _check_shuffle(context, key, before, payload)))
            self._tally.add(kind)

        yield Step(Shuffled, (seat,), reason, check, make=make)
        return made[0]

    # --- Slots --------------------------------------------------------------------------------

    @_carry_out.register
    def _draw(self, operation: Draw) -> Generator[Step, Answers, Facts]:
        yield from self._deliver(operation.moves, Purpose.SHARE_DRAW)
        return Facts()

    @_carry_out.register
    def _peek(self, operation: Peek) -> Generator[Step, Answers, Facts]:
        """As a draw: that the slots stay in the deck is a matter of the rules alone."""
        moves = tuple((number, operation.seat) for number in operation.slots)
        yield from self._deliver(moves, Purpose.SHARE_LOOK)
        return Facts()

    def _deliver(self, moves: tuple[tuple[Slot, Seat], ...], reason: Purpose) -> Steps:
        """Bring each slot under one seat's key alone: off the joint key, or off a peeker's."""
        veiled = tuple(move for move in moves if self._cards[move[0]].holder == DECK)
        yield from self._unveil(veiled, reason)
        peeked = [move for move in moves if self._cards[move[0]].holder != move[1]]
        for holder, to in sorted({(self._cards[number].holder, to) for number, to in peeked}):
            numbers = [
                number
                for number, seat in peeked
                if (self._cards[number].holder, seat) == (holder, to)
            ]
            after = yield from self._switch(holder, to, numbers, Purpose.PASS_ON)
            for number, slot in zip(numbers, after, strict=True):
                self._cards[number] = Card(slot, to)
        self._read([number for number, to in moves if to == self._me])

    def _unveil(self, moves: tuple[tuple[Slot, Seat], ...], reason: Purpose) -> Steps:
        """Every other seat takes its key off; what remains is under the receiver's key alone."""
        seats = tuple(seat for seat in self.present() if any(to != seat for _, to in moves))
        if not seats:
            return
        asked = {seat: tuple(number for number, to in moves if to != seat) for seat in seats}
        shares = yield from self._share(asked, reason)
        for number, to in moves:
            given = [shares[seat][number] for seat in seats if seat != to]
            self._cards[number] = Card(unmask(self._cards[number].slot, given), to)

    @_carry_out.register
    def _give(self, operation: Give) -> Generator[Step, Answers, Facts]:
        """A switch that stays: giver and taker know the face, everyone the proof."""
        giver, taker, number = operation.giver, operation.taker, operation.slot
        after = yield from self._switch(giver, taker, [number], Purpose.HAND_OVER)
        self._cards[number] = Card(after[0], taker)
        if taker == self._me:
            self._read([number])
        return Facts()

    @_carry_out.register
    def _show(self, operation: Show) -> Generator[Step, Answers, Facts]:
        """A switch for the viewer alone: the hand's own slots stay as they are."""
        seat, viewer = operation.seat, operation.viewer
        if not operation.slots:
            return Facts()
        shown = yield from self._switch(seat, viewer, operation.slots, Purpose.SHOW_HAND)
        if viewer == self._me:
            for number, slot in zip(operation.slots, shown, strict=True):
                self._known[number] = self._faces[read_slot(slot, self._key())]
        return Facts()

    def _switch(
        self, holder: Seat, to: Seat, numbers: Sequence[Slot], reason: Purpose
    ) -> Generator[Step, Answers, tuple[Ciphertext, ...]]:
        """`holder` turns its own key on these slots into that of `to`, and proves it."""
        assert all(self._cards[number].holder == holder for number in numbers)
        context = self._course.context(holder)
        before = tuple(self._cards[number].slot for number in numbers)
        publics = self._publics[holder], self._publics[to]
        made: list[tuple[Ciphertext, ...]] = []

        def make() -> Switched:
            entropy = self._seed.entropy(context)
            after, proof = prove_switch(context, self._key(), publics[1], before, entropy)
            made.append(after)
            return Switched(encode_slots(after), proof.encode())

        def check(seat: Seat, payload: Switched) -> None:
            made.append(proven(lambda: _check_switch(context, publics, before, payload)))
            self._tally.add("switches", len(before))

        yield Step(Switched, (holder,), reason, check, make=make)
        return made[0]

    @_carry_out.register
    def _prove_among(self, operation: ProveAmong) -> Generator[Step, Answers, Facts]:
        """The holder proves that it holds nothing but some of these faces."""
        seat = operation.seat
        context, public = self._course.context(seat), self._publics[seat]
        slots = tuple(self._cards[number].slot for number in operation.slots)
        faces = tuple(face_point(self._game, face) for face in operation.faces)

        def make() -> ProvenAmong:
            entropy = self._seed.entropy(context)
            proof = prove_membership(context, self._key(), slots, faces, entropy)
            return ProvenAmong(proof.encode())

        def check(seat: Seat, payload: ProvenAmong) -> None:
            proven(lambda: _check_membership(context, public, slots, faces, payload))
            self._tally.add("passes")

        yield Step(ProvenAmong, (seat,), Purpose.PROVE_PASS, check, make=make)
        return Facts()

    @_carry_out.register
    def _open(self, operation: Open) -> Generator[Step, Answers, Facts]:
        """The holder takes its own key off, for all to see."""
        for number in operation.slots:
            assert self._cards[number].holder == operation.seat, "only its holder opens a card"
        shares = yield from self._share({operation.seat: operation.slots}, Purpose.SHOW_CARDS)
        opened = []
        for number in operation.slots:
            card = self._cards.pop(number)
            point = open_slot(card.slot, [shares[operation.seat][number]])
            if point not in self._faces:
                raise InvalidProof("a card bears no face of the deck")  # the proofs rule it out
            face = self._known[number] = self._faces[point]
            opened.append((number, face))
            self._shown.opened.append((card, face))
        return Facts(opened=tuple(opened))

    @_carry_out.register
    def _reveil(self, operation: Reveil) -> Generator[Step, Answers, Facts]:
        """The holder shuffles its hand under its own key."""
        seat, key = operation.seat, self._publics[operation.seat]
        before = [self._cards.pop(number).slot for number in operation.slots]
        after = yield from self._shuffle_once(seat, key, before, Purpose.SHUFFLE_HAND)
        for number, slot in zip(operation.fresh, after, strict=True):
            self._cards[number] = Card(slot, seat)
        if seat == self._me:
            self._read(operation.fresh)
        return Facts()

    def _share(
        self, asked: dict[Seat, tuple[Slot, ...]], reason: Purpose
    ) -> Generator[Step, Answers, dict[Seat, dict[Slot, Point]]]:
        """Each seat publishes its shares of the slots asked of it, with one proof for all."""
        context = {seat: self._course.context(seat) for seat in asked}
        slots = {seat: [self._cards[number].slot for number in asked[seat]] for seat in asked}
        given: dict[Seat, dict[Slot, Point]] = {}

        def keep(seat: Seat, shares: Sequence[Point]) -> None:
            given[seat] = dict(zip(asked[seat], shares, strict=True))

        def make() -> Shares:
            seat, key = self._me, self._key()
            shares = make_shares(key, slots[seat])
            entropy = self._seed.entropy(context[seat])
            proof = prove_shares(context[seat], key, slots[seat], shares, entropy)
            keep(seat, shares)
            return Shares(b"".join(shares), proof.encode())

        def check(seat: Seat, payload: Shares) -> None:
            public = self._publics[seat]
            keep(seat, proven(lambda: _check_shares(context[seat], public, slots[seat], payload)))
            self._tally.add("shares", len(slots[seat]))

        yield Step(Shares, tuple(asked), reason, check, make=make)
        return given

    def _read(self, numbers: Sequence[Slot]) -> None:
        for number in numbers:
            point = read_slot(self._cards[number].slot, self._key())
            self._known[number] = self._faces[point]

    # --- Orders ---------------------------------------------------------------------------------

    @_carry_out.register
    def _order(self, operation: Order) -> Generator[Step, Answers, Facts]:
        """The judge publishes the order of arrival: one message, so the same on every peer."""
        judge, seats = operation.judge, operation.seats
        arrived = tuple(seat for seat in self._course.arrivals if seat in seats)

        def check(seat: Seat, payload: Ordered) -> None:
            if sorted(payload.seats) != sorted(seats):
                raise PeerFault("order")

        answers = yield Step(
            Ordered, (judge,), Purpose.SAY_ORDER, check, make=lambda: Ordered(arrived)
        )
        return Facts(order=answers[judge].seats)

    # --- Tosses -------------------------------------------------------------------------------

    @_carry_out.register
    def _toss(self, operation: Toss) -> Generator[Step, Answers, Facts]:
        """Commit, echo, open, combine: one honest seat suffices for a fair number."""
        seats = self.present()
        context = {seat: self._course.context(seat) for seat in seats}
        own = self._draw_part(context)
        commitments = yield Step(
            TossCommit,
            seats,
            Purpose.COMMIT_TOSS,
            accept_any,
            make=lambda: TossCommit(commit(context[self._me], own().part, own().opening)),
        )
        yield self._echo()

        def check(seat: Seat, payload: TossOpen) -> None:
            commitment = commitments[seat].commitment
            check_opening(context[seat], commitment, payload.part, payload.opening)

        openings = yield Step(TossOpen, seats, Purpose.OPEN_TOSS, check, make=own)
        parts = [openings[seat].part for seat in seats]
        return Facts(tossed=combine_toss(context[seats[0]], parts, operation.sides))

    def _draw_part(self, context: dict[Seat, bytes]) -> Callable[[], TossOpen]:
        if self._me not in context:
            return no_duty
        entropy = self._seed.entropy(context[self._me])
        part = entropy.take("toss", b"", 32)
        opened = TossOpen(part, entropy.take("toss-opening", part, 32))
        return lambda: opened

    def _key(self) -> KeyPair:
        assert self._own is not None, "a seat in play has a key"
        return self._own


def accept_any(seat: Seat, payload: object) -> None:
    """A commitment says nothing that could be checked yet."""


def proven(verify: Callable[[], Any]) -> Any:
    """What `verify` returns; a proof that does not hold is its seat's fault."""
    try:
        return verify()
    except InvalidProof as error:
        raise PeerFault(f"proof-{error.failure}") from error


def _opened(message: KeyOpen) -> bytes:
    return message.key + message.proof


def _check_key(context: bytes, message: KeyOpen) -> None:
    verify_key(context, decode_point(message.key), KeyProof.decode(message.proof))


def _check_shares(
    context: bytes, public: Point, slots: Sequence[Ciphertext], message: Shares
) -> tuple[Point, ...]:
    shares = decode_points(message.shares, len(slots))
    verify_shares(context, public, slots, shares, SharesProof.decode(message.proof))
    return shares


def _check_switch(
    context: bytes,
    publics: tuple[Point, Point],
    before: tuple[Ciphertext, ...],
    message: Switched,
) -> tuple[Ciphertext, ...]:
    after = decode_slots(message.cards, len(before))
    switch = Switch(publics[0], publics[1], before, after)
    verify_switch(context, switch, SwitchProof.decode(message.proof))
    return after


def _check_membership(
    context: bytes,
    public: Point,
    slots: tuple[Ciphertext, ...],
    faces: tuple[Point, ...],
    message: ProvenAmong,
) -> None:
    proof = MembershipProof.decode(message.proof, len(slots), len(faces))
    verify_membership(context, public, slots, faces, proof)


def _check_shuffle(
    context: bytes, key: Point, before: Sequence[Ciphertext], message: Shuffled
) -> tuple[Ciphertext, ...]:
    after = decode_slots(message.cards, len(before))
    proof = ShuffleProof.decode(message.proof, len(before))
    verify_shuffle(context, key, before, after, proof)
    return after
