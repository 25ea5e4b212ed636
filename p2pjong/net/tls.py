"""TLS 1.3 between peers. It hides and orders the bytes; who the ends are is proved inside it.

Python's `ssl` offers no channel exporter and no self-signed client certificates, so the server
has a certificate of its own for each run of the program, nobody verifies it against anything, and
the link handshake signs its hash as each end saw it.
"""

import datetime
import os
import secrets
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_LONG_AGO = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_FAR_OFF = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC)


class ServerTls:
    """The accepting side: `context` for ssl, `certificate` in DER as the other end will see it."""

    def __init__(self) -> None:
        private = ec.generate_private_key(ec.SECP256R1())
        certificate = _self_signed(private)
        self.certificate = certificate.public_bytes(serialization.Encoding.DER)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        _only_version_1_3(self.context)
        # No resumption: every connection shows the certificate.
        self.context.num_tickets = 0
        _load(self.context, private, certificate)


def client_context() -> ssl.SSLContext:
    """The dialling side: takes any certificate, because the link handshake binds it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _only_version_1_3(context)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _only_version_1_3(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.maximum_version = ssl.TLSVersion.TLSv1_3


def _self_signed(private: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    # The dates say nothing, and a clock that is wrong must not keep anyone from playing.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2pjong")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_LONG_AGO)
        .not_valid_after(_FAR_OFF)
        .sign(private, hashes.SHA256())
    )


def _load(
    context: ssl.SSLContext, private: ec.EllipticCurvePrivateKey, certificate: x509.Certificate
) -> None:
    # ssl reads keys from files only: what it reads is encrypted, and gone right after.
    password = secrets.token_hex(16)
    key_pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password.encode()),
    )
    with _short_lived_file(key_pem + certificate.public_bytes(serialization.Encoding.PEM)) as path:
        context.load_cert_chain(path, password=password)


@contextmanager
def _short_lived_file(content: bytes) -> Iterator[str]:
    if hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir():
        handle = os.memfd_create("p2pjong-tls")
        try:
            with os.fdopen(handle, "wb", closefd=False) as memory:
                memory.write(content)
            yield f"/proc/self/fd/{handle}"
        finally:
            os.close(handle)
        return
    with tempfile.TemporaryDirectory(prefix="p2pjong-") as directory:  # mode 0700
        path = Path(directory) / "tls.pem"
        path.write_bytes(content)
        yield str(path)
