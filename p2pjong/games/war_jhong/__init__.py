"""War Jhong: rules, scoring and views. Start reading at `play.py`."""

from p2pjong.games.war_jhong.rules import WarJhong

__all__ = ["WarJhong"]
