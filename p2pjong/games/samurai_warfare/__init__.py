"""Samurai Warfare: cards, phases and effects. Start at `phases.py`, then `play.py`."""

from p2pjong.games.samurai_warfare.rules import SamuraiWarfare

__all__ = ["SamuraiWarfare"]
