"""What is fuzzed: functions of bytes that nobody can be trusted with, and what may come of them.

A target raises on a finding and returns otherwise. `tests/fuzz` runs all of them for a moment with
hypothesis, `scripts/fuzz` for as long as one likes. Games are in `fuzz_games.py`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import msgspec

from p2pjong.games import GAMES
from p2pjong.net.announcement import Announcement, BadAnnouncement, from_txt, to_txt
from p2pjong.net.identity import fingerprint
from p2pjong.session.door import Door
from p2pjong.session.draft import table_id
from p2pjong.session.joiner_lobby import JoinerLobby, LobbyClosed
from p2pjong.session.lobby import Drop, Guest, HostLobby, Tell
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.framing import FrameDecoder, encode_frame
from p2pjong.wire.handshake import Close as LinkClose
from p2pjong.wire.handshake import (
    CloseCode,
    Hello,
    Open,
    Ping,
    Pong,
    Proof,
    Role,
    decode_hello,
    decode_link_message,
    is_link_frame,
)
from p2pjong.wire.messages import (
    Any_,
    Begin,
    Bye,
    Charter,
    CodeMessage,
    CodeProof,
    CodeStart,
    Draft,
    Join,
    LaneBody,
    LobbyMessage,
    LobbySeatState,
    LobbyState,
    Payload,
    PeerAddress,
    Ready,
    Refused,
    TableMessage,
    TableOptions,
)
from p2pjong.wire.names import clean_text
from tests.support import fuzz_games as games
from tests.support import fuzz_proofs as proofs
from tests.support.fuzz_edits import mutated, mutated_stream


@dataclass(frozen=True)
class Target:
    """Something to fuzz, and the valid inputs that edits start from."""

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], tuple[bytes, ...]]
    examples: int  # in CI: how many come to about a second
    is_stream: bool = False  # its inputs are frames, one after the other

    def draw(self, rng: Random) -> bytes:
        """A valid input after some edits."""
        return self.edit(rng.choice(self.seeds()), rng)

    def edit(self, content: bytes, rng: Random) -> bytes:
        """An input after some edits; parts of valid ones may come into it."""
        frames = list(games.cut(content)) if self.is_stream else []
        if frames and rng.random() < 0.8:
            return mutated_stream(frames, rng)
        return mutated(content, rng, self.seeds())


# --- Bytes to messages --------------------------------------------------------------------------

KINDS: tuple[Any, ...] = (
    *(LobbyMessage, TableMessage, Any_, Payload, LaneBody, Draft, Charter, RecordHeader),
)


def fuzz_codec(content: bytes) -> None:
    """Any bytes are one message and its only encoding, or refused in words without them."""
    for kind in KINDS:
        try:
            message = decode(content, kind)
        except DecodeError as error:
            assert len(str(error)) < 300, "a refusal does not repeat what was sent"
            continue
        assert encode(message) == content
        assert decode(encode(message), kind) == message


def fuzz_framing(content: bytes) -> None:
    """However a stream is cut, the same frames come of it, and the same end."""
    size = 1 + content[-1] % 7 if content else 1
    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    whole, cut = _frames([content]), _frames(pieces)
    assert whole == cut
    assert all(0 < len(frame) <= 4096 for frame in whole[0])


def _frames(pieces: list[bytes]) -> tuple[list[bytes], bool]:
    decoder, frames = FrameDecoder(4096), []
    for piece in pieces:
        try:
            decoder.feed(piece)
            while (frame := decoder.next_frame()) is not None:
                frames.append(frame)
        except DecodeError:
            assert decoder.buffered_bytes == 0
            return frames, True
    return frames, False


def fuzz_link(content: bytes) -> None:
    """Before a peer is known, its bytes are a hello, another message of the link, or refused."""
    with suppress(DecodeError):
        hello = decode_hello(content)
        assert encode(hello) == content
        assert is_link_frame(content)
    with suppress(DecodeError):
        assert encode(decode_link_message(content)) == content
        assert is_link_frame(content), "no message of the link goes to the session"


def fuzz_names(content: bytes) -> None:
    """What is shown is one short line in which nothing moves, and stays as it is."""
    shown = clean_text(content.decode("utf-8", errors="replace"), 32)
    assert len(shown) <= 32
    assert not shown or shown.isprintable()
    assert clean_text(shown, 32) == shown


def fuzz_txt(content: bytes) -> None:
    """A TXT record is an announcement that can be announced again, or none."""
    with suppress(BadAnnouncement):
        found = from_txt(dict(_entries(content)), port=4711)
        assert found.free_seats <= found.seats
        assert from_txt({**to_txt(found)}, port=4711) == found


def _entries(content: bytes) -> Iterator[tuple[bytes, bytes | None]]:
    """Strings with a byte of length before each (RFC 6763, 6.1)."""
    while content:
        entry, content = content[1 : 1 + content[0]], content[1 + content[0] :]
        key, equals, value = entry.partition(b"=")
        yield key, value if equals else None


# --- The lobby ----------------------------------------------------------------------------------

HOST, ANN, BEN = (bytes([number]) * 32 for number in (1, 2, 3))
NONCE = bytes([9]) * 32
OPTIONS = TableOptions(20, 0, 0, 2000, 60_000, False)


def fuzz_lobby(content: bytes) -> None:
    """A stream of frames from two strangers: the host's table stays one that can be shown."""
    lobby = _open_lobby()
    door = Door(HOST, _entropy, "417-amber-falcon")
    for key in (ANN, BEN):
        door.linked(key, key)
    for number, frame in enumerate(games.cut(content)):
        with suppress(DecodeError):
            message = decode(frame, LobbyMessage)
            key = (ANN, BEN)[number % 2]
            effects = lobby.receive(key, message, ("fe80::1",))
            if isinstance(message, CodeMessage):
                effects = [*effects, *door.receive(key, message)]
            for effect in effects:
                assert not isinstance(effect, Tell | Drop) or effect.key in (ANN, BEN)
                if isinstance(effect, Tell):
                    decode(effect.frame, LobbyMessage)
        _check_lobby(lobby)
    assert not any(map(door.admits, (ANN, BEN))), "nobody here knows the code"


def _open_lobby() -> HostLobby:
    own = Guest("Host", HOST, False, False, True, (PeerAddress("10.0.0.1", 7000),))
    return HostLobby(bytes(16), "a table", "war-jhong", OPTIONS, 3, 2, own)


def _check_lobby(lobby: HostLobby) -> None:
    state = lobby.state()
    assert decode(encode(state), LobbyState) == state
    names = [seat.name.casefold() for seat in state.seats]
    assert len(set(names)) == len(names) <= 3
    assert state.seats[0].key == HOST


def fuzz_joiner(content: bytes) -> None:
    """A stream of frames from a host: a joiner begins what it was shown, or goes."""
    lobby = JoinerLobby(ANN, HOST, GAMES, NONCE)
    with suppress(DecodeError, LobbyClosed):
        for frame in games.cut(content):
            shown = lobby.state
            lobby.ready(shown is not None)
            for effect in lobby.receive(decode(frame, LobbyMessage)):
                draft = getattr(effect, "draft", None)
                if draft is not None:
                    assert shown is not None
                    assert shown.options == draft.options
                    assert draft.table != shown.table
                    assert ANN in [entry.key for entry in draft.seats]


def _entropy(count: int) -> bytes:
    return bytes(range(7, 7 + count)) if count < 200 else bytes(count)


# --- Valid inputs -------------------------------------------------------------------------------


@cache
def message_seeds() -> tuple[bytes, ...]:
    """One message of each kind that a game needs, and all of the lobby's."""
    frames = [frame for frame in games.recorded_frames() if len(frame) < 6000]
    bodies = list(games.forged_seeds())
    record = encode(RecordHeader(1, games.DRAFT))
    payloads = [encode(payload) for payload in games.payloads()]
    lobby = [
        frame for stream in (*_lobby_stream(), *_joiner_stream()) for frame in games.cut(stream)
    ]
    signed = [body[1:] for body in bodies[::4]]
    return (*_one_each(frames), *_one_each(lobby), *signed, record, *_one_each(payloads))


def _one_each(frames: list[bytes]) -> list[bytes]:
    return list({frame[:12]: frame for frame in frames}.values())


@cache
def link_seeds() -> tuple[bytes, ...]:
    """One of each message of the link."""
    messages: tuple[msgspec.Struct, ...] = (
        *(Hello(1, Role.DIALLER, ANN, bytes(16), bytes(32)), Proof(bytes(64)), Open()),
        *(LinkClose(CloseCode.GOING), Ping(1), Pong((1 << 32) - 1), Bye()),
    )
    return tuple(map(encode, messages))


def _lobby_stream() -> tuple[bytes, ...]:
    ask = Join(1, "Ann", False, True, 7001, ("10.0.0.2", "fe80::2"))
    element = bytes.fromhex("58" + "66" * 31)  # the base point of edwards25519
    lobby = _open_lobby()
    lobby.receive(ANN, ask)
    lobby.receive(BEN, ask)
    words = (Ready(True, NONCE, lobby.shown), CodeStart(element), CodeProof(bytes(32)), Bye())
    frames = (ask, ask, *words, Ready(False, NONCE, bytes(32)))
    return (b"".join(encode_frame(encode(frame)) for frame in frames),)


def _joiner_stream() -> tuple[bytes, ...]:
    seats = [LobbySeatState("Host", HOST, False, True), LobbySeatState("Ann", ANN, False, True)]
    state = LobbyState(bytes(16), "a table", "war-jhong", OPTIONS, 2, tuple(seats))
    entries = (
        Guest("Host", HOST, False, False, True, ()).entry(),
        Guest("Ann", ANN, False, False, True, ()).entry(),
    )
    table = table_id(bytes(16), (NONCE,))
    draft = Draft(1, table, "a table", "war-jhong", OPTIONS, entries)
    begin = Begin(draft, ((PeerAddress("10.0.0.1", 7000),), ()), (NONCE,))
    streams = ([state, begin], [state, Refused("full", "no"), begin], [state, state, Bye()])
    return tuple(b"".join(encode_frame(encode(one)) for one in stream) for stream in streams)


def _txt_record() -> tuple[bytes, ...]:
    host = fingerprint(HOST)
    table = Announcement("Friday", bytes(range(16)), "war-jhong", 4, 2, True, host, 4711, False)
    entries = [key + b"=" + value for key, value in to_txt(table).items()]
    return (b"".join(bytes([len(entry)]) + entry for entry in entries),)


def _stream() -> tuple[bytes, ...]:
    return (b"".join(encode_frame(frame[:90]) for frame in link_seeds()), bytes(3) + b"\x05Hello")


TARGETS = {
    target.name: target
    for target in (
        Target("codec", fuzz_codec, message_seeds, 400),
        Target("framing", fuzz_framing, _stream, 300, is_stream=True),
        Target("link", fuzz_link, link_seeds, 300),
        Target("names", fuzz_names, lambda: ("Ånn e\u0301 \u202e".encode(),), 200),
        Target("txt", fuzz_txt, _txt_record, 300),
        Target("lobby", fuzz_lobby, _lobby_stream, 40, is_stream=True),
        Target("joiner", fuzz_joiner, _joiner_stream, 200, is_stream=True),
        Target("proofs", proofs.fuzz_proofs, proofs.proof_seeds, 200),
        Target("lanes", games.fuzz_lanes, games.forged_seeds, 200),
        Target("records", games.fuzz_records, games.record_seeds, 40, is_stream=True),
        Target("frames", games.fuzz_frames, games.frame_seeds, 10, is_stream=True),
        Target("forged", games.fuzz_forged, games.forged_seeds, 14),
    )
}
