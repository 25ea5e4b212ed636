"""No leak, measured: what a coalition of all seats but one sees does not depend on what one hides.

Content (two worlds that differ in hidden cards and the secrets of one seat), order and sizes (the
same worlds, frame by frame), places (G3) and choices among equal cards. Times are measured in
`tests/app/test_driver.py`, what is written to files in `tests/app/test_secrets.py`.
"""

from collections import Counter
from inspect import getmembers, isclass
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import face_point
from p2pjong.crypto.masking import veil_faces
from p2pjong.crypto.shuffle import shuffle_slots
from p2pjong.games import GAMES
from p2pjong.games.game import Decide, Draw, Give, Open, Reveil, Seat, Slot
from p2pjong.session.seed import Seed
from p2pjong.session.session import Session
from p2pjong.wire import messages
from p2pjong.wire.codec import Message, decode
from p2pjong.wire.messages import Lane, LaneBody
from tests.support.sim import Chooser, SimTable, choose_default, make_draft, tiny_draft
from tests.support.tables import make_table, steps
from tests.support.tags import (
    CIPHERTEXT,
    COMMITMENT,
    HASH,
    OPENING,
    PROOF,
    PUBLIC,
    TAGS,
    public_part,
)
from tests.support.two_worlds import (
    Script,
    World,
    check_worlds,
    choose_calmly,
    fix_chance,
    twins_of,
)

# --- Every field is tagged ----------------------------------------------------------------------


def test_every_field_of_every_message_is_tagged() -> None:
    kinds = {
        kind
        for _, kind in getmembers(messages, isclass)
        if issubclass(kind, Message) and kind is not Message
    }
    assert set(TAGS) == kinds
    for kind in kinds:
        assert set(TAGS[kind]) == set(kind.__struct_fields__), f"{kind.__name__} has other fields"
    tags = {tag for fields in TAGS.values() for tag in fields.values()}
    assert tags == {PUBLIC, CIPHERTEXT, COMMITMENT, PROOF, OPENING, HASH}


def test_what_is_no_bytes_is_public_and_compared() -> None:
    """A number, a truth or a text hides nothing: only bytes may be tagged as anything else."""
    table = SimTable(2, seed=1, draft=tiny_draft(2), choose=choose_default).start().finish()
    for frame in table.peers[0].journal:
        lane: Lane = decode(frame, Lane)
        body: LaneBody = decode(lane.body, LaneBody)
        shown = public_part(body)
        assert (("LaneBody", "step"), body.step) in shown
        assert (("LaneBody", "digest"), body.digest) in shown
        assert public_part(with_fields(body, step=body.step + 1)) != shown
        assert public_part(with_fields(body, digest=bytes(32))) != shown
        assert public_part(with_fields(body, place=bytes(32))) == shown
        assert public_part(with_fields(body, heads=body.heads[:1])) != shown


# --- Two worlds ---------------------------------------------------------------------------------


SLOW = pytest.mark.slow
NOT_YOUR_MAS = "not-your-mas-jong"  # which is played for rounds
GAMES_PLAYED = [
    pytest.param("tiny-4", 3, 400, choose_calmly, id="tiny"),
    pytest.param("war-jhong", 2, 90, choose_calmly, id="war-jhong", marks=SLOW),
    pytest.param("samurai-warfare", 2, 75, choose_calmly, id="samurai-warfare", marks=SLOW),
    pytest.param(NOT_YOUR_MAS, 3, 220, choose_calmly, id=NOT_YOUR_MAS, marks=SLOW),
]


@pytest.mark.parametrize(("game", "seats", "steps_max", "choose"), GAMES_PLAYED)
def test_all_seats_but_one_together_cannot_tell_two_worlds_apart(
    game: str, seats: int, steps_max: int, choose: Chooser, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_chance(monkeypatch)
    draft = make_draft(seats, game, target=0 if game == NOT_YOUR_MAS else 1)
    check_worlds(World(draft, Script(1), choose, steps_max).play(), wanted=2)


@pytest.mark.slow
def test_open_books_give_nothing_away_before_a_hand_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fix_chance(monkeypatch)
    draft = make_draft(2, target=1, is_open_books=True)
    world = World(draft, Script(1), choose_calmly, 90).play()
    assert world.table.peers[0].session.play.results_closed() == 0
    check_worlds(world, wanted=1)


def test_a_leak_of_one_bit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure itself is measured: a seat that is chattier with a pair in hand is found out."""

    def is_pair(session: Session) -> bool:
        hand = session.play.state.hands[session.me] if session.me is not None else ()
        faces = [session.dealer._known.get(slot, str(slot)) for slot in hand]
        return len(set(faces)) < len(faces)

    honest = Session._say

    def leaky(session: Session, payload: Any) -> None:
        honest(session, payload)
        if is_pair(session):
            session._effects.append(session.gossip.have(session.lanes, None))

    monkeypatch.setattr(Session, "_say", leaky)
    fix_chance(monkeypatch)
    worlds = (World(tiny_draft(3), Script(seed), choose_calmly, 400).play() for seed in range(20))
    assert any(twin.wire != world.wire for world in worlds for twin in twins_of(world, wanted=4)), (
        "the leak shows"
    )


# --- Places -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["war-jhong", "not-your-mas-jong"])
@pytest.mark.parametrize("seed", range(3))
def test_whenever_a_hand_is_named_no_place_of_it_tells_when_its_card_came(
    game: str, seed: int
) -> None:
    """G3. Samurai Warfare has its own such test, where hands also change by peeks and steals."""
    table = make_table(GAMES[game], 3, seed, target=1)
    born: dict[Slot, int] = {}
    is_mixed = 0
    moments = iter(range(10**6))
    note_births(table.pending, born, moments)
    for _ in steps(table, seed):
        for seat in named(table):
            hand = table.state.hands[seat]
            assert len({born[slot] for slot in hand}) <= 1, "a place tells when its card came"
        note_births(table.pending, born, moments)
        is_mixed += isinstance(table.pending, Reveil)
    assert is_mixed > 3


def note_births(pending: Any, born: dict[Slot, int], moments: Any) -> None:
    if isinstance(pending, Reveil):
        assert not set(pending.fresh) & set(born), "numbers that were never used before"
        born.update(dict.fromkeys(pending.fresh, next(moments)))
    elif isinstance(pending, Draw):
        now = {seat: next(moments) for _, seat in pending.moves}
        born.update({slot: now[seat] for slot, seat in pending.moves})
    assert not isinstance(pending, Give), "no game here hands cards over"


def named(table: Any) -> tuple[Seat, ...]:
    """Whose cards are being named."""
    if isinstance(table.pending, Decide):
        seats: tuple[Seat, ...] = table.pending.seats
        return seats
    return (table.pending.seat,) if isinstance(table.pending, Open) else ()


def test_a_card_drawn_comes_to_every_place_of_the_hand_equally_often() -> None:
    """G3, with the real shuffle: over many hands its last card stands anywhere afterwards."""
    key = face_point("test", "key")
    hand = veil_faces([face_point("test", face) for face in "ABCDE"], key)
    places: Counter[int] = Counter()
    for number in range(600):
        entropy = Entropy(number.to_bytes(32, "big"), b"table")
        places[shuffle_slots(b"step", key, hand, entropy).permutation.index(4)] += 1
    expected = 600 / 5
    # Chi-squared with 4 degrees of freedom: 23.5 comes by chance once in 10,000.
    assert sum((places[at] - expected) ** 2 / expected for at in range(5)) < 23.5


def test_of_equal_cards_each_is_named_equally_often() -> None:
    """Always the first would tell how many there are of it."""
    table = table_with_twins()
    peer = next(peer for peer in table.peers if peer.asked)
    session, asked = peer.session, peer.asked
    assert asked is not None
    known = session.dealer.known(session.me or 0)
    by_face = Counter(known[action.slots[0]] for action in asked.actions if action.slots)
    face = next(face for face, count in by_face.items() if count > 1)
    same = [action for action in asked.actions if action.slots and known[action.slots[0]] == face]
    named_slots: Counter[tuple[Slot, ...]] = Counter()
    for number in range(200):
        session._seed = Seed(number.to_bytes(32, "big"))
        named_slots[session._any_twin(same[0]).slots] += 1
    assert set(named_slots) == {action.slots for action in same}
    assert min(named_slots.values()) > 200 / len(same) / 2


def table_with_twins() -> SimTable:
    """A table where the seat to move holds two equal cards."""
    for seed in range(40):
        table = SimTable(2, seed, draft=tiny_draft(2), choose=choose_default).start()
        table.run_until(lambda table: any(peer.asked for peer in table.peers))
        for seat, peer in enumerate(table.peers):
            if peer.asked is None:
                continue
            known = peer.session.dealer.known(seat)
            held = [known[slot] for slot in peer.session.play.state.hands[seat]]
            if len(set(held)) < len(held):
                return table
    raise AssertionError("no seed gives a pair")
