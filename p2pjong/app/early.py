"""What comes before its time: kept, but never more of one peer than an honest one ever sends."""

from p2pjong.app.station import Heard
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import LobbyState

# A fellow that has begun sooner says what it holds once a second; a host that has opened its next
# lobby says who sits down and who is ready.
MESSAGES_MAX = 128
BYTES_MAX = 256 * 1024


class Early:
    """Messages in the order in which they came, bounded in number and size for each sender."""

    def __init__(self) -> None:
        self._kept: list[Heard] = []
        self._cost: dict[bytes, tuple[int, int]] = {}  # messages and bytes of each sender

    def keep(self, heard: Heard) -> bool:
        """Whether there was room for it."""
        messages, size_bytes = self._cost.get(heard.key, (0, 0))
        messages, size_bytes = messages + 1, size_bytes + len(encode(heard.message))
        if messages > MESSAGES_MAX or size_bytes > BYTES_MAX:
            return False
        self._cost[heard.key] = messages, size_bytes
        self._kept.append(heard)
        return True

    def has_lobby(self) -> bool:
        """Whether a host has shown its next lobby."""
        return any(isinstance(heard.message, LobbyState) for heard in self._kept)

    def take(self) -> list[Heard]:
        """All that was kept; from now on there is room for as much again."""
        kept, self._kept, self._cost = self._kept, [], {}
        return kept
