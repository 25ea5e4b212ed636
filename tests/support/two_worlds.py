"""Two worlds that all seats but one cannot tell apart, made from the real protocol.

In each world whole sessions play over the simulator. What is fixed, so that both take one course:
the permutations and the joint tosses. The hidden seat (the last one, which shuffles last) has
another seed in the second world, and so other keys, masks, nonces and commitments; and its shuffle
of the deck puts a card of its hand that nobody else ever sees where a card lies that stays in the
deck, and the other way round. Nothing else differs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from p2pjong.crypto.commitment import combine_toss
from p2pjong.crypto.entropy import Entropy
from p2pjong.games.game import Action, Face, Operation, Reveil, Seat, Shuffle, Slot
from p2pjong.session import mental_dealer, play
from p2pjong.session.effects import Ask
from p2pjong.session.seed import Seed
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, Lane, LaneBody, TableMessage
from tests.support.sim import Chooser, SimTable
from tests.support.tags import CIPHERTEXT, COMMITMENT, OPENING, PROOF, leaves, public_part

Permutation = tuple[int, ...]


class CannotFollow(Exception):
    """The hidden seat could not act so with this hand: these two worlds do not look alike."""


@dataclass
class Script:
    """The permutations of a world, drawn or given, and the choices of its seats."""

    seed: int = 0
    permutations: dict[tuple[Seat, int], Permutation] = field(default_factory=dict)
    drawn: dict[Seat, int] = field(default_factory=dict)

    def permutation(self, seat: Seat, count: int) -> Permutation:
        """The next permutation of a seat; the same whatever it is drawn for."""
        number = self.drawn.get(seat, 0)
        self.drawn[seat] = number + 1
        drawn = Random(f"{self.seed} {seat} {number}").sample(range(count), count)
        return self.permutations.setdefault((seat, number), tuple(drawn))


class ScriptedEntropy(Entropy):
    """The real derivations, but for permutations and parts of tosses."""

    script: Script
    seat: Seat

    def permutation(self, label: str, statement: bytes, count: int) -> Permutation:
        return self.script.permutation(self.seat, count)

    def take(self, label: str, statement: bytes, length: int) -> bytes:
        return (
            bytes([self.seat]) * length
            if label == "toss"
            else super().take(label, statement, length)
        )


class ScriptedSeed(Seed):
    """A table's seed whose entropy is scripted."""

    script: Script
    seat: Seat

    def entropy(self, context: bytes) -> Entropy:
        made = ScriptedEntropy(self.value, context)
        made.script, made.seat = self.script, self.seat
        return made


@dataclass
class World:
    """One table played as far as the worlds are compared."""

    draft: Draft
    script: Script
    choose: Chooser
    steps_max: int
    hidden_seed: int = 0
    recorded: list[Action] | None = None  # what all seats chose in the first world
    table: SimTable = field(init=False)
    operations: list[Operation] = field(default_factory=list)
    chosen: list[Action] = field(default_factory=list)
    wire: list[Any] = field(default_factory=list)

    @property
    def hidden(self) -> Seat:
        """The honest seat against which all others stand together."""
        return len(self.draft.seats) - 1

    def play(self) -> "World":
        """Play the first hand, or as much of it as is compared."""
        self.table = SimTable(len(self.draft.seats), draft=self.draft, choose=self._choose)
        for seat, peer in enumerate(self.table.peers):
            self._script_seed(peer.session, seat)
        self._note_operations(self.table.peers[0].session)
        self.table._send = self._note_frames(self.table._send)  # type: ignore[method-assign]
        self.table.start()
        for _ in range(self.steps_max):
            if not self.table.step():
                break
        assert len(self._shuffles()) == 1, "a new shuffle makes everyone forget what it knew"
        return self

    def _script_seed(self, session: Session, seat: Seat) -> None:
        seed = session._seed
        seed.__class__ = ScriptedSeed
        assert isinstance(seed, ScriptedSeed)
        seed.script, seed.seat = self.script, seat
        if seat == self.hidden:
            seed.value = bytes([77, self.hidden_seed]) * 16

    def _note_operations(self, session: Session) -> None:
        begin = session.dealer.begin

        def note(operation: Operation) -> None:
            self.operations.append(operation)
            begin(operation)

        session.dealer.begin = note  # type: ignore[method-assign]

    def _note_frames(self, send: Any) -> Any:
        def note(seat: Seat, frame: bytes, to: Seat | None) -> None:
            self.wire.append((seat, to, public_frame(frame)))
            send(seat, frame, to)

        return note

    def _choose(self, ask: Ask, rng: Random) -> Action:
        if self.recorded is None:
            # Not by the network's own chance, which must fall alike where nothing is drawn here.
            action = self.choose(ask, Random(f"{self.script.seed} {len(self.chosen)}"))
        else:
            action = self.recorded[len(self.chosen)]
            if action not in ask.actions:
                raise CannotFollow(action.verb)
        self.chosen.append(action)
        return action

    # --- Who knows what --------------------------------------------------------------------------

    def _shuffles(self) -> list[Shuffle]:
        return [one for one in self.operations if isinstance(one, Shuffle)]

    def faces(self) -> dict[Slot, Face]:
        """What every slot of the deck bears, by all permutations together."""
        shuffle = self._shuffles()[0]
        order: Sequence[Face] = shuffle.faces
        for seat in range(len(self.draft.seats)):
            order = [order[place] for place in self.script.permutations[seat, 0]]
        return dict(zip(shuffle.slots, order, strict=True))

    def origins(self) -> dict[Slot, Slot]:
        """Of each slot, as which slot of the deck its card began."""
        origin = {slot: slot for slot in self._shuffles()[0].slots}
        mixed = dict.fromkeys(range(len(self.draft.seats)), 1)
        for one in self.operations:
            if isinstance(one, Reveil) and (one.seat, mixed[one.seat]) in self.script.permutations:
                places = self.script.permutations[one.seat, mixed[one.seat]]
                mixed[one.seat] += 1
                sources = [origin[one.slots[place]] for place in places]
                origin.update(zip(one.fresh, sources, strict=True))
        return origin

    def known_to(self, seat: Seat) -> dict[Slot, Face]:
        """The faces that a seat knows, by the slots as which the cards began."""
        origin = self.origins()
        known = self.table.peers[seat].session.dealer._known
        return {origin[slot]: face for slot, face in known.items() if slot in origin}

    def unseen_pairs(self) -> Iterator[tuple[Slot, Slot]]:
        """A card of the hidden seat's that no other has seen, and another that nobody has."""
        faces = self.faces()
        seen = {slot for seat in range(self.hidden) for slot in self.known_to(seat)}
        own = [slot for slot in self.known_to(self.hidden) if slot not in seen]
        nobodys = [slot for slot in faces if slot not in seen and slot not in own]
        for held, other in product(own, nobodys):
            if faces[held] != faces[other]:
                yield held, other

    def twin(self, held: Slot, other: Slot) -> "World":
        """The world in which these two cards lie in each other's place. May raise CannotFollow."""
        first = self._shuffles()[0].slots[0]
        places = list(self.script.permutations[self.hidden, 0])
        one, two = held - first, other - first
        places[one], places[two] = places[two], places[one]
        given = self.script.permutations | {(self.hidden, 0): tuple(places)}
        script = replace(self.script, permutations=given, drawn={})
        return World(
            self.draft, script, self.choose, self.steps_max, self.hidden_seed + 1, self.chosen
        ).play()


def public_frame(frame: bytes) -> Any:
    """All that is public of a frame, and the sizes of the rest."""
    message: TableMessage = decode(frame, TableMessage)
    if isinstance(message, Lane):
        return public_part(decode(message.body, LaneBody))
    return public_part(message)


def fix_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls by lot is alike in both worlds: the first seat, tosses, which twin is named."""
    monkeypatch.setattr(Session, "_any_twin", lambda session, action: action)
    monkeypatch.setattr(play, "draw_lot", lambda charter, sides: 0)
    monkeypatch.setattr(
        mental_dealer,
        "combine_toss",
        lambda context, parts, sides: combine_toss(b"", parts, sides),
    )


def choose_calmly(ask: Ask, rng: Random) -> Action:
    """Anything, but nobody calls for a discard: a call must be shown, which tells of the hand."""
    return ask.default if ask.is_answer else rng.choice(ask.actions)


# --- What must hold -------------------------------------------------------------------------------


def twins_of(world: World, wanted: int) -> list[World]:
    """Some worlds in which the hidden seat holds other cards and all else is alike."""
    pairs = list(world.unseen_pairs())
    Random(1).shuffle(pairs)
    found: list[World] = []
    for pair in islice(pairs, 12):
        try:
            found.append(world.twin(*pair))
        except CannotFollow:
            continue
        if len(found) == wanted:
            break
    return found


def check_worlds(world: World, wanted: int) -> None:
    """Nothing that the other seats see differs where but the hidden seat's cards do."""
    twins = twins_of(world, wanted)
    assert twins, "there are worlds that look alike"
    for twin in twins:
        assert twin.known_to(world.hidden) != world.known_to(world.hidden), "the hand is another"
        for seat in range(world.hidden):
            assert twin.known_to(seat) == world.known_to(seat)
        assert len(twin.wire) == len(world.wire)
        for one, other in zip(world.wire, twin.wire, strict=True):
            assert one == other, "something public differs"
        assert secrets_on_wire(twin).isdisjoint(secrets_on_wire(world)), "and all that hides, does"
    assert world.chosen, "somebody acted"


def secrets_on_wire(world: World) -> set[bytes]:
    """All that the hidden seat sent under keys, masks or nonces of its own."""
    lane = world.table.peers[0].session.lanes.accepted[world.hidden]
    return {
        value
        for signed in lane
        for path, tag, value in leaves(signed.body.payload)
        if tag in (CIPHERTEXT, COMMITMENT, PROOF, OPENING) and path[-2:] != ("TossOpen", "part")
    }
