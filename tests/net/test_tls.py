"""Certificates of one run: TLS 1.3 alone, nothing left on the disk."""

import hashlib
import os
import ssl
import tempfile
from pathlib import Path

import pytest
from cryptography import x509

from p2pjong.net.tls import ServerTls, client_context


def shake_hands(server: ServerTls, client: ssl.SSLContext) -> ssl.SSLObject:
    """A handshake in memory; returns the client's end."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server),
        server.context.wrap_bio(to_server, to_client, server_side=True),
    ]
    waiting = list(ends)
    while waiting:
        for end in tuple(waiting):
            try:
                end.do_handshake()
                waiting.remove(end)
            except ssl.SSLWantReadError:
                continue
    return ends[0]


def test_the_client_sees_the_servers_certificate_as_the_server_knows_it() -> None:
    server = ServerTls()
    client = shake_hands(server, client_context())
    assert client.version() == "TLSv1.3"
    assert client.getpeercert(binary_form=True) == server.certificate


def test_every_run_has_a_certificate_of_its_own_that_says_nothing() -> None:
    first, second = ServerTls(), ServerTls()
    assert hashlib.sha256(first.certificate).digest() != hashlib.sha256(second.certificate).digest()
    parsed = x509.load_der_x509_certificate(first.certificate)
    assert parsed.subject.rfc4514_string() == "CN=p2pjong"
    assert parsed.not_valid_before_utc.year == 2000
    assert len(parsed.extensions) == 0


def test_older_versions_are_not_spoken() -> None:
    old = client_context()
    old.minimum_version = ssl.TLSVersion.TLSv1_2
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake_hands(ServerTls(), old)


@pytest.mark.parametrize("has_memfd", [True, False])
def test_no_key_is_left_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_memfd: bool
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if not has_memfd:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    server = ServerTls()
    assert list(tmp_path.iterdir()) == []
    assert shake_hands(server, client_context()).version() == "TLSv1.3"
