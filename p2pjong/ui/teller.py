"""Tells a game as it goes on: remembers who is who, the last view and the last lines. No I/O."""

from collections import deque
from dataclasses import replace

from p2pjong.front import Clocks, Lingering, Linked, Parted, Shown, Stuck, TimeUp, Told
from p2pjong.games import GAMES, hand_of
from p2pjong.games.game import NOBODY, Action, Seat, View
from p2pjong.session.effects import (
    Ask,
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
from p2pjong.ui import endings, render
from p2pjong.ui import lobby as lobby_words
from p2pjong.ui.endings import Gone
from p2pjong.ui.game_words import words_of
from p2pjong.ui.names import Names
from p2pjong.ui.purposes import purpose_text
from p2pjong.ui.question import Question
from p2pjong.ui.text import columns, dim, fold

LINES_KEPT = 40
HITS_KEPT = 4


class Teller:
    """Turns what the driver shows into lines; what is only a state is kept for `status`."""

    def __init__(self) -> None:
        self.names = Names(())
        self.view: View | None = None
        self.lobby: LobbyView | None = None
        self._game = ""  # that of the lobby
        self._last_lines: deque[str] = deque(maxlen=LINES_KEPT)  # of what happened, no hands
        self._hits: deque[list[str]] = deque(maxlen=HITS_KEPT)  # done to us since our last choice
        self._awaiting = Awaiting((), "")
        self._awaiting_since_s = 0.0
        self._progress: Progress | None = None
        self._clocks: Clocks | None = None
        self._is_over = False
        self._gone: frozenset[Seat] = frozenset()  # who is out, in this game
        self._linked: frozenset[Seat] | None = None  # None: nobody has told us
        self._cut: frozenset[Seat] = frozenset()  # whose link was there, and is down
        self._removed: set[str] = set()  # the fingerprints of whom our person sent away
        self.is_asked = False  # our person has a choice before it, and a prompt that says which
        self.has_answered = False  # the choice was made, and waits for its window to end
        self.gone_by: Gone | None = None  # our own seat
        self._others: int | None = None  # who go on without it, where that is known
        self.end_lines: list[str] = []  # how the last hand ended
        self._is_between = False  # that hand has ended, and the next one has not begun

    def lobby_lines(self, lobby: LobbyView) -> list[str]:
        """What changed in the lobby."""
        lines = lobby_words.lobby_news(self.lobby, lobby, self._removed)
        self.lobby, self._game = lobby, lobby.game
        self._removed -= {seat.fingerprint for seat in lobby.seats}
        return lines

    def removing(self, seat: Seat) -> None:
        """Our person sends away who sits there: that it goes is no news, but done."""
        if self.lobby and seat < len(self.lobby.seats):
            self._removed.add(self.lobby.seats[seat].fingerprint)

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        """Play begins with these seats."""
        self.names = Names(tuple(seat.name for seat in seats), me)
        self.lobby = None
        self.view = None
        self._hits.clear()
        self._awaiting, self._progress = Awaiting((), ""), None
        self._is_over = False
        self._gone = self._cut = frozenset()
        self._linked = None
        self.is_asked = self.has_answered = False
        self.gone_by = None
        self._others = None
        self.end_lines, self._is_between = [], False

    @property
    def has_lost_seats(self) -> bool:
        """Whether somebody is out of the game, or was as it ended."""
        return bool(self._gone) or (self.view is not None and not all(self.view.present))

    def lines(self, effect: Shown, now_s: float) -> list[str]:
        """What to print for the effect."""
        if isinstance(effect, Linked):
            lines = self._link_lines(frozenset(effect.seats))
        elif isinstance(effect, Lingering):
            lines = [dim(f"Waiting {effect.reason} ...")]
        else:
            lines = self._lines(effect, now_s)
        self._last_lines.extend(lines)
        return [*lines, *self._hand_after(effect)] if lines else lines

    def _hand_after(self, effect: Shown) -> list[str]:
        """Our hand as it now is; what was done to us is kept for when we choose next."""
        if not isinstance(effect, Happened) or effect.event.verb == "game_over":
            return []
        if hit := render.hit_lines(effect, self.names):
            self._hits.append(hit)
        return render.hand_after_lines(effect, self.names)

    def _lines(self, effect: Told, now_s: float) -> list[str]:
        """What is news to the person, beside what is kept for `status`."""
        match effect:
            case Happened():
                self.view = effect.view
                if effect.event.verb == "seat_left" and effect.event.seat in self._gone:
                    return []  # told as it went, or with what it did
                if effect.event.seat == self.names.me and self._is_moot(effect):
                    return []
                return self._kept(effect, render.happened_lines(effect, self.names))
            case Awaiting():
                if not _goes_on(self._awaiting, effect):
                    self._awaiting_since_s = now_s
                    self.has_answered = False
                self._awaiting = effect
                return []
            case Progress():
                self._progress = effect if effect.done < effect.total else None
                return []
            case Words():
                return render.words_lines(effect)
            case Books():
                return self._books_lines(effect)
            case Blame():
                return self._blame_lines(effect)
            case Left():
                self._gone |= {effect.seat}
                if effect.seat == self.names.me:
                    self.gone_by = Gone.LEAVE
                return endings.left_lines(effect, self.names, self.view, self._gone)
            case VotedOut():
                self._gone |= {effect.seat}
                if effect.seat == self.names.me:
                    self.gone_by = Gone.VOTE
                return endings.voted_out_lines(effect, self.names)
            case Clocks():
                self._clocks = effect
                return []
            case TimeUp():
                return render.time_up_lines(effect)
            case Stuck():
                return endings.stuck_lines(effect, self.names)
            case Parted(others=others):
                self._others = others
                return []
            case Finished():
                return self._ending_lines(effect)

    def _books_lines(self, books: Books) -> list[str]:
        """What the opened books show, as part of the end of their hand."""
        if self.view is None:
            return []
        lines = render.books_lines(books, self.names, self.view.game)
        self.end_lines += lines if self._is_between else []
        return lines

    def _kept(self, effect: Happened, lines: list[str]) -> list[str]:
        """The lines; those that tell how a hand ended are there to be seen again."""
        if effect.is_end:
            self.end_lines = self.end_lines if self._is_between else []
            self.end_lines += lines
        self._is_between = effect.is_end
        return lines

    @property
    def hand(self) -> str:
        """What a hand of this game is called."""
        return hand_of(self.view.game) if self.view else "hand"

    def _blame_lines(self, effect: Blame) -> list[str]:
        is_out = effect.seat in self._gone or (self.view and not self.view.present[effect.seat])
        self._gone |= {effect.seat}
        follows: list[str] = []
        if not is_out:
            follows = endings.cast_out_lines(
                effect.seat, self.names, self.view, self._gone, self.is_asked
            )
        return endings.blame_lines(effect, self.names, follows)

    def _ending_lines(self, effect: Finished) -> list[str]:
        self._awaiting, self._progress = Awaiting((), ""), None
        self._is_over = True
        self.view = self.view and replace(self.view, awaited=())
        game = self.view.game if self.view else ""
        if self.gone_by is None:
            return endings.finished_lines(effect, self.names, game)
        return endings.parted_lines(effect, self.names, game, self.gone_by, self._others)

    def _is_moot(self, effect: Happened) -> bool:
        """Whether nobody is left to play on with: what our machine then chose comes to nothing."""
        view = effect.view
        if view.game not in GAMES or effect.event.verb not in words_of(view.game).CHOICES:
            return False
        stay = [seat for seat in range(view.seats) if view.present[seat] and seat not in self._gone]
        return len(stay) < GAMES[view.game].seats_min

    def _link_lines(self, linked: frozenset[Seat]) -> list[str]:
        """Who is out of reach since, and who is back."""
        before = self._linked or frozenset()
        self._linked = linked
        lost = (before - linked) - self._gone
        back = self._cut & linked
        self._cut = (self._cut | lost) - linked
        return [
            *(endings.cut_line(seat, self.names) for seat in sorted(lost)),
            *(dim(f"{self.names.does(seat, 'are')} connected again.") for seat in sorted(back)),
        ]

    def question(self, ask: Ask) -> Question[Action]:
        """What to ask our person."""
        asker = render.only_choice if len(ask.actions) == 1 else render.question
        return asker(ask, self.names, [line for hit in self._hits for line in hit])

    def answered(self) -> None:
        """Our person has chosen: what was done to them before is in the past."""
        self.has_answered = True
        self._hits.clear()

    def answered_lines(self, ask: Ask, action: Action) -> list[str]:
        """That an answer to a discard was heard, and whether it can still be changed."""
        has_window = self._clocks is not None and self._clocks.window_s > 0
        return render.answered_lines(ask, action, has_window) if ask.is_answer else []

    def table_lines(self) -> list[str]:
        """The table as it stands: the lobby before the game, the cards in it."""
        if self.lobby:
            return lobby_words.lobby_lines(self.lobby)
        return render.table_lines(self.view, self.names) if self.view else []

    def board_lines(self) -> list[str]:
        """The same without the own hand, for above a question that shows it."""
        return render.board_lines(self.view, self.names) if self.view else []

    def last_lines(self, room: int) -> list[str]:
        """The last of what happened, as much as there is room for."""
        shown: list[str] = []
        for line in reversed(self._last_lines):
            room -= len(fold(line, columns() + 1))
            if room < 0 and shown:
                break
            shown.insert(0, line)
        return shown

    def waited_s(self, now_s: float) -> float:
        """How long others have been awaited; 0 while nobody else is."""
        others = [seat for seat in self._awaiting.seats if seat != self.names.me]
        return now_s - self._awaiting_since_s if others else 0.0

    def status(self, now_s: float) -> str:
        """One line on what goes on: a duty of the machines, who is awaited, or the lobby."""
        if self.lobby:
            return lobby_words.lobby_status(self.lobby)
        awaited = self.awaited(now_s)
        if self._is_over:
            return "the game is over"
        progress = self._progress
        if progress and not (self._is_between and not progress.done):
            bar = render.progress_text(progress.task, progress.done, progress.total)
            return " - ".join(filter(None, (bar, awaited)))
        own = render.status(self.view) if self.view else ""
        return " - ".join(filter(None, (awaited, own)))

    def awaited(self, now_s: float) -> str:
        """Who is awaited, for what, and how much longer; "" for nobody."""
        awaiting, waited_s = self._awaiting, now_s - self._awaiting_since_s
        if self.names.me in awaiting.seats and not self.is_asked and awaiting.is_answer:
            return render.unasked_text(awaiting, waited_s, self._clocks, self.has_answered)
        if self._is_between and awaiting.seats and not awaiting.is_decision:
            return self._between_text(awaiting)
        cut = frozenset() if self._linked is None else frozenset(awaiting.seats) - self._linked
        is_alone = list(awaiting.seats) == [self.names.me]
        if is_alone and self.is_asked and getattr(self.view, "turn", NOBODY) != self.names.me:
            return "you are asked"  # in the turn of another; the prompt says what
        purpose = purpose_text(awaiting.reason, self.view.game if self.view else self._game)
        is_cut = bool(cut - {self.names.me})
        return render.awaiting_text(awaiting, purpose, self.names, waited_s, self._clocks, is_cut)

    def _between_text(self, awaiting: Awaiting) -> str:
        others = tuple(seat for seat in awaiting.seats if seat != self.names.me)
        if not others:
            return f"all others are ready for the next {self.hand}"
        return f"waiting for {self.names.listed(others)}: the next {self.hand}"


def _goes_on(before: Awaiting, after: Awaiting) -> bool:
    """Whether the same is awaited still, perhaps of fewer seats."""
    return before.reason == after.reason and set(after.seats) <= set(before.seats)
