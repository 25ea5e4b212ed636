"""A verifier written from the pages alone, held against the vectors and against the program."""

import ast
import hashlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2pjong.games.war_jhong.scoring import score
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import encode
from scripts.vector_edits import record_of as record_file
from scripts.vector_records import audited
from scripts.vector_tables import choose_eagerly
from tests.support import second_msgpack, second_play, second_points, second_proofs, second_steps
from tests.support import second_war_jhong as war_jhong
from tests.support.hostile import Misdeed, hostile
from tests.support.lane_misdeeds import STORIES
from tests.support.misdeeds import BOOKS, MISDEEDS
from tests.support.scenario import short_draft, with_open_books
from tests.support.second_verifier import Damaged, Mismatch, verify
from tests.support.sim import SimTable, make_draft
from tests.support.trials import LIES, choose_greedily, try_in
from tests.support.vectors import (
    VECTORS,
    by_name,
    is_heavy,
    load,
    read_bytes,
    read_value,
    record_of,
    split,
)
from tests.support.war_jhong_hands import random_question

FRAMES = by_name(load("frames.json")["cases"])
LANES = load("lanes.json")
RECORDS = by_name(load("records.json")["cases"])
LIGHT_AND_HEAVY = [
    pytest.param(name, marks=pytest.mark.slow if is_heavy(case) else ())
    for name, case in RECORDS.items()
]
SECOND = sorted(Path(second_msgpack.__file__).parent.glob("second_*.py"))


def second_verdict(record: bytes) -> dict[str, Any]:
    """The second verifier's word, in the form of the vectors."""
    try:
        return verify(record)
    except Damaged:
        return {"error": "damaged"}
    except Mismatch:
        return {"error": "mismatch"}


@pytest.mark.parametrize("path", SECOND, ids=lambda path: path.stem)
def test_the_second_verifier_imports_nothing_of_the_program(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not any(name.startswith(("p2pjong", "scripts")) for name in names)
        assert not any(
            name.startswith("tests") and "second" not in name and name != "tests.support"
            for name in names
        )


# --- Vectors ------------------------------------------------------------------------------------

MESSAGES = {
    "join": second_msgpack.tagged(
        "join",
        second_msgpack.integer(1, 255),
        second_msgpack.text(32),
        second_msgpack.boolean,
        second_msgpack.boolean,
        second_msgpack.integer(1, 65535),
        second_msgpack.array(second_msgpack.text(200), 0, 16),
    ),
    "ready": second_msgpack.tagged("ready", second_msgpack.boolean, second_msgpack.HASH),
    "lane": second_msgpack.LANE,
}


@pytest.mark.parametrize("name", [n for n, case in FRAMES.items() if case["verdict"] == "accept"])
def test_bodies_are_read_and_others_are_well_formed(name: str) -> None:
    case = FRAMES[name]
    data = read_bytes(case["bytes"])
    assert second_msgpack.unpack(data) == read_value(case["value"])
    assert second_msgpack.pack(read_value(case["value"])) == data
    if case["kind"] == "lane-body":
        assert second_msgpack.read(data, second_msgpack.LANE_BODY)


@pytest.mark.parametrize("name", [n for n, case in FRAMES.items() if case["verdict"] == "refuse"])
def test_what_is_no_message_is_refused(name: str) -> None:
    case = FRAMES[name]
    data = read_bytes(case["bytes"])
    checks = [second_msgpack.LANE_BODY] if case["kind"] == "lane-body" else MESSAGES.values()
    for check in checks:
        with pytest.raises(second_msgpack.Malformed):
            second_msgpack.read(data, check)
    if case["failure"] not in ("schema", "size"):
        with pytest.raises(second_msgpack.Malformed):
            second_msgpack.unpack(data)


def test_hashes_of_drafts_charters_and_chains() -> None:
    def sha256(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    words = load("words.json")["words"]
    for case in LANES["tables"]:
        parts = [bytes.fromhex(part) for part in (case["lobby"], *case["nonces"])]
        assert sha256(b"p2pjong/v1/table\0", *parts)[:32] == case["table"]
    for case in LANES["lobbies"]:
        lobby = read_value(case["value"])
        lobby[6] = [[name, key, is_bot, False] for name, key, is_bot, _ in lobby[6]]
        data = second_msgpack.pack(lobby)
        assert sha256(b"p2pjong/v1/shown\0", data) == case["shown"]
    for case in LANES["drafts"]:
        data = second_msgpack.pack(read_value(case["value"]))
        assert sha256(b"p2pjong/v1/draft\0", data) == case["hash"]
    for case in LANES["charters"]:
        data = second_msgpack.pack(read_value(case["value"]))
        assert sha256(b"p2pjong/v1/charter\0", data) == case["hash"]
        chosen = bytes.fromhex(sha256(b"p2pjong/v1/words\0", bytes.fromhex(case["hash"])))
        assert [words[byte] for byte in chosen[:4]] == case["words"]
        for sides, lot in case["lots"]:
            assert second_play.draw_lot(bytes.fromhex(case["hash"]), sides) == lot
    for case in LANES["contexts"]:
        assert second_msgpack.pack(read_value(case["value"])).hex() == case["bytes"]
    for case in LANES["chains"]:
        hashes = [bytes.fromhex(hash_) for hash_ in case["hashes"]]
        count = len(hashes).to_bytes(2, "big")
        chain = bytes.fromhex(case["chain"])
        assert sha256(b"p2pjong/v1/chain\0", chain, count, *hashes) == case["next"]


def idle_course() -> second_steps.Course:
    """The lanes of the vectors' draft, with a program that waits for ever."""

    def waits() -> second_steps.Program:
        yield second_steps.Step("nonce-commit", [0, 1], lambda seat, payload: None)

    draft = second_msgpack.read(bytes.fromhex(LANES["lanes"]["draft"]), second_msgpack.DRAFT)
    course = second_steps.Course(draft)
    course.begin(waits(), lambda: bytes(32))
    return course


@pytest.mark.parametrize("case", LANES["lanes"]["accept"], ids=lambda case: case["name"])
def test_signed_messages_are_taken_in(case: dict[str, Any]) -> None:
    course = idle_course()
    lane = second_msgpack.read(bytes.fromhex(case["frame"]), second_msgpack.LANE)
    course.take_in(lane)
    early = course.early.get((case["seat"], case["number"]))
    accepted = course.accepted[case["seat"]][case["number"] :]
    assert (early or accepted[0]).hash.hex() == case["hash"]


@pytest.mark.parametrize("case", LANES["lanes"]["refuse"], ids=lambda case: case["name"])
def test_what_is_not_signed_for_this_place_is_refused(case: dict[str, Any]) -> None:
    course = idle_course()
    with pytest.raises((second_msgpack.Malformed, second_steps.Refused)):
        course.take_in(second_msgpack.read(bytes.fromhex(case["frame"]), second_msgpack.LANE))


@pytest.mark.parametrize("case", LANES["canonical"], ids=lambda case: case["name"])
def test_values_have_their_one_encoding(case: dict[str, Any]) -> None:
    assert war_jhong.canonical(_value(case["value"])).decode() == case["encoding"]


def _value(described: Any) -> Any:
    if isinstance(described, dict):
        return (described["record"], *map(_value, described["fields"]))
    return list(map(_value, described)) if isinstance(described, list) else described


@pytest.mark.parametrize("name", LIGHT_AND_HEAVY)
def test_records_come_to_their_verdicts(name: str) -> None:
    assert second_verdict(record_of(RECORDS[name])) == RECORDS[name]["verdict"]


# --- Against the program ------------------------------------------------------------------------


def record_of_table(table: SimTable, seat: int = 0) -> bytes:
    """The record that a peer at a simulated table would write."""
    return record_file(encode(RecordHeader(1, table.draft)), table.peers[seat].journal)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [
        ("war-jhong", 2, 33),
        ("war-jhong", 4, 32),
        ("samurai-warfare", 2, 31),
        ("samurai-warfare", 4, 30),
        ("not-your-mas-jong", 3, 29),
        ("not-your-mas-jong", 4, 28),
    ],
)
def test_both_agree_on_a_fresh_game(game: str, seats: int, seed: int) -> None:
    draft = short_draft(game, seats)
    table = SimTable(seats, seed, draft=draft, choose=choose_greedily).start().finish()
    verdicts = [second_verdict(record_of_table(table, seat)) for seat in range(seats)]
    assert verdicts[0]["valid"] and verdicts[0]["outcome"] == "finished"
    assert verdicts == [verdicts[0]] * seats
    assert verdicts[0] == audited(record_of_table(table))


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("game", ["samurai-warfare", "not-your-mas-jong"])
def test_both_agree_on_open_books_of_a_seat_that_leaves(game: str) -> None:
    draft = with_open_books(short_draft(game, 4))
    table = SimTable(4, 27, draft=draft, choose=choose_greedily).start()
    assert table.run_until(lambda table: len(table.peers[1].chosen) == 2)
    table.at(1, lambda session: session.leave())
    table.finish()
    verdict = second_verdict(record_of_table(table))
    assert verdict == audited(record_of_table(table))
    assert verdict["valid"] and verdict["outcome"] == "finished" and verdict["left"] == [1]


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("game", "misdeed"),
    [
        pytest.param(game, misdeed, id=misdeed.name)
        for game in ("samurai-warfare", "not-your-mas-jong")
        for misdeed in LIES[game]
    ],
)
def test_both_agree_on_lies_in_the_other_games(game: str, misdeed: Misdeed) -> None:
    table = try_in(game, misdeed, 3)
    for seat in (0, 2):
        record = record_of_table(table, seat)
        assert second_verdict(record) == audited(record)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("misdeed", MISDEEDS, ids=lambda misdeed: misdeed.name)
def test_both_agree_on_what_a_hostile_client_did(misdeed: Misdeed) -> None:
    draft = make_draft(2, target=1)
    table = SimTable(2, 5, draft=draft, makers={1: hostile(misdeed)}).start().finish(ticks=2)
    record = record_of_table(table)
    assert second_verdict(record) == audited(record)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["one-leaves", "two-stories", "voted-absent"])
def test_the_order_of_messages_in_a_record_changes_nothing(name: str) -> None:
    record = (VECTORS / f"record-{name}.bin").read_bytes()
    head, *lanes = split(record)
    for seed in range(3):
        Random(seed).shuffle(lanes)
        shuffled = record_file(head, lanes)
        assert second_verdict(shuffled) == audited(shuffled) == audited(record)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", range(8))
def test_both_agree_when_a_seat_leaves_at_any_moment(seed: int) -> None:
    table = SimTable(3, seed, draft=make_draft(3, target=1), choose=choose_eagerly).start()
    table.run_until(lambda table: table.delivered > 60 * seed)
    table.at(seed % 3, lambda session: session.leave())
    table.finish()
    record = record_of_table(table, (seed + 1) % 3)
    verdict = second_verdict(record)
    assert verdict == audited(record)
    assert verdict["left"] == [seed % 3]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("misdeed", STORIES, ids=lambda misdeed: misdeed.name)
def test_both_agree_on_hands_that_are_turned_back(misdeed: Misdeed) -> None:
    draft, makers = make_draft(3, target=1), {1: hostile(misdeed)}
    table = SimTable(3, 5, draft=draft, choose=choose_eagerly, makers=makers).start().finish()
    records = [record_of_table(table, seat) for seat in (0, 2)]
    verdicts = [second_verdict(record) for record in records]
    assert verdicts == [audited(record) for record in records]
    # Who left, and what came to light after the end, is as each of them heard it.
    assert verdicts[0]["outcome"] == verdicts[1]["outcome"]
    if verdicts[0]["outcome"] == "finished":
        assert verdicts[0]["digest"] == verdicts[1]["digest"]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("after", [70, 90, 150])
def test_both_agree_on_seats_that_were_voted_absent(after: int) -> None:
    table = SimTable(3, 6, draft=make_draft(3, target=1), choose=choose_eagerly).start()
    table.run_until(lambda table: table.delivered > after)
    for other in (0, 2):
        table.cut(1, other)
    table.run()
    table.tick()
    table.run()
    for voter in (0, 2):
        table.at(voter, lambda session: session.propose_absent(1))
    table.run()
    verdict = second_verdict(record_of_table(table))
    assert verdict == audited(record_of_table(table))
    assert verdict["valid"] and verdict["outcome"] == "finished"


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_both_agree_on_books_that_were_being_opened_as_a_seat_was_voted_absent() -> None:
    wrong, silent = (one for one in BOOKS if one.name in ("publishes another key", SILENT))
    draft = make_draft(5, target=1, is_open_books=True)
    makers = {3: hostile(wrong), 1: hostile(silent)}
    table = SimTable(5, 0, draft=draft, choose=choose_eagerly, makers=makers).start()
    table.run()
    for voter in (0, 2, 4):
        table.at(voter, lambda session: session.propose_absent(1))
    table.finish()
    for seat in (0, 2, 4):
        verdict = second_verdict(record_of_table(table, seat))
        assert verdict == audited(record_of_table(table, seat))
        assert (verdict["fault"]["seat"], verdict["fault"]["rule"]) == (3, "published-key")


SILENT = "keeps its published key back"


def test_both_find_the_same_best_reading_of_a_hand() -> None:
    rng = Random(20)
    tried = 0
    while tried < 60:
        hand, melds, generals = random_question(rng, wilds_max=3)
        if list(hand).count("T") > 3 or sum(meld.count("T") for meld in melds) > 3:
            continue  # every choice of four patterns is tried: many wild cards take long
        tried += 1
        reading = score(hand, melds, generals)
        mine = second_points.best_combos(list(hand), melds, None, generals)
        assert mine == (reading and list(reading.combos)), (hand, melds)


def test_the_second_verifier_refuses_points_that_are_none() -> None:
    for bad in (bytes(32), b"\xff" * 32, b"\1" + bytes(31)):
        with pytest.raises(second_proofs.Refused):
            second_proofs.points(bad, 1)
