"""Link messages have one encoding and exact bounds; what is signed differs in every part."""

import itertools
from typing import Any

import msgpack
import pytest

from p2pjong.wire.codec import DecodeError, encode
from p2pjong.wire.handshake import (
    HANDSHAKE_BYTES_MAX,
    Close,
    CloseCode,
    Hello,
    LinkMessage,
    Open,
    Ping,
    Pong,
    Proof,
    Role,
    VersionMismatch,
    decode_hello,
    decode_link_message,
    is_link_frame,
    proof_statement,
    transcript_hash,
)
from p2pjong.wire.messages import PROTOCOL_VERSION, Bye, Want


def hello(role: Role = Role.DIALLER, fill: int = 1) -> Hello:
    return Hello(PROTOCOL_VERSION, role, bytes([fill]) * 32, bytes([fill]) * 16, bytes([fill]) * 32)


MESSAGES: list[LinkMessage] = [
    hello(),
    Proof(bytes(64)),
    Open(),
    *map(Close, CloseCode),
    Ping(0),
    Pong((1 << 32) - 1),
]


@pytest.mark.parametrize("message", MESSAGES, ids=str)
def test_every_link_message_decodes_to_itself_and_fits_the_handshake(message: LinkMessage) -> None:
    frame = encode(message)
    assert len(frame) <= HANDSHAKE_BYTES_MAX
    assert is_link_frame(frame)
    assert decode_link_message(frame) == message


def test_the_bytes_of_a_hello_are_these() -> None:
    frame = encode(hello())
    assert frame == (
        b"\x96\xaalink-hello\x01\x00"
        + (b"\xc4\x20" + b"\x01" * 32)
        + (b"\xc4\x10" + b"\x01" * 16)
        + (b"\xc4\x20" + b"\x01" * 32)
    )


BAD: dict[str, Any] = {
    "unknown tag": ["link-hallo"],
    "missing field": ["link-ping"],
    "one field too many": ["link-open", 1],
    "text for a number": ["link-ping", "1"],
    "a float": ["link-ping", 1.0],
    "a boolean": ["link-ping", True],
    "below the range": ["link-ping", -1],
    "above the range": ["link-ping", 1 << 32],
    "unknown code": ["link-close", "because"],
    "short signature": ["link-proof", bytes(63)],
    "long signature": ["link-proof", bytes(65)],
    "text signature": ["link-proof", "x" * 64],
    "short key": ["link-hello", 1, 0, bytes(31), bytes(16), bytes(32)],
    "unknown role": ["link-hello", 1, 2, bytes(32), bytes(16), bytes(32)],
    "version zero": ["link-hello", 0, 0, bytes(32), bytes(16), bytes(32)],
    "a map": {"link-ping": 1},
    "nothing": None,
}


@pytest.mark.parametrize("plain", BAD.values(), ids=BAD.keys())
def test_what_is_no_link_message_is_refused(plain: Any) -> None:
    with pytest.raises(DecodeError):
        decode_link_message(msgpack.packb(plain))


def test_another_encoding_of_the_same_message_is_refused() -> None:
    long_number = b"\x92\xa9link-ping\xcd\x00\x01"
    assert msgpack.unpackb(long_number) == ["link-ping", 1]
    with pytest.raises(DecodeError):
        decode_link_message(long_number)


@pytest.mark.parametrize("tail", [[], [bytes(900)], ["later", {"a": [1]}, None]], ids=repr)
def test_a_hello_of_another_version_is_told_apart_whatever_else_it_holds(tail: list[Any]) -> None:
    frame = msgpack.packb(["link-hello", PROTOCOL_VERSION + 1, *tail])
    if len(frame) > HANDSHAKE_BYTES_MAX:
        with pytest.raises(DecodeError):
            decode_hello(frame)
        return
    with pytest.raises(VersionMismatch) as caught:
        decode_hello(frame)
    assert caught.value.version == PROTOCOL_VERSION + 1


@pytest.mark.parametrize(
    "frame", [b"\xff", b"\xc1", b"\x91" * 400, b"GET / HTTP/1.1\r\n"], ids=repr
)
def test_garbage_for_a_hello_is_a_decode_error_and_no_version(frame: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_hello(frame)
    assert not isinstance(caught.value, VersionMismatch)


@pytest.mark.parametrize("message", [Bye(), Want(bytes(32), 0, 1, bytes(32))], ids=str)
def test_frames_of_the_session_are_not_the_links(message: Bye | Want) -> None:
    assert not is_link_frame(encode(message))


@pytest.mark.parametrize("frame", [b"\x91", b"\x91\xa5", b"\xc0link-", b"\x01\x05link-"])
def test_short_and_odd_frames_are_not_the_links(frame: bytes) -> None:
    assert not is_link_frame(frame)


def test_what_is_signed_differs_by_role_certificate_and_each_hello() -> None:
    dialler, acceptor = hello(Role.DIALLER, 1), hello(Role.ACCEPTOR, 2)
    other_dialler, other_acceptor = hello(Role.DIALLER, 3), hello(Role.ACCEPTOR, 3)
    statements = [
        proof_statement(role, certificate, first, second)
        for role, certificate, first, second in itertools.product(
            Role, (b"one", b"two"), (dialler, other_dialler), (acceptor, other_acceptor)
        )
    ]
    assert len(set(statements)) == 16
    transcripts = {
        transcript_hash(certificate, first, second)
        for certificate, first, second in itertools.product(
            (b"one", b"two"), (dialler, other_dialler), (acceptor, other_acceptor)
        )
    }
    assert len(transcripts) == 8
