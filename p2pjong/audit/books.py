"""Open books: with the keys that were published, every card of an epoch that is over is read.

Implements "Open books" of `protocol/play.md`, and `protocol/audit.md` where it says with what the
books must agree.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2pjong.audit.dealer import DECK, Card, Epoch
from p2pjong.audit.faults import Breach
from p2pjong.crypto.group import Point, Scalar, decode_scalar, multiply_base
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof
from p2pjong.crypto.masking import KeyPair, read_slot
from p2pjong.games.game import Face, Seat, Slot
from p2pjong.wire.messages import KeyPublished


@dataclass(frozen=True)
class Books:
    """All cards of a hand that has ended; a face is "" where somebody's key is not published."""

    hand: int  # the number of the result, from 1
    hands: tuple[tuple[Seat, tuple[Face, ...]], ...]  # what each seat still held face down
    deck: tuple[Face, ...]  # what was left of the deck, in its order
    unopened: tuple[Seat, ...] = ()  # who did not publish its key


@dataclass
class Opening:
    """An epoch that is over, where its cards lay at the end, and the keys published so far."""

    hand: int
    zones: Mapping[str, tuple[Slot, ...]]
    points: Mapping[Point, Face]
    epoch: Epoch
    secrets: dict[Seat, Scalar] = field(default_factory=dict)

    def publish(self, seat: Seat, said: KeyPublished) -> None:
        """Take in the key that a seat publishes. Raises Breach on any other than its own."""
        try:
            secret = decode_scalar(said.secret)
        except InvalidEncoding as error:
            raise Breach("published-key") from error
        if not secret or multiply_base(secret) != self.epoch.keys[seat]:
            raise Breach("published-key")
        self.secrets[seat] = secret

    def books(self) -> Books:
        """What the keys published so far open."""
        read = {zone: self._read_all(slots) for zone, slots in self.zones.items()}
        hands = tuple((seat, read.get(f"hand:{seat}", ())) for seat in sorted(self.epoch.keys))
        unopened = tuple(sorted(self.epoch.keys.keys() - self.secrets))
        return Books(self.hand, hands, read.get("deck", ()), unopened)

    def check(self) -> None:
        """Raises InvalidProof if what the keys open is not what the proofs have shown."""
        for card, face in self.epoch.opened:
            if self._read(card) not in ("", face):
                raise InvalidProof(f"the books of hand {self.hand} contradict a card opened before")
        for faces, deck in self.epoch.decks:
            read = [self._read(Card(slot, DECK)) for slot in deck]
            if "" not in read and Counter(read) != Counter(faces):
                raise InvalidProof(f"the books of hand {self.hand} contradict its deck")

    def _read_all(self, slots: Sequence[Slot]) -> tuple[Face, ...]:
        return tuple(
            self._read(self.epoch.cards[slot]) for slot in slots if slot in self.epoch.cards
        )

    def _read(self, card: Card) -> Face:
        """The face of a card; "" if a key that is on it is not published."""
        on_it = self.epoch.keys.keys() if card.holder == DECK else {card.holder}
        if not on_it <= self.secrets.keys():
            return ""
        secret = sum(self.secrets[seat] for seat in on_it)
        point = read_slot(card.slot, KeyPair(secret, self.epoch.keys[min(on_it)]))
        return self.points.get(point, "?")
