"""Results, who has signed them, and votes: how a game came about."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from p2pjong.games.game import Result, Seat
from p2pjong.session.history import Signed
from p2pjong.wire.messages import Convict, PutOut, Settled


@dataclass(frozen=True)
class SignedResult:
    """A result and who of the seats then present has signed it."""

    result: Result
    signers: tuple[Seat, ...]
    present: tuple[Seat, ...]
    is_closed: bool  # the game went on from it

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of all seats after it."""
        return self.result.scores

    @property
    def is_by_majority(self) -> bool:
        """Whether a strict majority of the seats present has signed: it counts if the game ends."""
        return 2 * len(self.signers) > len(self.present)


@dataclass(frozen=True)
class Ballot:
    """The votes by which a seat was voted absent."""

    seat: Seat
    voters: tuple[Seat, ...]


@dataclass
class Signatures:
    """Which seats have signed which result at which place."""

    _signers: dict[tuple[bytes, bytes], set[Seat]] = field(default_factory=dict)
    _worded: set[tuple[bytes, Seat]] = field(default_factory=set)  # (place, who said a word there)

    def note(self, signed: Signed) -> None:
        """Every message, in the order of its lane: what follows a word is no signature."""
        body, payload = signed.body, signed.body.payload
        if isinstance(payload, Convict | PutOut):
            self._worded.add((body.place, body.seat))
        elif isinstance(payload, Settled) and (body.place, body.seat) not in self._worded:
            self._signers.setdefault((body.place, payload.result), set()).add(body.seat)

    def of(self, place: bytes, result: bytes, without: Collection[Seat] = ()) -> set[Seat]:
        """Who has signed a result with this digest there; who is put out has not."""
        return self._signers.get((place, result), set()).difference(without)

    def are_most(
        self, present: Sequence[Seat], place: bytes, result: bytes, without: Collection[Seat] = ()
    ) -> bool:
        """Whether a strict majority of these seats has signed."""
        return 2 * len(self.of(place, result, without).intersection(present)) > len(present)
