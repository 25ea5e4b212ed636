"""The vectors of messages, lanes, states and records, held against the program."""

from pathlib import Path
from typing import Any

import pytest

from p2pjong.engine import canonical
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Decide, Facts, Foul, Game, IllegalAction, Options
from p2pjong.games.not_your_mas_jong.hands import goes_out
from p2pjong.games.not_your_mas_jong.payments import pay
from p2pjong.games.not_your_mas_jong.sets import is_set
from p2pjong.games.samurai_warfare.battlefield import force, playable_types
from p2pjong.games.war_jhong.scoring import score
from p2pjong.games.war_jhong.state import Discard
from p2pjong.session.charter import charter_hash, draft_hash, draw_lot
from p2pjong.session.course import Place, extend_chain
from p2pjong.session.draft import shown_hash, table_id
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.lanes import Lanes, message_hash
from p2pjong.session.words import WORDS, table_words
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import Any_, Charter, Draft, Lane, LaneBody, LobbyState
from scripts.make_vectors_play import made
from scripts.vector_asked import asked, named
from scripts.vector_games import place_of
from scripts.vector_packing import to_json, unpack
from scripts.vector_records import audited
from tests.support.vectors import (
    VECTORS,
    by_name,
    is_heavy,
    load,
    read_bytes,
    read_value,
    record_of,
)

FRAMES = by_name(load("frames.json")["cases"])
LANES = load("lanes.json")
RECORDS = by_name(load("records.json")["cases"])
SAMURAI, MAS_JONG = "samurai-warfare", "not-your-mas-jong"
GAME_FILES = {name: load(f"{name.replace('-', '_')}.json") for name in GAMES}
STORIES = [
    (name, place) for name, told in GAME_FILES.items() for place in range(len(told["games"]))
]
PLACES = {
    "war-jhong": {
        *("toss", "shuffle", "deal", "draw", "reveil", "turn", "discard"),
        *("answer", "mix", "claim", "win", "settle", "over"),
    },
    MAS_JONG: {
        *("toss", "shuffle", "deal", "draw", "reveil", "turn", "discard", "call"),
        *("order", "serve", "steal", "win", "settle", "over"),
    },
    SAMURAI: {
        *("setup TossFirst", "setup ShuffleAll", "preparations Fill", "strategy ChooseDiscards"),
        *("strategy Drop", "strategy Fill", "tactics ChoosePlay", "tactics Reveal"),
        *("tactics Fill", "tactics LookAhead", "tactics ChooseTaken", "tactics TakeCard"),
        *("tactics Pick", "tactics HandOver", "tactics Look", "tactics ChooseDiscards"),
        *("tactics Drop", "battle ChoosePlay", "battle Reveal", "battle Prove", "battle Fill"),
        *("battle Pick", "battle HandOver", "battle Look", "battle ChooseDiscards"),
        *("battle Drop", "victory SettleTurn", "end ChooseDiscards", "end Drop", "over"),
    },
}
RESULTS = {
    "war-jhong": {"won", "washed_out"},
    MAS_JONG: {"won", "washed_out"},
    SAMURAI: {"won", "tied"},
}
FOULS = {
    "war-jhong": {"claim-without-formation", "hand-does-not-go-out"},
    MAS_JONG: {"steal-without-set", "hand-does-not-go-out"},
    SAMURAI: {"card-not-playable", "wrong-target"},
}
ASKS: dict[str, set[str]] = {
    "war-jhong": set(),
    MAS_JONG: {"order"},
    SAMURAI: {"peek", "show", "give", "prove"},
}
LIGHT_AND_HEAVY = [
    pytest.param(name, marks=pytest.mark.slow if is_heavy(case) else ())
    for name, case in RECORDS.items()
]
KINDS = {"message": Any_, "lane-body": LaneBody}

# How the codec words each check of `messages.md`, in the order in which it makes them.
WORDING = {
    "size": "bytes, more than",
    "elements": "more than 1024 elements",
    "msgpack": "not well-formed msgpack",
    "nesting": "nested deeper",
    "schema": "not a valid message",
    "canonical": "not the canonical encoding",
}


def refusal(case: dict[str, Any]) -> str:
    """Which check refuses the bytes of a case."""
    with pytest.raises(DecodeError) as refused:
        decode(read_bytes(case["bytes"]), KINDS[case["kind"]])
    (failure,) = [name for name, words in WORDING.items() if words in str(refused.value)]
    return failure


# --- Messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n, case in FRAMES.items() if case["verdict"] == "accept"])
def test_messages_are_read_and_written_back_the_same(name: str) -> None:
    case = FRAMES[name]
    data = read_bytes(case["bytes"])
    message = decode(data, KINDS[case["kind"]])
    assert encode(message) == data
    assert unpack(data) == read_value(case["value"])


@pytest.mark.parametrize("name", [n for n, case in FRAMES.items() if case["verdict"] == "refuse"])
def test_what_is_no_message_is_refused_by_the_check_that_the_page_names(name: str) -> None:
    found = refusal(FRAMES[name])
    # A reader of msgpack may have its own limit of nesting, and say so first.
    is_far_too_deep = FRAMES[name]["failure"] == "nesting" and found == "msgpack"
    assert found == FRAMES[name]["failure"] or is_far_too_deep


def test_every_message_and_every_check_has_a_case() -> None:
    tags = {str(read_value(case["value"])[0]) for case in FRAMES.values() if "value" in case}
    payloads = {
        str(read_value(case["value"])[-1][0])
        for case in FRAMES.values()
        if case["kind"] == "lane-body" and "value" in case
    }
    assert tags == {_tag(kind) for kind in Any_.__args__} | {"lane-body"}
    assert payloads == {_tag(kind) for kind in LaneBody.__annotations__["payload"].__args__}
    assert {case["failure"] for case in FRAMES.values() if "failure" in case} == set(WORDING)


def _tag(kind: Any) -> str:
    tag: str = kind.__struct_config__.tag
    return tag


# --- What is hashed and signed ------------------------------------------------------------------


@pytest.mark.parametrize("case", LANES["tables"])
def test_tables_have_their_ids(case: dict[str, Any]) -> None:
    nonces = [bytes.fromhex(nonce) for nonce in case["nonces"]]
    assert table_id(bytes.fromhex(case["lobby"]), nonces).hex() == case["table"]


@pytest.mark.parametrize("case", LANES["lobbies"])
def test_what_a_ready_names_is_the_table_with_its_people(case: dict[str, Any]) -> None:
    state = decode(bytes.fromhex(case["bytes"]), LobbyState)
    assert to_json(unpack(encode(state))) == case["value"]
    assert shown_hash(state).hex() == case["shown"]


@pytest.mark.parametrize("case", LANES["drafts"])
def test_drafts_have_their_bytes_and_hashes(case: dict[str, Any]) -> None:
    draft = decode(bytes.fromhex(case["bytes"]), Draft)
    assert to_json(unpack(encode(draft))) == case["value"]
    assert draft_hash(draft).hex() == case["hash"]


@pytest.mark.parametrize("case", LANES["charters"])
def test_charters_have_their_hashes_words_and_lots(case: dict[str, Any]) -> None:
    charter = decode(bytes.fromhex(case["bytes"]), Charter)
    assert charter_hash(charter).hex() == case["hash"]
    assert list(table_words(charter_hash(charter))) == case["words"]
    lots = [[sides, draw_lot(charter_hash(charter), sides)] for sides, _ in case["lots"]]
    assert lots == case["lots"] and lots[0][0] == len(charter.nonces)


def test_the_words_are_those_of_the_list() -> None:
    assert load("words.json")["words"] == list(WORDS)
    assert len(set(WORDS)) == 256


@pytest.mark.parametrize("case", LANES["contexts"])
def test_contexts_have_their_bytes(case: dict[str, Any]) -> None:
    _, *fields = read_value(case["value"])
    assert encode(Place(*fields)).hex() == case["bytes"]


@pytest.mark.parametrize("case", LANES["chains"])
def test_the_chain_goes_on_by_the_closing_messages(case: dict[str, Any]) -> None:
    hashes = [bytes.fromhex(hash_) for hash_ in case["hashes"]]
    assert extend_chain(bytes.fromhex(case["chain"]), hashes).hex() == case["next"]


def lanes_of(section: dict[str, Any]) -> Lanes:
    draft = decode(bytes.fromhex(section["draft"]), Draft)
    return Lanes(draft_hash(draft), tuple(entry.key for entry in draft.seats))


@pytest.mark.parametrize("case", LANES["lanes"]["accept"], ids=lambda case: case["name"])
def test_signed_messages_are_taken_in(case: dict[str, Any]) -> None:
    lanes = lanes_of(LANES["lanes"])
    lane: Lane = decode(bytes.fromhex(case["frame"]), Lane)
    assert lanes.add(lane) is None
    assert (case["seat"], case["number"]) in lanes.early
    assert message_hash(lane.body).hex() == case["hash"]


@pytest.mark.parametrize("case", LANES["lanes"]["refuse"], ids=lambda case: case["name"])
def test_what_is_not_signed_for_this_place_is_refused(case: dict[str, Any]) -> None:
    lanes = lanes_of(LANES["lanes"])
    with pytest.raises((DecodeError, Refusal)) as refused:
        lanes.add(decode(bytes.fromhex(case["frame"]), Lane))
    assert _failure(refused.value) == case["failure"]
    assert not lanes.early


def _failure(error: Exception) -> str:
    if isinstance(error, OtherTable):
        return "other-table"
    is_malformed = isinstance(error, DecodeError) or "malformed" in str(error)
    return "malformed" if is_malformed else "refused"


# --- States -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", LANES["canonical"], ids=lambda case: case["name"])
def test_values_have_their_one_encoding(case: dict[str, Any]) -> None:
    assert canonical.encode(_value(case["value"])).decode() == case["encoding"]


def _value(described: Any) -> Any:
    if isinstance(described, list):
        return tuple(map(_value, described))
    if isinstance(described, dict):
        records = {"Action": Action, "Discard": Discard}
        return records[described["record"]](*map(_value, described["fields"]))
    return described


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_games_go_as_told(name: str, place: int) -> None:
    story, game = GAME_FILES[name]["games"][place], GAMES[name]
    state = start_of(name, story)
    assert canonical.digest(state).hex() == story["start"]
    for waits, what, how, digest in story["steps"]:
        assert asked(game.pending(state), game.deck) == waits
        state = _after(game, state, what, how)
        assert canonical.digest(state).hex()[:16] == digest, what
    assert canonical.encode(state).decode() == story["states"][place_of(state)]


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_decisions_offer_what_is_told_and_refuse_the_rest(name: str, place: int) -> None:
    story, game = GAME_FILES[name]["games"][place], GAMES[name]
    states = states_of(name, story)
    for case in story["decisions"]:
        state, seat = states[case["at"]], case["seat"]
        known = dict(case["known"])
        offered = [named(action) for action in game.legal(state, seat, known)]
        possible = game.legal(state, seat, {})
        assert offered == case["offered"]
        assert named(game.default(state, seat, known)) == case["default"]
        assert len(possible) == case["possible"] and case["refused"]
        for wrong in map(_action, case["refused"]):
            assert wrong not in possible
            with pytest.raises(IllegalAction):
                game.decide(state, _with_action(game, state, wrong))


def _with_action(game: Game, state: Any, action: Action) -> tuple[Action, ...]:
    """What is decided if this seat does that, and all others what is played when time is up."""
    pending = game.pending(state)
    assert isinstance(pending, Decide)
    others = {seat: game.default(state, seat, {}) for seat in pending.seats}
    return tuple((others | {action.seat: action}).values())


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_cards_that_contradict_a_claim_are_a_foul(name: str, place: int) -> None:
    story, game = GAME_FILES[name]["games"][place], GAMES[name]
    states = states_of(name, story)
    for case in story["fouls"]:
        with pytest.raises(Foul) as foul:
            game.resolve(states[case["at"]], _facts("opened", case["opened"]))
        assert (foul.value.seat, foul.value.rule) == (case["seat"], case["rule"])


def start_of(name: str, story: dict[str, Any]) -> Any:
    options = Options(story["target"], story["rounds"], tuple(story["oldest"]))
    return GAMES[name].start(story["seats"], options)


def states_of(name: str, story: dict[str, Any]) -> list[Any]:
    """The state before each step of a game."""
    states = [start_of(name, story)]
    for _, what, how, _ in story["steps"]:
        states.append(_after(GAMES[name], states[-1], what, how))
    return states


def _after(game: Game, state: Any, what: str, how: Any) -> Any:
    if what == "void":
        return game.void(state, tuple(how))
    if what == "actions":
        return game.decide(state, tuple(map(_action, how)))
    return game.resolve(state, _facts(what, how))


def _action(told: list[Any]) -> Action:
    seat, verb, slots, target = told
    return Action(seat, verb, tuple(slots), target)


def _facts(what: str, how: Any) -> Facts:
    if what == "tossed":
        return Facts(tossed=how)
    if what == "ordered":
        return Facts(order=tuple(how))
    return Facts(opened=tuple((slot, face) for slot, face in how or ()))


@pytest.mark.parametrize("name", GAME_FILES)
def test_the_games_told_come_to_all_that_the_page_tells(name: str) -> None:
    games = GAME_FILES[name]["games"]
    places = set().union(*(story["states"] for story in games))
    assert places == PLACES[name]
    states = "".join(state for story in games for state in story["states"].values())
    assert all(word in states for word in ("abandoned", "finished", "FaceUp"))
    waits = [waits for story in games for waits, *_ in story["steps"]]
    assert {asks[1] for asks in waits if asks[0] == "settle"} == RESULTS[name]
    assert {foul["rule"] for story in games for foul in story["fouls"]} == FOULS[name]
    common = {"toss", "shuffle", "draw", "open", "reveil", "decide", "settle"}
    assert {asks[0] for asks in waits} == common | ASKS[name]
    told = {step[1] for story in games for step in story["steps"]}
    assert {"tossed", "done", "opened", "actions", "void"} <= told


def test_the_games_of_samurai_warfare_shuffle_their_discards() -> None:
    steps = [step for story in GAME_FILES[SAMURAI]["games"] for step in story["steps"]]
    assert any(waits[0] == "shuffle" and not waits[3] for waits, *_ in steps)


def test_callers_race_and_err_in_the_games_of_not_your_mas_jong() -> None:
    steps = [step for story in GAME_FILES[MAS_JONG]["games"] for step in story["steps"]]
    verbs = {action[1] for _, what, how, _ in steps if what == "actions" for action in how}
    assert verbs == {
        *("discard", "go_out", "call_set", "call_win", "pass"),
        *("show_set", "show_win", "wrong"),
    }
    assert any(what == "ordered" and len(how) > 1 for _, what, how, _ in steps)


@pytest.mark.parametrize("case", GAME_FILES["war-jhong"]["hands"])
def test_hands_of_war_jhong_score_as_told(case: dict[str, Any]) -> None:
    melds = [(one, two, three) for one, two, three in case["melds"]]
    reading = score(case["hand"], melds, case["generals"])
    assert (reading and [list(combo) for combo in reading.combos]) == case["combos"]


def test_sets_hands_and_payments_of_not_your_mas_jong_are_as_told() -> None:
    told = GAME_FILES[MAS_JONG]
    assert [is_set(cards) for cards, _ in told["sets"]] == [is_one for _, is_one in told["sets"]]
    for case in told["hands"]:
        melds = [(one, two, three) for one, two, three in case["melds"]]
        assert goes_out(case["hand"], melds) == case["goes_out"]
    for case in told["payments"]:
        won = (case["winner"], case["ma"], case["by"] == "steal")
        assert list(pay(case["tokens"], case["present"], *won)) == case["after"]


@pytest.mark.parametrize("case", GAME_FILES["samurai-warfare"]["lines"])
def test_lines_of_samurai_warfare_have_their_totals(case: dict[str, Any]) -> None:
    line = tuple(case["in_play"]), tuple(case["fallen"])
    assert force(*line) == case["total"]
    assert list(playable_types(*line)) == case["open_types"]


# --- Records ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", LIGHT_AND_HEAVY)
def test_records_come_to_their_verdicts(name: str) -> None:
    assert audited(record_of(RECORDS[name])) == RECORDS[name]["verdict"]


def test_records_are_small_and_all_in_use() -> None:
    files = {path.name for path in VECTORS.glob("record-*.bin")}
    assert files == {case["file"] for case in RECORDS.values()}
    assert all((VECTORS / name).stat().st_size < 300 * 1024 for name in files)


def test_every_rule_that_a_record_can_break_is_broken_in_one() -> None:
    page = (Path(VECTORS).parent / "play.md").read_text(encoding="utf-8")
    broken = {case["verdict"]["fault"]["rule"] for case in RECORDS.values() if _fault(case)}
    of_games = set().union(*FOULS.values())
    assert all(f"`{rule}`" in page or rule in of_games for rule in broken)
    # No step asks for a proof whose statement its author could spoil: `proof-statement`.
    assert broken == {
        *("charter", "commitment", "echo", "proof-encoding", "proof-proof", "illegal-action"),
        *("result", "out-of-turn", "wrong-place", "digest", "wrong-kind", "equivocation"),
        *("false-evidence", "word", "heads", "published-key"),
        *("claim-without-formation", "hand-does-not-go-out", "joint-key"),
        *("order", "steal-without-set"),
    }


def _fault(case: dict[str, Any]) -> bool:
    return bool(case["verdict"].get("fault"))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_vectors_are_what_the_program_makes_today() -> None:
    stale = [name for name, content in made().items() if (VECTORS / name).read_bytes() != content]
    assert stale == [], "run python -m scripts.make_vectors_play, and look at what changed"
