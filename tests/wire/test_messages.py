"""The messages: each kind there and back, and every bound of every field."""

from typing import Any, get_args

import msgpack
import msgspec
import pytest

from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import (
    Act,
    ActCommit,
    ActOpen,
    Begin,
    Bye,
    Charter,
    CodeAnswer,
    CodePassed,
    CodeProof,
    CodeStart,
    Convict,
    Draft,
    Echo,
    Evidence,
    Have,
    Head,
    Join,
    KeyCommit,
    KeyOpen,
    KeyPublished,
    Lane,
    LaneBody,
    Leave,
    LobbyMessage,
    LobbySeatState,
    LobbyState,
    NonceCommit,
    NonceOpen,
    Ordered,
    Payload,
    PeerAddress,
    ProvenAmong,
    PutOut,
    Ready,
    Refused,
    SeatEntry,
    Settled,
    Shares,
    Shuffled,
    Sign,
    Stamp,
    Switched,
    TableMessage,
    TableOptions,
    TossCommit,
    TossOpen,
    Vote,
    Want,
)

H = bytes(32)  # a hash, a key, a point
T = bytes(16)  # a table
OPTIONS = TableOptions(0, 0, 0, 0, 0, False)
SEAT = SeatEntry("Ann", H, False, False)
DRAFT = Draft(1, T, "a table", "war-jhong", OPTIONS, (SEAT, SEAT))
ADDRESS = PeerAddress("10.0.0.1", 7000)
HEADS = (Head(0, H), Head(0, H))
LANE = Lane(b"\x90", bytes(64))
STAMP = Stamp(0, 0, 0, 0, H, bytes(64))
VOTE = Vote(H, 0, 2, H, 7, 0b111, bytes(64))

PAYLOADS: list[Any] = [
    NonceCommit(H),
    NonceOpen(H, H),
    Sign(H),
    Echo(H),
    KeyCommit(H),
    KeyOpen(H, H, H),
    Shuffled(bytes(64), H),
    Shares(H, H),
    Switched(bytes(64), H),
    ProvenAmong(bytes(64)),
    TossCommit(H),
    TossOpen(H, H),
    Ordered((0,)),
    Act("pass", (), -1),
    ActCommit(H),
    ActOpen(Act("pass", (1, 2), 7), H),
    Settled(H),
    KeyPublished(H),
    Convict(STAMP, STAMP),
    PutOut(2, (VOTE,)),
    Leave(),
]
BODIES = [LaneBody(H, H, 0, 0, HEADS, 0, 0, H, payload) for payload in PAYLOADS]
TABLE: list[Any] = [
    LANE,
    Have(H, (0, 0), 0),
    Want(H, 0, 0, H),
    VOTE,
    Evidence(H, STAMP, STAMP),
]
LOBBY: list[Any] = [
    Join(1, "Ann", False, False, 7000, ("10.0.0.1",)),
    LobbyState(T, "a table", "war-jhong", OPTIONS, 2, (LobbySeatState("Ann", H, False, True),)),
    Ready(True, H, H),
    Refused("full", "every seat is taken"),
    Begin(DRAFT, ((ADDRESS,), ()), (H,)),
    Bye(),
    CodeStart(H),
    CodeAnswer(H),
    CodeProof(H),
    CodePassed(H),
]


@pytest.mark.parametrize(
    ("kind", "examples"), [(Payload, PAYLOADS), (TableMessage, TABLE), (LobbyMessage, LOBBY)]
)
def test_every_kind_of_message_goes_there_and_back(kind: Any, examples: list[Any]) -> None:
    assert {type(example) for example in examples} == set(get_args(kind)), "one of each"
    for example in examples:
        assert decode(encode(example), kind) == example


@pytest.mark.parametrize("body", BODIES)
def test_every_payload_is_carried_by_a_body(body: LaneBody) -> None:
    assert decode(encode(body), LaneBody) == body


def test_all_tags_are_different_so_that_no_message_passes_for_another() -> None:
    every = [*PAYLOADS, *TABLE, *LOBBY, DRAFT, Charter(H, (H, H)), BODIES[0]]
    tags = [msgpack.unpackb(encode(message))[0] for message in every]
    assert len(set(tags)) == len(tags)
    assert not [tag for tag in tags if tag.startswith("link-")], "those belong to the link"


@pytest.mark.parametrize("message", [*PAYLOADS, BODIES[0], DRAFT])
def test_what_is_signed_or_proposed_is_no_frame_of_its_own(message: Any) -> None:
    with pytest.raises(DecodeError):
        decode(encode(message), TableMessage | LobbyMessage)


def test_a_lane_does_not_pass_for_a_lobby_message_nor_the_other_way() -> None:
    for message in TABLE:
        with pytest.raises(DecodeError):
            decode(encode(message), LobbyMessage)
    for message in LOBBY:
        with pytest.raises(DecodeError):
            decode(encode(message), TableMessage)


LARGE = 2**32

# A message, one of its fields, and values that are just out of bounds.
OUT_OF_BOUNDS: list[tuple[Any, str, list[Any]]] = [
    (DRAFT, "version", [0, 256]),
    (DRAFT, "table", [bytes(15), bytes(17)]),
    (DRAFT, "name", ["x" * 33]),
    (DRAFT, "game", ["x" * 33]),
    (DRAFT, "seats", [(), (SEAT,), (SEAT,) * 9]),
    (SEAT, "name", ["x" * 33]),
    (SEAT, "key", [bytes(31), bytes(33)]),
    (OPTIONS, "target", [-1, 10_001]),
    (OPTIONS, "rounds", [-1, 1_001]),
    (OPTIONS, "clock_ms", [-1, 86_400_001]),
    (OPTIONS, "window_ms", [-1, 3_600_001]),
    (OPTIONS, "grace_ms", [-1, 86_400_001]),
    (Charter(H, (H, H)), "nonces", [(), (H,), (H,) * 9, (H, b"")]),
    (Head(0, H), "length", [-1, LARGE]),
    (Head(0, H), "hash", [bytes(31), bytes(33)]),
    (BODIES[0], "table", [bytes(31), bytes(33)]),
    (BODIES[0], "place", [bytes(31), bytes(33)]),
    (BODIES[0], "seat", [-1, 8]),
    (BODIES[0], "incarnation", [-1, LARGE]),
    (BODIES[0], "heads", [(), HEADS[:1], HEADS * 5]),
    (BODIES[0], "epoch", [-1, LARGE]),
    (BODIES[0], "step", [-1, LARGE]),
    (BODIES[0], "digest", [bytes(31), bytes(33)]),
    (LANE, "body", [b"", bytes((1 << 20) - 255)]),
    (LANE, "signature", [bytes(63), bytes(65)]),
    (NonceCommit(H), "commitment", [bytes(31), bytes(33)]),
    (NonceOpen(H, H), "nonce", [bytes(31), bytes(33)]),
    (KeyOpen(H, H, H), "key", [bytes(31), bytes(33)]),
    (KeyOpen(H, H, H), "proof", [bytes(31), bytes(1025)]),
    (KeyOpen(H, H, H), "opening", [bytes(31), bytes(33)]),
    (Shuffled(bytes(64), H), "cards", [b"", bytes(63), bytes(64 * 256 + 1)]),
    (Shuffled(bytes(64), H), "proof", [b"", bytes(31), bytes(256 * 256 + 1)]),
    (Shares(H, H), "shares", [b"", bytes(31), bytes(32 * 256 + 1)]),
    (Shares(H, H), "proof", [b"", bytes(31), bytes(1025)]),
    (Switched(bytes(64), H), "cards", [b"", bytes(64 * 256 + 1)]),
    (ProvenAmong(bytes(64)), "proof", [bytes(63), bytes(60 * 1024 + 1)]),
    (TossOpen(H, H), "part", [bytes(31), bytes(33)]),
    (Ordered((0,)), "seats", [(), (8,), (-1,), (0,) * 9]),
    (Act("pass", (), -1), "verb", ["x" * 33]),
    (Act("pass", (), -1), "slots", [(-1,), (LARGE,), (0,) * 17]),
    (Act("pass", (), -1), "target", [-2, 8]),
    (Settled(H), "result", [bytes(31), bytes(33)]),
    (KeyPublished(H), "secret", [bytes(31), bytes(33)]),
    (STAMP, "seat", [-1, 8]),
    (STAMP, "incarnation", [-1, LARGE]),
    (STAMP, "number", [-1, LARGE]),
    (STAMP, "epoch", [-1, LARGE]),
    (STAMP, "hash", [bytes(31), bytes(33)]),
    (STAMP, "signature", [bytes(63), bytes(65)]),
    (PutOut(2, (VOTE,)), "seat", [-1, 8]),
    (PutOut(2, (VOTE,)), "votes", [(), (VOTE,) * 9]),
    (VOTE, "draft", [bytes(31), bytes(33)]),
    (VOTE, "voter", [-1, 8]),
    (VOTE, "seat", [-1, 8]),
    (VOTE, "place", [bytes(31), bytes(33)]),
    (VOTE, "step", [-1, LARGE]),
    (VOTE, "electorate", [0, 256]),
    (VOTE, "signature", [bytes(63), bytes(65)]),
    (Have(H, (0, 0), 0), "draft", [bytes(31), bytes(33)]),
    (Have(H, (0, 0), 0), "lengths", [(), (0,), (0,) * 9, (-1, 0), (LARGE, 0)]),
    (Have(H, (0, 0), 0), "linked", [-1, 256]),
    (Want(H, 0, 0, H), "seat", [-1, 8]),
    (Want(H, 0, 0, H), "number", [-1, LARGE]),
    (LOBBY[0], "version", [0, 256]),
    (LOBBY[0], "name", ["x" * 33]),
    (LOBBY[0], "port", [0, 65_536]),
    (LOBBY[0], "addresses", [("x" * 201,), ("x",) * 17]),
    (LOBBY[1], "seats_total", [1, 9]),
    (LOBBY[1], "seats", [(), LOBBY[1].seats * 9]),
    (LOBBY[3], "reason", ["x" * 33]),
    (LOBBY[3], "text", ["x" * 201]),
    (LOBBY[4], "addresses", [(), ((ADDRESS,),), ((),) * 9, ((ADDRESS,) * 17, ())]),
    (CodeStart(H), "element", [bytes(31), bytes(33)]),
    (CodeAnswer(H), "element", [bytes(31), bytes(33)]),
    (CodeProof(H), "mac", [bytes(31), bytes(33)]),
    (CodePassed(H), "mac", [bytes(31), bytes(33)]),
    (ADDRESS, "host", ["x" * 201]),
    (ADDRESS, "port", [0, 65_536]),
]

CASES = [(message, field, value) for message, field, values in OUT_OF_BOUNDS for value in values]


@pytest.mark.parametrize(
    ("message", "field", "value"),
    CASES,
    ids=[f"{type(message).__name__}-{field}-{n}" for n, (message, field, _) in enumerate(CASES)],
)
def test_values_out_of_bounds_are_refused(message: Any, field: str, value: Any) -> None:
    assert decode(encode(message), type(message)) == message
    bad = msgspec.structs.replace(message, **{field: value})
    with pytest.raises(DecodeError):
        decode(encode(bad), type(message))


def test_the_largest_messages_are_within_a_frame() -> None:
    shuffle = Shuffled(bytes(64 * 256), bytes(256 * 256))
    body = encode(LaneBody(H, H, 7, 0, HEADS * 4, 2**32 - 1, 2**32 - 1, H, shuffle))
    lane = Lane(body, bytes(64))
    assert decode(encode(lane), TableMessage) == lane
    longest = "\U0001f600"
    seats = (SeatEntry(longest * 32, H, True, True),) * 8
    addresses = tuple((PeerAddress(longest * 200, 65_535),) * 16 for _ in range(8))
    draft = Draft(255, T, longest * 32, longest * 32, OPTIONS, seats)
    assert decode(encode(Begin(draft, addresses, (H,) * 7)), LobbyMessage).draft == draft
