"""Not Your Ma's Jong on the screen: the table, the calls, what is shown when served, payments."""

from dataclasses import replace

import click
import pytest

from p2pjong.games.game import Action, Event, Seat
from p2pjong.games.not_your_mas_jong.faces import FACES
from p2pjong.games.not_your_mas_jong.state import Call
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView
from p2pjong.games.question import BadQuestion
from p2pjong.ui import render, text
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong import words
from p2pjong.ui.not_your_mas_jong.cards import long_name
from p2pjong.ui.question import NoAnswer
from tests.support.not_your_mas_jong_views import call_ask, serve_ask, turn_ask, view_of, won

NAMES = Names(("Ada", "Ben", "Cy", "Dee"), me=0)
ELEVEN = "R1 R2 R3 B4 B4 B4 S2 S3 E1 E1 G6"
OUT = "R1 R2 R3 B4 B4 B4 S2 S3 S4 E1 E1"
TEN = "R1 R2 R3 B4 B4 B4 S2 S3 E1 E1"


def shown(lines: object) -> str:
    assert isinstance(lines, list | tuple)
    return click.unstyle("\n".join(lines))


def told(event: Event, view: NotYourMasJongView) -> str:
    return shown(words.event_lines(event, view, NAMES))


# --- The table ------------------------------------------------------------------------------------


def test_cards_are_called_as_players_call_them() -> None:
    assert long_name("G4") == "Green 4"
    assert long_name("S2") == "Summer"
    assert len({long_name(face) for face in FACES}) == 25


def test_the_table_shows_ma_tokens_skips_and_locked_sets() -> None:
    view = view_of("R1 R2 R3 B4 B4 S2 S3", melds=["G1 G2 G3"], discards=[(1, "E1"), (2, "E1")])
    lines = shown(words.table_lines(replace(view, skips=(0, 2, 0)), NAMES)).splitlines()
    assert lines[0].startswith("-- Round 2 of 8 - 30 cards in the deck ---")
    assert " >  Ada (you)          10      7      -  [G1 G2 G3]" in lines
    assert "    Ben        Ma      11     10      2" in lines
    assert " 2 discards:  E1 x2" in lines


def test_codes_that_are_no_names_are_explained_below_the_hand() -> None:
    question = words.question(turn_ask(view_of(ELEVEN)), NAMES)
    faces, numbers, legend = shown(question.again).splitlines()[1:4]
    assert faces.split() == ["R1", "R2", "R3", "B4", "B4", "B4", "G6", "S2", "S3", "E1", "E1"]
    assert numbers.split() == [str(number) for number in range(1, 12)]
    assert legend == "  S2 Summer  S3 Fall  E1 Love"


def test_the_table_fits_80_columns_and_24_lines_with_wide_names() -> None:
    view = view_of(ELEVEN, seats=4, discards=[(seat % 4, FACES[seat % 25]) for seat in range(32)])
    melds = tuple(view_of("R1", melds=["R1 R2 R3"] * 3).melds[0] for _ in range(4))
    names = Names(("名前" * 16, "x" * 99, "\x1b[1mthird", "fourth"), 0)
    lines = words.table_lines(replace(view, melds=melds), names)
    assert all(text.width(line) <= 80 for line in lines)
    assert len(lines) <= 20
    assert "\x1b[1mthird" not in "\n".join(lines)


# --- The own turn ---------------------------------------------------------------------------------


def test_a_card_is_discarded_by_its_number_its_code_or_its_name() -> None:
    question = words.question(turn_ask(view_of(ELEVEN)), NAMES)
    assert question.prompt == "discard 1-11"
    assert question.read("7").slots == question.read("g6").slots == (106,)
    assert question.read("6 Green").slots == (106,)
    assert question.read("love").slots in ((109,), (110,))


@pytest.mark.parametrize("typed", ["0", "12", "g", "G1", "winter", "1 2", "-1"])
def test_nothing_else_discards(typed: str) -> None:
    with pytest.raises(NoAnswer):
        words.question(turn_ask(view_of(ELEVEN)), NAMES).read(typed)


def test_going_out_is_offered_only_when_it_is_legal() -> None:
    question = words.question(turn_ask(view_of(OUT), can_go_out=True), NAMES)
    assert question.read("g").verb == "go_out"
    assert "You can go out now" in shown(question.lines)
    assert "go out now" not in shown(words.question(turn_ask(view_of(ELEVEN)), NAMES).lines)


def test_advice_names_the_discards_that_leave_one_card_and_what_is_awaited() -> None:
    view = view_of(ELEVEN, discards=[(1, "S1"), (2, "S1"), (1, "S4")])
    lines = shown(words.question(turn_ask(view), NAMES).lines)
    # Of three Springs two lie in the discards, of three Winters one.
    assert "discard G6 (7): one card short, waiting for S1 (1 unseen), S4 (2 unseen)" in lines


def test_a_hand_far_from_going_out_gets_no_advice() -> None:
    view = view_of("R1 R3 R5 B1 B3 B5 G1 G3 G5 E1 E2")
    lines = shown(words.question(turn_ask(view), NAMES).lines)
    assert "one card short" not in lines
    assert " 4 cards short of three sets and a pair" in lines


def test_the_status_tells_what_a_waiting_hand_awaits() -> None:
    assert words.status(view_of(TEN, turn=1)) == "you need S1 S4"
    assert words.status(view_of(ELEVEN)) == ""
    assert words.status(view_of("R1 R3 R5 B1 B3 B5 G1 G3 G5 E1", turn=1)) == ""


# --- Calls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", ["S4", "B4", "G1"])
def test_any_call_is_one_key_whatever_the_hand_holds(face: str) -> None:
    """N5: a wrong call is part of the game, so nothing here may tell which call would be right."""
    question = words.question(call_ask(view_of(TEN), 1, face), NAMES)
    assert question.is_instant and question.is_passing
    assert question.prompt == f"steal {face}? w: to win, s: for a set, p: pass"
    assert [question.read(key).verb for key in "wsp"] == ["call_win", "call_set", "pass"]
    assert shown(question.lines) == "  your hand:   R1 R2 R3   B4 B4 B4   S2 S3   E1 E1"
    assert len(question.lines) == 1


def test_calling_is_explained_at_the_first_discard_of_a_game() -> None:
    first = call_ask(replace(view_of(TEN), hand_number=1), 1, "G1")
    later = call_ask(replace(view_of(TEN, discards=[(1, "R1")]), hand_number=1), 1, "G1")
    assert "A wrong call costs your next turn" in shown(words.question(first, NAMES).lines)
    assert len(words.question(later, NAMES).lines) == 1
    assert max(map(text.width, words.question(first, NAMES).lines)) <= text.COLUMNS


@pytest.mark.parametrize(
    ("face", "verbs"),
    [
        ("S4", {"call_win", "call_set", "pass"}),
        ("R4", {"call_set", "pass"}),
        ("E1", {"call_set", "pass"}),
        ("G1", {"pass"}),
    ],
)
def test_no_mistakes_takes_the_wrong_calls_out(face: str, verbs: set[str]) -> None:
    spared = render.without_mistakes(call_ask(view_of(TEN), 1, face))
    assert {action.verb for action in spared.actions} == verbs
    question = words.question(spared, NAMES)
    assert set(question.keys) == {{"call_win": "w", "call_set": "s"}.get(v, "p") for v in verbs}
    with pytest.raises(NoAnswer):
        question.read("w" if "call_win" not in verbs else "x")


def test_who_is_served_shows_a_set_or_says_that_it_was_wrong() -> None:
    shows = [Action(0, "show_set", (100, 101)), Action(0, "show_set", (101, 102))]
    ask = serve_ask(view_of("R2 R3 R5 B4 B4 B4 S2 S3 E1 E1"), 1, "R4", "call_set", shows)
    question = words.question(ask, NAMES)
    lines = shown(question.lines)
    assert question.prompt == "show 1, 2, x: mistake" and question.is_instant
    assert "1  lock the set R2 R3 R4" in lines and "2  lock the set R3 R4 R5" in lines
    assert "skip your next turn" in lines
    assert question.read("2") == shows[1] and question.read("x").verb == "wrong"


def test_who_is_served_to_win_shows_the_whole_hand() -> None:
    ask = serve_ask(view_of(TEN), 1, "S4", "call_win", [Action(0, "show_win")])
    question = words.question(ask, NAMES)
    assert question.prompt == "show g, x: mistake"
    assert question.read("g").verb == "show_win"
    spared = render.without_mistakes(ask)
    assert [action.verb for action in spared.actions] == ["show_win"]


@pytest.mark.parametrize(
    ("verb", "why"),
    [
        ("call_set", "No two of your cards make a set with G1."),
        ("call_win", "With G1 your hand is not three sets and a pair."),
    ],
)
def test_a_wrong_call_is_explained_and_not_asked_about(verb: str, why: str) -> None:
    ask = serve_ask(view_of(TEN), 1, "G1", verb, [])
    assert len(ask.actions) == 1
    assert shown(words.forced_lines(ask)) == why
    assert render.without_mistakes(ask).actions == ask.actions


def test_a_win_that_is_no_choice_is_told() -> None:
    """N6: a steal for a set that leaves three sets and a pair wins at once."""
    ask = replace(turn_ask(view_of(OUT), can_go_out=True), actions=(Action(0, "go_out"),))
    assert "you go out" in shown(words.forced_lines(ask))


# --- News -----------------------------------------------------------------------------------------

WIN, SET = (("win", 1),), (("set", 1),)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event("first_seat", 1), "Ben will be Ma first"),
        (Event("hand_began", 0, number=3), "You are Ma, with the first turn."),
        (Event("dealt", number=10), "Everyone has 10 cards, Ma one more"),
        (Event("discarded", 1, ("G4",)), "Ben discards G4 Green 4"),
        (Event("discarded", 0, ("S2",)), "You discard S2 Summer"),
        (
            Event("called", 2, ("G4",), 1, details=WIN),
            "Cy calls steal on G4, to win",
        ),
        (Event("called", 0, ("G4",), 1, details=SET), "You call steal on G4, for a set"),
        (
            Event("wrong_call", 2, ("G4",), 1, number=1, details=WIN),
            "Cy was wrong to call steal, and will skip their next turn",
        ),
        (
            Event("wrong_call", 0, ("G4",), 1, number=2, details=WIN),
            "You were wrong to call steal, and will skip your next 2 turns",
        ),
        (
            Event("melded", 2, ("G4", "G5", "G6"), target=0),
            "Cy steals your discard: [G4 G5 G6] lies face up and is locked",
        ),
        (Event("skipped", 0, number=0), "You skip a turn, for a wrong call"),
        (Event("skipped", 1, number=1), "Ben skips a turn, for a wrong call; 1 more turn to skip"),
        (Event("washed_out", number=2), "nobody wins or pays this round"),
        (Event("settled", 1, number=3), "Tokens: Cy: 12, Ben: 11, you: 10"),
        (Event("seat_left", 1), "Ben is out of the game."),
        (Event("hand_void", number=2), "Round 2 is void"),
        (Event("unclaimed", 1, ("G4",)), ""),
        (Event("danced", 1), ""),
    ],
)
def test_events_in_words(event: Event, sentence: str) -> None:
    line = told(event, view_of(TEN))
    assert sentence in line if sentence else line == ""


def test_the_own_draw_is_told_and_others_draws_are_not() -> None:
    assert "You draw R3 Red 3" in told(Event("drew", 0, number=30), view_of(ELEVEN, drawn=102))
    assert told(Event("drew", 1, number=30), view_of(TEN, turn=1)) == ""


SERVED_FIRST = """Cy calls steal on G4, for a set
You call steal on G4, for a set
Cy gets first claim (called first)"""
SERVED_TO_WIN = """Cy calls steal on G4, to win
You call steal on G4, for a set
Cy gets first claim (a call to win goes before a call for a set)"""


@pytest.mark.parametrize(
    ("calls", "number", "sentence"),
    [
        ((Call(2, "call_set"),), 1, ""),
        ((Call(2, "call_set"), Call(0, "call_set")), 1, SERVED_FIRST),
        (
            (Call(2, "call_win"), Call(0, "call_set")),
            1,
            SERVED_TO_WIN,
        ),
        ((Call(0, "call_set"), Call(2, "call_set")), 2, "Cy gets the next claim"),
    ],
)
def test_why_a_caller_is_served_is_told_where_others_called_too(
    calls: tuple[Call, ...], number: int, sentence: str
) -> None:
    event = Event("served", 2, ("G4",), 1, number=number, details=SET)
    assert told(event, replace(view_of(TEN), calls=calls)) == sentence


def test_several_callers_are_told_when_their_order_is_known_and_one_at_once() -> None:
    """N4: seats that answer are no order of calls."""
    calls = (Call(0, "call_set"), Call(2, "call_set"))
    event = Event("called", 0, ("G4",), 1, details=SET)
    assert told(event, replace(view_of(TEN), calls=calls)) == ""
    assert told(event, replace(view_of(TEN), calls=calls[:1])) == "You call steal on G4, for a set"


def test_a_win_shows_the_sets_and_explains_each_payment() -> None:
    view = won(view_of("R1", melds=["G1 G2 G3"]), (6, -4, -2), "draw")
    faces = ("R1", "R2", "R3", "B4", "B4", "B4", "E1", "E1")
    lines = told(Event("went_out", 0, faces, number=6, details=(("draw", 1),)), view)
    assert lines.splitlines()[1:] == [
        "You go out by drawing: 6 tokens",
        "    [G1 G2 G3]   R1 R2 R3   B4 B4 B4   pair E1 E1",
        "  Ben pays  4  2 for a draw, doubled because Ma pays",
        "  Cy pays   2  2 for a draw",
    ]


def test_a_loser_that_cannot_pay_all_pays_all_it_has() -> None:
    """N11."""
    view = won(view_of(TEN, discards=[(2, "S4")]), (-1, 3, -2), "steal")
    faces = ("R1", "R2", "R3", "B4", "B4", "B4", "S2", "S3", "S4", "E1", "E1")
    lines = told(Event("went_out", 1, faces, target=2, number=3, details=(("steal", 1),)), view)
    assert "Ben goes out by stealing Cy's S4: 3 tokens" in lines
    assert (
        "You pay  1  1 for a steal, doubled because Ma won; 2 were due, but no more were left"
        in lines
    )
    assert "Cy pays  2  1 for a steal, doubled because Ma won" in lines


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ((0, 20, 10), "You have no tokens left: the game ends."),
        ((20, 0, 10), "Ben has no tokens left: the game ends."),
        ((30, 0, 0), "Ben and Cy have no tokens left: the game ends."),
    ],
)
def test_an_empty_purse_ends_the_game_and_is_named(scores: tuple[Seat, ...], sentence: str) -> None:
    line = told(Event("settled", 1, number=4), replace(view_of(TEN), scores=scores))
    assert sentence in line


# --- Scores and options ---------------------------------------------------------------------------


def test_score_shows_how_a_hand_goes_out() -> None:
    lines = shown(words.score_lines({"hand": OUT.split()}))
    assert lines.splitlines() == [
        "goes out: three sets and a pair",
        "    R1 R2 R3   B4 B4 B4   S2 S3 S4   pair E1 E1",
    ]


def test_score_tells_why_a_hand_does_not_go_out() -> None:
    lines = shown(words.score_lines({"hand": ELEVEN.split()}))
    assert "does not go out" in lines
    assert "1 card short of three sets and a pair" in lines
    assert "discard G6: waiting for S1 S4" in lines


@pytest.mark.parametrize("hand", [["R1"] * 11, ["R1"], ["X1"] * 11])
def test_score_refuses_cards_that_no_round_brings_together(hand: list[str]) -> None:
    with pytest.raises(BadQuestion):
        words.score_lines({"hand": hand})
