"""The lobby in words, and what can be asked of it."""

from dataclasses import replace

import click
import pytest

from p2pjong.errors import Exit
from p2pjong.session.lobby_view import Leave, LobbyView, Remove, SetReady, Start, TableOffer, Terms
from p2pjong.ui import lobby as words
from p2pjong.ui.question import NoAnswer
from tests.support.open_table import lobby_of


def shown(lines: list[str]) -> str:
    return click.unstyle("\n".join(lines))


def test_the_first_look_shows_options_seats_and_warnings() -> None:
    lobby = replace(lobby_of(3, me=1), warnings=("Ben came with another key.",))
    text = shown(words.lobby_lines(lobby))
    for part in ("Ada's table", "100 points", "Ben (you)", "host", "free", "another key"):
        assert part in text


def test_later_looks_tell_only_what_changed() -> None:
    before = lobby_of(2, me=0)
    assert shown(words.lobby_news(before, lobby_of(3, me=0))) == "Cy sits down"
    assert shown(words.lobby_news(lobby_of(3, me=0), before)) == "Cy leaves the table"
    three, ready = lobby_of(3, me=0), lobby_of(3, me=0, ready=(2,))
    assert shown(words.lobby_news(three, ready)) == "Cy is ready"
    assert shown(words.lobby_news(ready, three)) == "Cy is not ready any more"
    assert words.lobby_news(three, lobby_of(3, me=0, ready=(1,))) == [], "bots are ready anyway"


def test_whose_coming_or_going_takes_everyones_ready_back_is_told_in_one_go() -> None:
    ready = lobby_of(3, me=2, ready=(0, 1, 2))
    again = "You are not ready any more: look who is here, then press r again."
    stranger = replace(ready.seats[0], key="ff", is_ready=False)
    bot, me = (replace(seat, is_ready=False) for seat in ready.seats[1:])
    swapped = replace(ready, seats=(stranger, bot, me))
    assert shown(words.lobby_news(ready, swapped)).splitlines() == [
        "Ada leaves the table",
        "Ada sits down, not the Ada who left",
        again,
    ], "also where the short form of the key is the same"
    came = shown(words.lobby_news(ready, lobby_of(4, me=2))).splitlines()
    assert (came[0], came[-1]) == ("Dee sits down (a bot)", again)
    assert any("Play begins when" in line for line in came), "a full table is shown whole"
    told = shown(words.lobby_news(replace(ready, me=0), replace(swapped, me=2)))
    assert told.endswith(again)
    others = lobby_of(3, me=1, ready=(0,))
    assert shown(words.lobby_news(others, lobby_of(2, me=1))).splitlines() == [
        "Cy leaves the table",
        "Everyone has to say ready again.",
    ]
    moved = replace(others, seats=(others.seats[0], *others.seats[:0:-1]))
    assert "changed the order" in shown(words.lobby_news(others, moved))
    named = replace(others, seats=(replace(others.seats[0], name="Eve"), *others.seats[1:]))
    assert "Ada is now called Eve" in shown(words.lobby_news(others, named))


def test_a_full_table_is_shown_whole() -> None:
    assert len(words.lobby_news(lobby_of(3, me=0), lobby_of(4, me=0))) > 4


def test_only_the_host_starts_and_removes() -> None:
    host = words.lobby_question(lobby_of(3, me=0))
    assert host.read("s") == Start()
    assert host.read(" X 2 ") == Remove(2)
    assert host.read("x1") == Remove(1)
    joiner = words.lobby_question(lobby_of(3, me=1))
    for refused in ("s", "x 2"):
        with pytest.raises(NoAnswer):
            joiner.read(refused)
    with pytest.raises(NoAnswer, match="only the host may do that"):
        joiner.read("s")


def test_a_host_cannot_remove_itself_nor_an_empty_seat() -> None:
    question = words.lobby_question(lobby_of(2, me=0))
    for refused, told in (
        ("x 0", "0 is you"),
        ("x2", "seat 2 is free"),
        ("x 7", "there is no seat 7"),
        ("x", "x needs the number of a seat"),
    ):
        with pytest.raises(NoAnswer, match=told):
            question.read(refused)


def test_a_start_is_offered_only_with_as_many_as_the_game_takes() -> None:
    for taken, is_offered in ((2, False), (3, True)):
        lobby = replace(lobby_of(taken, me=0), game="not-your-mas-jong")
        question = words.lobby_question(lobby)
        assert ("s: start" in question.prompt) is is_offered
        if not is_offered:
            with pytest.raises(NoAnswer, match="it takes 3 to play, and 2 are here"):
                question.read("s")
    told = " ".join(shown(words.lobby_lines(lobby)).split())
    assert "s starts with fewer, 3 at least." in told
    three = replace(lobby, seats=lobby.seats[:2], seats_total=3)
    assert "Play begins once 3 are here and ready." in shown(words.lobby_lines(three))


def test_whom_the_host_has_sent_away_is_told_as_its_own_doing() -> None:
    before, after = lobby_of(3, me=0), lobby_of(2, me=0)
    gone = before.seats[2].fingerprint
    assert shown(words.lobby_news(before, after, {gone})) == "You removed Cy"


@pytest.mark.parametrize(("ready", "answer"), [((), SetReady(True)), ((1,), SetReady(False))])
def test_ready_can_be_taken_back(ready: tuple[int, ...], answer: SetReady) -> None:
    assert words.lobby_question(lobby_of(2, me=1, ready=ready)).read("r") == answer


def test_the_lobby_says_when_play_begins_and_which_key_begins_it() -> None:
    told = [" ".join(shown(words.lobby_lines(lobby_of(3, me=me))).split()) for me in (0, 1)]
    assert "Play begins once 4 are here and ready; s starts with fewer." in told[0]
    assert "4 are here and ready; the host may start with fewer." in told[1]
    assert "Play begins when everybody is ready." in shown(words.lobby_lines(lobby_of(4, me=0)))
    ready = "r: ready, which starts the game"
    assert ready in words.lobby_question(lobby_of(4, me=0, ready=(1, 2, 3))).prompt
    for lobby in (lobby_of(4, me=0, ready=(1, 2)), lobby_of(3, me=0, ready=(1, 2))):
        assert ready not in words.lobby_question(lobby).prompt


def test_a_host_is_told_what_its_friends_have_to_type_as_long_as_there_is_room() -> None:
    host = replace(lobby_of(3, me=0), where="192.168.1.7:4242", code="417-amber-falcon")
    told = shown(words.lobby_lines(host))
    assert "Friends on this network type: p2pjong join\n" in told
    assert "p2pjong join --connect 192.168.1.7:4242" in told
    assert "joiners need the code 417-amber-falcon" in told
    assert "p2pjong join" not in shown(words.lobby_lines(replace(host, where="")))
    assert max(map(len, told.splitlines())) < 80


def test_when_all_who_are_here_are_ready_each_is_told_who_can_start() -> None:
    for me, starts in ((0, "s starts"), (1, "the host can start")):
        before, after = lobby_of(3, me=me, ready=(0, 1)), lobby_of(3, me=me, ready=(0, 1, 2))
        assert shown(words.lobby_news(before, after)).splitlines() == [
            "Cy is ready",
            f"Everyone here is ready: {starts}, or wait for more.",
        ]
        assert words.lobby_news(after, after) == [], "and once"
        assert words.lobby_status(after) == f"1 seat free; everyone here is ready: {starts}"
        assert words.lobby_status(before) == "1 seat free"
    alone = lobby_of(1, me=0, ready=(0,))
    assert words.lobby_news(lobby_of(1, me=0), alone) == ["You are ready"]
    assert words.lobby_status(alone) == "3 seats free", "one cannot play"


def test_lobby_lines_fit_80_columns() -> None:
    terms = Terms(target=100_000, clock_s=3600, window_s=300, grace_s=3600, is_open_books=True)
    lines = words.lobby_lines(replace(lobby_of(3, me=0), terms=terms))
    assert max(len(click.unstyle(line)) for line in lines) < 80
    assert "(--window)" in shown(lines)


@pytest.mark.parametrize(
    ("taken", "prompt"),
    [
        (2, "2 seats are free: start with 2 players? y/n"),
        (3, "1 seat is free: start with 3 players? y/n"),
        (4, "every seat is taken: start with 4 players? y/n"),
    ],
)
def test_a_start_with_free_seats_is_asked_about(taken: int, prompt: str) -> None:
    question = words.StartQuestion.of(lobby_of(taken, me=0))
    assert question.prompt == prompt
    assert question.read("y") is True and question.read(question.break_key) is False


def test_everyone_can_leave() -> None:
    assert words.lobby_question(lobby_of(1, me=None)).read("q") == Leave()


@pytest.mark.parametrize(
    ("lobby", "status"),
    [
        (lobby_of(3, me=0), "1 seat free"),
        (lobby_of(4, me=0, ready=(0, 2, 3)), "waiting for Ben to be ready"),
        (lobby_of(4, me=1, ready=(0, 2, 3)), "waiting for you to be ready"),
        (lobby_of(4, me=1, ready=(2, 3)), "waiting for Ada and you to be ready"),
        (lobby_of(4, me=0, ready=(1, 2, 3)), "all others are ready: r or s starts"),
        (lobby_of(4, me=2, ready=(1, 2, 3)), "all others are ready: waiting for Ada to start"),
        (lobby_of(4, me=2, ready=(0, 1, 2, 3)), "all are ready: the game begins"),
    ],
)
def test_the_status_names_what_is_missing(lobby: LobbyView, status: str) -> None:
    assert words.lobby_status(lobby) == status


def test_tables_are_picked_by_number_or_name() -> None:
    offers = (
        TableOffer("Ada's table", "war-jhong", 4, 2, number=1),
        TableOffer("Den\x1b[0m", "war-jhong", 2, 0, number=2, is_playing=True),
    )
    question = words.OfferQuestion.of(offers)
    assert question.read("2") == offers[1]
    for typed in ("ADA'S TABLE", "ada", "1", "\u0410da"):
        assert question.read(typed) == offers[0]
    assert question.read("q") is None
    with pytest.raises(NoAnswer, match="there is no table 'ben'"):
        question.read("ben")
    text = shown(words.offer_lines(offers))
    assert "2 of 4 free" in text and "playing" in text and "\x1b" not in text


def test_a_table_that_has_closed_keeps_its_number_and_cannot_be_chosen() -> None:
    offers = tuple(
        TableOffer(name, "war-jhong", 4, 2, f"{host}bcd-efgh", number=number, is_gone=number == 1)
        for number, (name, host) in enumerate(
            [("Ada's table", "a"), ("Ben's table", "b"), ("Ben's table", "c")], 1
        )
    )
    question = words.OfferQuestion.of(offers)
    assert question.prompt == "join 2-3, or type a name, q: give up"
    for typed in ("1", "ada"):
        with pytest.raises(NoAnswer, match="Ada's table has closed: choose another one"):
            question.read(typed)
    with pytest.raises(NoAnswer, match=r"several tables have that name \(2, 3\): type the number"):
        question.read("ben's table")
    assert question.read("ben#cbcd") == offers[2]
    assert "closed" in shown(words.offer_lines(offers))
    gone = words.OfferQuestion.of((replace(offers[0]),))
    assert gone.prompt == "no table is open now, q: give up"


def test_what_comes_and_goes_while_one_chooses_is_told_in_a_line_each() -> None:
    one, two = (TableOffer(name, "war-jhong", 4, 2, number=n) for n, name in ((1, "A"), (2, "B")))
    assert words.offer_news((one,), (one,)) == []
    assert "B" in shown(words.offer_news((one,), (one, two)))
    told = words.offer_news((one, two), (replace(one, is_gone=True), replace(two, seats_free=0)))
    assert shown(told).splitlines() == [" 1  A: closed now", " 2  B: full now"]


def test_a_host_met_before_is_said_to_be_one() -> None:
    friend = TableOffer("Ada's table", "war-jhong", 4, 2, number=1, is_known=True)
    assert "you have played with this host before" in shown(words.offer_lines((friend,)))
    told = shown(words.offer_lines((replace(friend, is_known=False),)))
    assert "played with" not in told


def test_a_script_is_told_what_to_type_for_each_of_several_tables() -> None:
    offers = tuple(
        TableOffer("Table", "war-jhong", 4, 2, f"{host}bcd-efgh", number=n, is_known=n == 1)
        for n, host in enumerate("ab", 1)
    )
    error = words.several_tables(offers)
    assert error.code == Exit.USAGE
    known = '"Table#abcd-efgh" (you have played with this host before)'
    assert f'{known}, "Table#bbcd-efgh"' in error.hint
    assert "--connect" in error.hint
    many = words.several_tables(offers * 10)
    assert "and 14 more" in many.hint


def test_a_host_whose_machine_has_another_address_is_told_what_friends_type_now() -> None:
    before = replace(lobby_of(2, 0), where="10.0.0.7:4242")
    told = click.unstyle(
        "\n".join(words.lobby_news(before, replace(before, where="10.1.0.9:4242")))
    )
    assert "This machine has another address now." in told
    assert "p2pjong join --connect 10.1.0.9:4242" in told
    assert words.lobby_news(before, replace(before, where="")) == [], "there is no room any more"
