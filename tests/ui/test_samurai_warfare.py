"""Samurai Warfare on the screen: cards in words, the table, questions with aims, news, totals."""

import re
from dataclasses import replace

import click
import pytest

from p2pjong.games.game import NOBODY, Action, Event, Seat
from p2pjong.games.question import BadQuestion
from p2pjong.games.samurai_warfare.cards import CARDS, FACES
from p2pjong.games.samurai_warfare.state import FaceUp
from p2pjong.games.samurai_warfare.view import Seen
from p2pjong.session.effects import Ask
from p2pjong.ui import text
from p2pjong.ui.names import Names
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.samurai_warfare import words
from p2pjong.ui.samurai_warfare.cards import battle_note, card_lines, tactics_note, tactics_notes
from tests.support.samurai_scene import Scene

NAMES = Names(("Ada", "Ben", "Cy", "Dee", "Eve", "Fay"), me=0)
HANDS = {0: "yari-spearmen honda seppuku", 1: "stronghold", 2: "roads forest"}


def shown(lines: object) -> str:
    assert isinstance(lines, list | tuple)
    return click.unstyle("\n".join(lines))


def ask_of(scene: Scene, seat: Seat = 0) -> Ask:
    table = scene.table
    return Ask(1, scene.view(seat), table.legal(seat), table.default(seat), is_answer=False)


def question_of(scene: Scene, seat: Seat = 0) -> Question[Action]:
    return words.question(ask_of(scene, seat), NAMES)


def told(scene: Scene, event: Event, names: Names = NAMES) -> str:
    return shown(words.event_lines(event, scene.view(names.me), names))


# --- Cards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "in_battle", "in_tactics"),
    [
        ("horse-archers", "Cavalry, Archer", "draw 3, discard 2"),
        ("fortress", "Fort; your Archers +3", "steal a card"),
        ("stronghold", "Fort; one more Samurai", "steal a card"),
        ("invasion-fleet", "destroy non-Fort Terrain", "draw 1, see hand"),
        ("heavy-snow", "destroy an Ashigaru", "steal a card"),
        ("ambush", "destroy Guns", "draw 1, see hand"),
        ("rebellion", "target discards 2", "target loses 1"),
        ("tokugawa", "draw 2", "take 1 of next 5"),
        ("yari-spearmen", "Spear", "draw 2"),
        ("honda", "see hand", "take 1 of next 5"),
        ("river", "steal a card", "steal a card"),
    ],
)
def test_what_a_card_does_is_told_in_a_few_words(
    face: str, in_battle: str, in_tactics: str
) -> None:
    assert battle_note(face) == in_battle
    assert tactics_note(face) == in_tactics


def test_every_card_says_what_it_does_and_all_fit_80_columns_side_by_side() -> None:
    rows = [(str(number), face) for number, face in enumerate(FACES, 1)]
    head, *lines = card_lines(rows, tactics_notes(FACES), "in Tactics")
    assert all(text.width(line) <= 79 for line in (head, *lines))
    for line, face in zip(lines, FACES, strict=True):
        card, seen = CARDS[face], click.unstyle(line)
        assert f"{card.name} " in seen and f" {card.force} " in seen
        assert card.type.capitalize() in seen
        assert not card.action or battle_note(face).split("; ")[-1]


def test_no_two_columns_run_together() -> None:
    """ "destroy a Shogun Special laid" read as one."""
    rows = [("" if number % 2 else str(number), face) for number, face in enumerate(FACES, 1)]
    for last in (tactics_notes(FACES), dict.fromkeys(FACES, "2 Ashigaru used")):
        _, *lines = map(click.unstyle, card_lines(rows, last, ""))
        for line, face in zip(lines, FACES, strict=True):
            note, told = battle_note(face), last[face]
            assert re.search(rf"\d  {re.escape(note)} *  {told}$", line), line


# --- The table ------------------------------------------------------------------------------------


def test_the_table_shows_forces_with_bonuses_and_what_was_lost() -> None:
    scene = Scene(
        HANDS,
        in_play={0: "cannons", 1: "takeda matchlock-gunners"},
        fallen={1: "fortress"},
        scores=(2, 1, 0),
    )
    lines = shown(words.table_lines(scene.view(0), NAMES)).splitlines()
    assert lines[0].startswith("-- Turn 1 - Battle Phase - you are Shogun - to 5 tokens ")
    assert " > a Ada (you)      2    3     9  Cannons 9" in lines
    assert "   b Ben            1    1    16  Takeda 7, Matchlock Gunners 9" in lines
    assert " " * 34 + "- lost: Fortress" in lines
    assert "   c Cy             0    2     -" in lines


@pytest.mark.parametrize(("seats", "each"), [(4, 6), (6, 4)])
def test_the_whole_table_fits_80_columns_and_24_lines_late_in_a_battle(
    seats: int, each: int
) -> None:
    view = Scene({0: "forest roads sohei-warrior-monks", 1: "castle"}, seats=seats).view(0)
    line = "yari-spearmen heavy-cavalry ronin-mercenaries takeda castle superior-tactics"
    cards = tuple(FaceUp(900 + place, face) for place, face in enumerate(line.split()[:each]))
    view = replace(
        view,
        in_play=(cards,) * seats,
        discards=tuple(FaceUp(800, "portuguese-soldiers") for _ in range(9)),
        forces=(60,) * seats,
    )
    names = Names(("名前" * 16, "x" * 99, *(f"\x1b[1mseat {seat}" for seat in range(4))), 0)
    lines = words.table_lines(view, names)
    assert all(text.width(line) <= 80 for line in lines)
    assert len(lines) <= 22
    assert "\x1b[1mseat" not in "\n".join(lines)


def test_a_question_that_a_screen_cannot_take_gives_each_seat_one_line() -> None:
    hand = "forest roads sohei-warrior-monks honda"
    scene = Scene({0: hand, 1: "castle"}, seats=6)
    line = "yari-spearmen heavy-cavalry ronin-mercenaries takeda castle superior-tactics"
    cards = tuple(FaceUp(900 + place, face) for place, face in enumerate(line.split()))
    ask = ask_of(scene)
    view = replace(scene.view(0), in_play=((), *(cards,) * 5), discards=(), forces=(30,) * 6)
    lines = words.question(replace(ask, view=view), NAMES).lines
    assert len(lines) <= 22 < len(words.table_lines(view, NAMES)) + 1
    assert "   b Ben            0    1    30  Yari Spearmen 2, Heavy Cavalry 8, .." in shown(lines)


def test_cards_that_may_not_be_played_have_no_number_and_say_why() -> None:
    hands = {0: "yari-spearmen heavy-cavalry honda forest", 1: "castle"}
    in_play = {0: "naginata allied-clan horse-archers yumi-archers"}
    scene = Scene(hands, seats=2, in_play=in_play)
    *_, first, second, third, fourth, _ = shown(question_of(scene).lines).splitlines()
    assert first.startswith("   Yari Spearmen") and first.endswith("  Ashigaru used")
    assert second.startswith("   Heavy Cavalry") and second.endswith("  2 Samurai used")
    assert third.startswith(" 3 Honda") and fourth.startswith(" 4 Forest")


def test_private_knowledge_is_shown_to_its_seat_alone() -> None:
    scene = Scene({0: "campaign", 1: "castle forest"}, seats=2, phase="tactics", deck="takeda")
    scene.do(0, "play campaign @1")
    mine = shown(words.table_lines(scene.view(0), NAMES))
    assert "you saw in Ben's hand: Castle, Forest" in mine
    theirs = shown(words.table_lines(scene.view(1), replace(NAMES, me=1)))
    assert "Ada saw in your hand: Castle, Forest" in theirs and "you know" not in theirs
    anyone = shown(words.table_lines(scene.view(NOBODY), replace(NAMES, me=NOBODY)))
    assert "know" not in anyone and "Castle" not in anyone


def test_a_hand_looked_at_is_shown_without_what_has_left_it() -> None:
    scene = Scene({0: "campaign", 1: "castle forest"}, seats=2, phase="tactics", deck="takeda")
    scene.do(0, "play campaign @1")
    scene.do(1, "play castle @0")
    assert "you saw in Ben's hand: Forest" in shown(words.table_lines(scene.view(0), NAMES))
    seen = (Seen("looked", 0, 1, ("castle", "forest"), 1), Seen("looked", 0, 2, ()))
    lines = shown(words.table_lines(replace(scene.view(0), seen=seen), NAMES))
    assert "one of them may be gone" in lines and "Cy's hand" not in lines


def test_what_one_knows_of_the_deck_is_told_by_its_place() -> None:
    scene = Scene(
        {0: "takeda", 1: "castle"}, seats=2, phase="tactics", deck="honda river forest spies roads"
    )
    scene.do(0, "play takeda")
    scene.do(0, "take river")
    mine = shown(words.table_lines(scene.view(0), NAMES))
    assert "you know in the deck, from the top:  1. Honda  2. Forest  3. Spies  4. Roads" in mine
    assert "from the top" not in shown(words.table_lines(scene.view(1), NAMES))


# --- Questions ------------------------------------------------------------------------------------


def test_any_up_to_three_cards_are_discarded_in_any_order_or_all_are_kept() -> None:
    scene = Scene({0: "yari-spearmen yari-spearmen honda seppuku castle"}, phase="strategy")
    question = question_of(scene)
    hand = scene.view(0).hand
    assert question.read("5, 1 3").slots == tuple(sorted(hand[i][0] for i in (0, 2, 4)))
    assert question.read("2").slots == (hand[1][0],)
    for keeping in ("k", "K", "0", "none", "p"):
        assert question.read(keeping).verb == "pass"
    assert question.prompt == "discard up to 3 of 1-5, like 1 2 3, k: keep all"
    assert "draw as many" in shown(question.lines)


@pytest.mark.parametrize("typed", ["1 2 3 4", "1 1", "6", "0 1", "-1", "1 x", "", "9" * 5000, "a"])
def test_what_names_no_cards_discards_none(typed: str) -> None:
    scene = Scene({0: "yari-spearmen yari-spearmen honda seppuku castle"}, phase="strategy")
    with pytest.raises(NoAnswer):
        question_of(scene).read(typed)


def test_a_forced_discard_takes_exactly_so_many_and_keeps_none_back() -> None:
    scene = Scene({0: "rebellion", 1: "castle forest river"}, seats=2)
    scene.do(0, "play rebellion @1")
    question = question_of(scene, 1)
    assert question.prompt == "discard 2 of 1-3, like 1 2"
    assert question.read("3 1").verb == "discard"
    for refused in ("1", "1 2 3", "k"):
        with pytest.raises(NoAnswer):
            question.read(refused)


def test_one_card_may_go_at_the_end() -> None:
    scene = Scene({0: "castle forest", 1: "river"}, seats=2, phase="end")
    question = question_of(scene)
    assert question.prompt == "discard one of 1-2, k: keep all"
    assert question.read("2").verb == "discard" and question.read("k").verb == "pass"


def test_a_target_is_the_letter_of_its_seat_behind_the_number() -> None:
    scene = Scene({0: "castle spies", 1: "forest", 2: "river roads"}, phase="tactics")
    question = question_of(scene)
    assert question.prompt == "play 1, 2, p: pass"
    lines = shown(question.lines)
    assert "1, 2 with a target, like 1b:  b Ben (1 card)  c Cy (2 cards)" in lines
    for typed in ("2c", "2 c", " 2  C ", "castle c"):
        assert question.read(typed).target == 2
    assert question.read("1b") == Action(0, "play", (scene.slot(0, "spies"),), 1)
    assert question.read("p").verb == "pass"


def test_a_seat_keeps_its_letter_for_the_whole_game_and_shows_it_in_the_table() -> None:
    """Whoever else is a target, or is out: letters learned once are right ever after."""
    for out, hands in ((), "river"), ((1,), "river"), ((), ""):
        scene = Scene(
            {0: "castle", 1: "" if out else hands, 2: "roads", 3: "honda"},
            seats=4,
            phase="tactics",
            out=out,
        )
        question = question_of(scene)
        assert question.read("1c").target == 2 and question.read("1d").target == 3
        rows = shown(question.lines).splitlines()[2:6]
        assert [row[3] for row in rows] == ["a", " " if out else "b", "c", "d"]


def test_one_of_several_cards_of_a_seat_is_named_by_its_place_in_play() -> None:
    in_play = {1: "cannons heavy-cavalry horse-archers", 2: "naginata"}
    scene = Scene({0: "surrounded", 1: "roads", 2: "river"}, in_play=in_play)
    question = question_of(scene)
    lines = shown(question.lines)
    assert "b2 Ben's Heavy Cavalry" in lines and "b3 Ben's Horse Archers" in lines
    assert "c Cy's Naginata" in lines
    for typed, seat, face in (("1b2", 1, "heavy-cavalry"), ("1 b3", 1, "horse-archers")):
        assert question.read(typed).slots[1] == scene.slot_in_play(seat, face)
    with pytest.raises(NoAnswer, match="1 needs a target: 1b2 Ben's"):
        question.read("1b")


def test_a_missing_target_is_asked_for() -> None:
    scene = Scene({0: "castle spies", 1: "forest", 2: "river roads"}, phase="tactics")
    with pytest.raises(NoAnswer, match=r"2 needs a target: 2b Ben \(1 card\), 2c Cy \(2 cards\)"):
        question_of(scene).read("castle")
    with pytest.raises(NoAnswer, match="2 needs a target: 2b Ben"):
        question_of(scene).read("2a")


def test_a_target_is_taken_where_there_is_one_and_explained_where_none_is_needed() -> None:
    scene = Scene({0: "castle yari-spearmen", 1: "forest", 2: ""}, phase="tactics")
    question = question_of(scene)
    spear = next(n for n, (_, face) in enumerate(scene.view(0).hand, 1) if face != "castle")
    castle = 3 - spear
    assert question.read(f"{castle}b") == question.read(f"{castle} b") == question.read(f"{castle}")
    assert question.read(f"{castle}b").target == 1
    with pytest.raises(NoAnswer, match=f"{castle} has one target now: {castle}b Ben"):
        question.read(f"{castle}c")
    for typed in (f"{spear}a", f"{spear} a", f"{spear}b"):
        with pytest.raises(NoAnswer, match=f"{spear} needs no target: type {spear}"):
            question.read(typed)


def test_a_card_that_may_not_be_played_now_says_why_when_it_is_typed() -> None:
    hands = {0: "yari-spearmen heavy-cavalry honda forest", 1: "castle"}
    scene = Scene(hands, seats=2, in_play={0: "naginata allied-clan horse-archers yumi-archers"})
    for typed in ("1", "1a"):
        with pytest.raises(
            NoAnswer, match="Yari Spearmen cannot be played now: Ashigaru used already"
        ):
            question_of(scene).read(typed)


def test_with_one_possible_target_no_letter_is_needed() -> None:
    scene = Scene({0: "castle spies", 1: "forest", 2: ""}, phase="tactics")
    question = question_of(scene)
    assert question.read("2").target == question.read("castle").target == 1
    assert "with a target" not in shown(question.lines)


def test_the_card_to_destroy_is_told_with_its_owner_and_force() -> None:
    scene = Scene(
        {0: "surrounded ambush seppuku forest", 1: "roads", 2: "river"},
        in_play={1: "naomasa heavy-cavalry", 2: "naginata cannons"},
    )
    question = question_of(scene)
    lines = shown(question.lines)
    number = {face: place for place, (_, face) in enumerate(scene.view(0).hand, 1)}
    assert f"{number['surrounded']} with a target" in lines
    assert "Ben's Heavy Cavalry 11" in lines and "Cy's Naginata 4" in lines
    assert f"{number['seppuku']} destroys Ben's Naomasa 5" in lines
    assert f"{number['ambush']} destroys Cy's Cannons 9" in lines
    assert question.read(f"{number['surrounded']}b").slots[1] == scene.slot_in_play(
        1, "heavy-cavalry"
    )
    for typed in ("c", "c1", " c1"):  # its place in play may be named, too
        way = question.read(f"{number['surrounded']}{typed}")
        assert way.slots[1] == scene.slot_in_play(2, "naginata")
    assert question.read("ambush").slots[1] == scene.slot_in_play(2, "cannons")


def test_a_card_that_would_destroy_nothing_says_so() -> None:
    scene = Scene({0: "siege seppuku honda", 1: "roads"}, seats=2)
    assert "2, 3 would have no effect now" in shown(question_of(scene).lines)


def test_the_cards_looked_at_are_numbered_from_the_top() -> None:
    scene = Scene(
        {0: "takeda forest", 1: "castle"}, seats=2, phase="tactics", deck="honda river cannons"
    )
    scene.do(0, "play takeda")
    question = question_of(scene)
    lines = shown(question.lines)
    assert "the next 5 cards of the deck" in lines
    assert " 1 Honda" in lines and " 2 River" in lines and " 3 Cannons" in lines
    assert question.prompt == "take 1-5"
    by_number = scene.dealer.face(question.read("3").slots[0])
    assert by_number == "cannons" and question.read("cannons") == question.read("3")


def test_the_only_card_that_may_be_played_is_named() -> None:
    scene = Scene({0: "honda takeda roads", 1: "castle"}, seats=2, in_play={0: "musashi"})
    ask = ask_of(scene)
    assert len(ask.actions) == 1
    assert shown(words.forced_lines(ask)) == "Roads is the only card that you can play now."
    only_pass = Scene({0: "honda", 1: "castle"}, seats=2, in_play={0: "musashi"})
    assert shown(words.forced_lines(ask_of(only_pass))) == "You have no card that you can play now."


@pytest.mark.parametrize("phase", ["strategy", "tactics", "battle", "end"])
def test_every_question_fits_the_screen_with_four_seats(phase: str) -> None:
    hand = "yumi-archers heavy-cavalry honda rebellion portuguese-soldiers treacherous-terrain"
    hand += " invasion-fleet surprise-attack"
    scene = Scene({0: hand, 1: "roads", 2: "river", 3: "castle"}, seats=4, phase=phase)
    question = question_of(scene)
    assert len(question.lines) <= 22
    assert all(text.width(line) <= 80 for line in question.lines)


def test_the_status_compares_forces_while_a_battle_goes_on() -> None:
    scene = Scene(HANDS, in_play={0: "cannons", 1: "takeda matchlock-gunners", 2: "river"})
    assert words.status(scene.view(1)) == "your force 16, the best other 9"
    assert words.status(Scene(HANDS, phase="strategy").view(1)) == "Strategy Phase"


# --- News -----------------------------------------------------------------------------------------


def test_a_card_played_for_its_effect_says_what_it_does_and_to_whom() -> None:
    scene = Scene({0: "castle", 1: "forest"}, seats=2, phase="tactics")
    for event in scene.do(0, "play castle @1"):
        line = told(scene, event)
        if event.verb == "played":
            assert line == "You play Castle (Terrain 9, Fort) to steal a random card from Ben"
        if event.verb == "stole":
            assert line == "You steal Ben's Forest (Terrain 5)"
            after = words.hand_after_lines(event, scene.view(0), NAMES)
            assert shown(after) == "  your hand: Forest"
            assert told(scene, event, replace(NAMES, me=1)) == "Ada steals your Forest (Terrain 5)"
            others = words.event_lines(event, scene.view(NOBODY), Names(("Ada", "Ben")))
            assert others == ["Ada steals a card from Ben"]


@pytest.mark.parametrize(
    ("face", "target", "sentence"),
    [
        ("masamune", 1, "Cy plays Masamune (Shogun 6) to make Ben discard a card"),
        ("rebellion", 0, "Cy plays Rebellion (Special 3) to make you discard 2 cards"),
        ("honda", 0, "Cy plays Honda (Shogun 10) to look at your hand"),
        ("honda", -1, "Cy plays Honda (Shogun 10) without effect: there is no target"),
        (
            "counterattack",
            -1,
            "Cy plays Counterattack (Strategy 6) to strengthen their own Spears by 3",
        ),
        ("campaign", -1, "Cy plays Campaign (Strategy 9) to allow one more Strategy"),
        ("forest", -1, "Cy plays Forest (Terrain 5) to draw a card"),
        ("siege", 1, "Cy plays Siege (Strategy 7) to destroy a Fort"),
        ("cannons", -1, "Cy plays Cannons (Special 9, Guns)"),
    ],
)
def test_a_card_played_in_battle_says_what_it_does(face: str, target: Seat, sentence: str) -> None:
    event = Event("played", 2, (face,), target, details=(("battle", 1),))
    assert told(Scene(HANDS), event) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event("first_seat", 1), "Ben will be the first Shogun"),
        (Event("shuffled", number=71), "All 71 cards are shuffled."),
        (Event("turn_began", 0, number=3), "You are Shogun and first in every phase."),
        (Event("phase_began", details=(("battle", 1),)), "Battle Phase: cards are played"),
        (Event("drew", 1, number=1), "Ben draws 1 card"),
        (Event("reshuffled", number=40), "the 40 discards are shuffled into a new deck"),
        (Event("passed", 1, details=(("strategy", 1),)), "Ben discards nothing"),
        (Event("passed", 0, details=(("tactics", 1),)), "You play no card for its effect"),
        (
            Event("passed", 1, number=1, details=(("battle", 1),)),
            "passes: they have no card that they can play",
        ),
        (
            Event("passed", 1, details=(("battle", 1),)),
            "Ben passes: they have no card that they can play",
        ),
        (
            Event("discarded", 2, ("river",), details=(("random", 1),)),
            "Cy discards River, chosen at random",
        ),
        (Event("discarded", 2, ("river", "roads"), number=2), "Cy discards River, Roads"),
        (Event("destroyed", 2, ("takeda",), 0), "  Your Takeda (Shogun 7) is destroyed"),
        (Event("peeked", 1, number=5), "Ben looks at the next 5 cards of the deck"),
        (Event("peeked", 1, number=1), "Ben looks at the next card of the deck"),
        (Event("took", 1, number=2), "Ben takes the 3rd of them"),
        (Event("looked", 1, target=2, number=4), "Ben looks at Cy's hand"),
        (Event("settled", 1, number=1), "Victory Tokens: you: 0, Ben: 0, Cy: 0   (to 5)"),
        (Event("sword_passed", 0), "You take the Shogun Sword."),
        (Event("seat_left", 1), "Ben is out of the game."),
        (Event("hand_void", number=2), "Turn 2 is void"),
        (Event("danced", 1), ""),
    ],
)
def test_events_in_words(event: Event, sentence: str) -> None:
    assert sentence in told(Scene(HANDS), event)


def test_a_pass_with_an_empty_hand_needs_no_proof_and_says_so() -> None:
    event = Event("passed", 1, details=(("battle", 1),))
    assert told(Scene({0: "castle", 1: ""}, seats=2), event) == "Ben passes: no card is left"


def test_own_cards_drawn_and_taken_are_named() -> None:
    scene = Scene(HANDS)
    view = replace(
        scene.view(0),
        seen=(Seen("drew", 0, NOBODY, ("castle", "river")), Seen("took", 0, NOBODY, ("roads",))),
    )
    drew, took = Event("drew", 0, number=2), Event("took", 0)
    assert shown(words.event_lines(drew, view, NAMES)) == "You draw Castle, River"
    assert shown(words.event_lines(took, view, NAMES)) == "You take Roads"
    for event in (drew, took):
        hand = shown(words.hand_after_lines(event, view, NAMES))
        assert hand == "  your hand: Yari Spearmen, Honda, Seppuku"


def test_the_victory_phase_adds_up_card_by_card_and_bonus_by_bonus() -> None:
    scene = Scene(
        HANDS,
        in_play={0: "cannons matchlock-gunners takeda", 1: "fortress", 2: ""},
        fallen={1: "minamoto"},
    )
    details = (("force_0", 28), ("force_1", 10), ("force_2", 0))
    lines = told(scene, Event("turn_won", 0, number=28, details=details)).splitlines()
    assert lines[1:] == [
        "  you  28  Cannons 9+3, Matchlock Gunners 6+3, Takeda 7",
        "           bonuses: Guns +3 from Takeda",
        "  Ben  10  Fortress 10",
        "  Cy    0  no card in play",
        "You win the turn with 28: a Victory Token.",
    ]


def test_a_tie_names_who_tied() -> None:
    scene = Scene(HANDS, in_play={0: "cannons", 1: "castle"})
    details = (("force_0", 9), ("force_1", 9), ("force_2", 0))
    lines = told(scene, Event("turn_tied", NOBODY, number=9, details=details))
    assert lines.endswith("Ben and you tie at 9: nobody wins, and the sword stays.")


# --- Scores and options ---------------------------------------------------------------------------


def test_score_explains_each_bonus_and_what_was_destroyed() -> None:
    asked = {"played": ["takeda", "cannons", "castle"], "destroyed": ["takeda"]}
    assert shown(words.score_lines(asked)).splitlines() == [
        "force 24",
        "  Cannons  15  9 +3 (Guns, from Castle) +3 (Guns, from Takeda, destroyed)",
        "  Castle    9",
        "  Takeda    -  destroyed",
    ]


def test_score_says_which_line_could_not_have_been_played() -> None:
    asked = {"played": "takeda honda campaign reserves siege".split()}
    told = " ".join(shown(words.score_lines(asked)).split())
    assert (
        "could not have been played together: 2 Shogun cards where 1 can be in play, 3 Strategy"
        in told
    )
    # An extra makes room, also if its card is destroyed; so does what was destroyed itself.
    for played, destroyed in (
        ("takeda honda retainer campaign reserves", ""),
        ("takeda honda retainer", "retainer"),
        ("takeda honda", "honda"),
    ):
        asked = {"played": played.split(), "destroyed": destroyed.split()}
        assert "could not" not in shown(words.score_lines(asked))


def test_score_refuses_cards_that_the_deck_has_not() -> None:
    with pytest.raises(BadQuestion):
        words.score_lines({"played": ["takeda", "takeda"]})
