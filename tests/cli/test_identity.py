"""`identity`: who we are to others, shown and exported; never the private key."""

import base64
import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from p2pjong.cli import run
from p2pjong.errors import Exit
from p2pjong.net.identity import fingerprint, load_identity


def test_it_shows_fingerprint_key_and_where_it_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = load_identity(tmp_path)
    assert run(["identity", "--home", str(tmp_path)]) == Exit.OK
    shown = capsys.readouterr().out
    for part in (own.fingerprint, own.key.hex(), str(tmp_path / "identity.pem")):
        assert part in shown


def test_the_identity_is_made_on_first_use_and_then_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "new"
    answers = []
    for _ in range(2):
        assert run(["identity", "--json", "--home", str(home)]) == Exit.OK
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    assert set(answers[0]) == {"fingerprint", "key", "kept"}
    assert fingerprint(bytes.fromhex(answers[0]["key"])) == answers[0]["fingerprint"]
    kept = Path(answers[0]["kept"])
    assert kept.is_absolute() and stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_the_home_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PJONG_HOME", str(tmp_path))
    assert run(["identity"]) == Exit.OK
    assert load_identity(tmp_path).fingerprint in capsys.readouterr().out


def test_what_is_exported_and_shown_is_the_public_half_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = load_identity(tmp_path)
    exported = tmp_path / "mine.json"
    shown = ""
    for args in (["--export", str(exported)], ["--json"], []):
        assert run(["identity", "--home", str(tmp_path), *args]) == Exit.OK
        captured = capsys.readouterr()
        shown += captured.out + captured.err
    public = json.loads(exported.read_text())
    assert public == {"fingerprint": own.fingerprint, "key": own.key.hex()}
    pem = (tmp_path / "identity.pem").read_bytes()
    seed = load_pem_private_key(pem, password=None).private_bytes(
        Encoding.Raw, PrivateFormat.Raw, NoEncryption()
    )
    told = (shown + exported.read_text()).lower()
    body = pem.decode().splitlines()[1]
    for secret in (seed.hex(), base64.b64encode(seed).decode(), body, body[-42:]):
        assert secret.lower() not in told


def test_an_export_never_replaces_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_identity(tmp_path)
    key_file = tmp_path / "identity.pem"
    before = key_file.read_bytes()
    for target in (key_file, tmp_path / "none" / "x.json"):
        args = ["identity", "--home", str(tmp_path), "--export", str(target)]
        assert run(args) == Exit.STORAGE
        told = capsys.readouterr().err
        assert "cannot be written" in told and "p2pjong: hint: " in told
    assert key_file.read_bytes() == before


def test_a_broken_key_file_is_told_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key_file = tmp_path / "identity.pem"
    key_file.write_text("nothing")
    assert run(["identity", "--home", str(tmp_path)]) == Exit.STORAGE
    assert "holds no identity key" in capsys.readouterr().err
    assert key_file.read_text() == "nothing"
