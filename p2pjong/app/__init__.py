"""One peer from its options to its outcome: puts net, session, store and front together."""

from p2pjong.app.peer import run_peer

__all__ = ["run_peer"]
