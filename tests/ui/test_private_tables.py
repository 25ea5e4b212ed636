"""What people see of a private table, and how they give its code; warnings about strange keys."""

import asyncio
import io
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import click
import pytest

from p2pjong.app.choosing import offer
from p2pjong.bots import STRATEGIES
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable
from p2pjong.session.lobby_view import TableOffer
from p2pjong.ui import lobby as words
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.event_log import EventLog
from p2pjong.ui.question import NoAnswer
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import lobby_of

CODE = "417-amber-falcon"
HOSTED = replace(lobby_of(1, me=0), code=CODE)
WARNING = "Ben has another key than the Ben met on 2024-05-01: " + "abcd-" * 7 + "efgh, not 1234."


def shown(lines: list[str]) -> str:
    return click.unstyle("\n".join(lines))


def test_the_host_is_shown_the_code_first_and_whenever_it_changes() -> None:
    assert f"joiners need the code {CODE}" in shown(words.lobby_news(None, HOSTED))
    assert f"joiners need the code {CODE}" in shown(words.lobby_lines(HOSTED))
    assert CODE not in shown(words.lobby_news(HOSTED, replace(lobby_of(2, me=0), code=CODE)))
    new = "100-acid-acid"
    assert f"joiners need the code {new}" in shown(
        words.lobby_news(HOSTED, replace(HOSTED, code=new))
    )
    assert "code" not in shown(words.lobby_lines(lobby_of(1, me=0)))


def test_the_code_is_never_written_to_the_event_file() -> None:
    file, lines = io.StringIO(), list[str]()
    bot = BotFront(STRATEGIES["random"](), Random(1), lines.extend)
    EventLog(bot, file, lambda: 7).lobby(HOSTED)
    (written,) = file.getvalue().splitlines()
    assert json.loads(written)["table"] == "Ada's table"
    assert "amber" not in written and CODE in shown(lines)


def test_a_warning_is_loud_with_and_without_colours_and_fits_the_screen() -> None:
    for lobby in (words.lobby_lines, lambda after: words.lobby_news(HOSTED, after)):
        lines = lobby(replace(HOSTED, warnings=(WARNING,)))
        loud = [line for line in lines if click.unstyle(line).startswith("!!! ")]
        assert shown(loud).startswith("!!! WARNING: Ben has another key")
        assert " ".join(shown(loud).replace("!!! ", "").split()).endswith("1234.")
        assert all("\x1b[31m" in line and "\x1b[1m" in line for line in loud)
        assert all(len(click.unstyle(line)) < 80 for line in loud)


def test_a_warning_is_told_once_and_a_second_one_too() -> None:
    warned = replace(HOSTED, warnings=(WARNING,))
    assert "WARNING" not in shown(words.lobby_news(warned, warned))
    again = replace(HOSTED, warnings=(WARNING, "Cy has another key."))
    assert shown(words.lobby_news(warned, again)) == "!!! WARNING: Cy has another key."


def test_nothing_in_a_warning_moves_the_cursor() -> None:
    lines = words.lobby_lines(replace(HOSTED, warnings=("Ben\x1b[2J\r\n has another key",)))
    assert "\x1b[2J" not in "".join(lines) and "\r" not in "".join(lines)


def test_tables_say_that_they_are_private() -> None:
    found = FoundTable(
        *("A", bytes(16), "war-jhong", 4, 2, True, "abcd-efgh-ijkl", (Address("10.0.0.1", 1),), 1)
    )
    assert offer(found).is_private
    assert not offer(replace(found, code_needed=False)).is_private
    table = TableOffer("A", "war-jhong", 4, 2, is_private=True)
    assert "private, 2 of 4 free" in shown(words.offer_lines((table,)))
    assert "private" not in shown(words.offer_lines((replace(table, is_private=False),)))
    assert "full" in shown(words.offer_lines((replace(table, seats_free=0),)))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (CODE, CODE),
        ("  417 Amber   Falcon ", CODE),
        ("q", None),
        (" Q ", None),
    ],
)
def test_a_code_is_read_as_it_is_typed(typed: str, answer: str | None) -> None:
    assert words.CodeQuestion.asked().read(typed) == answer


@pytest.mark.parametrize("typed", ["", "417", "amber falcon", "417 amber falcom", "x" * 100, "?!"])
def test_what_cannot_be_a_code_is_told_at_once(typed: str) -> None:
    with pytest.raises(NoAnswer):
        words.CodeQuestion.asked().read(typed)


def at_a_terminal(do: Callable[[FakeScreen], None]) -> tuple[str | None, str]:
    """What a person answers who is asked for the code, and what stood on the screen."""

    async def scene() -> tuple[str | None, str]:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            asking = asyncio.create_task(front.table_code())
            for _ in range(5):
                await asyncio.sleep(0)
            assert screen.desk and screen.desk.prompt() == "code of the table, q: give up"
            do(screen)
            return await asking, screen.text

    return asyncio.run(scene())


def test_a_person_types_the_code_after_a_slip() -> None:
    def twice(screen: FakeScreen) -> None:
        screen.type("417 amber falcom")
        screen.type("417 amber falcon")

    answer, text = at_a_terminal(twice)
    assert answer == CODE
    assert "The table is private" in text and "did you mean 'falcon'?" in text


def test_ctrl_c_gives_up_the_private_table() -> None:
    assert at_a_terminal(FakeScreen.interrupt)[0] is None


def test_a_bot_is_not_asked_for_a_code() -> None:
    bot = BotFront(STRATEGIES["random"](), Random(1), lambda lines: None)
    with pytest.raises(P2PJongError) as refused:
        asyncio.run(bot.table_code())
    assert refused.value.code == Exit.USAGE and "--code" in refused.value.hint
