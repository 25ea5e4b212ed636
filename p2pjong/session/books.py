"""Open books: at the end of an epoch all keys of it are published, and every card of it is read.

Implements "Open books" of `protocol/play.md`. Only at tables whose draft says so. What is published
is the key of one epoch: it derives from the seed, never the other way, so it opens nothing else.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pjong.crypto.group import Point, Scalar, decode_scalar, encode_scalar, multiply_base
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof
from p2pjong.crypto.masking import Ciphertext, KeyPair, read_slot
from p2pjong.games.game import NOBODY, Face, Seat, Slot
from p2pjong.session.course import Step
from p2pjong.session.effects import Books
from p2pjong.session.faults import PeerFault
from p2pjong.session.purposes import Purpose
from p2pjong.wire.messages import KeyPublished


@dataclass(frozen=True)
class Card:
    """A face-down slot: its ciphertext, and whose key is on it (NOBODY: the joint key)."""

    slot: Ciphertext
    holder: Seat


@dataclass
class Shown:
    """What an epoch has brought to light: decks by their proofs, and cards by being opened."""

    decks: list[tuple[tuple[Face, ...], tuple[Ciphertext, ...]]] = field(default_factory=list)
    opened: list[tuple[Card, Face]] = field(default_factory=list)


@dataclass
class Opening:
    """The books of one epoch while they are being opened, and the keys published so far."""

    hand: int  # the number of the result, from 1
    zones: Mapping[str, tuple[Slot, ...]]
    publics: Mapping[Seat, Point]  # of all who held a key of the epoch
    faces: Mapping[Point, Face]
    cards: Mapping[Slot, Card]
    shown: Shown
    me: Seat
    own: KeyPair | None  # our own key of the epoch, if we had a part in it
    keys: dict[Seat, Scalar] = field(default_factory=dict, repr=False)

    def step(self, seats: tuple[Seat, ...]) -> Step:
        """The step in which these seats publish their keys."""

        def make() -> KeyPublished:
            assert self.own is not None, "a seat in play has a key"
            self.keys[self.me] = self.own.secret
            return KeyPublished(encode_scalar(self.own.secret))

        return Step(KeyPublished, seats, Purpose.OPEN_BOOKS, self._check, make=make)

    def _check(self, seat: Seat, payload: KeyPublished) -> None:
        try:
            secret = decode_scalar(payload.secret)
        except InvalidEncoding as error:
            raise PeerFault("published-key") from error
        if not secret or multiply_base(secret) != self.publics[seat]:
            raise PeerFault("published-key")
        self.keys[seat] = secret

    def books(self) -> Books:
        """What these keys open."""
        places = {
            zone: tuple(self._read(self.cards[slot]) for slot in slots if slot in self.cards)
            for zone, slots in self.zones.items()
        }
        hands = {seat: places.get(f"hand:{seat}", ()) for seat in sorted(self.publics)}
        unopened = tuple(sorted(self.publics.keys() - self.keys))
        return Books(self.hand, tuple(hands.items()), places.get("deck", ()), unopened)

    def check(self) -> None:
        """Raises InvalidProof if what the keys open is not what the proofs have shown."""
        for card, face in self.shown.opened:
            if self._read(card) not in ("", face):
                raise InvalidProof(f"the books of hand {self.hand} contradict a card opened before")
        for faces, deck in self.shown.decks:
            read = [self._read(Card(slot, NOBODY)) for slot in deck]
            if "" not in read and Counter(read) != Counter(faces):
                raise InvalidProof(f"the books of hand {self.hand} contradict its deck")

    def _read(self, card: Card) -> Face:
        """The face of a card; "" if a key that is on it is not published."""
        on_it = list(self.publics) if card.holder == NOBODY else [card.holder]
        if not self.keys.keys() >= set(on_it):
            return ""
        secret = sum(self.keys[seat] for seat in on_it)
        point = read_slot(card.slot, KeyPair(secret, self.publics[on_it[0]]))
        return self.faces.get(point, "?")
