"""The vectors of messages, lanes, states and records, held against the program."""

from pathlib import Path
from typing import Any

import pytest

from p2pjong.engine import canonical
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Facts, Options
from p2pjong.games.war_jhong.state import Discard
from p2pjong.session.charter import charter_hash, draft_hash
from p2pjong.session.course import Place, extend_chain
from p2pjong.session.draft import table_id
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.lanes import Lanes, message_hash
from p2pjong.session.words import WORDS, table_words
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import Any_, Charter, Draft, Lane, LaneBody
from scripts.make_vectors_play import made
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
GAME_STORIES = load("war_jhong.json")["games"]
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


@pytest.mark.parametrize("case", LANES["drafts"])
def test_drafts_have_their_bytes_and_hashes(case: dict[str, Any]) -> None:
    draft = decode(bytes.fromhex(case["bytes"]), Draft)
    assert to_json(unpack(encode(draft))) == case["value"]
    assert draft_hash(draft).hex() == case["hash"]


@pytest.mark.parametrize("case", LANES["charters"])
def test_charters_have_their_hashes_and_words(case: dict[str, Any]) -> None:
    charter = decode(bytes.fromhex(case["bytes"]), Charter)
    assert charter_hash(charter).hex() == case["hash"]
    assert list(table_words(charter_hash(charter))) == case["words"]


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


@pytest.mark.parametrize("place", range(len(GAME_STORIES)))
def test_games_of_war_jhong_go_as_told(place: int) -> None:
    story, game = GAME_STORIES[place], GAMES["war-jhong"]
    state = game.start(story["seats"], Options(target=story["target"]))
    assert canonical.digest(state).hex() == story["start"]
    for what, how, digest in story["steps"]:
        if what == "void":
            state = game.void(state, tuple(how))
        elif what == "actions":
            actions = tuple(Action(seat, verb, tuple(slots)) for seat, verb, slots in how)
            state = game.decide(state, actions)
        else:
            state = game.resolve(state, _facts(what, how))
        assert canonical.digest(state).hex()[:16] == digest, what
    assert canonical.encode(state).decode() == story["states"][state.phase]


def _facts(what: str, how: Any) -> Facts:
    if what == "tossed":
        return Facts(tossed=how)
    return Facts(opened=tuple((slot, face) for slot, face in how or ()))


def test_the_games_told_come_to_all_that_the_page_tells() -> None:
    phases = set().union(*(story["states"] for story in GAME_STORIES))
    assert phases == {
        *("toss", "shuffle", "deal", "draw", "reveil", "turn", "discard"),
        *("answer", "mix", "claim", "win", "settle", "over"),
    }
    states = "".join(state for story in GAME_STORIES for state in story["states"].values())
    assert all(word in states for word in ("washed_out", "abandoned", "finished", "FaceUp"))


# --- Records ------------------------------------------------------------------------------------


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
    assert all(f"`{rule}`" in page or "claim" in rule or "hand" in rule for rule in broken)
    # `proof-statement` takes a proof that the steps of War Jhong never ask for.
    assert broken == {
        *("charter", "commitment", "echo", "proof-encoding", "proof-proof", "illegal-action"),
        *("result", "out-of-turn", "wrong-place", "digest", "wrong-kind", "equivocation"),
        *("false-evidence", "vote", "word", "heads", "published-key"),
        *("claim-without-formation", "hand-does-not-go-out", "joint-key"),
    }


def _fault(case: dict[str, Any]) -> bool:
    return bool(case["verdict"].get("fault"))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_vectors_are_what_the_program_makes_today() -> None:
    stale = [name for name, content in made().items() if (VECTORS / name).read_bytes() != content]
    assert stale == [], "run python -m scripts.make_vectors_play, and look at what changed"
