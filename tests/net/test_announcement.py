"""What a table says of itself survives the way; what is no announcement is refused."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.net.announcement import (
    LABEL_BYTES_MAX,
    Announcement,
    BadAnnouncement,
    OtherVersion,
    check_label,
    cut_to_bytes,
    from_txt,
    instance_label,
    to_txt,
)
from p2pjong.net.identity import fingerprint
from p2pjong.wire.names import clean_name

TABLE = Announcement(
    "Friday", bytes(range(16)), "war-jhong", 4, 2, True, fingerprint(bytes(32)), 4711, False
)
TXT: dict[bytes, bytes | None] = {**to_txt(TABLE)}


def test_an_announcement_reads_back() -> None:
    assert from_txt(TXT, 4711) == TABLE
    playing = dataclasses.replace(TABLE, is_playing=True, free_seats=0, code_needed=False)
    assert from_txt({**to_txt(playing)}, 4711) == playing


def test_the_record_is_this() -> None:
    assert TXT == {
        b"v": b"1",
        b"id": b"000102030405060708090a0b0c0d0e0f",
        b"name": b"Friday",
        b"game": b"war-jhong",
        b"seats": b"4",
        b"free": b"2",
        b"code": b"1",
        b"host": TABLE.fingerprint.encode(),
        b"play": b"0",
    }
    assert next(iter(TXT)) == b"v"  # RFC 6763, 6.7: the version comes first


@given(st.text(max_size=80))
def test_any_name_makes_a_label_and_a_record_that_hold(name: str) -> None:
    table = dataclasses.replace(TABLE, name=name)
    label = instance_label(table)
    assert len(label.encode()) <= LABEL_BYTES_MAX
    assert "." not in label and label == label.strip() and label.isprintable()
    txt = to_txt(table)
    assert all(len(key) + 1 + len(value) <= 255 for key, value in txt.items())
    assert from_txt({**txt}, 1).name == clean_name(name, fallback="table")


def test_labels_of_one_name_differ_by_table_and_by_peer() -> None:
    other_table = dataclasses.replace(TABLE, table_id=bytes(16))
    other_peer = dataclasses.replace(TABLE, fingerprint=fingerprint(b"\x01" * 32))
    labels = {instance_label(table) for table in (TABLE, other_table, other_peer)}
    assert len(labels) == 3
    assert all(label.startswith("Friday ") for label in labels)
    assert instance_label(dataclasses.replace(TABLE, free_seats=0)) == instance_label(TABLE)


def test_text_is_cut_between_characters() -> None:
    assert cut_to_bytes("ä" * 40, 63) == "ä" * 31
    assert cut_to_bytes("🀄" * 40, 63) == "🀄" * 15
    assert cut_to_bytes("short", 63) == "short"


BAD: dict[str, tuple[bytes, bytes | None]] = {
    "id too short": (b"id", b"00"),
    "id in capitals": (b"id", b"000102030405060708090A0B0C0D0E0F"),
    "id with a line end": (b"id", b"000102030405060708090a0b0c0d0e0f\n"),
    "no name": (b"name", None),
    "name no UTF-8": (b"name", b"\xff"),
    "name too long": (b"name", b"x" * 161),
    "game in capitals": (b"game", b"War"),
    "game empty": (b"game", b""),
    "game too long": (b"game", b"x" * 33),
    "one seat": (b"seats", b"1"),
    "nine seats": (b"seats", b"9"),
    "seats with a sign": (b"seats", b"+4"),
    "seats with a zero before": (b"seats", b"04"),
    "seats in other digits": (b"seats", "٤".encode()),
    "more free than seats": (b"free", b"5"),
    "code neither yes nor no": (b"code", b"2"),
    "host no fingerprint": (b"host", b"abcd"),
    "play neither yes nor no": (b"play", b"yes"),
    "no version": (b"v", None),
    "version no number": (b"v", b"one"),
    "version zero": (b"v", b"0"),
    "too much": (b"pad", b"x" * 250 + b"y" * 250),
}


@pytest.mark.parametrize(("key", "value"), BAD.values(), ids=BAD.keys())
def test_a_bad_record_is_refused(key: bytes, value: bytes | None) -> None:
    with pytest.raises(BadAnnouncement) as caught:
        from_txt({**TXT, key: value}, 4711)
    assert not isinstance(caught.value, OtherVersion)


@pytest.mark.parametrize("key", [key for key in TXT if key != b"play"])
def test_a_missing_entry_is_refused(key: bytes) -> None:
    with pytest.raises(BadAnnouncement):
        from_txt({other: value for other, value in TXT.items() if other != key}, 4711)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    with pytest.raises(BadAnnouncement):
        from_txt(TXT, port)


def test_another_version_is_told_apart_whatever_else_it_says() -> None:
    with pytest.raises(OtherVersion, match="version 2"):
        from_txt({b"v": b"2", b"anything": b"else"}, 4711)


def test_entries_of_the_future_are_passed_over() -> None:
    assert from_txt({**TXT, b"mood": b"good", b"flag": None}, 4711) == TABLE


@given(st.dictionaries(st.binary(max_size=8), st.none() | st.binary(max_size=60), max_size=12))
def test_random_records_never_get_through_nor_crash(txt: dict[bytes, bytes | None]) -> None:
    with pytest.raises(BadAnnouncement):
        from_txt(txt, 4711)


@given(st.sampled_from(list(TXT)), st.binary(max_size=64))
def test_a_record_with_one_random_value_is_refused_or_sound(key: bytes, value: bytes) -> None:
    try:
        table = from_txt({**TXT, key: value}, 4711)
    except BadAnnouncement:
        return
    assert 2 <= table.seats <= 8 and 0 <= table.free_seats <= table.seats
    assert len(table.table_id) == 16 and table.name == clean_name(table.name)


def test_a_label_belongs_to_one_table_and_announcer() -> None:
    check_label(TABLE, instance_label(TABLE))
    check_label(dataclasses.replace(TABLE, free_seats=0), instance_label(TABLE))
    others = (
        dataclasses.replace(TABLE, table_id=bytes(16)),
        dataclasses.replace(TABLE, fingerprint=fingerprint(bytes([1]) * 32)),
    )
    for other in others:
        with pytest.raises(BadAnnouncement, match="another table or announcer"):
            check_label(other, instance_label(TABLE))
