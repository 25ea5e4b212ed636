"""Every message that peers exchange once linked, with its exact fields and bounds.

Implements `protocol/messages.md`. Three families: the lobby (unsigned, over authenticated links),
the lanes (signed, kept, forwarded), and the gossip that brings lanes to those who lack them.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta

from p2pjong.wire.codec import Message
from p2pjong.wire.ranges import ROUNDS_MAX, SEATS_MAX, SEATS_MIN, TARGET_MAX

PROTOCOL_VERSION = 1
SLOTS_MAX = 256
CARD_BYTES = 64  # a slot on the wire: two points of 32 bytes

Hash: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Key: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
TableId: TypeAlias = Annotated[bytes, Meta(min_length=16, max_length=16)]
Point: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Points: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32 * SLOTS_MAX)]
Cards: TypeAlias = Annotated[bytes, Meta(min_length=CARD_BYTES, max_length=CARD_BYTES * SLOTS_MAX)]
ShuffleProof: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=256 * SLOTS_MAX)]
SmallProof: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=1024)]
MembershipProof: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=60 * 1024)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=SEATS_MAX)]
Count: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 32)]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
ShortText: TypeAlias = Annotated[str, Meta(max_length=32)]
Text: TypeAlias = Annotated[str, Meta(max_length=200)]

# --- The draft and the charter ----------------------------------------------------------------


class SeatEntry(Message, frozen=True):
    """Who takes a seat: the name shown, the identity key, whether a bot plays, `--oldest`."""

    name: ShortText
    key: Key
    is_bot: bool
    is_oldest: bool


class TableOptions(Message, frozen=True):
    """What is played for and how time is kept; 0 is the game's default, or none for a clock.

    The times that can be sent; those by which anybody plays are in `ranges`.
    """

    target: Annotated[int, Meta(ge=0, le=TARGET_MAX)]
    rounds: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)]
    clock_ms: Annotated[int, Meta(ge=0, le=86_400_000)]
    window_ms: Annotated[int, Meta(ge=0, le=3_600_000)]
    grace_ms: Annotated[int, Meta(ge=0, le=86_400_000)]
    is_open_books: bool


class Draft(Message, tag="draft", frozen=True):
    """What the host proposes to sign; its hash names the place of the first three steps."""

    version: Annotated[int, Meta(ge=1, le=255)]
    table: TableId
    name: ShortText
    game: ShortText
    options: TableOptions
    seats: Annotated[tuple[SeatEntry, ...], Meta(min_length=2, max_length=SEATS_MAX)]


class Charter(Message, tag="charter", frozen=True):
    """The draft with a nonce of each seat; its hash is bound into everything that follows."""

    draft: Hash
    nonces: Annotated[tuple[Hash, ...], Meta(min_length=2, max_length=SEATS_MAX)]


# --- Lanes ------------------------------------------------------------------------------------


class Stamp(Message, frozen=True):
    """What a seat signs of a lane message: its place in the lane, and its hash.

    Two stamps of one seat with one number prove two stories, however long those are.
    """

    seat: SeatNumber
    incarnation: Count
    number: Count
    epoch: Count
    hash: Hash
    signature: Signature


class Lane(Message, tag="lane", frozen=True):
    """A lane message: the exact bytes of its body, and the signature of its stamp."""

    body: Annotated[bytes, Meta(min_length=1, max_length=(1 << 20) - 256)]
    signature: Signature


class NonceCommit(Message, tag="nonce-commit", frozen=True):
    """A commitment to this seat's nonce of the charter."""

    commitment: Hash


class NonceOpen(Message, tag="nonce-open", frozen=True):
    """The nonce, and what opens its commitment."""

    nonce: Hash
    opening: Hash


class Sign(Message, tag="sign", frozen=True):
    """This seat signs the charter with this hash."""

    charter: Hash


class Echo(Message, tag="echo", frozen=True):
    """The hash of all that this seat has seen; equal for all before anything is opened."""

    chain: Hash


class KeyCommit(Message, tag="key-commit", frozen=True):
    """A commitment to this seat's key share of the epoch."""

    commitment: Hash


class KeyOpen(Message, tag="key-open", frozen=True):
    """The key share, a proof of knowing its secret, and what opens the commitment."""

    key: Point
    proof: SmallProof
    opening: Hash


class Shuffled(Message, tag="shuffled", frozen=True):
    """All cards re-encrypted and permuted (a deck, or a hand re-veiled), with the proof."""

    cards: Cards
    proof: ShuffleProof


class Shares(Message, tag="shares", frozen=True):
    """This seat's share of each slot in question, in order, with one proof for all."""

    shares: Points
    proof: SmallProof


class Switched(Message, tag="switched", frozen=True):
    """This seat's slots as they now are under another seat's key, with one proof for all."""

    cards: Cards
    proof: SmallProof


class ProvenAmong(Message, tag="proven-among", frozen=True):
    """A proof that each slot of a hand bears one of the faces in question."""

    proof: MembershipProof


class TossCommit(Message, tag="toss-commit", frozen=True):
    """A commitment to this seat's part of a joint toss."""

    commitment: Hash


class TossOpen(Message, tag="toss-open", frozen=True):
    """This seat's part of a joint toss, and what opens its commitment."""

    part: Hash
    opening: Hash


class Ordered(Message, tag="ordered", frozen=True):
    """In which order the answers of these seats reached this one."""

    seats: Annotated[tuple[SeatNumber, ...], Meta(min_length=1, max_length=SEATS_MAX)]


class Act(Message, tag="act", frozen=True):
    """An action of this seat, made in the open."""

    verb: ShortText
    slots: Annotated[tuple[Count, ...], Meta(max_length=16)]
    target: Annotated[int, Meta(ge=-1, lt=SEATS_MAX)]


class ActCommit(Message, tag="act-commit", frozen=True):
    """A commitment to an action that is opened when all awaited seats have committed."""

    commitment: Hash


class ActOpen(Message, tag="act-open", frozen=True):
    """The action committed to, and what opens the commitment."""

    act: Act
    opening: Hash


class Settled(Message, tag="settled", frozen=True):
    """This seat signs the result of a hand: the digest of the state in which it stands."""

    result: Hash


class KeyPublished(Message, tag="key-published", frozen=True):
    """This seat's secret key of an epoch that is over, at a table with open books."""

    secret: Hash


class Convict(Message, tag="convict", frozen=True):
    """This seat turns the hand back: here are two stories of one seat."""

    first: Stamp
    second: Stamp


class Vote(Message, tag="vote", frozen=True):
    """A seat's vote that another, awaited in this step, is absent. It stands by itself.

    `electorate` has a bit for each seat (1 for seat 0) that may vote, the absent one too.
    """

    draft: Hash
    voter: SeatNumber
    seat: SeatNumber
    place: Hash
    step: Count
    electorate: Annotated[int, Meta(ge=1, le=255)]
    signature: Signature


class PutOut(Message, tag="put-out", frozen=True):
    """This seat turns the hand back: here are the votes of a strict majority against that seat."""

    seat: SeatNumber
    votes: Annotated[tuple[Vote, ...], Meta(min_length=1, max_length=SEATS_MAX)]


class Leave(Message, tag="leave", frozen=True):
    """This seat leaves for good; it stands for the answer to the next step that awaits it."""


Payload: TypeAlias = (
    NonceCommit
    | NonceOpen
    | Sign
    | Echo
    | KeyCommit
    | KeyOpen
    | Shuffled
    | Shares
    | Switched
    | ProvenAmong
    | TossCommit
    | TossOpen
    | Ordered
    | Act
    | ActCommit
    | ActOpen
    | Settled
    | KeyPublished
    | Convict
    | PutOut
    | Leave
)


class Head(Message, frozen=True):
    """How long a lane is, and the hash of its last message (zeros for an empty lane)."""

    length: Count
    hash: Hash


class LaneBody(Message, tag="lane-body", frozen=True):
    """What a seat signs. Its number in its lane is the length of its own entry in `heads`.

    `table` is the hash of the draft. `place` is the same until the charter is signed, and then the
    charter's hash.
    `digest` is the public digest of the state in which `step` opened.
    """

    table: Hash
    place: Hash
    seat: SeatNumber
    incarnation: Count
    heads: Annotated[tuple[Head, ...], Meta(min_length=2, max_length=SEATS_MAX)]
    epoch: Count
    step: Count
    digest: Hash
    payload: Payload


# --- Gossip -----------------------------------------------------------------------------------


class Have(Message, tag="have", frozen=True):
    """What the sender holds of each lane, and which seats it is linked with (a bit per seat)."""

    draft: Hash
    lengths: Annotated[tuple[Count, ...], Meta(min_length=2, max_length=SEATS_MAX)]
    linked: Annotated[int, Meta(ge=0, lt=1 << SEATS_MAX)]


class Want(Message, tag="want", frozen=True):
    """Asks for one message by its hash, to compare two stories that a seat may have told."""

    draft: Hash
    seat: SeatNumber
    number: Count
    hash: Hash


class Evidence(Message, tag="evidence", frozen=True):
    """Two stamps of one seat with one number: proof that it told two stories."""

    draft: Hash
    first: Stamp
    second: Stamp


# --- The lobby --------------------------------------------------------------------------------


class Join(Message, tag="join", frozen=True):
    """Asks the host for a seat. `port` is where this peer's own listener waits for the others."""

    version: Annotated[int, Meta(ge=1, le=255)]
    name: ShortText
    is_bot: bool
    is_oldest: bool
    port: Port
    addresses: Annotated[tuple[Text, ...], Meta(max_length=16)]


class LobbySeatState(Message, frozen=True):
    """One taken seat as the lobby shows it; the first is the host's."""

    name: ShortText
    key: Key
    is_bot: bool
    is_ready: bool


class LobbyState(Message, tag="lobby", frozen=True):
    """The table as it stands, from the host to all who sit at it."""

    table: TableId
    name: ShortText
    game: ShortText
    options: TableOptions
    seats_total: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX)]
    seats: Annotated[tuple[LobbySeatState, ...], Meta(min_length=1, max_length=SEATS_MAX)]


class Ready(Message, tag="ready", frozen=True):
    """This peer is ready to begin, or no longer; its nonce is for the id of the table.

    `shown` names the table and the people at it for which it is ready.
    """

    is_ready: bool
    nonce: Hash
    shown: Hash


class Refused(Message, tag="refused", frozen=True):
    """The host's answer to who gets no seat, or loses it."""

    reason: ShortText  # a code of REFUSALS
    text: Text


class PeerAddress(Message, frozen=True):
    """Where a seat's listener may be reached."""

    host: Text
    port: Port


class Begin(Message, tag="begin", frozen=True):
    """The lobby is over: sign this draft. One list of addresses for each seat, in seat order, and
    the nonce of each joiner, from which, with the lobby's, the id of the table is made."""

    draft: Draft
    addresses: Annotated[
        tuple[Annotated[tuple[PeerAddress, ...], Meta(max_length=16)], ...],
        Meta(min_length=2, max_length=SEATS_MAX),
    ]
    nonces: Annotated[tuple[Hash, ...], Meta(min_length=1, max_length=SEATS_MAX - 1)]


class Bye(Message, tag="bye", frozen=True):
    """The sender goes, in order, and needs nothing more."""


# --- The code of a private table --------------------------------------------------------------


class CodeStart(Message, tag="code-start", frozen=True):
    """A joiner begins the check of the code: its element of SPAKE2."""

    element: Point


class CodeAnswer(Message, tag="code-answer", frozen=True):
    """The host's element of SPAKE2."""

    element: Point


class CodeProof(Message, tag="code-proof", frozen=True):
    """The joiner proves that it has the key, on this link, as who it is."""

    mac: Hash


class CodePassed(Message, tag="code-passed", frozen=True):
    """The host has found the joiner's proof to hold, and proves the same."""

    mac: Hash


CodeMessage: TypeAlias = CodeStart | CodeAnswer | CodeProof | CodePassed
LobbyMessage: TypeAlias = Join | LobbyState | Ready | Refused | Begin | Bye | CodeMessage
TableMessage: TypeAlias = Lane | Have | Want | Evidence | Vote
Any_: TypeAlias = LobbyMessage | TableMessage
