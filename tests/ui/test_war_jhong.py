"""War Jhong on the screen: the table, the hand, the choices, the points."""

from collections.abc import Sequence
from dataclasses import replace

import click
import pytest

from p2pjong.games.game import NOBODY, Event
from p2pjong.games.question import BadQuestion
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.ui import text
from p2pjong.ui.names import Names
from p2pjong.ui.question import NoAnswer, Typed, weigh
from p2pjong.ui.war_jhong import words
from p2pjong.ui.war_jhong.points import COMBOS
from tests.support.war_jhong_views import claim_ask, turn_ask, view_of

NAMES = Names(("Ada", "Ben", "Cy"), me=0)
THIRTEEN = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J F G"
OUT = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J J G"


def shown(lines: Sequence[str]) -> str:
    return click.unstyle("\n".join(lines))


def told(event: Event, view: WarJhongView) -> str:
    return shown(words.event_lines(event, view, NAMES))


def test_every_card_of_the_hand_has_its_number_below_it() -> None:
    view = view_of(THIRTEEN, drawn=103)
    faces, numbers = shown(words.question(turn_ask(view), NAMES).again).split("\n")[1:3]
    columns = [position for position, sign in enumerate(faces) if sign in "IACJFGT"]
    assert len(columns) == 13
    assert numbers.split()[:13] == ["1", "2", "3", "+4", *map(str, range(5, 14))]
    for number, end in zip(numbers.split()[:13], _word_ends(faces), strict=True):
        assert numbers[:end].endswith(number)


def _word_ends(line: str) -> list[int]:
    return [
        place + 1
        for place, sign in enumerate(line)
        if sign != " " and (place + 1 == len(line) or line[place + 1] == " ")
    ]


def test_the_table_fits_80_columns_and_24_lines_with_eight_seats_and_wide_names() -> None:
    view = view_of(THIRTEEN, seats=8, discards=[(seat % 8, "J") for seat in range(16)])
    melds = tuple(view_of("I1", melds=["A4 A5 A6"] * 4).melds[0] for _ in range(8))
    view = replace(view, melds=melds)
    names = Names(("名前" * 16, "x" * 99, *(f"\x1b[1mseat {seat}" for seat in range(6))), 0)
    lines = words.table_lines(view, names)
    assert all(text.width(line) <= 80 for line in lines)
    assert len(lines) <= 24
    assert "\x1b[1mseat" not in "\n".join(lines)


def test_a_card_is_discarded_by_its_number_or_its_code() -> None:
    view = view_of(THIRTEEN)
    question = words.question(turn_ask(view), NAMES)
    assert question.read("13").slots == (112,)
    assert question.read("a5").slots == (104,)
    assert question.read("J").slots == question.read("j").slots == question.read("11").slots
    assert question.read("F").slots == question.read("f").slots == question.read("12").slots


def test_a_capital_g_is_the_general_only_while_g_cannot_mean_to_go_out() -> None:
    question = words.question(turn_ask(view_of(THIRTEEN)), NAMES)
    assert question.read("G").slots == question.read("13").slots
    with pytest.raises(NoAnswer, match="you cannot go out now; 13 or G discards the General"):
        question.read("g")
    out = words.question(turn_ask(view_of(OUT), can_go_out=True), NAMES)
    assert out.read("G").verb == out.read("g").verb == "go_out"
    tactics = words.question(turn_ask(view_of("I1 T")), NAMES)
    with pytest.raises(NoAnswer, match="'T' is not an option here"):
        tactics.read("T")


@pytest.mark.parametrize("typed", ["0", "14", "t", "T", "g", "I9", "", "-1", "1 2"])
def test_nothing_else_discards(typed: str) -> None:
    question = words.question(turn_ask(view_of(THIRTEEN)), NAMES)
    with pytest.raises(NoAnswer):
        question.read(typed)


def test_going_out_is_offered_with_its_points_only_when_it_is_legal() -> None:
    question = words.question(turn_ask(view_of(OUT), can_go_out=True), NAMES)
    assert question.read("g").verb == "go_out"
    assert "You can go out now, for 3 points" in shown(list(question.lines))
    with pytest.raises(NoAnswer):
        words.question(turn_ask(view_of(THIRTEEN)), NAMES).read("g")


def test_advice_names_the_discards_that_leave_one_card_and_what_is_awaited() -> None:
    view = view_of(THIRTEEN, discards=[(1, "J"), (2, "J")])
    lines = shown(list(words.question(turn_ask(view), NAMES).lines))
    # 16 Junks: two in the hand, two discarded, so twelve are out of sight.
    assert "discard G (13): one card short, waiting for J (12 unseen), T (6 unseen)" in lines
    assert "discard F (12): one card short, waiting for J (12 unseen), T (6 unseen)" in lines


def test_a_hand_far_from_going_out_gets_no_advice() -> None:
    view = view_of("I1 I4 I7 A2 A5 A9 C1 C3 C8 J F G G")
    lines = shown(list(words.question(turn_ask(view), NAMES).lines))
    assert "one card short" not in lines


def test_claims_are_numbered_best_first_and_answered_by_one_key() -> None:
    view = view_of("I4 I6 I7 A1 A2 A3 C1 C2 C3 J J G", discards=[(1, "I5")], turn=1)
    question = words.question(claim_ask(view, ["I4 I6", "I6 I7"]), NAMES)
    assert question.is_instant
    assert "Ben discards I5. Do you claim it?" in shown(list(question.lines))
    assert {question.read("1").slots, question.read("2").slots} == {(100, 101), (101, 102)}
    assert question.read("p").verb == "pass"
    with pytest.raises(NoAnswer):
        question.read("")


def test_a_claim_that_goes_out_tells_its_points() -> None:
    view = view_of("I1 I2 I3 A4 A5 A6 C7 C8 C9 J J G", discards=[(1, "J")], turn=1)
    question = words.question(claim_ask(view, ["J J"], can_go_out=True), NAMES)
    assert question.read("g").verb == "claim_go_out"
    assert "go out, for 3 points" in shown(list(question.lines))


def test_many_claims_stand_side_by_side_and_answer_by_key_where_they_can() -> None:
    hand = "I1 I2 I3 I4 I5 I6 I7 I8 I9 A1 A1 A1"
    view = view_of(hand, discards=[(1, "T")], turn=1)
    pairs = [f"I{low} I{low + 1}" for low in range(1, 9)] + ["A1 A1", "I1 I3", "I2 I4"]
    question = words.question(claim_ask(view, pairs), NAMES)
    assert question.is_instant
    meant = {key: weigh(key, question.keys) for key in ("1", "2", "11", "p", "z")}
    assert meant == {
        "1": Typed.BEGUN,
        "2": Typed.WHOLE,
        "11": Typed.WHOLE,
        "p": Typed.WHOLE,
        "z": Typed.STRAY,
    }
    assert len(question.lines) <= 9
    assert all(text.width(line) <= 80 for line in question.lines)
    assert question.read("11").verb == "claim_formation"


def test_the_status_tells_what_a_waiting_hand_awaits() -> None:
    waiting = view_of("I1 I2 I3 A4 A5 A6 C7 C8 C9 J J G", turn=1)
    assert words.status(waiting) == "you need J T"
    assert words.status(view_of("I1 I4 I7 A2 A5 A9 C1 C3 C8 J F G", turn=1)) == ""


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event("first_seat", 1), "Ben will begin"),
        (Event("discarded", 1, ("A4",)), "Ben discards A4 Archers 4"),
        (Event("discarded", 0, ("G",)), "You discard G General, which cannot be claimed"),
        (
            Event("claimed", 2, ("A4",), target=1, number=1, details=(("formation", 1),)),
            "Cy claims A4 for a Formation",
        ),
        (
            Event("claimed", 0, ("A4",), target=1, number=0, details=(("go_out", 1),)),
            "You claim it too, to go out; the player next in turn gets it",
        ),
        (Event("melded", 2, ("A4", "A5", "A6"), target=1), "Cy lays down A4 A5 A6"),
        (Event("washed_out", number=2), "nobody scores this hand"),
        (Event("settled", 1, number=3), "Scores: Cy: 20, Ben: 10, you: 0   (to 100)"),
        (Event("seat_left", 1), "Ben is out of the game."),
        (Event("hand_void", number=2), "Hand 2 is void"),
    ],
)
def test_events_in_words(event: Event, sentence: str) -> None:
    assert sentence in told(event, view_of(THIRTEEN))


def test_the_own_draw_is_told_and_others_draws_are_not() -> None:
    view = view_of(THIRTEEN, drawn=103)
    assert "You draw A4" in told(Event("drew", 0, number=40), view)
    assert told(Event("drew", 1, number=40), view_of(THIRTEEN, turn=1)) == ""


def test_an_unknown_event_of_a_later_version_is_no_crash() -> None:
    assert told(Event("danced", 1), view_of(THIRTEEN)) == ""


def test_a_win_is_explained_combo_by_combo() -> None:
    faces = ("I1", "I2", "T", "A1", "A2", "A3", "J", "J", "J", "G")
    view = view_of("J", melds=["C1 C2 C3"])
    details = (("going_out", 1), ("triple_formation", 9), ("fleet", 2))
    event = Event("went_out", 0, faces, target=1, number=12, details=details)
    lines = told(event, view)
    for part in (
        "You go out on Ben's discard: 12 points",
        "[C1 C2 C3]",
        "I1 I2 T=I3",
        "left over: G",
        "Triple Formation",
        "total",
    ):
        assert part in lines
    assert told(replace(event, target=NOBODY), view).count("discard") == 0


def test_every_combo_of_the_chart_has_its_words() -> None:
    from p2pjong.games.war_jhong.chart import CHART_ORDER

    assert set(COMBOS) == set(CHART_ORDER)


def test_score_explains_a_hand_that_is_short() -> None:
    lines = shown(words.score_lines({"hand": THIRTEEN.split()}))
    assert "does not go out" in lines and "1 card short" in lines
    assert "discard G: waiting for J T" in lines


def test_score_refuses_cards_that_the_deck_has_not() -> None:
    with pytest.raises(BadQuestion):
        words.score_lines({"hand": ["I1"] * 13})
