"""Fuzzing of whole tables: frames, signed messages and records made of those of an honest game.

The tables are small and seeded, so an input always meets the session in the same state.
"""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from p2pjong.audit import audit
from p2pjong.errors import P2PJongError
from p2pjong.games.game import Game, Seat
from p2pjong.session.charter import draft_hash
from p2pjong.session.conduct import Secrets
from p2pjong.session.draft import game_options
from p2pjong.session.effects import Send, Store
from p2pjong.session.faults import Refusal
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Lanes, message_hash, signed_bytes, stamp_bytes
from p2pjong.session.session import Session
from p2pjong.store.record import open_record, write_record
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.framing import FrameDecoder, encode_frame
from p2pjong.wire.messages import Draft, Lane, LaneBody, Payload, Stamp, TableMessage
from tests.support.sim import (
    ALL_GAMES,
    SessionMaker,
    SimTable,
    choose_default,
    signing_key,
    tiny_draft,
)

FORGER = 1
SEATS = 3
DRAFT = tiny_draft(SEATS)


def cut(content: bytes) -> Iterator[bytes]:
    """The frames of a stream, up to where it has no meaning."""
    decoder = FrameDecoder()
    decoder.feed(content)
    with suppress(DecodeError):
        while (frame := decoder.next_frame()) is not None:
            yield frame


# --- An honest game -----------------------------------------------------------------------------


class Recorder(SimTable):
    """A table that keeps what went over its wires."""

    def _send(self, seat: Seat, frame: bytes, to: Seat | None) -> None:
        self.__dict__.setdefault("sent", []).append((seat, frame))
        super()._send(seat, frame, to)


@cache
def honest_game() -> Recorder:
    """A whole game in which everyone does the default; look, do not touch."""
    table = Recorder(SEATS, draft=DRAFT, choose=choose_default)
    table.start().run()
    table.tick()
    assert table.is_finished()
    return table


def recorded_frames() -> list[bytes]:
    """All frames of that game, in the order in which they were sent."""
    sent: list[tuple[Seat, bytes]] = honest_game().__dict__["sent"]
    return [frame for _, frame in sent]


def payloads() -> list[Payload]:
    """All that was signed in that game."""
    lanes = honest_game().peers[0].session.lanes.accepted
    return [signed.body.payload for lane in lanes for signed in lane]


# --- Frames that nobody signed ------------------------------------------------------------------


def fuzz_frames(content: bytes) -> None:
    """A stranger's frames between those of an honest game, which ends as if they had not been."""
    table = SimTable(2, draft=tiny_draft(2), choose=choose_default).start()
    frames = list(cut(content))
    for number, frame in enumerate(frames[:200]):
        table.step()
        hand_over(table, number % 2, frame)
    table.finish()
    assert table.is_finished()
    assert table.faults() == []
    assert table.outcomes() == _honest_pair().outcomes()
    assert table.digests() == _honest_pair().digests()


def hand_over(table: SimTable, sender: Seat, frame: bytes) -> None:
    """As the mesh does it: what is no message of the table never comes to the session."""
    with suppress(DecodeError):
        message: TableMessage = decode(frame, TableMessage)
        receiver = table.peers[1 - sender].session
        if not (isinstance(message, Lane) and _is_to_come(message, receiver)):
            table.hand_over(sender, 1 - sender, frame)


def _is_to_come(lane: Lane, session: Session) -> bool:
    """Whether the session itself has yet to sign this: the seeds hold it, no stranger can."""
    with suppress(DecodeError):
        body: LaneBody = decode(lane.body, LaneBody)
        return body.seat == session.me
    return False


@cache
def _honest_pair() -> SimTable:
    table = Recorder(2, draft=tiny_draft(2), choose=choose_default)
    table.start().finish()
    return table


def frame_seeds() -> tuple[bytes, ...]:
    """The frames of a game of two as one stream, and a stream of another table's."""
    sent: list[tuple[Seat, bytes]] = _honest_pair().__dict__["sent"]
    own = b"".join(encode_frame(frame) for _, frame in sent)
    foreign = b"".join(encode_frame(frame) for frame in recorded_frames()[:40])
    return own, foreign


# --- Messages that a seat signed ----------------------------------------------------------------


def forged_lane(packed: bytes, table: bytes, seat: Seat, number: int) -> Lane:
    """Given bytes with a signature that holds: for what they say, or else for the seat's number."""
    hash_ = message_hash(packed)
    try:
        content = signed_bytes(table, decode(packed, LaneBody), hash_)
    except (DecodeError, IndexError):
        content = stamp_bytes(table, Stamp(seat, 0, number, 0, hash_, b""))
    return Lane(packed, signing_key(seat).sign(content))


class Forger(Session):
    """Signs given bytes in place of its message with a given number, and goes on if it can."""

    forged_number = 0
    forged_body = b""

    def _say(self, payload: Payload) -> None:
        assert self.me is not None and self._secrets is not None
        if len(self.lanes.accepted[self.me]) != self.forged_number:
            super()._say(payload)
            return
        packed = self.forged_body
        lane = forged_lane(packed, self.gossip.draft, self.me, self.forged_number)
        self._effects.append(Send(encode(lane)))
        try:
            body = decode(packed, LaneBody)
            signed = Signed(body, message_hash(packed), encode(lane), lane.signature)
            is_next = signed.body.seat == self.me and signed.number == self.forged_number
        except (DecodeError, IndexError):
            is_next = False
        if not is_next:
            self._has_left = True  # it has lost the thread of its own lane
            return
        self.lanes.accept_own(signed)
        self._effects.append(Store(self.me, signed.number, signed.frame))
        self._judge(signed, is_own=True)


def _forger(number: int, body: bytes, draft: Draft, game: Game, secrets: Secrets) -> Session:
    session = Forger(draft, game, secrets)
    session.forged_number, session.forged_body = number, body
    return session


def fuzz_forged(content: bytes) -> None:
    """One seat signs whatever it likes: it alone is blamed, by all alike, or waited for."""
    if len(content) < 2:
        return
    makers: dict[Seat, SessionMaker] = {FORGER: partial(_forger, content[0], content[1:])}
    table = SimTable(SEATS, draft=DRAFT, choose=choose_default, makers=makers).start().finish()
    (verdict,) = table.verdicts()
    assert {fault.seat for fault in verdict} <= {FORGER}, "an honest seat is blamed"
    assert len(table.digests()) <= 1, "honest peers ended in different states"
    for peer in table.honest():
        assert peer.finished or set(peer.session.course.missing()) <= {FORGER}, "the table is stuck"
    expected = verdict[0].rank if verdict else None
    for found in table.audits():
        assert (found.fault and found.fault.rank) == expected


@cache
def forged_seeds() -> tuple[bytes, ...]:
    """The bodies that the seat signs when it is honest, each after its number."""
    lane = honest_game().peers[FORGER].session.lanes.accepted[FORGER]
    return tuple(bytes([signed.number]) + encode(signed.body) for signed in lane)


def fuzz_lanes(content: bytes) -> None:
    """Signed bytes at lanes that hold nothing yet: refused, or kept under the name they bear."""
    lanes = Lanes(draft_hash(DRAFT), tuple(entry.key for entry in DRAFT.seats))
    body = content[1:]
    if not body:
        return
    lane = forged_lane(body, lanes.table, FORGER, 0)
    with suppress(Refusal):
        assert lanes.add(lane) is None
        assert lanes.add(lane) is None
        for signed in lanes.early.values():
            assert signed.body.seat == FORGER, "signed by the seat that it names"
            assert signed.frame == encode(lane)
        while lanes.next_ready() is not None:
            pass
        lanes.disputed()
        assert sum(lanes.lengths()) + len(lanes.early) <= 1


# --- Records ------------------------------------------------------------------------------------


def fuzz_records(content: bytes) -> None:
    """A record that was tampered with blames nobody, and proves no other result."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.p2pjong"
        path.write_bytes(content)
        try:
            with open_record(path) as record:
                if not _is_playable(record.draft):
                    return
                verdict = audit(record.draft, record, ALL_GAMES)
        except P2PJongError:
            return
    assert verdict.fault is None, "an honest seat is blamed"
    if verdict.outcome == "finished":
        assert {verdict.digest} == honest_game().digests()


def _is_playable(draft: Draft) -> bool:
    """What `audit` asks of its caller."""
    if draft.game not in ALL_GAMES:
        return False
    try:
        ALL_GAMES[draft.game].start(len(draft.seats), game_options(draft))
    except ValueError:
        return False
    return True


@cache
def record_seeds() -> tuple[bytes, ...]:
    """The record of the honest game, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.p2pjong"
        write_record(path, DRAFT, honest_game().peers[0].journal)
        return (path.read_bytes(),)
