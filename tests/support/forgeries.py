"""What a hostile client can put in place of an honest payload: keys, shuffles, shares, actions."""

from msgspec.structs import replace as with_fields

from p2pjong.crypto.commitment import commit
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import ORDER, Point, add, multiply_base, subtract
from p2pjong.crypto.masking import Ciphertext, encode_slots, make_key, make_shares, prove_shares
from p2pjong.crypto.shuffle import Shuffled as ShuffledSlots
from p2pjong.crypto.shuffle import prove_shuffle, shuffle_slots
from p2pjong.session.course import Step
from p2pjong.wire.messages import (
    Act,
    KeyCommit,
    KeyOpen,
    LaneBody,
    Payload,
    Shares,
    Shuffled,
)
from tests.support.hostile import (
    LATER,
    HostileSession,
    Later,
    flipped,
    honest_payload,
    last_payload,
    next_seat,
    statement,
)

ENTROPY = Entropy(b"hostile!" * 4, b"tests")

# --- Keys -------------------------------------------------------------------------------------


def commit_to(session: HostileSession, opened: KeyOpen) -> KeyCommit:
    """A fitting commitment to this key; the opening is kept for later."""
    session.kept = opened
    context = session.course.context(session.seat)
    return KeyCommit(commit(context, opened.key + opened.proof, opened.opening))


def kept(session: HostileSession, step: Step) -> Payload:
    """What the first part of the forgery kept."""
    assert session.kept is not None
    return session.kept


def key_without_proof(session: HostileSession, step: Step) -> Payload:
    """A key with a proof that does not hold."""
    key = make_key(b"mine", ENTROPY).public
    return commit_to(session, KeyOpen(key, key + bytes(32), bytes(32)))


def identity_key(session: HostileSession, step: Step) -> Payload:
    """No key at all: the identity."""
    return commit_to(session, KeyOpen(bytes(32), multiply_base(5) + bytes(32), bytes(32)))


def key_of_before(session: HostileSession, step: Step) -> Payload:
    """Another seat's key and its proof, of the epoch before."""
    return commit_to(session, last_payload(session, next_seat(session), KeyOpen))


def rogue_key(session: HostileSession, step: Step) -> Payload | Later:
    """A key with another's key taken off: together they would be ours alone."""
    theirs = last_payload(session, next_seat(session), KeyOpen)
    if theirs is None:
        return LATER
    honest = honest_payload(session, step)
    assert isinstance(honest, KeyOpen)
    return with_fields(honest, key=subtract(Point(honest.key), Point(theirs.key)))


def copied_commitment(session: HostileSession, step: Step) -> Payload | Later:
    """Another seat's commitment, sent as our own."""
    commitment: KeyCommit | None = last_payload(session, next_seat(session), KeyCommit)
    return commitment or LATER


def copied_opening(session: HostileSession, step: Step) -> Payload | Later:
    """Another seat's key and opening, sent as our own."""
    opening: KeyOpen | None = last_payload(session, next_seat(session), KeyOpen)
    return opening or LATER


def key_kept_back(session: HostileSession, step: Step) -> Later | None:
    """Having seen another's key, nothing."""
    return LATER if last_payload(session, next_seat(session), KeyOpen) is None else None


# --- Shuffles ---------------------------------------------------------------------------------


def _slots(cards: bytes) -> list[bytes]:
    return [cards[start : start + 64] for start in range(0, len(cards), 64)]


def duplicated(cards: bytes) -> bytes:
    """The first card also in place of the second."""
    first, _, *rest = _slots(cards)
    return b"".join([first, first, *rest])


def swapped(cards: bytes) -> bytes:
    """The first two cards in each other's place, after the proof was made."""
    first, second, *rest = _slots(cards)
    return b"".join([second, first, *rest])


def dropped(cards: bytes) -> bytes:
    """One card less."""
    return cards[:-64]


def with_identity(cards: bytes) -> bytes:
    """The identity as a point."""
    return bytes(32) + cards[32:]


def with_bad_point(cards: bytes) -> bytes:
    """Bytes that encode no point."""
    return b"\xff" * 32 + cards[32:]


def masked_duplicate(session: HostileSession, step: Step) -> Payload:
    """The first card in place of the second, re-encrypted so that nobody sees it."""
    honest = honest_payload(session, step)
    assert isinstance(honest, Shuffled)
    key = statement(step)["key"]
    first, _, *rest = _slots(honest.cards)
    a, b = Point(first[:32]), Point(first[32:])
    mask = Ciphertext(multiply_base(7), add_times(key, 7))
    again = add(a, mask.a) + add(b, mask.b)
    return with_fields(honest, cards=b"".join([first, again, *rest]))


def add_times(point: Point, times: int) -> Point:
    """A small multiple of a point."""
    total = point
    for _ in range(times - 1):
        total = add(total, point)
    return total


def substituted(session: HostileSession, step: Step) -> Payload:
    """A ciphertext of our own choosing in place of the first card."""
    honest = honest_payload(session, step)
    assert isinstance(honest, Shuffled)
    mine = Ciphertext(multiply_base(3), multiply_base(4))
    return with_fields(honest, cards=mine.encode() + honest.cards[64:])


def _shuffled(session: HostileSession, step: Step, shuffled: ShuffledSlots) -> Payload:
    about = statement(step)
    proof = prove_shuffle(about["context"], about["key"], about["before"], shuffled, ENTROPY)
    return Shuffled(encode_slots(shuffled.after), proof.encode())


def unshuffled(session: HostileSession, step: Step) -> Payload:
    """Every card left in its place, with a valid proof."""
    before = tuple(statement(step)["before"])
    places = tuple(range(len(before)))
    return _shuffled(session, step, ShuffledSlots(before, places, (0,) * len(before)))


def another_shuffle(session: HostileSession, step: Step) -> Payload:
    """A valid shuffle, other than the one that the seed gives."""
    about = statement(step)
    shuffled = shuffle_slots(about["context"], about["key"], about["before"], ENTROPY)
    return _shuffled(session, step, shuffled)


def with_another_shuffle(session: HostileSession, body: LaneBody) -> LaneBody:
    """The same message around another valid shuffle."""
    step = session.course.current
    assert step is not None
    return with_fields(body, payload=another_shuffle(session, step))


def old_payload(session: HostileSession, seat: int, like: Payload, size: int) -> Payload | Later:
    """The last payload of that kind and size in a lane, or LATER."""
    kind, field = type(like), "cards" if isinstance(like, Shuffled) else "shares"
    payloads = [signed.body.payload for signed in session.lanes.accepted[seat]]
    fitting = [
        one for one in payloads if isinstance(one, kind) and len(getattr(one, field)) == size
    ]
    return fitting[-1] if fitting else LATER


def shuffle_of_before(session: HostileSession, step: Step) -> Payload | Later:
    """Our own last shuffle of as many cards, with its proof, sent again."""
    size = 64 * len(statement(step)["before"])
    return old_payload(session, session.seat, Shuffled(b"", b""), size)


def shuffle_of_another(session: HostileSession, step: Step) -> Payload | Later:
    """Another seat's shuffle of as many cards, sent as our own."""
    size = 64 * len(statement(step)["before"])
    return old_payload(session, next_seat(session), Shuffled(b"", b""), size)


# --- Shares -----------------------------------------------------------------------------------


def shares_of_another_key(session: HostileSession, step: Step) -> Payload:
    """Shares of a key that is not ours, with a proof that holds for it."""
    about = statement(step)
    slots, context = about["slots"][session.seat], about["context"][session.seat]
    key = make_key(b"another", ENTROPY)
    shares = make_shares(key, slots)
    proof = prove_shares(context, key, slots, shares, ENTROPY)
    return Shares(b"".join(shares), proof.encode())


def shares_of_other_slots(session: HostileSession, step: Step) -> Payload:
    """Valid shares with a valid proof, of other slots than those asked of us."""
    about = statement(step)
    asked, context = about["slots"][session.seat], about["context"][session.seat]
    key = session.dealer._own
    assert key is not None
    others = [card.slot for card in session.dealer._cards.values() if card.slot not in asked]
    slots = others[: len(asked)]
    shares = make_shares(key, slots)
    proof = prove_shares(context, key, slots, shares, ENTROPY)
    return Shares(b"".join(shares), proof.encode())


def shares_of_before(session: HostileSession, step: Step) -> Payload | Later:
    """Our shares of as many slots in an earlier step, and their proof, sent again."""
    size = 32 * len(statement(step)["slots"][session.seat])
    return old_payload(session, session.seat, Shares(b"", b""), size)


def has_shared(session: HostileSession, step: Step) -> bool:
    """Whether we must share, and have shared as much before."""
    is_mine = step.kind is Shares and session.course.is_awaited(session.seat)
    return is_mine and shares_of_before(session, step) is not LATER


def points_swapped(shares: bytes) -> bytes:
    """The first two shares in each other's place."""
    return shares[32:64] + shares[:32] + shares[64:]


def response_over_order(proof: bytes) -> bytes:
    """The same response, written as a number that is not below the group's order."""
    response = int.from_bytes(proof[-32:], "little") + ORDER
    return proof[:-32] + response.to_bytes(32, "little")


def last_flipped(proof: bytes) -> bytes:
    """Still a scalar below the order: its lowest bit is another."""
    return proof[:-32] + flipped(proof[-32:])


def signature_over_order(signature: bytes) -> bytes:
    """The same signature in another form: its scalar plus the group's order (malleated)."""
    return response_over_order(signature)


# --- Actions of the tiny game -----------------------------------------------------------------


def foreign_slot(session: HostileSession) -> tuple[int, ...]:
    """A slot of somebody else's hand."""
    hand: tuple[int, ...] = session.play.state.hands[next_seat(session)]
    return hand[:1]


def own_slots(session: HostileSession) -> tuple[int, ...]:
    """The first two slots of our hand."""
    hand: tuple[int, ...] = session.play.state.hands[session.seat]
    return hand[:2]


def no_slots(session: HostileSession) -> tuple[int, ...]:
    """None."""
    return ()


def wrong_slots(session: HostileSession) -> list[int]:
    """Our slots that bear another face than the discard."""
    state, known = session.play.state, session.dealer.known(session.seat)
    return [slot for slot in state.hands[session.seat] if known[slot] != state.table[-1][1]]


def could_claim_wrongly(session: HostileSession, step: Step) -> bool:
    """Whether we answer a discard and hold a card that does not fit it."""
    is_answer = step.kind.__name__ == "ActCommit"
    return is_answer and session.course.is_awaited(session.seat) and bool(wrong_slots(session))


def could_show_wrongly(session: HostileSession, step: Step) -> bool:
    """Whether it is our turn and our hand has no pair."""
    if step.kind is not Act or not session.course.is_awaited(session.seat):
        return False
    known = session.dealer.known(session.seat)
    faces = [known[slot] for slot in session.play.state.hands[session.seat]]
    return len(set(faces)) == len(faces)


def is_foreign_turn(session: HostileSession, step: Step) -> bool:
    """Whether somebody else must act."""
    return step.kind is Act and session.seat not in step.seats


def is_not_alone_to_answer(session: HostileSession, step: Step) -> bool:
    """Whether we answer a discard, and others do, too."""
    is_answer = step.kind.__name__ == "ActCommit"
    return is_answer and session.course.is_awaited(session.seat) and len(step.seats) > 1


def some_discard(session: HostileSession, step: Step) -> Payload:
    """A discard, whoever's turn it is."""
    hand: tuple[int, ...] = session.play.state.hands[session.seat]
    return Act("discard", hand[:1], -1)


def other_act(act: Act) -> Act:
    """Another answer than this one."""
    return Act("pass", (), -1) if act.verb == "claim" else Act("claim", (0,), -1)
