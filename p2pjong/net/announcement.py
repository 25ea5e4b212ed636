"""What a table says of itself on the network: its TXT record and its instance name.

Implements "Discovery" of `protocol/handshake.md`. Pure. What is read comes from anyone on the
network and proves nothing: the fingerprint is checked when a link is made.
"""

import hashlib
import re
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass

from p2pjong.wire.messages import PROTOCOL_VERSION
from p2pjong.wire.names import clean_name
from p2pjong.wire.ranges import SEATS_MAX, SEATS_MIN

SERVICE_TYPE = "_p2pjong._tcp.local."
LABEL_BYTES_MAX = 63  # RFC 1035, 2.3.4
TXT_BYTES_MAX = 512
NAME_BYTES_MAX = 160
SUFFIX_CHARACTERS = 6

_TABLE_ID = re.compile(rb"[0-9a-f]{32}")
_GAME = re.compile(rb"[a-z][a-z0-9-]{0,31}")
_FINGERPRINT = re.compile(rb"([a-z2-7]{4}-){7}[a-z2-7]{4}")
_NUMBER = re.compile(rb"0|[1-9][0-9]{0,4}")


class BadAnnouncement(ValueError):
    """A TXT record that is none of ours; the text says why."""


class OtherVersion(BadAnnouncement):
    """A table whose host speaks another version of the protocol."""


@dataclass(frozen=True)
class Announcement:
    """A table, as its host (or, once play has begun, any of its seats) announces it."""

    name: str
    table_id: bytes
    game: str
    seats: int
    free_seats: int
    code_needed: bool
    fingerprint: str  # of the announcing peer
    port: int  # of its listener
    is_playing: bool = False


def instance_label(announcement: Announcement) -> str:
    """The DNS label to announce under: the name and a suffix, in at most 63 bytes of UTF-8.

    The suffix is drawn from table and peer, so that tables of one name, and the seats of one table,
    are never in conflict and need not be probed for. Dots become middle dots: programs that show
    names as text would take them for the end of the label.
    """
    suffix = _suffix(announcement)
    name = clean_name(announcement.name, fallback="table").replace(".", "\u00b7")
    return cut_to_bytes(name, LABEL_BYTES_MAX - len(suffix)).rstrip() + suffix


def check_label(announcement: Announcement, label: str) -> None:
    """Raises BadAnnouncement unless the label ends as that of this table and announcer does.

    So nobody else's table is announced under the name of one, in its place.
    """
    if not label.endswith(_suffix(announcement)):
        raise BadAnnouncement("a label of another table or announcer")


def _suffix(announcement: Announcement) -> str:
    digest = hashlib.sha256(announcement.table_id + announcement.fingerprint.encode()).digest()
    return " " + b32encode(digest).decode("ascii").lower()[:SUFFIX_CHARACTERS]


def cut_to_bytes(text: str, bytes_max: int) -> str:
    """The longest beginning of the text that takes no more bytes of UTF-8; no character is cut."""
    return text.encode("utf-8")[:bytes_max].decode("utf-8", errors="ignore")


def to_txt(announcement: Announcement) -> dict[bytes, bytes]:
    """The TXT record: `key=value` each."""
    return {
        b"v": b"%d" % PROTOCOL_VERSION,
        b"id": announcement.table_id.hex().encode(),
        b"name": clean_name(announcement.name, fallback="table").encode(),
        b"game": announcement.game.encode(),
        b"seats": b"%d" % announcement.seats,
        b"free": b"%d" % announcement.free_seats,
        b"code": b"%d" % announcement.code_needed,
        b"host": announcement.fingerprint.encode(),
        b"play": b"%d" % announcement.is_playing,
    }


def from_txt(txt: Mapping[bytes, bytes | None], port: int) -> Announcement:
    """The table that a TXT record announces. Raises BadAnnouncement; keys not known are ignored."""
    if sum(len(key) + len(value or b"") + 2 for key, value in txt.items()) > TXT_BYTES_MAX:
        raise BadAnnouncement(f"more than {TXT_BYTES_MAX} bytes")
    version = _number(txt, b"v", 1, 65535)
    if version != PROTOCOL_VERSION:
        raise OtherVersion(f"version {version} of the protocol, we speak {PROTOCOL_VERSION}")
    seats = _number(txt, b"seats", SEATS_MIN, SEATS_MAX)
    if not 1 <= port <= 65535:
        raise BadAnnouncement("no port")
    return Announcement(
        name=_name(txt),
        table_id=bytes.fromhex(_matching(txt, b"id", _TABLE_ID)),
        game=_matching(txt, b"game", _GAME),
        seats=seats,
        free_seats=_number(txt, b"free", 0, seats),
        code_needed=bool(_number(txt, b"code", 0, 1)),
        fingerprint=_matching(txt, b"host", _FINGERPRINT),
        port=port,
        is_playing=bool(_number(txt, b"play", 0, 1)) if b"play" in txt else False,
    )


def _value(txt: Mapping[bytes, bytes | None], key: bytes) -> bytes:
    value = txt.get(key)
    if value is None:
        raise BadAnnouncement(f"no {key.decode()}")
    return value


def _matching(txt: Mapping[bytes, bytes | None], key: bytes, form: re.Pattern[bytes]) -> str:
    value = _value(txt, key)
    if not form.fullmatch(value):
        raise BadAnnouncement(f"{key.decode()} has another form")
    return value.decode("ascii")


def _number(txt: Mapping[bytes, bytes | None], key: bytes, low: int, high: int) -> int:
    number = int(_matching(txt, key, _NUMBER))
    if not low <= number <= high:
        raise BadAnnouncement(f"{key.decode()} is not between {low} and {high}")
    return number


def _name(txt: Mapping[bytes, bytes | None]) -> str:
    value = _value(txt, b"name")
    if not 1 <= len(value) <= NAME_BYTES_MAX:
        raise BadAnnouncement("a name empty or too long")
    try:
        return clean_name(value.decode("utf-8"), fallback="table")
    except UnicodeDecodeError as error:
        raise BadAnnouncement("a name that is no UTF-8") from error
