"""Who this peer is: an Ed25519 key in the home directory, made on first use.

Implements "Identities" of `protocol/handshake.md`. The key never leaves the file's owner: the
directory is for the owner alone (0700), the file too (0600).
"""

import base64
import getpass
import hashlib
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pjong.errors import Exit, P2PJongError
from p2pjong.wire.names import clean_name

IDENTITY_FILE = "identity.pem"
HOME_VARIABLE = "P2PJONG_HOME"
FINGERPRINT_LABEL = b"p2pjong/v1/identity\x00"
FINGERPRINT_BYTES = 20  # 160 bits: nobody finds a second key for one

_log = logging.getLogger(__name__)


class BadSignature(Exception):
    """A signature that does not hold."""


class Identity:
    """A private key and what is derived from it. `key` is the public half, 32 bytes."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.key = private.public_key().public_bytes_raw()
        self.fingerprint = fingerprint(self.key)

    @classmethod
    def fresh(cls) -> "Identity":
        """A new identity that is kept nowhere."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_seed(cls, seed: bytes) -> "Identity":
        """The identity of a private key of 32 bytes."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, statement: bytes) -> bytes:
        """The Ed25519 signature (RFC 8032, 64 bytes) over `statement`."""
        return self._private.sign(statement)

    def to_pem(self) -> bytes:
        """The private key as unencrypted PKCS #8."""
        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def verify_signature(key: bytes, statement: bytes, signature: bytes) -> None:
    """Raises BadSignature unless `signature` is that of `key` over `statement`."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
    except (InvalidSignature, ValueError) as error:  # ValueError: no point on the curve
        raise BadSignature from error


def fingerprint(key: bytes) -> str:
    """The text by which people and announcements name a key: 32 letters and digits in fours."""
    digest = hashlib.sha256(FINGERPRINT_LABEL + key).digest()[:FINGERPRINT_BYTES]
    letters = base64.b32encode(digest).decode("ascii").lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def home_directory(option: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Where all that a peer keeps lies: `--home`, or P2PJONG_HOME, or the user's data directory."""
    chosen = option or environment.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    return Path(platformdirs.user_data_dir("p2pjong", appauthor=False))


def load_identity(home: Path) -> Identity:
    """The identity kept in `home`, made now if there is none. Raises P2PJongError (STORAGE)."""
    path = home / IDENTITY_FILE
    make_private_directory(home)
    try:
        return _read_identity(path)
    except FileNotFoundError:
        pass
    identity = Identity.fresh()
    try:
        _keep_out_of_git(home)
        _write_once(path, identity.to_pem())
    except FileExistsError:  # another process of ours was quicker: its key is the one
        return _read_identity(path)
    except OSError as error:
        raise _storage_error("cannot write", path, error) from error
    return identity


def _keep_out_of_git(home: Path) -> None:
    """A home may lie in somebody's checkout: its private key is nothing to add there."""
    with suppress(FileExistsError):
        with (home / ".gitignore").open("x", encoding="utf-8") as file:
            file.write("# A private key and journals of p2pjong.\n*\n")


def _read_identity(path: Path) -> Identity:
    try:
        pem = path.read_bytes()
        _tighten(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _storage_error("cannot read", path, error) from error
    try:
        private = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise _broken_identity(path) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _broken_identity(path)
    return Identity(private)


def _tighten(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if os.name == "posix" and mode & 0o077:
        _log.warning("%s was readable by others (mode %o); now only you can read it", path, mode)
        path.chmod(0o600)


def _broken_identity(path: Path) -> P2PJongError:
    return P2PJongError(
        f"{path} holds no identity key",
        hint="move it away to play under a new identity; unfinished games need the old one",
        code=Exit.STORAGE,
    )


def _storage_error(verb: str, path: Path, error: OSError) -> P2PJongError:
    return P2PJongError(
        f"{verb} {path}: {error.strerror or error}",
        hint="is the disk full or the directory someone else's? --home DIR chooses another",
        code=Exit.STORAGE,
    )


def make_private_directory(path: Path) -> None:
    """Makes the directory for the owner alone; tightens one of ours that others could enter."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise _storage_error("cannot make", path, error) from error


def write_private_file(path: Path, content: bytes) -> None:
    """Replaces the file in one step (a crash leaves the old or the new), mode 0600, synced."""
    try:
        with _temporary_file(path, content) as temporary:
            temporary.replace(path)
        _sync_directory(path.parent)
    except OSError as error:
        raise _storage_error("cannot write", path, error) from error


def _write_once(path: Path, content: bytes) -> None:
    """As write_private_file, but raises FileExistsError rather than replace."""
    with _temporary_file(path, content) as temporary:
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # a file system without hard links
            if path.exists():
                raise FileExistsError(path) from None
            temporary.replace(path)
    _sync_directory(path.parent)


@contextmanager
def _temporary_file(path: Path, content: bytes) -> Iterator[Path]:
    """A synced file beside `path` (mode 0600), gone at the end unless it was moved."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _sync_directory(path: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def default_name() -> str:
    """The name shown to others unless one is given: the user's."""
    try:
        return clean_name(getpass.getuser(), fallback="someone")
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return "someone"
