"""The door of a private table: who has shown that it knows the code, and who guesses. Sans-IO.

Implements "The host" of `protocol/code.md`. One check a link:

    linked --CodeStart--> answered --CodeProof that holds--> passed
                             |--any other proof, or the link ends--> a wrong code

Whoever passed, passed for good: neither the end of its link nor a new code locks it out. `receive`
takes milliseconds: call it off the event loop.
"""

from collections.abc import Callable

from p2pjong.session.code_check import BadElement, Between, HostCheck, WrongCode
from p2pjong.session.lobby import Changed, Drop, Hint, LobbyEffect, Tell, refuse
from p2pjong.session.table_code import make_code
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import CodeProof, CodeStart, LobbyMessage

WRONG_MAX = 10  # then the code is another one
PASSED_MAX = 1000


class Door:
    """Keeps the code of one host, over all its tables. `host` is its identity key."""

    def __init__(self, host: bytes, entropy: Callable[[int], bytes], code: str = "") -> None:
        self.code = code or make_code(entropy)
        self._host = host
        self._entropy = entropy
        self._wrong = 0
        self._fresh: dict[bytes, bytes] = {}  # transcripts of links that have begun no check
        self._checks: dict[bytes, HostCheck] = {}  # answered, the proof awaited
        self._passed: dict[bytes, str] = {}  # with the code that it gave; "": it needed none

    def admits(self, key: bytes) -> bool:
        """Whether this identity may ask for a seat."""
        return key in self._passed

    def admit(self, key: bytes) -> None:
        """Lets in whom the host knows to be its own, without a code."""
        self._passed[key] = ""

    def linked(self, key: bytes, transcript: bytes) -> None:
        """A new link with this identity, the old one is gone."""
        self._fresh[key] = transcript

    def gone(self, key: bytes) -> list[LobbyEffect]:
        """The link is down."""
        self._fresh.pop(key, None)
        check = self._checks.pop(key, None)
        # Who goes after our answer has not learnt whether its guess was right; but how long the
        # answer took depends on the code, and must not be measured as often as one likes.
        return [] if check is None else self._count(key, check)

    def expel(self, key: bytes) -> list[LobbyEffect]:
        """The host has sent this identity away: what it knows must not bring it back."""
        if self._passed.pop(key, "") != self.code:
            return []
        return [
            Hint("the code has changed, because the player that you removed knows the old one"),
            *self._renew(),
        ]

    def receive(self, key: bytes, message: LobbyMessage) -> list[LobbyEffect]:
        """A message of the check, from a linked identity."""
        if isinstance(message, CodeStart) and key in self._fresh:
            return self._answer(key, message)
        if isinstance(message, CodeProof) and key in self._checks:
            return self._judge(key, message)
        return [Drop(key, "sent a message of the code's check that was not its turn")]

    def _answer(self, key: bytes, start: CodeStart) -> list[LobbyEffect]:
        between = Between(self._fresh.pop(key), joiner=key, host=self._host)
        check = HostCheck(self._passed.get(key) or self.code, between, self._entropy)
        try:
            answer = check.answer(start)
        except BadElement as error:
            return [Drop(key, f"sent {error}")]
        self._checks[key] = check
        return [Tell(key, encode(answer))]

    def _judge(self, key: bytes, proof: CodeProof) -> list[LobbyEffect]:
        check = self._checks.pop(key)
        try:
            passed = check.judge(proof)
        except WrongCode:
            return [*refuse(key, "code-wrong"), *self._count(key, check)]
        self._passed[key] = check.code
        while len(self._passed) > PASSED_MAX:
            self._passed.pop(next(iter(self._passed)))
        return [Tell(key, encode(passed))]

    def _count(self, key: bytes, check: HostCheck) -> list[LobbyEffect]:
        """One wrong code more."""
        if key in self._passed:
            self._passed[key] = self.code  # a friend that was told the new code by now
            return []
        self._wrong += 1
        if self._wrong < WRONG_MAX:
            count = f"{self._wrong} of {WRONG_MAX}, then the code changes"
            return [Hint(f"somebody tried a wrong code ({count})")]
        hint = f"{WRONG_MAX} wrong codes: somebody may be guessing, so the code has changed"
        return [Hint(hint), *self._renew()]

    def _renew(self) -> list[LobbyEffect]:
        """Another code; a check of the old one that still runs shows nothing any more."""
        self.code, self._wrong = make_code(self._entropy), 0
        void = [key for key in self._checks if key not in self._passed]
        for key in void:
            del self._checks[key]
        return [*(effect for key in void for effect in refuse(key, "code-wrong")), Changed()]
