"""What a mesh tells its owner, and asks it."""

from collections.abc import Callable
from dataclasses import dataclass

from p2pjong.net.address import Address


def _nothing_up(key: bytes) -> None: ...
def _nothing_down(key: bytes, reason: str) -> None: ...
def _nothing_frame(key: bytes, frame: bytes) -> None: ...
def _nobody(key: bytes, address: Address) -> bool:
    return False


@dataclass
class Callbacks:
    """What the mesh tells its owner, from the event loop. None of them may raise or block.

    `on_up` and `on_down` alternate for each key, frames come between the two only; a link replaced
    by a newer one of the same identity is a down ("replaced") and an up. `reason` is the text of a
    CloseCode, or "lost". `may_link` is the gate: it decides on proved identities not expected.
    """

    on_frame: Callable[[bytes, bytes], None] = _nothing_frame
    on_up: Callable[[bytes], None] = _nothing_up
    on_down: Callable[[bytes, str], None] = _nothing_down
    may_link: Callable[[bytes, Address], bool] = _nobody
    # Somebody who speaks another version of the protocol has tried to link with us from there.
    on_other_version: Callable[[Address], None] = lambda address: None
