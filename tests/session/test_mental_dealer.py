"""The mental dealer: who learns which face, what is proven, and what is erased."""

import gc
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.crypto.commitment import combine_toss
from p2pjong.crypto.group import encode_scalar, face_point
from p2pjong.crypto.masking import KeyPair, make_shares, open_slot, read_slot
from p2pjong.games.game import Face, Slot
from p2pjong.session.course import Place, extend_chain
from p2pjong.session.faults import PeerFault
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    KeyCommit,
    KeyOpen,
    NonceOpen,
    Payload,
    Shares,
    Shuffled,
    TossCommit,
    TossOpen,
)
from tests.support.sim import SimTable, choose_default, tiny_draft
from tests.support.tiny import DIE

SEATS = 3


def turn_table(seed: int = 3, seats: int = SEATS, table: int = 0) -> SimTable:
    """A table whose first turn has come: dealt, drawn and re-veiled."""
    draft = tiny_draft(seats, target=2, table=table)
    sim = SimTable(seats, seed, draft=draft, choose=choose_default).start()
    assert sim.run_until(lambda sim: any(peer.asked for peer in sim.peers))
    # The others have yet to hear of it.
    while any(frames for frames in sim.wires.values()):
        sim.deliver(*next(wire for wire, frames in sim.wires.items() if frames))
    return sim


@pytest.fixture(scope="module")
def table() -> SimTable:
    """Look, do not touch."""
    return turn_table()


def hands(table: SimTable) -> tuple[tuple[Slot, ...], ...]:
    (found,) = {peer.session.play.state.hands for peer in table.peers}
    return found  # type: ignore[no-any-return]


def keys_of(table: SimTable) -> list[KeyPair]:
    keys = [peer.session.dealer._own for peer in table.peers]
    return [key for key in keys if key is not None]


def true_face(table: SimTable, slot: Slot) -> Face:
    """What a slot shows: known only to all keys together, which nobody but a test has."""
    card = table.peers[0].session.dealer._cards[slot]
    faces = {face_point(table.game.name, face): face for face in table.game.deck}
    keys = keys_of(table)
    if card.holder >= 0:
        return faces[read_slot(card.slot, keys[card.holder])]
    secret = sum(key.secret for key in keys)
    return faces[read_slot(card.slot, KeyPair(secret, keys[0].public))]


# --- Who learns what --------------------------------------------------------------------------


def test_each_seat_knows_its_own_hand_and_nothing_else(table: SimTable) -> None:
    for seat, peer in enumerate(table.peers):
        known = peer.session.dealer.known(seat)
        own = set(hands(table)[seat])
        assert own <= set(known)
        others = {slot for other in range(SEATS) if other != seat for slot in hands(table)[other]}
        deck = set(peer.session.play.state.deck)
        assert not set(known) & (others | deck)
        for other in range(SEATS):
            assert other == seat or peer.session.dealer.known(other) == {}
        for slot in own:
            assert known[slot] == true_face(table, slot)


def test_hands_deck_and_open_cards_are_the_deck(table: SimTable) -> None:
    dealer = table.peers[0].session.dealer
    faces = Counter(true_face(table, slot) for slot in dealer._cards)
    assert faces == Counter(table.game.deck)


def test_all_peers_hold_the_same_ciphertexts(table: SimTable) -> None:
    cards = [peer.session.dealer._cards for peer in table.peers]
    assert cards[0] == cards[1] == cards[2]
    encoded = {card.slot.encode() for card in cards[0].values()}
    assert len(encoded) == len(table.game.deck), "no two slots look alike"


def test_no_face_can_be_read_with_all_keys_but_one(table: SimTable) -> None:
    """All but one together: what is under the deck's key, or that one's own, stays veiled."""
    dealer = table.peers[0].session.dealer
    faces = {face_point(table.game.name, face) for face in table.game.deck}
    for honest in range(SEATS):
        secret = sum(key.secret for seat, key in enumerate(keys_of(table)) if seat != honest)
        partial = KeyPair(secret, keys_of(table)[0].public)
        for card in dealer._cards.values():
            if card.holder in (-1, honest):
                assert read_slot(card.slot, partial) not in faces
                assert card.slot.b not in faces


def test_the_deck_is_mixed_by_every_seat(table: SimTable) -> None:
    """Each shuffle changes every ciphertext, so no place can be followed through it."""
    session = table.peers[0].session
    shuffles = [deck for deck in payloads(session, Shuffled) if len(deck.cards) > 64 * 3]
    assert len(shuffles) == SEATS
    cards = [deck.cards[start : start + 64] for deck in shuffles for start in slots(deck)]
    assert len(set(cards)) == SEATS * len(table.game.deck)


def slots(deck: Shuffled) -> range:
    return range(0, len(deck.cards), 64)


def payloads(session: Session, kind: type[Any]) -> list[Any]:
    lanes = session.lanes.accepted
    return [
        signed.body.payload
        for lane in lanes
        for signed in lane
        if isinstance(signed.body.payload, kind)
    ]


def test_a_reveil_keeps_the_hand_and_changes_every_slot(table: SimTable) -> None:
    """G3: places carry no history. The slots dealt and drawn are other ones, with other looks."""
    turn = table.peers[0].session.play.state.turn
    session = table.peers[turn].session
    fresh = hands(table)[turn]
    known = session.dealer.known(turn)
    before = [slot for slot in known if slot not in fresh]
    assert len(before) == len(fresh) == 3
    assert Counter(known[slot] for slot in before) == Counter(known[slot] for slot in fresh)
    assert not set(before) & set(session.dealer._cards)


def test_no_secret_key_is_on_the_wire(table: SimTable) -> None:
    frames = b"".join(frame for peer in table.peers for frame in peer.journal)
    for key in keys_of(table):
        assert encode_scalar(key.secret) not in frames
        assert bytes(key.public) in frames


# --- Keys and tosses --------------------------------------------------------------------------


def number_of(session: Session, seat: int, kind: type[Payload]) -> int:
    lane = session.lanes.accepted[seat]
    return next(one.number for one in lane if isinstance(one.body.payload, kind))


def heads_at(session: Session, seat: int, number: int) -> tuple[int, ...]:
    return tuple(head.length for head in session.lanes.accepted[seat][number].body.heads)


@pytest.mark.parametrize(("commitment", "opening"), [(KeyCommit, KeyOpen), (TossCommit, TossOpen)])
def test_nothing_is_opened_before_all_have_confirmed_the_same_commitments(
    table: SimTable, commitment: type[Payload], opening: type[Payload]
) -> None:
    session = table.peers[0].session
    for seat in range(SEATS):
        opened = number_of(session, seat, opening)
        assert opened == number_of(session, seat, commitment) + 2, "an echo lies between them"
        for other, length in enumerate(heads_at(session, seat, opened)):
            assert length >= number_of(session, other, commitment) + 2


def test_no_share_of_a_deck_is_given_before_all_have_confirmed_it(table: SimTable) -> None:
    session = table.peers[0].session
    for seat in range(SEATS):
        shared = number_of(session, seat, Shares)
        for other, length in enumerate(heads_at(session, seat, shared)):
            assert length >= number_of(session, other, Shuffled) + 2


@pytest.mark.parametrize("seed", range(3))
def test_a_toss_is_that_of_all_parts(seed: int) -> None:
    session = turn_table(seed).peers[1].session
    openings = [one.part for one in payloads(session, TossOpen)]
    assert len(openings) == len(set(openings)) == SEATS
    tossed = combine_toss(context_of_toss(session), openings, DIE)
    assert session.play.state.die == tossed + 1


def context_of_toss(session: Session) -> bytes:
    """The context in which the toss was committed to: of step 3, right after the charter's."""
    chain = bytes(32)
    for step in range(3):
        chain = extend_chain(chain, [lane[step].hash for lane in session.lanes.accepted])
    assert session.charter is not None
    return encode(Place(session.charter, 0, 3, chain, 0))


@pytest.mark.parametrize("seat", range(SEATS))
def test_every_seat_has_a_part_in_the_toss(seat: int) -> None:
    """With another part of any one seat, the parts of the others stay and the toss changes."""
    thrown: set[tuple[int, frozenset[bytes]]] = set()
    for seed in range(8):
        table = SimTable(SEATS, seed=1).start()
        session = table.peers[seat].session
        session._seed.value = bytes([seed]) * 32  # its nonce of the charter is drawn already
        table.run_until(lambda table: table.peers[seat].session.play.state.die > 0)
        parts = frozenset(one.part for one in payloads(session, TossOpen))
        thrown.add((session.play.state.die, parts))
    assert len({die for die, _ in thrown}) > 1
    assert len(frozenset.intersection(*(parts for _, parts in thrown))) == SEATS - 1


def test_each_hand_has_keys_and_a_deck_of_its_own() -> None:
    table = SimTable(2, seed=1, draft=tiny_draft(2, target=2)).start().finish()
    session = table.peers[0].session
    keys = [opened.key for opened in payloads(session, KeyOpen)]
    assert len(keys) == len(set(keys)) == 4
    decks = [deck.cards for deck in payloads(session, Shuffled)]
    assert len(set(decks)) == len(decks)


@pytest.mark.slow
def test_keys_and_what_they_derive_from_are_erased_when_the_hand_is_settled() -> None:
    table = turn_table(seed=6)
    publics = {key.public for key in keys_of(table)}
    seeds = [peer.session._seed.value for peer in table.peers]
    assert len(publics) == SEATS
    table.run_until(lambda table: all(peer.session.play.results for peer in table.peers))
    table.finish()
    assert all(peer.session.dealer._own is None for peer in table.peers)
    gc.collect()
    left = [one for one in gc.get_objects() if isinstance(one, KeyPair)]
    assert not publics & {key.public for key in left}
    for peer, seed in zip(table.peers, seeds, strict=True):
        assert peer.session._seed.value != seed


# --- Proofs are bound to their place ----------------------------------------------------------


PROVEN = NonceOpen | KeyOpen | TossOpen | Shuffled | Shares


def test_no_proof_serves_at_another_table() -> None:
    """The same seeds, keys of identity and moment: only the table's name differs."""
    draft = with_fields(tiny_draft(2), name="another table")
    there = SimTable(2, seed=1, draft=draft).start().finish().peers[0].session
    here = SimTable(2, seed=1).start()
    checked: set[type[Payload]] = set()
    while here.step():
        for seat in range(2):
            checked |= refuse_foreign(here.peers[1 - seat].session, seat, there)
    assert checked == {NonceOpen, KeyOpen, TossOpen, Shuffled, Shares}


def refuse_foreign(session: Session, seat: int, there: Session) -> set[type[Payload]]:
    """Where a seat is awaited, what it said at that step of the other table is refused here."""
    step = session.course.current
    checked: set[type[Payload]] = set()
    if step is not None and session.course.is_awaited(seat):
        for payload in of_step(there, seat, session.course.step):
            if isinstance(payload, step.kind) and isinstance(payload, PROVEN):
                with pytest.raises(PeerFault):
                    step.check(seat, payload)
                checked.add(type(payload))
    return checked


def of_step(session: Session, seat: int, step: int) -> list[Any]:
    lane = session.lanes.accepted[seat]
    return [signed.body.payload for signed in lane if signed.body.step == step]


def test_a_share_opens_its_slot_and_no_other(table: SimTable) -> None:
    dealer = table.peers[0].session.dealer
    faces = {face_point(table.game.name, face) for face in table.game.deck}
    own = [card.slot for card in dealer._cards.values() if card.holder == 0]
    key = keys_of(table)[0]
    shares = make_shares(key, own)
    assert open_slot(own[0], [shares[0]]) in faces
    assert open_slot(own[0], [shares[1]]) not in faces
