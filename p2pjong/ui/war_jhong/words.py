"""War Jhong's words, gathered for `p2pjong.ui.render`."""

from p2pjong.ui.war_jhong.choices import question, status
from p2pjong.ui.war_jhong.news import event_lines
from p2pjong.ui.war_jhong.points import score_lines
from p2pjong.ui.war_jhong.table import table_lines

__all__ = ["event_lines", "question", "score_lines", "status", "table_lines"]
