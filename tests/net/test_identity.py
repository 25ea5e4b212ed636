"""The identity is made once, kept for its owner alone, and never half written."""

import getpass
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.identity import (
    BadSignature,
    Identity,
    default_name,
    fingerprint,
    home_directory,
    load_identity,
    verify_signature,
    write_private_file,
)

KEPT = [".gitignore", "identity.pem"]  # in a new home


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_identity_is_made_on_first_use_and_then_stays(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    first = load_identity(home)
    assert load_identity(home).key == first.key
    assert sorted(path.name for path in home.iterdir()) == KEPT


def test_file_and_directory_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        load_identity(tmp_path / "home")
    finally:
        os.umask(before)
    assert mode(tmp_path / "home") == 0o700
    assert mode(tmp_path / "home" / "identity.pem") == 0o600


def test_what_others_could_read_is_closed_to_them_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    load_identity(tmp_path)
    (tmp_path / "identity.pem").chmod(0o644)
    tmp_path.chmod(0o755)
    load_identity(tmp_path)
    assert mode(tmp_path / "identity.pem") == 0o600
    assert mode(tmp_path) == 0o700
    assert "readable by others" in caplog.text


def test_two_programs_that_start_at_once_get_one_identity(tmp_path: Path) -> None:
    keys: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: keys.append(load_identity(tmp_path).key)) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(keys)) == 1 and len(keys) == 16
    assert sorted(path.name for path in tmp_path.iterdir()) == KEPT


def test_without_hard_links_it_works_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(self: Path, target: Path) -> None:
        raise PermissionError(1, "no hard links here")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    key = load_identity(tmp_path).key
    assert load_identity(tmp_path).key == key
    assert sorted(path.name for path in tmp_path.iterdir()) == KEPT


@pytest.mark.parametrize("content", [b"", b"rubbish", b"\xff" * 100])
def test_a_broken_file_is_said_and_not_overwritten(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "identity.pem").write_bytes(content)
    with pytest.raises(P2PJongError) as caught:
        load_identity(tmp_path)
    assert caught.value.code is Exit.STORAGE
    assert "holds no identity key" in caught.value.message
    assert (tmp_path / "identity.pem").read_bytes() == content


def test_a_key_of_another_kind_is_no_identity(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (tmp_path / "identity.pem").write_bytes(pem)
    with pytest.raises(P2PJongError, match="holds no identity key"):
        load_identity(tmp_path)


def test_a_home_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(P2PJongError) as caught:
        load_identity(tmp_path / "file" / "home")
    assert caught.value.code is Exit.STORAGE
    assert "--home" in caught.value.hint


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_private_file(path, b"old")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(P2PJongError, match="No space left"):
        write_private_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_signature_holds_for_its_statement_and_key_alone() -> None:
    one, two = Identity.from_seed(bytes(32)), Identity.fresh()
    signature = one.sign(b"statement")
    verify_signature(one.key, b"statement", signature)
    for key, statement, wrong in (
        (one.key, b"other", signature),
        (two.key, b"statement", signature),
        (one.key, b"statement", signature[:-1] + bytes([signature[-1] ^ 1])),
        (b"\xff" * 32, b"statement", signature),
        (bytes(31), b"statement", signature),
        (one.key, b"statement", b""),
    ):
        with pytest.raises(BadSignature):
            verify_signature(key, statement, wrong)


def test_the_key_of_rfc_8032_gives_its_fingerprint() -> None:
    # RFC 8032, 7.1, test 1.
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    identity = Identity.from_seed(seed)
    assert identity.key.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert identity.fingerprint == fingerprint(identity.key)
    assert len(identity.fingerprint) == 39
    assert set(identity.fingerprint) <= set("abcdefghijklmnopqrstuvwxyz234567-")


def test_the_home_is_the_option_else_the_variable_else_the_users_directory() -> None:
    assert home_directory("/a", {"P2PJONG_HOME": "/b"}) == Path("/a")
    assert home_directory(None, {"P2PJONG_HOME": "/b"}) == Path("/b")
    assert home_directory(None, {}).name == "p2pjong"
    assert home_directory("~/x", {}) == Path.home() / "x"


def test_the_default_name_is_the_users_and_fit_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ada\u202e\n")
    assert default_name() == "ada"

    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert default_name() == "someone"


def test_git_adds_nothing_of_a_home_in_a_checkout(tmp_path: Path) -> None:
    def git(*args: str) -> str:
        command = ["git", "-C", str(tmp_path), *args]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet")
    load_identity(tmp_path / "second")
    git("add", "--all")
    assert git("status", "--porcelain") == ""
    (tmp_path / "third").mkdir()
    (tmp_path / "third" / ".gitignore").write_text("my own\n")
    load_identity(tmp_path / "third")
    assert (tmp_path / "third" / ".gitignore").read_text() == "my own\n"
