"""The charter: what all seats sign before the game, with a nonce of each that nobody could fit.

Implements "Charter" of `protocol/play.md`: commit to nonces, open them, sign. Every seat commits
before it sees any nonce, so nobody can grind the table words, nor the lot that says who begins.
"""

from collections.abc import Callable, Generator
from hashlib import sha256

from p2pjong.crypto.commitment import combine_toss, commit, open_commitment
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.games.game import Seat
from p2pjong.session.course import Answers, Course, HandVoid, Step, no_duty
from p2pjong.session.faults import PeerFault
from p2pjong.session.lanes import Lanes
from p2pjong.session.purposes import Purpose
from p2pjong.session.seed import Seed
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Charter, Draft, Leave, NonceCommit, NonceOpen, Sign

DRAFT_LABEL = b"p2pjong/v1/draft\x00"
SIGN_STEP = 2  # after commit and open; the numbers of the first messages of every lane are these
CHARTER_LABEL = b"p2pjong/v1/charter\x00"
LOT_CONTEXT = b"p2pjong/v1/lot"  # no context of a step: those are encoded lists


def draft_hash(draft: Draft) -> bytes:
    """What names the place of a table until its charter is signed."""
    return sha256(DRAFT_LABEL + encode(draft)).digest()


def charter_hash(charter: Charter) -> bytes:
    """What every later signature, proof and derivation is bound to."""
    return sha256(CHARTER_LABEL + encode(charter)).digest()


def draw_lot(charter: bytes, sides: int) -> int:
    """The number below `sides` that a charter with this hash has drawn.

    A joint toss without steps of its own: its nonces were committed to before one was opened.
    """
    return combine_toss(LOT_CONTEXT, (charter,), sides)


def sign_charter(
    draft: Draft, course: Callable[[], Course], me: Seat, seed: Seed
) -> Generator[Step, Answers, tuple[bytes, tuple[Seat, ...]]]:
    """The steps to a signed charter; returns its hash, which is then the course's place.

    Also the seats that did not sign it: what is signed is fixed when all nonces are open, so the
    table begins, and they are out. Whoever breaks off before that ends it (HandVoid).
    """
    seats = tuple(range(len(draft.seats)))
    nonces = yield from _join_nonces(seats, course(), me, seed)
    charter = charter_hash(Charter(draft_hash(draft), nonces))

    def check(seat: Seat, payload: Sign) -> None:
        if payload.charter != charter:
            raise PeerFault("charter")

    out: tuple[Seat, ...] = ()
    try:
        yield Step(Sign, seats, Purpose.SIGN_CHARTER, check, make=lambda: Sign(charter))
    except HandVoid as void:
        out = void.out
    course().place = charter
    return charter, out


def _join_nonces(
    seats: tuple[Seat, ...], course: Course, me: Seat, seed: Seed
) -> Generator[Step, Answers, tuple[bytes, ...]]:
    context = {seat: course.context(seat) for seat in seats}
    own = _draw_nonce(context[me], seed) if me in context else no_duty
    commitments = yield Step(
        NonceCommit,
        seats,
        Purpose.COMMIT_NONCE,
        lambda seat, payload: None,
        make=lambda: NonceCommit(commit(context[me], own().nonce, own().opening)),
    )

    def check(seat: Seat, payload: NonceOpen) -> None:
        check_opening(context[seat], commitments[seat].commitment, payload.nonce, payload.opening)

    openings = yield Step(NonceOpen, seats, Purpose.OPEN_NONCE, check, make=own)
    return tuple(openings[seat].nonce for seat in seats)


def _draw_nonce(context: bytes, seed: Seed) -> Callable[[], NonceOpen]:
    """Our nonce, as the message that opens it."""
    entropy = seed.entropy(context)
    nonce = entropy.take("charter-nonce", b"", 32)
    opened = NonceOpen(nonce, entropy.take("charter-opening", nonce, 32))
    return lambda: opened


def check_opening(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    """Raises PeerFault unless the commitment was made to this content."""
    try:
        open_commitment(context, commitment, content, nonce)
    except InvalidProof as error:
        raise PeerFault("commitment") from error


def has_anyone_left(lanes: Lanes) -> bool:
    """Whether a seat has left, as far as we have heard."""
    return any(lane and isinstance(lane[-1].body.payload, Leave) for lane in lanes.accepted)


def unsigned(lanes: Lanes, me: Seat) -> tuple[Seat, ...]:
    """Who has not signed the charter, and has not left for want of others' signatures either.

    Where all have left: whoever of the others did.
    """
    without = [
        (seat, bool(lane) and isinstance(lane[-1].body.payload, Leave))
        for seat, lane in enumerate(lanes.accepted)
        if seat != me
        and not (len(lane) > SIGN_STEP and isinstance(lane[SIGN_STEP].body.payload, Sign))
    ]
    silent = tuple(seat for seat, has_left in without if not has_left)
    return silent or tuple(seat for seat, _ in without)


def unsigned_for_others(lanes: Lanes, me: Seat) -> tuple[Seat, ...]:
    """Whose signatures of the charter were not there for all who left: they had no game.

    We may hold them all, and have begun: what they lacked, their signed last messages say.
    """
    last = [lane[-1] for seat, lane in enumerate(lanes.accepted) if seat != me and lane]
    lacking = [
        {seat for seat, length in enumerate(one.past) if length <= SIGN_STEP}
        for one in last
        if isinstance(one.body.payload, Leave)
    ]
    return tuple(sorted(set().union(*lacking))) if all(lacking) else ()
