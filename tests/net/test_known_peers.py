"""A familiar name with a strange key is a warning; everything else is none."""

import stat
from pathlib import Path

import pytest

from p2pjong.net import known_peers as module
from p2pjong.net.identity import fingerprint
from p2pjong.net.known_peers import KnownPeers

ADA, EVE = b"\x01" * 32, b"\x02" * 32


def met(home: Path) -> KnownPeers:
    peers = KnownPeers(home)
    peers.remember("Ada", ADA, False, "2024-05-01")
    return peers


def test_a_name_met_before_with_another_key_is_a_warning_that_names_both(tmp_path: Path) -> None:
    met(tmp_path)
    warning = KnownPeers(tmp_path).warning("Ada", EVE, False)
    assert warning is not None
    assert warning.key == EVE and warning.known[0].key == ADA
    text = str(warning)
    assert fingerprint(ADA) in text and fingerprint(EVE) in text and "2024-05-01" in text


LOOKS_SAME = ["ada", "ADA", "A\u200bda", " Ada ", "Ada\u202e", "\uff21da"]
LOOKS_LIKE = ["\u0410da", "Ad\u03b1", "Ada.", "A\u0323da", "\u0391da", "Ad\u0251"]


@pytest.mark.parametrize("name", LOOKS_SAME + LOOKS_LIKE)
def test_a_name_that_only_looks_the_same_warns_too(tmp_path: Path, name: str) -> None:
    assert met(tmp_path).warning(name, EVE, False) is not None


def test_a_name_of_other_letters_is_said_to_be_one(tmp_path: Path) -> None:
    told = str(met(tmp_path).warning("Ad\u0430", EVE, False))
    assert "only looks like Ada, met on 2024-05-01, and has another key" in told
    assert "only looks like" not in str(met(tmp_path).warning("ADA", EVE, False))


def test_a_clearly_different_name_warns_nobody(tmp_path: Path) -> None:
    peers = met(tmp_path)
    for name in ("Ida", "Ava", "Ada (2)", "Ad"):
        assert peers.warning(name, EVE, False) is None


@pytest.mark.parametrize("is_bot", [False, True])
def test_a_known_key_and_a_new_name_warn_nobody(tmp_path: Path, is_bot: bool) -> None:
    peers = met(tmp_path)
    assert peers.warning("Ada", ADA, is_bot) is None
    assert peers.warning("Someone else", ADA, is_bot) is None
    assert peers.warning("Bob", EVE, is_bot) is None


def test_that_a_seat_says_it_is_a_bot_is_no_way_to_a_persons_name(tmp_path: Path) -> None:
    assert met(tmp_path).warning("Ada", EVE, True) is not None


def test_who_was_met_under_another_name_takes_no_friends_name(tmp_path: Path) -> None:
    peers = met(tmp_path)
    peers.remember("Zed", EVE, False, "2024-05-02")
    warning = KnownPeers(tmp_path).warning("Ada", EVE, False)
    assert warning is not None and [peer.key for peer in warning.known] == [ADA]
    assert "On 2024-05-02 that key was Zed." in str(warning)
    assert peers.warning("Zed", EVE, False) is None
    assert peers.warning("Ada", ADA, False) is None


def test_a_bot_of_a_persons_name_does_not_become_that_person(tmp_path: Path) -> None:
    peers = met(tmp_path)
    peers.remember("Ada", EVE, True, "2024-05-02")
    assert peers.warning("Ada", EVE, True) is None, "it was warned of, and is a bot still"
    warning = peers.warning("Ada", EVE, False)
    assert warning is not None and "that key was a bot called Ada" in str(warning)


def test_a_person_may_have_the_name_of_a_bot(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path)
    peers.remember("greedy", ADA, True, "2024-05-01")
    assert peers.warning("greedy", EVE, False) is None


def test_once_remembered_a_second_key_is_no_surprise(tmp_path: Path) -> None:
    peers = met(tmp_path)
    peers.remember("Ada", EVE, False, "2024-05-02")
    assert KnownPeers(tmp_path).warning("Ada", EVE, False) is None
    assert KnownPeers(tmp_path).warning("Ada", ADA, False) is None
    third = KnownPeers(tmp_path).warning("Ada", b"\x03" * 32, False)
    assert third is not None and len(third.known) == 2


def test_the_file_is_the_owners_alone_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KNOWN_PEERS_MAX", 3)
    peers = KnownPeers(tmp_path)
    for number in range(5):
        peers.remember(f"peer {number}", bytes([number]) * 32, False, "2024-05-01")
    peers.remember("peer 2 again", b"\x02" * 32, False, "2024-05-02")
    assert [peer.name for peer in KnownPeers(tmp_path).peers()] == [
        "peer 3",
        "peer 4",
        "peer 2 again",
    ]
    assert stat.S_IMODE((tmp_path / "known_peers.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    ["", "[", "{}x", "[1]", '[{"name": "x"}]', '[{"name":"x","key":"00","bot":0,"met":""}]'],
)
def test_a_broken_file_costs_the_memory_and_not_the_game(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "known_peers.json").write_text(content)
    assert KnownPeers(tmp_path).peers() == ()
    assert "forgotten" in caplog.text
