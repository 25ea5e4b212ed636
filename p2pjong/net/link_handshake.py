"""Both ends of a fresh connection prove their identities to each other.

Implements "Link handshake" of `protocol/handshake.md`. The acceptor proves itself first: who only
looks whether a host is real learns so without naming itself.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from p2pjong.net.channel import Channel
from p2pjong.net.identity import BadSignature, Identity, verify_signature
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import OTHER_PROGRAM, LinkError, closed_by_peer
from p2pjong.wire.codec import DecodeError, encode
from p2pjong.wire.handshake import (
    NONCE_BYTES,
    Close,
    CloseCode,
    Hello,
    Open,
    Proof,
    Role,
    VersionMismatch,
    decode_hello,
    decode_link_message,
    is_link_frame,
    proof_statement,
    transcript_hash,
)
from p2pjong.wire.messages import PROTOCOL_VERSION

M = TypeVar("M", Proof, Open)


@dataclass(frozen=True)
class LocalEnd:
    """What all links of this process have in common at our end."""

    identity: Identity
    instance: bytes

    def hello(self, role: Role) -> Hello:
        """A hello with a fresh nonce."""
        key, nonce = self.identity.key, secrets.token_bytes(NONCE_BYTES)
        return Hello(PROTOCOL_VERSION, role, key, self.instance, nonce)


@dataclass(frozen=True)
class Handshake:
    """Both hellos, each end's view of the certificate, and so what both sign."""

    certificate: bytes
    dialler: Hello
    acceptor: Hello

    def sign(self, role: Role, identity: Identity) -> Proof:
        """Our proof."""
        return Proof(identity.sign(self._statement(role)))

    def verify(self, role: Role, proof: Proof) -> None:
        """Raises LinkError unless the end in `role` has proved its identity on this link."""
        key = (self.dialler if role is Role.DIALLER else self.acceptor).key
        try:
            verify_signature(key, self._statement(role), proof.signature)
        except BadSignature as error:
            raise LinkError(
                "did not prove its identity on this link: someone may sit in between",
                CloseCode.BAD_PROOF,
            ) from error

    def transcript(self) -> bytes:
        """The name of this link, for what binds to it."""
        return transcript_hash(self.certificate, self.dialler, self.acceptor)

    def _statement(self, role: Role) -> bytes:
        return proof_statement(role, self.certificate, self.dialler, self.acceptor)


async def dial_handshake(
    channel: Channel, end: LocalEnd, before_proof: Callable[[Hello], None]
) -> Handshake:
    """Proves both ends to each other over a connection that we dialled.

    `before_proof` sees the acceptor's proven hello and may raise LinkError. Raises LinkError, with
    the channel closed.
    """
    return await _bounded(channel, _dial(channel, end, before_proof))


async def accept_handshake(
    channel: Channel, end: LocalEnd, certificate: bytes, before_open: Callable[[Hello], None]
) -> Handshake:
    """Proves both ends to each other over a connection that we accepted with this certificate.

    `before_open` sees the dialler's proven hello and may raise LinkError. Raises LinkError, with
    the channel closed.
    """
    return await _bounded(channel, _accept(channel, end, certificate, before_open))


async def _dial(
    channel: Channel, end: LocalEnd, before_proof: Callable[[Hello], None]
) -> Handshake:
    ours = end.hello(Role.DIALLER)
    channel.send(encode(ours))
    theirs = await _receive_hello(channel, end, Role.ACCEPTOR)
    handshake = Handshake(channel.peer_certificate(), ours, theirs)
    handshake.verify(Role.ACCEPTOR, await _receive(channel, Proof))
    before_proof(theirs)
    channel.send(encode(handshake.sign(Role.DIALLER, end.identity)))
    await _receive(channel, Open)
    return handshake


async def _accept(
    channel: Channel, end: LocalEnd, certificate: bytes, before_open: Callable[[Hello], None]
) -> Handshake:
    ours = end.hello(Role.ACCEPTOR)
    channel.send(encode(ours))
    theirs = await _receive_hello(channel, end, Role.DIALLER)
    handshake = Handshake(certificate, theirs, ours)
    channel.send(encode(handshake.sign(Role.ACCEPTOR, end.identity)))
    handshake.verify(Role.DIALLER, await _receive(channel, Proof))
    before_open(theirs)
    channel.send(encode(Open()))
    return handshake


async def _bounded(channel: Channel, steps: Awaitable[Handshake]) -> Handshake:
    """Bounds the handshake in time; whatever ends it early closes the channel with its code."""
    try:
        async with asyncio.timeout(channel.limits.handshake_s):
            return await steps
    except LinkError as error:
        await channel.close(error.close)
        raise
    except (DecodeError, TimeoutError) as error:
        failure = _as_link_error(error, channel.limits)
        await channel.close(failure.close)
        raise failure from error
    except asyncio.CancelledError:
        channel.abort()
        raise


def _as_link_error(error: DecodeError | TimeoutError, limits: Limits) -> LinkError:
    match error:
        case VersionMismatch():
            return LinkError(str(error), CloseCode.VERSION)
        case DecodeError():
            # A web server, say: TLS is not what tells it from a table.
            text = f"does not answer as a table of p2pjong does: it sent {error}"
            return LinkError(text, CloseCode.MALFORMED, hint=OTHER_PROGRAM)
        case TimeoutError():
            text = f"did not finish the link handshake within {limits.handshake_s:g} s"
            return LinkError(text, CloseCode.TIMEOUT, hint=OTHER_PROGRAM)


async def _receive_hello(channel: Channel, end: LocalEnd, role: Role) -> Hello:
    frame = await channel.receive()
    _raise_if_close(frame)
    hello = decode_hello(frame)
    if hello.key == end.identity.key:
        # Our own announcement, or our own hello played back to us.
        raise LinkError(
            "is your own table: it has the same identity",
            CloseCode.OWN_KEY,
            hint="a second player on this machine needs a home of its own: --home DIR",
        )
    if hello.role is not role:
        raise LinkError("takes itself for the other end", CloseCode.MALFORMED)
    return hello


async def _receive(channel: Channel, kind: type[M]) -> M:
    frame = await channel.receive()
    if not is_link_frame(frame):
        raise DecodeError("a frame before the link was open")
    message = decode_link_message(frame)
    if isinstance(message, Close):
        raise closed_by_peer(message.code)
    if not isinstance(message, kind):
        raise DecodeError("a handshake message out of order")
    return message


def _raise_if_close(frame: bytes) -> None:
    try:
        message = decode_link_message(frame) if is_link_frame(frame) else None
    except DecodeError:
        return
    if isinstance(message, Close):
        raise closed_by_peer(message.code)
