"""Not Your Ma's Jong: rules, payments and views. Start reading at `play.py`."""

from p2pjong.games.not_your_mas_jong.rules import NotYourMasJong

__all__ = ["NotYourMasJong"]
