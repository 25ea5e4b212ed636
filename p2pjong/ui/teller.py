"""Tells a game as it goes on: remembers who is who, the last view and the last lines. No I/O."""

from collections import deque

from p2pjong.games.game import Seat, View
from p2pjong.session.effects import (
    Awaiting,
    Blame,
    Books,
    Finished,
    Happened,
    Left,
    Progress,
    VotedOut,
    Words,
)
from p2pjong.session.lobby_view import LobbySeat, LobbyView
from p2pjong.ui import lobby as lobby_words
from p2pjong.ui import render
from p2pjong.ui.front import Clocks, Shown, Stuck, TimeUp
from p2pjong.ui.names import Names

LINES_KEPT = 16


class Teller:
    """Turns what the driver shows into lines; what is only a state is kept for `status`."""

    def __init__(self) -> None:
        self.names = Names(())
        self.view: View | None = None
        self.lobby: LobbyView | None = None
        self.last_lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._awaiting = Awaiting((), "")
        self._awaiting_since_s = 0.0
        self._progress: Progress | None = None
        self._clocks: Clocks | None = None
        self._is_over = False
        self.has_left = False  # our person chose to leave

    def lobby_lines(self, lobby: LobbyView) -> list[str]:
        """What changed in the lobby."""
        lines = lobby_words.lobby_news(self.lobby, lobby)
        self.lobby = lobby
        return lines

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        """Play begins with these seats."""
        self.names = Names(tuple(seat.name for seat in seats), me)
        self.lobby = None
        self.view = None
        self._awaiting, self._progress = Awaiting((), ""), None
        self._is_over = False

    def lines(self, effect: Shown, now_s: float) -> list[str]:
        """What to print for the effect."""
        lines = self._lines(effect, now_s)
        self.last_lines.extend(lines)
        return lines

    def _lines(self, effect: Shown, now_s: float) -> list[str]:
        match effect:
            case Happened():
                self.view = effect.view
                return render.happened_lines(effect, self.names)
            case Awaiting():
                if not _goes_on(self._awaiting, effect):
                    self._awaiting_since_s = now_s
                self._awaiting = effect
                return []
            case Progress():
                self._progress = effect if effect.done < effect.total else None
                return []
            case Words():
                return render.words_lines(effect)
            case Books():
                if self.view is None:
                    return []
                return render.books_lines(effect, self.names, self.view.game)
            case Blame():
                return render.blame_lines(effect, self.names)
            case Left():
                return render.left_lines(effect, self.names, self.view.game if self.view else "")
            case VotedOut():
                return render.voted_out_lines(effect, self.names)
            case Clocks():
                self._clocks = effect
                return []
            case TimeUp():
                return render.time_up_lines(effect)
            case Stuck():
                return render.stuck_lines(effect, self.names)
            case Finished():
                self._awaiting, self._progress = Awaiting((), ""), None
                self._is_over = True
                game = self.view.game if self.view else ""
                return render.finished_lines(effect, self.names, game, self.has_left)

    def table_lines(self) -> list[str]:
        """The table as it stands: the lobby before play, the cards in it."""
        if self.lobby:
            return lobby_words.lobby_lines(self.lobby)
        return render.table_lines(self.view, self.names) if self.view else []

    def waited_s(self, now_s: float) -> float:
        """How long others have been awaited; 0 while nobody else is."""
        others = [seat for seat in self._awaiting.seats if seat != self.names.me]
        return now_s - self._awaiting_since_s if others else 0.0

    def status(self, now_s: float) -> str:
        """One line on what goes on: a duty of the machines, who is awaited, or the lobby."""
        if self.lobby:
            return lobby_words.lobby_status(self.lobby)
        awaited = self.awaited(now_s)
        if self._progress:
            progress = self._progress
            bar = render.progress_text(progress.task, progress.done, progress.total)
            return " - ".join(filter(None, (bar, awaited)))
        own = render.status(self.view) if self.view and not self._is_over else ""
        return " - ".join(filter(None, (awaited, own)))

    def awaited(self, now_s: float) -> str:
        """Who is awaited, for what, and how much longer; "" for nobody."""
        waited_s = now_s - self._awaiting_since_s
        return render.awaiting_text(self._awaiting, self.names, waited_s, self._clocks)


def _goes_on(before: Awaiting, after: Awaiting) -> bool:
    """Whether the same is awaited still, perhaps of fewer seats."""
    return before.reason == after.reason and set(after.seats) <= set(before.seats)
