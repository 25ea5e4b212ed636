"""`--events`: one JSON object a line, and no card that this seat may not know."""

import asyncio
import io
import json
from random import Random
from typing import Any

from p2pjong.bots import STRATEGIES
from p2pjong.session.effects import Books
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.event_log import EventLog
from tests.support.open_table import OpenTable


def played(seed: str) -> list[list[dict[str, Any]]]:
    """The event files of all seats of one game."""
    files = [io.StringIO() for _ in range(3)]
    fronts = [
        EventLog(
            BotFront(STRATEGIES["greedy"](), Random(seat), lambda lines: None), file, lambda: 7
        )
        for seat, file in enumerate(files)
    ]

    async def scene() -> None:
        table = OpenTable(fronts, seed)
        await table.gather()
        await table.play()

    asyncio.run(scene())
    return [[json.loads(line) for line in file.getvalue().splitlines()] for file in files]


def test_every_line_says_when_and_what() -> None:
    for lines in played("events"):
        assert all(line["at_ms"] == 7 and line["kind"] for line in lines)
        kinds = [line["kind"] for line in lines]
        for kind in ("lobby", "seated", "words", "awaiting", "asked", "chose", "happened"):
            assert kind in kinds
        assert kinds[-1] == "finished"


def test_all_seats_log_the_same_events_and_end() -> None:
    logs = played("same")
    public = [[line for line in log if line["kind"] in ("happened", "finished")] for log in logs]
    assert public[0] == public[1] == public[2]
    assert len(public[0][-1]["digest"]) == 64


def test_only_public_events_and_own_cards_are_written() -> None:
    for seat, log in enumerate(played("own")):
        for line in log:
            if line["kind"] == "happened" and line["verb"] == "drew":
                assert line["faces"] == []
            if "hand" in line:
                assert line["kind"] == "asked"
        chosen = [line for line in log if line["kind"] == "chose" and line["verb"] == "discard"]
        mine = [
            line["faces"]
            for line in log
            if line["kind"] == "happened" and line["verb"] == "discarded" and line["seat"] == seat
        ]
        assert [line["faces"] for line in chosen] == mine


def test_the_books_of_a_hand_are_written_as_everybody_sees_them() -> None:
    file = io.StringIO()
    log = EventLog(BotFront(STRATEGIES["greedy"](), Random(1), lambda lines: None), file, lambda: 7)
    log.show(Books(2, ((0, ("S1", "S2")), (1, ("",))), ("C3",), (1,)))
    assert json.loads(file.getvalue()) == {
        "at_ms": 7,
        "kind": "books",
        "hand": 2,
        "hands": [[0, ["S1", "S2"]], [1, [""]]],
        "deck": ["C3"],
        "unopened": [1],
    }


def test_no_line_acts_on_a_terminal_and_none_loses_a_letter() -> None:
    file = io.StringIO()
    text = "Zoë \x9b2J\x7f\u202e"
    EventLog(BotFront(STRATEGIES["greedy"](), Random(0), lambda lines: None), file, lambda: 7).say(
        text
    )
    assert file.getvalue().strip().isprintable() and file.getvalue().isascii()
    assert json.loads(file.getvalue())["text"] == text


class Full(io.StringIO):
    """A file on a disk that has room for so many lines."""

    name = "game.events"

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.left = lines

    def write(self, text: str) -> int:
        self.left -= 1
        if self.left < 0:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_events_that_find_no_room_are_told_once_and_the_game_goes_on() -> None:
    said: list[str] = []
    file = Full(lines=2)
    log = EventLog(BotFront(STRATEGIES["greedy"](), Random(1), said.extend), file, lambda: 7)
    for number in range(5):
        log.say(f"line {number}")
    assert len(file.getvalue().splitlines()) == 2
    stopped = "--events stops here: game.events cannot be written: No space left on device"
    assert said == ["line 0", "line 1", stopped, "line 2", "line 3", "line 4"]
