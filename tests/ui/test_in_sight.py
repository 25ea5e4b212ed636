"""What must be on the screen when a person acts: hand and question, and what was done to them."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace

import click
import pytest

from p2pjong.games.game import Event, View
from p2pjong.session.effects import Ask, Happened
from p2pjong.ui import text
from p2pjong.ui.game_words import words_of
from p2pjong.ui.names import Names
from p2pjong.ui.terminal import TerminalFront
from tests.support import not_your_mas_jong_views as mas_jong
from tests.support import war_jhong_views as war_jhong
from tests.support.fake_screen import FakeScreen
from tests.support.samurai_scene import Scene
from tests.support.terminal import HAND, SEATS, run, soon

NAMES = Names(("Ada", "Ben", "Cy"), 0)
EIGHT = "yumi-archers horse-archers motonari naomasa spies stronghold surrounded ambush"
IN_SIGHT = 22  # of 24 lines, two of which are prompt and status
NUMBERED = re.compile(r"^ *\+?\d+( +\+?\d+){3,}|^ ?\d+ [A-Z]")  # below War Jhong's cards, or before


def war_jhong_turn() -> Ask:
    return war_jhong.turn_ask(war_jhong.view_of(HAND))


def war_jhong_claim() -> Ask:
    view = war_jhong.view_of("I4 I6 I7 A1 A2 A3 J J", discards=[(1, "I5")], turn=1)
    return war_jhong.claim_ask(view, ["I4 I6", "I6 I7"])


def mas_jong_turn() -> Ask:
    return mas_jong.turn_ask(mas_jong.view_of("R1 R2 R3 B4 B4 B4 S2 S3 E1 E1 G6"))


def mas_jong_call() -> Ask:
    return mas_jong.call_ask(mas_jong.view_of("R1 R2 R3 B4 B4 B4 S2 S3 E1 E1"), 1, "S4")


def samurai_ask(scene: Scene, seat: int = 0) -> Ask:
    table = scene.table
    return Ask(1, scene.view(seat), table.legal(seat), table.default(seat), is_answer=False)


def samurai_tactics() -> Ask:
    return samurai_ask(Scene({0: EIGHT, 1: "castle", 2: "river roads"}, phase="tactics"))


def samurai_battle() -> Ask:
    in_play = {1: "heavy-cavalry cannons", 2: "matchlock-gunners"}
    return samurai_ask(Scene({0: EIGHT, 1: "castle", 2: "river"}, in_play=in_play))


def samurai_forced() -> Ask:
    scene = Scene({0: "honda takeda roads", 1: "castle", 2: "river"}, in_play={0: "musashi"})
    return samurai_ask(scene)


ASKS = (
    war_jhong_turn,
    war_jhong_claim,
    mas_jong_turn,
    mas_jong_call,
    samurai_tactics,
    samurai_battle,
    samurai_forced,
)


@pytest.fixture(autouse=True)
def hears_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who types in no time at all."""
    monkeypatch.setattr("p2pjong.ui.asking.DEAF_S", 0.0)


MANY = [Event("discarded", 1, ("J",)) for _ in range(60)]


async def asked(screen: FakeScreen, ask: Ask, typed: str) -> tuple[list[str], list[str]]:
    """What was written when the question was asked, and then for what is typed."""
    events = [Event("phase_began", details=(("battle", 1),))] * 60
    if ask.view.game != "samurai-warfare":
        events = MANY
    async with TerminalFront(screen).opened() as front:
        front.seated(SEATS, 0)
        for event in (Event("dealt", number=12), *events):
            front.show(Happened(event, ask.view))
        screen.lines.clear()
        choice = asyncio.create_task(front.choose(ask, None))
        await soon()
        question, screen.lines = screen.lines, []
        screen.type(typed)
        choice.cancel()
        return [*map(click.unstyle, question)], [*map(click.unstyle, screen.lines)]


@pytest.mark.parametrize("typed", ["t", "e", "?"])
@pytest.mark.parametrize("make", ASKS)
def test_the_table_events_and_help_end_with_the_question_as_it_stood(
    make: Callable[[], Ask], typed: str
) -> None:
    async def scene() -> None:
        question, shown = await asked(FakeScreen(), make(), typed)
        hand = next(place for place, line in enumerate(question) if "your hand" in line)
        standing = question[hand:]
        assert shown[-len(standing) :] == standing
        assert len(standing) <= IN_SIGHT, "hand, hints and options are all in sight"
        if typed == "e":
            assert len(shown) <= IN_SIGHT and shown[0] == "the last events:"

    run(scene())


@pytest.mark.parametrize("make", ASKS)
def test_on_plain_lines_the_prompt_comes_again_too(make: Callable[[], Ask]) -> None:
    async def scene() -> None:
        question, shown = await asked(FakeScreen(is_live=False), make(), "e")
        assert shown[-1] == question[-1] and shown[-1].endswith(":")

    run(scene())


@pytest.mark.parametrize("make", ASKS)
def test_a_hand_has_numbers_only_where_it_is_asked_for_by_them(make: Callable[[], Ask]) -> None:
    ask = make()
    names, words = NAMES, words_of(ask.view.game)
    event = Event("drew", 0, number=len(ask.view.hand))
    told = [Event("dealt", number=12), Event("discarded", 0, ("J",)), event]
    lines = words.table_lines(ask.view, names)
    for event in told if ask.view.game != "samurai-warfare" else told[1:]:
        lines += words.hand_after_lines(event, ask.view, names)
    assert any("your hand" in line for line in lines)
    assert not [line for line in map(click.unstyle, lines) if NUMBERED.search(line)]


def test_what_e_repeats_has_no_hand_but_the_one_of_now() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Happened(Event("dealt", number=12), war_jhong.view_of("I1 I2 I3")))
            front.show(Happened(Event("discarded", 0, ("J",)), war_jhong.view_of("I1 I2")))
            choice = asyncio.create_task(front.choose(war_jhong_turn(), None))
            await soon()
            screen.lines.clear()
            screen.type("e")
            assert screen.text.count("your hand") == 1 and "You discard J" in screen.text
            choice.cancel()

    run(scene())


@pytest.mark.parametrize("typed", ["t", "e", "?"])
def test_an_answer_that_can_be_changed_still_has_its_options_in_sight(typed: str) -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            ask = war_jhong_claim()
            choice = asyncio.create_task(front.choose(ask, None))
            await soon()
            question = list(screen.lines)
            screen.type("1")
            again = asyncio.create_task(front.reconsider(ask, await choice))
            await soon()
            screen.lines = []
            screen.type(typed)
            assert screen.lines[-len(question) :] == question
            again.cancel()

    run(scene())


def test_ctrl_l_shows_the_table_and_the_question_anew() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            choice = asyncio.create_task(front.choose(war_jhong_turn(), None))
            await soon()
            before, screen.lines = screen.lines, []
            assert screen.desk
            screen.desk.redraw()
            assert screen.lines == before
            choice.cancel()

    run(scene())


# --- What was done to us --------------------------------------------------------------------------


def hits_of(scene: Scene, choices: list[tuple[int, str]], seat: int = 0) -> tuple[str, ...]:
    """What our person is asked after the others have played."""
    screen = FakeScreen()

    async def played() -> None:
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS[: scene.view(seat).seats], seat)
            for actor, choice in choices:
                for event in scene.do(actor, choice):
                    front.show(Happened(event, scene.view(seat)))
            screen.lines.clear()
            task = asyncio.create_task(front.choose(samurai_ask(scene, seat), None))
            await soon()
            task.cancel()

    run(played())
    return tuple(screen.text.splitlines())


def test_a_card_stolen_is_told_where_one_must_act() -> None:
    hands = {0: "castle", 1: f"forest {EIGHT}", 2: "honda"}
    lines = hits_of(Scene(hands, phase="tactics", turn=0), [(0, "play castle @1")], seat=1)
    assert [line for line in lines if line.startswith("! Ada steals your ")]
    assert len(lines) <= IN_SIGHT


def test_who_forces_a_discard_is_told_where_one_must_choose_it() -> None:
    scene = Scene({0: "rebellion", 1: f"forest {EIGHT}", 2: "honda"})
    lines = hits_of(scene, [(0, "play rebellion @1")], seat=1)
    assert "! Ada plays Rebellion (Special 3) to make you discard 2 cards" in lines
    assert any("Discard 2 cards of your choice." in line for line in lines)


def test_a_card_discarded_at_random_is_told_with_who_made_us() -> None:
    scene = Scene({0: "spies", 1: "forest honda", 2: "river"}, phase="tactics")
    lines = hits_of(scene, [(0, "play spies @1")], seat=1)
    assert "! Ada plays Spies (Special 3) to make you discard a random card" in lines
    assert [line for line in lines if re.match(r"! You discard \w+, chosen at random", line)]


def test_a_card_destroyed_is_told_with_who_did_it_and_is_past_once_one_has_acted() -> None:
    async def scene() -> None:
        table = Scene({0: "ambush", 1: "forest takeda", 2: "river"}, in_play={1: "cannons"})
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 1)
            for event in table.do(0, "play ambush x cannons @1"):
                front.show(Happened(event, table.view(1)))
            for is_first in (True, False):
                screen.lines.clear()
                choice = asyncio.create_task(front.choose(samurai_ask(table, 1), None))
                await soon()
                told = "! Ada destroys your Cannons (Special 9, Guns)"
                assert (told in screen.text) == is_first
                screen.type("e")
                assert (told in screen.text) == is_first
                screen.type("1")
                await choice

    run(scene())


def test_what_is_done_to_others_or_by_ourselves_is_no_hit() -> None:
    view = Scene({0: "castle", 1: "forest", 2: "river"}).view(0)
    words = words_of("samurai-warfare")
    for event in (
        Event("stole", 0, target=1),
        Event("destroyed", 1, ("cannons",), 2),
        Event("discarded", 0, ("forest",), number=1),
        Event("played", 1, ("castle",), 0, details=(("battle", 1),)),
    ):
        assert words.hit_lines(event, view, NAMES) == []


def test_a_lost_claim_and_a_turn_skipped_are_told_where_one_must_act() -> None:
    lost = Event("claimed", 0, ("I5",), target=1, number=0, details=(("formation", 1),))
    view: View = war_jhong.view_of(HAND)
    assert (
        ", too, but the player next in turn got it"
        in words_of("war-jhong").hit_lines(lost, view, NAMES)[0]
    )
    skipped = Event("skipped", 0)
    view = mas_jong.view_of("R1 R2")
    assert "You skip a turn" in words_of("not-your-mas-jong").hit_lines(skipped, view, NAMES)[0]
    for game in ("war-jhong", "not-your-mas-jong"):
        other = replace(lost, verb="skipped", seat=1)
        assert words_of(game).hit_lines(other, view, NAMES) == []


# --- Narrow terminals -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", ASKS)
def test_on_60_columns_every_line_is_made_for_them(make: Callable[[], Ask]) -> None:
    ask = make()
    with text.shown_on(lambda: text.Size(60, 20)):
        question = words_of(ask.view.game).question(ask, NAMES)
        assert max(map(text.width, question.lines)) <= 59
        assert len(question.again or question.lines) <= 18
    assert text.columns() == text.COLUMNS


def test_on_a_narrow_terminal_no_face_up_set_is_broken() -> None:
    melds = ["A4 A5 A6", "C1 C1 C1", "J J J", "I1 I2 I3"]
    for words, view, shown in (
        ("war-jhong", war_jhong.view_of("I9", melds=melds), "{}"),
        ("not-your-mas-jong", mas_jong.view_of("R1", melds=["R1 R2 R3"] * 3), "[{}]"),
    ):
        with text.shown_on(lambda: text.Size(50, 20)):
            lines = words_of(words).table_lines(view, NAMES)
        seen = click.unstyle("\n".join(lines))
        assert max(map(text.width, lines)) <= 49
        for meld in view.melds[0]:
            assert shown.format(" ".join(meld.faces)) in seen


def test_on_a_narrow_terminal_each_number_stays_below_its_card() -> None:
    with text.shown_on(lambda: text.Size(40, 20)):
        question = words_of("war-jhong").question(war_jhong_turn(), NAMES)
    lines = [click.unstyle(line) for line in question.again[1:5]]
    assert " ".join(lines[0].split() + lines[2].split()) == HAND
    assert [*lines[1].split(), *lines[3].split()] == [str(number) for number in range(1, 14)]
    for faces, numbers in (lines[:2], lines[2:]):
        assert [match.end() for match in re.finditer(r"\S+", faces)] == [
            match.end() for match in re.finditer(r"\S+", numbers)
        ]
