"""The messages that make and keep a link between two peers, and what they sign to do so.

Implements "Link handshake" and "Link upkeep" of `protocol/handshake.md`. Pure: keys, nonces and
signatures are made and checked by `net`.
"""

from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import Annotated, Any, TypeAlias

import msgpack
import msgspec
from msgspec import Meta

from p2pjong.wire.codec import DecodeError, Message, decode, encode
from p2pjong.wire.keys import check_identity_key
from p2pjong.wire.messages import PROTOCOL_VERSION

HANDSHAKE_BYTES_MAX = 512  # no message below is longer; before a peer is known it gets no more
NONCE_BYTES = 32
INSTANCE_BYTES = 16
PROOF_LABEL = b"p2pjong/v1/link-proof\x00"
TRANSCRIPT_LABEL = b"p2pjong/v1/link-transcript\x00"
# Tags that begin so belong to the link; every other frame is for the session.
LINK_TAG_START = b"link-"

Key: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Nonce: TypeAlias = Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
Instance: TypeAlias = Annotated[bytes, Meta(min_length=INSTANCE_BYTES, max_length=INSTANCE_BYTES)]
Signature: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
PingNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 32)]


class Role(IntEnum):
    """Which end of a connection: who dialled it, or who accepted it."""

    DIALLER = 0
    ACCEPTOR = 1


class CloseCode(StrEnum):
    """Why one end closes a link, in the words that go over it."""

    GOING = "going"  # the peer ends in order
    REPLACED = "replaced"  # a newer link of the same identity took over
    DUPLICATE = "duplicate"  # both dialled at once; the other link stays
    FULL = "full"  # no link is free
    REFUSED = "refused"  # the peer wants no link with this identity
    PROBE = "probe"  # only looked whether a table answers
    VERSION = "version"  # speaks another version of the protocol
    OWN_KEY = "own-key"  # the other end has our own identity
    WRONG_KEY = "wrong-key"  # another identity than the one looked for
    BAD_PROOF = "bad-proof"  # the signature does not hold for this link
    MALFORMED = "malformed"  # bytes that are no message, or one out of place
    TIMEOUT = "timeout"  # silent for too long
    SLOW = "slow"  # does not read what is sent


class Hello(Message, frozen=True, tag="link-hello"):
    """The first message of each end, sent at once: who it claims to be, with a fresh nonce.

    `instance` is drawn once per running program, so that a program that was started again is told
    apart from one that dialled again.
    """

    version: Version
    role: Role
    key: Key
    instance: Instance
    nonce: Nonce


class Proof(Message, frozen=True, tag="link-proof"):
    """The signature by which an end proves its identity on this link and no other."""

    signature: Signature


class Open(Message, frozen=True, tag="link-open"):
    """From the acceptor: the link is open, frames may flow both ways."""


class Close(Message, frozen=True, tag="link-close"):
    """The sender closes the link; nothing follows."""

    code: CloseCode


class Ping(Message, frozen=True, tag="link-ping"):
    """Asks for a sign of life."""

    number: PingNumber


class Pong(Message, frozen=True, tag="link-pong"):
    """The sign of life that the ping with this number asked for."""

    number: PingNumber


LinkMessage: TypeAlias = Hello | Proof | Open | Close | Ping | Pong


class VersionMismatch(DecodeError):
    """A well-formed hello of another version of the protocol."""

    def __init__(self, version: int) -> None:
        super().__init__(f"speaks version {version} of the protocol, we speak {PROTOCOL_VERSION}")
        self.version = version


class _AnyHello(msgspec.Struct, array_like=True, tag="link-hello"):
    """The part of a hello that no version may change."""

    version: Version


def decode_hello(frame: bytes) -> Hello:
    """The hello in `frame`. Raises VersionMismatch or another DecodeError."""
    if len(frame) > HANDSHAKE_BYTES_MAX:
        raise DecodeError(f"{len(frame)} bytes, more than {HANDSHAKE_BYTES_MAX}")
    version = _hello_version(frame)
    if version is not None and version != PROTOCOL_VERSION:
        raise VersionMismatch(version)
    hello: Hello = decode(frame, Hello)
    check_identity_key(hello.key)
    return hello


def _hello_version(frame: bytes) -> int | None:
    try:
        plain: Any = msgpack.unpackb(frame, max_ext_len=0, strict_map_key=True)
        return msgspec.convert(plain, _AnyHello, strict=True).version
    except (ValueError, RecursionError):  # msgspec's ValidationError is one too
        return None


def decode_link_message(frame: bytes) -> LinkMessage:
    """The link message in `frame`, which is one by `is_link_frame`. Raises DecodeError."""
    message: LinkMessage = decode(frame, LinkMessage, HANDSHAKE_BYTES_MAX)
    return message


def is_link_frame(frame: bytes) -> bool:
    """Whether the frame is the link's own: an array of up to 15 whose tag begins with "link-"."""
    return (
        frame[2 : 2 + len(LINK_TAG_START)] == LINK_TAG_START
        and frame[0] & 0xF0 == 0x90
        and frame[1] & 0xE0 == 0xA0
    )


def proof_statement(role: Role, certificate: bytes, dialler: Hello, acceptor: Hello) -> bytes:
    """The bytes that the end in `role` signs.

    `certificate` is the acceptor's TLS certificate (DER) as the signer saw it: who sits between
    the two ends shows the dialler another one, and neither signature fits the other's view.
    The role keeps an end from having its own proof played back to it.
    """
    assert (dialler.role, acceptor.role) == (Role.DIALLER, Role.ACCEPTOR)
    digest = sha256(certificate).digest()
    return b"".join(
        (PROOF_LABEL, bytes([role]), digest, encode(dialler), encode(acceptor)),
    )


def transcript_hash(certificate: bytes, dialler: Hello, acceptor: Hello) -> bytes:
    """A name of 32 bytes for this link, the same at both ends and at no other link."""
    digest = sha256(certificate).digest()
    return sha256(TRANSCRIPT_LABEL + digest + encode(dialler) + encode(acceptor)).digest()
