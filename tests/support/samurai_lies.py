"""Lies of a hostile client at a table of Samurai Warfare: passes, plays, targets, switches."""

from collections.abc import Callable

from p2pjong.crypto.group import face_point, multiply_base
from p2pjong.crypto.masking import Ciphertext, encode_slots
from p2pjong.crypto.membership import prove_membership
from p2pjong.crypto.switch import prove_switch
from p2pjong.games.game import Shuffle, Slot
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.state import BATTLE, TACTICS, State
from p2pjong.games.samurai_warfare.steps import ChoosePlay
from p2pjong.games.samurai_warfare.targets import NO_AIM, aims, barred_faces, effects_of, open_types
from p2pjong.session.course import Step
from p2pjong.wire.messages import Act, Payload, ProvenAmong, Shuffled, Switched
from tests.support import misplaced
from tests.support.forgeries import ENTROPY, duplicated, last_flipped, masked_duplicate
from tests.support.hostile import HostileSession, Misdeed, acting, altered, silent, statement
from tests.support.lane_misdeeds import story_at


def own_play(session: HostileSession, step: Step, phase: str) -> State | None:
    """The state in which the cheat must play, or may, in this phase."""
    if step.kind is not Act or not session.course.is_awaited(session.seat):
        return None
    state: State = session.play.state
    is_play = isinstance(state.queue[0], ChoosePlay) and state.phase == phase
    return state if is_play else None


def barred(session: HostileSession) -> list[Slot]:
    """Our cards that cannot be played now."""
    state, known = session.play.state, session.dealer.known(session.seat)
    allowed = open_types(state, session.seat)
    return [slot for slot in state.hands[session.seat] if CARDS[known[slot]].type not in allowed]


def aimed(session: HostileSession) -> list[Slot]:
    """Our cards, playable, that must aim at something."""
    state, known = session.play.state, session.dealer.known(session.seat)
    allowed = open_types(state, session.seat)
    return [
        slot
        for slot in state.hands[session.seat]
        if CARDS[known[slot]].type in allowed
        and NO_AIM not in aims(state, session.seat, effects_of(state, known[slot]))
    ]


def first_of(slots: Callable[[HostileSession], list[Slot]]) -> Callable[..., tuple[Slot, ...]]:
    return lambda session: tuple(slots(session)[:1])


def can_hold_back(session: HostileSession, step: Step) -> bool:
    """We hold a playable card, and might hold none for all that others know."""
    state = own_play(session, step, BATTLE)
    if state is None or not barred_faces(state, session.seat):
        return False
    known = session.dealer.known(session.seat)
    held = {known[slot] for slot in state.hands[session.seat]}
    is_long_enough = len(held) <= len(barred_faces(state, session.seat))
    return is_long_enough and len(barred(session)) < len(state.hands[session.seat])


def has_barred(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, BATTLE) is not None and bool(barred(session))


def has_aimed(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, BATTLE) is not None and bool(aimed(session))


def has_aimed_tactics(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, TACTICS) is not None and bool(aimed(session))


def false_proof(session: HostileSession, step: Step) -> ProvenAmong:
    """A proof for our true faces, which are not those asked about."""
    state, known = session.play.state, session.dealer.known(session.seat)
    faces = list(barred_faces(state, session.seat))
    true = list(dict.fromkeys(known[slot] for slot in state.hands[session.seat]))
    asked = [*true, *[face for face in faces if face not in true]][: len(faces)]
    context = session.course.context(session.seat)
    slots = [session.dealer._cards[slot].slot for slot in state.hands[session.seat]]
    points = [face_point(session.game.name, face) for face in asked]
    entropy = session.play.seed.entropy(context)
    proof = prove_membership(context, session.dealer._key(), slots, points, entropy)
    return ProvenAmong(proof.encode())


def another_switched(session: HostileSession, step: Step) -> Payload:
    """Another card of ours than the one asked for, under the taker's key, with a proof for it."""
    about, key = statement(step), session.dealer._key()
    own = [card.slot for card in session.dealer._cards.values() if card.holder == session.seat]
    others = [slot for slot in own if slot not in about["before"]]
    slots = (others or [Ciphertext(multiply_base(3), multiply_base(4))])[:1]
    before = (*slots, *about["before"][1:])
    owner = about["publics"][1]
    after, proof = prove_switch(about["context"], key, owner, before, ENTROPY)
    return Switched(encode_slots(after), proof.encode())


def halves_exchanged(cards: bytes) -> bytes:
    return cards[32:64] + cards[:32] + cards[64:]


def is_reshuffle(session: HostileSession, step: Step) -> bool:
    pending = session.play.pending()
    is_own = step.kind is Shuffled and session.course.is_awaited(session.seat)
    return is_own and isinstance(pending, Shuffle) and not pending.fresh_keys


def no_slots(session: HostileSession) -> tuple[Slot, ...]:
    return ()


LIES = (
    Misdeed(
        "passes with a playable card",
        "Act",
        "proof-proof",
        acting("pass", no_slots),
        follow={"ProvenAmong": false_proof},
        when=can_hold_back,
    ),
    Misdeed(
        "plays a card that may not be played",
        "Act",
        "card-not-playable",
        acting("play", first_of(barred)),
        when=has_barred,
    ),
    Misdeed(
        "names no target in battle where there is one",
        "Act",
        "wrong-target",
        acting("play", first_of(aimed)),
        when=has_aimed,
    ),
    Misdeed(
        "names no target in tactics where there is one",
        "Act",
        "wrong-target",
        acting("play", first_of(aimed)),
        when=has_aimed_tactics,
    ),
    Misdeed(
        "plays a card that it does not hold",
        "Act",
        "illegal-action",
        acting("play", lambda session: (session.play.state.deck[0],)),
        when=lambda session, step: own_play(session, step, TACTICS) is not None,
    ),
    Misdeed(
        "discards four cards",
        "Act",
        "illegal-action",
        acting("discard", lambda session: session.play.state.hands[session.seat][:4]),
        reason="discard-up-to-3",
    ),
    Misdeed(
        "acts out of phase",
        "Act",
        "illegal-action",
        acting("take", lambda session: session.play.state.deck[:1]),
    ),
    Misdeed(
        "spoils the proof of a pass", "ProvenAmong", "proof-proof", altered(proof=last_flipped)
    ),
    Misdeed(
        "cuts the proof of a pass",
        "ProvenAmong",
        "proof-encoding",
        altered(proof=lambda proof: proof[:-32]),
    ),
    Misdeed("does not prove its pass", "ProvenAmong", is_silent=True, forge=silent),
    Misdeed(
        "switches another card than the one asked for", "Switched", "proof-proof", another_switched
    ),
    Misdeed(
        "switches a card to another key", "Switched", "proof-proof", misplaced.switched_elsewhere
    ),
    Misdeed(
        "switches a point of its own", "Switched", "proof-proof", altered(cards=halves_exchanged)
    ),
    Misdeed("does not switch a card", "Switched", is_silent=True, forge=silent),
    *(
        Misdeed(f"proves for {name} {what}", kind, "proof-proof", forge(place))
        for name, place in misplaced.PLACES.items()
        for what, kind, forge in (
            ("its pass", "ProvenAmong", misplaced.membership_for),
            ("its switch", "Switched", misplaced.switch_for),
        )
    ),
    story_at("ProvenAmong"),
    story_at("Switched"),
)

# When the discards become the deck: cards must not be doubled then either.
RESHUFFLES = (
    Misdeed(
        "doubles a card in the deck made of the discards",
        "Shuffled",
        "proof-proof",
        altered(cards=duplicated),
        when=is_reshuffle,
    ),
    Misdeed(
        "doubles a card unseen in the deck made of the discards",
        "Shuffled",
        "proof-proof",
        masked_duplicate,
        when=is_reshuffle,
    ),
)
