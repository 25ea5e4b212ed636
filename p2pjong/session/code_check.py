"""The check of a private table's code: SPAKE2, then each end proves that it has the key.

Implements `protocol/code.md`. Sans-IO: entropy is passed in, messages go in and come out. The
arithmetic is Python's and takes milliseconds: call these off the event loop.

    joiner   start() --CodeStart-->   HostCheck.answer   the joiner's element
             prove() <--CodeAnswer--                     the host's; both have the key now
                     --CodeProof-->   HostCheck.judge    the joiner proves it first, so that
            accept() <--CodePassed--                     who guesses learns nothing from us
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2pjong.wire.messages import CodeAnswer, CodePassed, CodeProof, CodeStart

KEY_LABEL = b"p2pjong/v1/code-key\x00"
JOINER_LABEL = b"p2pjong/v1/code-joiner\x00"
HOST_LABEL = b"p2pjong/v1/code-host\x00"

_FIELD = 2**255 - 19  # of edwards25519 (RFC 8032): an element is y, with the sign of x on top
_Y_MASK = 2**255 - 1

Entropy = Callable[[int], bytes]


class WrongCode(Exception):
    """The other end has not proved that it knows the code, on this link, as who it is."""


class BadElement(Exception):
    """What came is no element that an honest end sends."""


@dataclass(frozen=True)
class Between:
    """What a check is bound to: the link's transcript, and the identity keys of its ends."""

    transcript: bytes
    joiner: bytes
    host: bytes


class JoinerCheck:
    """The joiner's side of one check. Each step once, in order."""

    def __init__(self, code: str, between: Between, entropy: Entropy) -> None:
        from spake2 import SPAKE2_A  # here, not above: open tables need not wait for it

        self._between = between
        self._pake = SPAKE2_A(
            code.encode(), idA=between.joiner, idB=between.host, entropy_f=entropy
        )
        self._start = CodeStart(bytes(32))
        self._passed = b""

    def start(self) -> CodeStart:
        """The first message."""
        self._start = CodeStart(_without_side(self._pake.start()))
        return self._start

    def prove(self, answer: CodeAnswer) -> CodeProof:
        """Our proof, on the host's answer. Raises BadElement."""
        _check_element(answer.element)
        key = _finish(self._pake, b"B", answer.element)
        proof, passed = _proofs(key, self._between, self._start, answer)
        self._passed = passed
        return CodeProof(proof)

    def accept(self, passed: CodePassed) -> None:
        """Raises WrongCode unless the host has proved that it knows the code, too."""
        assert self._passed, "prove() comes first"
        if not hmac.compare_digest(self._passed, passed.mac):
            raise WrongCode


class HostCheck:
    """The host's side of one check. Each step once, in order."""

    def __init__(self, code: str, between: Between, entropy: Entropy) -> None:
        from spake2 import SPAKE2_B

        self.code = code
        self._between = between
        self._pake = SPAKE2_B(
            code.encode(), idA=between.joiner, idB=between.host, entropy_f=entropy
        )
        self._proof = b""
        self._passed = b""

    def answer(self, start: CodeStart) -> CodeAnswer:
        """Our element, on the joiner's. Raises BadElement."""
        _check_element(start.element)  # before the code comes into it: a refusal must not time it
        answer = CodeAnswer(_without_side(self._pake.start()))
        key = _finish(self._pake, b"A", start.element)
        self._proof, self._passed = _proofs(key, self._between, start, answer)
        return answer

    def judge(self, proof: CodeProof) -> CodePassed:
        """Our own proof, if the joiner's holds. Raises WrongCode."""
        assert self._proof, "answer() comes first"
        if not hmac.compare_digest(self._proof, proof.mac):
            raise WrongCode
        return CodePassed(self._passed)


def _without_side(message: bytes) -> bytes:
    # The package puts a letter before each element. Our messages have tags for that.
    return message[1:]


def _check_element(element: bytes) -> None:
    from spake2.ed25519_basic import NotOnCurve, bytes_to_element

    # The package takes y and y + p for the same, and the neutral element in all spellings but one.
    if not 2 <= int.from_bytes(element, "little") & _Y_MASK < _FIELD:
        raise BadElement("an element in another encoding than its own, or the neutral one")
    try:
        bytes_to_element(element)
    except (NotOnCurve, ValueError) as error:
        raise BadElement("no element of the group") from error


def _finish(pake: Any, side: bytes, element: bytes) -> bytes:
    """The key; 32 bytes that say nothing of the code to who does not know it."""
    from spake2 import SPAKEError

    try:
        key: bytes = pake.finish(side + element)
    except SPAKEError as error:  # the other end sends our element back
        raise BadElement("our own element") from error
    return key


def _proofs(
    key: bytes, between: Between, start: CodeStart, answer: CodeAnswer
) -> tuple[bytes, bytes]:
    """What the joiner sends and what the host sends to prove the key, 32 bytes each."""
    confirmation = _mac(key, KEY_LABEL)
    bound = between.transcript + between.joiner + between.host + start.element + answer.element
    return _mac(confirmation, JOINER_LABEL + bound), _mac(confirmation, HOST_LABEL + bound)


def _mac(key: bytes, statement: bytes) -> bytes:
    return hmac.digest(key, statement, "sha256")
