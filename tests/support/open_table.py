"""A driver for fronts without network or cryptography: the open dealer in their midst."""

import asyncio
from collections.abc import Sequence

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.front import Front
from p2pjong.games import GAMES
from p2pjong.games.game import (
    Action,
    Decide,
    Event,
    Options,
    Over,
    Seat,
    Settle,
    Way,
    has_one_choice,
)
from p2pjong.session.effects import Ask, Awaiting, Finished, Happened, Words
from p2pjong.session.lobby_view import LobbySeat, LobbyView, SetReady, Start, Terms

NAMES = ("Ada", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
SHORT = Options(target=1)
WORDS = ("acorn", "bamboo", "comet", "dragon")


def lobby_of(seats: int, me: Seat | None, ready: Sequence[Seat] = (), total: int = 4) -> LobbyView:
    """A lobby in which `me` looks on; seat 0 is the host, the odd seats are bots."""
    taken = tuple(
        LobbySeat(NAMES[seat], f"key{seat}", seat % 2 == 1, seat in ready, seat == 0)
        for seat in range(seats)
    )
    terms = Terms(clock_s=60, window_s=2, grace_s=60)
    return LobbyView("Ada's table", "war-jhong", terms, taken, total, me)


class OpenTable:
    """Plays one game, asking a front for each seat, and shows everyone what happens."""

    def __init__(
        self,
        fronts: Sequence[Front],
        seed: str,
        *,
        game: str = "war-jhong",
        options: Options = SHORT,
        clock_s: float | None = None,
        window_s: float | None = None,
    ) -> None:
        rules = GAMES[game]
        state = rules.start(len(fronts), options)
        self.table = Table(rules, state, OpenDealer(len(fronts), Chance(seed)))
        self._fronts = fronts
        self._clock_s = clock_s
        self._window_s = window_s
        self._questions = 0

    async def gather(self) -> None:
        """The lobby: all get ready, the host starts."""
        ready: set[Seat] = set()
        seats = range(len(self._fronts))
        while len(ready) < len(self._fronts):
            for seat in seats:
                self._fronts[seat].lobby(lobby_of(len(seats), seat, tuple(ready), len(seats)))
            for seat in [seat for seat in seats if seat not in ready]:
                if await self._fronts[seat].command() == SetReady(True):
                    ready.add(seat)
                    break
        for seat in seats:
            self._fronts[seat].lobby(lobby_of(len(seats), seat, tuple(ready), len(seats)))
        assert await self._fronts[0].command() == Start()

    async def play(self) -> Over:
        """The game to its end."""
        seats = tuple(LobbySeat(NAMES[seat], f"key{seat}") for seat in range(len(self._fronts)))
        for seat, front in enumerate(self._fronts):
            front.seated(seats, seat)
            front.show(Words(WORDS))
        while not isinstance(pending := self.table.pending, Over):
            if isinstance(pending, Settle):
                self._tell(self.table.settle())
            elif isinstance(pending, Decide):
                await self._decide(pending)
            self._tell(self.table.advance())
            await asyncio.sleep(0)
        for front in self._fronts:
            front.show(Finished(pending, self.table.digest()))
        return pending

    async def _decide(self, pending: Decide) -> None:
        for front in self._fronts:
            front.show(Awaiting(pending.seats, pending.reason))
        choices = [self._choice(seat) for seat in self.table.awaited()]
        actions = await asyncio.gather(*choices)
        for action in actions:
            self._tell(self.table.choose(action))

    async def _choice(self, seat: Seat) -> Action:
        self._questions += 1
        ask = asked(self.table, seat, self._questions)
        timeout_s = self._window_s if ask.is_answer else self._clock_s
        try:
            async with asyncio.timeout(timeout_s):
                return await self._fronts[seat].choose(ask, timeout_s)
        except TimeoutError:
            return ask.default

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            for seat, front in enumerate(self._fronts):
                front.show(Happened(event, self.table.view(seat)))


def asked(table: Table, seat: Seat, number: int = 1) -> Ask:
    """What a session would ask this seat, which is awaited."""
    pending = table.pending
    assert isinstance(pending, Decide)
    legal = table.legal(seat)
    return Ask(
        number,
        table.view(seat),
        legal,
        table.default(seat),
        is_answer=pending.way.is_answer,
        is_race=pending.way is Way.RACE,
        is_obvious=len(legal) == 1 and has_one_choice(table.game, table.state, seat),
    )
