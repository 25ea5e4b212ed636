"""What a listener does with strangers, liars and noise; and with someone in between."""

import asyncio
import dataclasses
import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from p2pjong.errors import Exit
from p2pjong.net.channel import Channel
from p2pjong.net.identity import Identity
from p2pjong.net.link import PINGS_MAX
from p2pjong.net.link_errors import LinkError
from p2pjong.net.link_handshake import Handshake
from p2pjong.net.tls import client_context
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.framing import encode_frame
from p2pjong.wire.handshake import (
    Close,
    CloseCode,
    Hello,
    Open,
    Ping,
    Pong,
    Proof,
    Role,
    decode_hello,
    decode_link_message,
)
from p2pjong.wire.messages import PROTOCOL_VERSION, Bye
from tests.support.between import hostile_listener, man_in_the_middle, raw
from tests.support.loopback import QUICK, WAIT_S, Peer, peers, run

STRANGER = Identity.from_seed(b"\x2a" * 32)
# Time enough for a peer in good order, even on a busy machine.
HASTY = dataclasses.replace(QUICK, handshake_s=0.8)


class LogLines(logging.Handler):
    """The lines of the project's log, and a wait for one that contains a text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._came = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        self._came.set()

    def having(self, text: str) -> list[str]:
        return [line for line in self.lines if text in line]

    async def until(self, text: str, count: int = 1) -> None:
        async with asyncio.timeout(WAIT_S):
            while len(self.having(text)) < count:
                self._came.clear()
                await self._came.wait()


@contextmanager
def log_lines(level: int = logging.INFO) -> Iterator[LogLines]:
    lines, logger = LogLines(), logging.getLogger("p2pjong.net")
    before = logger.level
    logger.addHandler(lines)
    logger.setLevel(level)
    try:
        yield lines
    finally:
        logger.removeHandler(lines)
        logger.setLevel(before)


def stranger_hello(role: Role = Role.DIALLER, version: int = PROTOCOL_VERSION) -> Hello:
    return Hello(version, role, STRANGER.key, bytes(16), bytes(32))


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(WAIT_S):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


async def code_of_close(channel: Channel) -> CloseCode:
    """Reads to the close that ends what the listener sends."""
    async with asyncio.timeout(WAIT_S):
        while True:
            message = decode_link_message(await channel.receive())
            if isinstance(message, Close):
                await channel.close()
                return message.code


# --- noise and silence ------------------------------------------------------------------------


@pytest.mark.slow
def test_a_port_scanner_that_sends_nothing_is_closed_with_one_line() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(2, HASTY) as (host, guest):
                reader, writer = await asyncio.open_connection(*host.address)
                assert await read_to_end(reader) == b""
                await log.until("did not finish the TLS handshake within 0.8 s")
                writer.close()
                assert len(log.lines) == 1
                # And the listener is there for others as before. It is in a hurry, so that on a
                # busy machine one attempt may not be enough.
                guest.mesh.expect({host.key: [host.address]})
                await guest.until(lambda: guest.is_linked(host))

    run(scene)


@pytest.mark.slow
def test_who_is_silent_inside_tls_is_closed_with_one_line() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1, HASTY) as (host,):
                channel = await raw(host.address)
                assert await code_of_close(channel) is CloseCode.TIMEOUT
                await log.until("did not finish the link handshake within 0.8 s")
                assert len(log.lines) == 1

    run(scene)


@pytest.mark.slow
def test_who_trickles_bytes_gets_no_more_time() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1, HASTY) as (host,):
                channel = await raw(host.address)
                frame = encode_frame(encode(stranger_hello()))

                async def trickle() -> None:
                    for position in range(len(frame)):
                        channel._writer.write(frame[position : position + 1])
                        await asyncio.sleep(0.02)

                trickling = asyncio.create_task(trickle())
                await log.until("did not finish the link handshake")
                trickling.cancel()
                await channel.close()

    run(scene)


@pytest.mark.parametrize("noise", [b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 100, b"SSH-2.0-x\r\n"])
def test_what_is_no_tls_is_closed_with_one_line(noise: bytes) -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1) as (host,):
                reader, writer = await asyncio.open_connection(*host.address)
                writer.write(noise)
                await read_to_end(reader)
                await log.until("does not speak TLS 1.3")
                writer.close()
                assert len(log.lines) == 1

    run(scene)


def test_an_older_tls_is_refused() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1) as (host,):
                context = client_context()
                context.minimum_version = ssl.TLSVersion.TLSv1_2
                context.maximum_version = ssl.TLSVersion.TLSv1_2
                with pytest.raises(OSError):
                    await asyncio.open_connection(*host.address, ssl=context)
                await log.until("does not speak TLS 1.3")

    run(scene)


def test_who_hangs_up_at_once_leaves_one_line() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1) as (host,):
                _, writer = await asyncio.open_connection(*host.address)
                writer.close()
                await log.until("broke off the connection")
                assert len(log.lines) == 1

    run(scene)


BAD_STARTS = {
    "a frame over the limit": (b"\x00\x00\x02\x01" + bytes(513), CloseCode.MALFORMED),
    "a huge frame": (b"\xff\xff\xff\xff", CloseCode.MALFORMED),
    "an empty frame": (bytes(4), CloseCode.MALFORMED),
    "malformed msgpack": (encode_frame(b"\xc1"), CloseCode.MALFORMED),
    "deep nesting": (encode_frame(b"\x91" * 100 + b"\x01"), CloseCode.MALFORMED),
    "a message of the session": (encode_frame(encode(Bye())), CloseCode.MALFORMED),
    "a message out of order": (encode_frame(encode(Open())), CloseCode.MALFORMED),
    "a hello of the wrong end": (
        encode_frame(encode(stranger_hello(Role.ACCEPTOR))),
        CloseCode.MALFORMED,
    ),
    "another version": (
        encode_frame(encode(stranger_hello(version=PROTOCOL_VERSION + 1))),
        CloseCode.VERSION,
    ),
    "a proof that does not hold": (
        encode_frame(encode(stranger_hello())) + encode_frame(encode(Proof(bytes(64)))),
        CloseCode.BAD_PROOF,
    ),
    "a frame in place of a proof": (
        encode_frame(encode(stranger_hello())) + encode_frame(encode(Bye())),
        CloseCode.MALFORMED,
    ),
    "a ping in place of a proof": (
        encode_frame(encode(stranger_hello())) + encode_frame(encode(Ping(1))),
        CloseCode.MALFORMED,
    ),
}


@pytest.mark.parametrize(("start", "code"), BAD_STARTS.values(), ids=BAD_STARTS.keys())
def test_a_bad_start_is_refused_with_its_code_and_one_line(start: bytes, code: CloseCode) -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(2) as (host, guest):
                channel = await raw(host.address)
                channel._writer.write(start)
                assert await code_of_close(channel) is code
                await log.until("127.0.0.1:")
                assert len(log.lines) == 1
                assert not host.happened
                await guest.mesh.connect([host.address])

    run(scene)


def test_both_sides_say_which_versions_do_not_match() -> None:
    async def answer(channel: Channel) -> None:
        channel.send(encode(stranger_hello(Role.ACCEPTOR, PROTOCOL_VERSION + 1)))
        assert await code_of_close(channel) is CloseCode.VERSION

    async def scene() -> None:
        async with peers(1) as (guest,), hostile_listener(answer) as address:
            with pytest.raises(LinkError) as caught:
                await guest.mesh.connect([address])
            assert caught.value.code is Exit.MISMATCH
            text = f"speaks version {PROTOCOL_VERSION + 1} of the protocol, we speak 1"
            assert text in str(caught.value)
            assert "same version" in caught.value.hint

    run(scene)


BAD_AFTER_OPEN = {
    "a frame over the limit": b"\x00\x10\x00\x01",
    "an empty frame": bytes(4),
    "a handshake message": encode_frame(encode(Open())),
    "a malformed message of the link": encode_frame(b"\x92\xa9link-ping\xff"),
    "an unknown message of the link": encode_frame(b"\x91\xa9link-pong"),
}


@pytest.mark.parametrize("noise", BAD_AFTER_OPEN.values(), ids=BAD_AFTER_OPEN.keys())
def test_noise_on_an_open_link_ends_it_as_malformed(noise: bytes) -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(2) as (host, guest):
                await guest.mesh.connect([host.address])
                link = guest.mesh.link(host.key)
                assert link is not None
                link._channel._writer.write(noise)
                await host.until(lambda: host.told(guest) == ["up", "down: malformed"])
                await guest.until(lambda: guest.told(host) == ["up", "down: malformed"])
                assert len(log.having(" sent ")) == 1

    run(scene)


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["half_open_per_address", "half_open"])
def test_who_holds_connections_open_in_silence_keeps_nobody_out(limit: str) -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, **{limit: 3})
        with log_lines() as log:
            async with peers(1, limits) as (host,):
                held = [await asyncio.open_connection(*host.address) for _ in range(3)]
                guest = Peer(77)
                assert await guest.mesh.connect([host.address]) == host.key
                assert await read_to_end(held[0][0]) == b"", "the oldest gave way"
                await log.until("too many connections not yet proved")
                assert not held[1][0].at_eof() and not held[2][0].at_eof()
                for _, writer in held:
                    writer.close()
                await log.until("broke off", count=3)
                await guest.mesh.close()

    run(scene)


def test_strangers_that_break_off_or_talk_nonsense_are_no_news_for_who_plays() -> None:
    """All of it is for --debug: whoever knocks must not fill a screen that people play on."""

    async def scene() -> None:
        with log_lines() as log, log_lines(logging.INFO) as news:
            news.setLevel(logging.WARNING)
            async with peers(2) as (host, guest):
                for noise in (b"", b"GET / HTTP/1.1\r\n\r\n"):
                    reader, writer = await asyncio.open_connection(*host.address)
                    writer.write(noise)
                    if not noise:
                        writer.close()
                    await read_to_end(reader)
                    writer.close()
                await guest.mesh.connect([host.address])
                link = guest.mesh.link(host.key)
                assert link is not None
                link._channel._writer.write(bytes(100))
                await host.until(lambda: host.told(guest) == ["up", "down: malformed"])
                await log.until("127.0.0.1", count=3)
            assert news.lines == []

    run(scene)


def test_one_address_cannot_connect_all_the_time_and_the_log_is_not_flooded() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, connections_burst=5, connections_per_s=0.001)
        with log_lines() as log:
            async with peers(1, limits) as (host,):
                for _ in range(12):
                    reader, writer = await asyncio.open_connection(*host.address)
                    writer.close()
                    await read_to_end(reader)
                await log.until("connects too often")
                await log.until("broke off", count=5)
                assert len(log.having("connects too often")) == 1

    run(scene)


# --- liars ------------------------------------------------------------------------------------


def test_an_acceptor_that_cannot_prove_its_key_is_refused() -> None:
    async def answer(channel: Channel) -> None:
        channel.send(encode(stranger_hello(Role.ACCEPTOR)))
        channel.send(encode(Proof(bytes(64))))
        assert await code_of_close(channel) is CloseCode.BAD_PROOF

    async def scene() -> None:
        async with peers(1) as (guest,), hostile_listener(answer) as address:
            with pytest.raises(LinkError) as caught:
                await guest.mesh.connect([address], STRANGER.fingerprint)
            assert "did not prove its identity" in str(caught.value)
            assert not guest.happened

    run(scene)


def test_our_own_hello_played_back_is_refused_at_either_end() -> None:
    async def answer(channel: Channel) -> None:
        hello = decode_hello(await channel.receive())
        mirrored = Hello(hello.version, Role.ACCEPTOR, hello.key, hello.instance, hello.nonce)
        channel.send(encode(mirrored))
        assert await code_of_close(channel) is CloseCode.OWN_KEY

    async def scene() -> None:
        async with peers(1) as (guest,), hostile_listener(answer) as address:
            with pytest.raises(LinkError) as caught:
                await guest.mesh.connect([address])
            assert caught.value.close is CloseCode.OWN_KEY
            channel = await raw(guest.address)
            hello = decode_hello(await channel.receive())
            channel.send(
                encode(Hello(hello.version, Role.DIALLER, hello.key, hello.instance, hello.nonce))
            )
            assert await code_of_close(channel) is CloseCode.OWN_KEY

    run(scene)


def test_a_proof_holds_for_its_role_its_certificate_and_its_hellos_only() -> None:
    dialler, acceptor = Identity.from_seed(bytes(32)), Identity.from_seed(b"\x01" * 32)
    hello = Hello(1, Role.DIALLER, dialler.key, bytes(16), bytes(32))
    answer = Hello(1, Role.ACCEPTOR, acceptor.key, bytes(16), bytes(32))
    handshake = Handshake(b"certificate", hello, answer)
    proof = handshake.sign(Role.DIALLER, dialler)
    handshake.verify(Role.DIALLER, proof)
    fresh = Hello(1, Role.DIALLER, dialler.key, bytes(16), b"\x01" * 32)
    other = Hello(1, Role.ACCEPTOR, acceptor.key, bytes(16), b"\x01" * 32)
    again = Hello(1, Role.DIALLER, dialler.key, b"\x01" * 16, bytes(32))
    for wrong in (
        Handshake(b"certificatf", hello, answer),
        Handshake(b"certificate", fresh, answer),
        Handshake(b"certificate", hello, other),
        Handshake(b"certificate", again, answer),
    ):
        with pytest.raises(LinkError):
            wrong.verify(Role.DIALLER, proof)
    with pytest.raises(LinkError):
        handshake.verify(Role.ACCEPTOR, proof)
    with pytest.raises(LinkError):
        handshake.verify(Role.ACCEPTOR, handshake.sign(Role.DIALLER, acceptor))


def test_a_proof_recorded_on_one_link_opens_no_other() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            first = await raw(host.address)
            ours = stranger_hello()
            first.send(encode(ours))
            theirs = decode_hello(await first.receive())
            proof = Handshake(first.peer_certificate(), ours, theirs).sign(Role.DIALLER, STRANGER)
            first.send(encode(proof))
            decode(await first.receive(), Proof)
            assert decode_link_message(await first.receive()) == Open()
            second = await raw(host.address)
            second.send(encode(ours))
            second.send(encode(proof))
            assert await code_of_close(second) is CloseCode.BAD_PROOF
            await first.close()

    run(scene)


# --- the time of an answer --------------------------------------------------------------------


@pytest.mark.slow
def test_pings_are_not_answered_when_their_sender_likes() -> None:
    """Many of them would time what our machine does, and so whether a person is being asked."""
    every_s, beats = 0.2, 3

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        async with peers(1, dataclasses.replace(QUICK, pong_s=every_s)) as (host,):
            channel, _ = await linked_by_hand(host)

            async def ping_on() -> None:
                while True:
                    for _ in range(2 * PINGS_MAX):
                        channel.send(encode(Ping(7)))
                    await asyncio.sleep(0.01)

            began_s, pinging = loop.time(), asyncio.create_task(ping_on())
            async with asyncio.timeout(WAIT_S):
                for _ in range((beats - 1) * PINGS_MAX + 1):
                    assert decode_link_message(await channel.receive()) == Pong(7)
            assert loop.time() - began_s > (beats - 1) * every_s
            pinging.cancel()
            await asyncio.gather(pinging, return_exceptions=True)
            await channel.close()

    run(scene)


# --- someone in between -----------------------------------------------------------------------


def test_who_dials_through_a_terminating_proxy_does_not_link() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(2) as (host, guest), man_in_the_middle(host.address) as between:
                with pytest.raises(LinkError) as caught:
                    await guest.mesh.connect([between], host.identity.fingerprint)
                assert caught.value.close is CloseCode.BAD_PROOF
                assert "someone may sit in between" in str(caught.value)
                await log.until("saw another proof of identity than we gave")
                assert not guest.happened
                assert not host.happened

    run(scene)


def test_a_dialler_that_does_not_check_is_still_refused_by_the_acceptor() -> None:
    async def scene() -> None:
        with log_lines() as log:
            async with peers(1) as (host,), man_in_the_middle(host.address) as between:
                channel = await raw(between)
                ours = stranger_hello()
                channel.send(encode(ours))
                theirs = decode_hello(await channel.receive())
                handshake = Handshake(channel.peer_certificate(), ours, theirs)
                channel.send(encode(handshake.sign(Role.DIALLER, STRANGER)))
                assert await code_of_close(channel) is CloseCode.BAD_PROOF
                await log.until("did not prove its identity on this link")
                assert not host.happened

    run(scene)


async def linked_by_hand(host: Peer) -> tuple[Channel, Handshake]:
    """A link of the stranger with the host, whose other end the test has in its hand."""
    channel = await raw(host.address)
    ours = stranger_hello()
    channel.send(encode(ours))
    theirs = decode_hello(await channel.receive())
    handshake = Handshake(channel.peer_certificate(), ours, theirs)
    handshake.verify(Role.ACCEPTOR, decode(await channel.receive(), Proof))
    channel.send(encode(handshake.sign(Role.DIALLER, STRANGER)))
    assert decode_link_message(await channel.receive()) == Open()
    return channel, handshake


def test_without_a_proxy_the_same_dialler_is_let_in() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            channel, handshake = await linked_by_hand(host)
            await host.until(lambda: host.happened == [("up", STRANGER.key)])
            link = host.mesh.link(STRANGER.key)
            assert link is not None and link.transcript == handshake.transcript()
            await channel.close()

    run(scene)
