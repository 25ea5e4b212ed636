"""`--events`: what one seat sees happen, one JSON object a line, beside whatever front it has."""

from collections.abc import Callable
from dataclasses import asdict, is_dataclass, replace
from typing import Any, TextIO

from p2pjong.front import Front, Lingering, Shown, TimeUp
from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Happened, Progress
from p2pjong.session.lobby_view import LobbyCommand, LobbySeat, LobbyView, TableOffer
from p2pjong.ui.json_text import json_text


class EventLog:
    """A `Front` that writes down what passes through it to another one.

    Of cards it writes what this seat knows and nothing else; of keys and codes nothing at all.
    """

    def __init__(self, front: Front, file: TextIO, now_ms: Callable[[], int]) -> None:
        self._front = front
        self._file: TextIO | None = file  # as long as it takes what is written
        self._now_ms = now_ms

    def say(self, text: str) -> None:
        self._write("said", {"text": text})
        self._front.say(text)

    def lobby(self, lobby: LobbyView) -> None:
        self._write("lobby", asdict(replace(lobby, code="")))
        self._front.lobby(lobby)

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        self._write("seated", {"seats": [asdict(seat) for seat in seats], "me": me})
        self._front.seated(seats, me)

    def show(self, effect: Shown) -> None:
        if isinstance(effect, Happened):
            self._write("happened", _happened(effect))
        elif isinstance(effect, TimeUp):
            self._write("time_up", _chosen(effect.ask, effect.action))
        elif not isinstance(effect, Progress | Lingering):
            self._write(type(effect).__name__.lower(), asdict(effect))
        self._front.show(effect)

    def found(self, offer: TableOffer) -> None:
        self._write("found", asdict(offer))
        self._front.found(offer)

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        return await self._front.pick_table(offers)

    def offers(self, offers: tuple[TableOffer, ...]) -> None:
        self._front.offers(offers)

    async def table_code(self) -> str | None:
        return await self._front.table_code()

    async def command(self) -> LobbyCommand:
        return await self._front.command()

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        hand = [face for _, face in ask.view.hand]
        self._write("asked", {"hand": hand, "choices": len(ask.actions), "timeout_s": timeout_s})
        action = await self._front.choose(ask, timeout_s)
        self._write("chose", _chosen(ask, action))
        return action

    async def reconsider(self, ask: Ask, action: Action) -> Action:
        action = await self._front.reconsider(ask, action)
        self._write("chose", _chosen(ask, action))
        return action

    async def next_hand(self, timeout_s: float) -> None:
        await self._front.next_hand(timeout_s)

    async def interrupted(self) -> None:
        await self._front.interrupted()

    async def gone(self) -> None:
        await self._front.gone()

    async def confirm_leave(self, cost: str) -> str:
        return await self._front.confirm_leave(cost)

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        return await self._front.vote_absent(seat, waited_s)

    async def rematch(self) -> bool:
        return await self._front.rematch()

    def _write(self, kind: str, fields: dict[str, Any]) -> None:
        if self._file is None:
            return
        line = {"at_ms": self._now_ms(), "kind": kind, **fields}
        try:
            self._file.write(json_text(line, _plain) + "\n")
            self._file.flush()
        except OSError as error:
            # Beside the game: it goes on without.
            name, self._file = self._file.name, None
            self._front.say(f"--events stops here: {name} cannot be written: {error.strerror}")


def _chosen(ask: Ask, action: Action) -> dict[str, Any]:
    held = dict(ask.view.hand)
    faces = [held[slot] for slot in action.slots if slot in held]
    return {"verb": action.verb, "faces": faces, "target": action.target}


def _happened(effect: Happened) -> dict[str, Any]:
    event = effect.event
    return {
        "verb": event.verb,
        "seat": event.seat,
        "faces": list(event.faces),
        "target": event.target,
        "number": event.number,
        "details": dict(event.details),
        "scores": list(effect.view.scores),
        "deck": effect.view.deck_size,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)
