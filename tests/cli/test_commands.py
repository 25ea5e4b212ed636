"""`score`, `rules`, `arena` and `verify` as they are called."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from p2pjong.cli import COMMANDS, run
from p2pjong.commands.offered import OFFERED, rules_text
from p2pjong.errors import Exit
from p2pjong.score import scorer_of
from p2pjong.ui.game_words import words_of

CASES = Path(__file__).parent.parent / "data" / "war_jhong_scores.json"
OUT = "I1 I2 I3 A1 A2 A3 C1 C2 C3 J J T G".split()


def test_score_explains_combo_by_combo(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "war-jhong", *OUT, "--generals", "2"]) == Exit.OK
    shown = capsys.readouterr().out
    for part in ("14 points", "Triple Formation", "Fleet", "Generals", "J J T=J", "left over: G"):
        assert part in shown


def test_score_takes_melds_lower_case_and_one_string(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "i1 i2 i3,a1 a2 a3 c1 c2 c3 g"
    assert run(["score", "war-jhong", "--json", hand, "--meld", "j,j,t"]) == Exit.OK
    answered = json.loads(capsys.readouterr().out)
    assert answered["goes_out"] and answered["total"] == 12
    assert answered["combos"] == {"going_out": 1, "triple_formation": 9, "fleet": 2}
    assert answered["left_over"] == "G"


def test_score_of_a_hand_that_does_not_go_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "war-jhong", "--json", *OUT[:-2], "G", "G"]) == Exit.OK
    answered = json.loads(capsys.readouterr().out)
    assert answered["goes_out"] is False and answered["total"] is None
    assert answered["combos"] == {} and answered["formations"] == []


def test_score_batch_answers_every_line_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = json.loads(CASES.read_text())
    lines = [json.dumps(case) for case in cases]
    lines[1:1] = ["not json", '{"hand": ["I1"]}', "", '{"hand": ["X9"]}', "[]", '{"hand": 3}']
    questions = tmp_path / "questions"
    questions.write_text("\n".join(lines) + "\n")
    assert run(["score", "war-jhong", "--batch", str(questions)]) == Exit.OK
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(answer) for answer in answers[1:7]] == [{"error"}] * 6
    del answers[1:7]
    assert [answer["total"] for answer in answers] == [case["total"] for case in cases]


def test_score_batch_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = io.TextIOWrapper(io.BytesIO(json.dumps({"hand": OUT}).encode()))
    monkeypatch.setattr(sys, "stdin", lines)
    assert run(["score", "war-jhong", "--batch", "-"]) == Exit.OK
    assert json.loads(capsys.readouterr().out)["total"] == 12


def test_score_batch_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "war-jhong", "--batch", "nowhere"]) == Exit.USAGE
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("game", OFFERED)
def test_a_game_that_is_offered_can_be_played_shown_and_scored(game: str) -> None:
    assert words_of(game).RULES and scorer_of(game).cards
    assert len(rules_text(game)) > 1000


RULINGS = {"war-jhong": ("W", 13), "not-your-mas-jong": ("N", 11), "samurai-warfare": ("S", 11)}


@pytest.mark.parametrize("game", RULINGS)
def test_rules_list_every_ruling_by_number(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    letter, count = RULINGS[game]
    assert run(["rules", game]) == Exit.OK
    words = capsys.readouterr().out.split()
    for ruling in [f"G{n}" for n in range(1, 10)] + [f"{letter}{n}" for n in range(1, count + 1)]:
        assert ruling in words


@pytest.mark.parametrize("game", RULINGS)
def test_rules_fit_80_columns(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["rules", game])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_score_of_samurai_warfare_explains_the_force(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["score", "samurai-warfare", "TAKEDA", "cannons", "castle", "--destroyed", "takeda"]
    assert run(args) == Exit.OK
    shown = capsys.readouterr().out
    for part in ("force 24", "Cannons  15  9 +3 (Guns, from Castle)", "from Takeda, destroyed"):
        assert part in shown
    assert run([*args, "--json"]) == Exit.OK
    assert json.loads(capsys.readouterr().out) == {"force": 24}


MAS_JONG_OUT = "R1 R2 R3 B4 B4 B4 S2 S3 S4 E1 E1".split()


def test_score_of_not_your_mas_jong_tells_how_a_hand_goes_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", "not-your-mas-jong", *MAS_JONG_OUT[3:], "--meld", "r1,r2,r3"]) == Exit.OK
    assert "[R1 R2 R3]   B4 B4 B4   S2 S3 S4   pair E1 E1" in capsys.readouterr().out
    assert run(["score", "not-your-mas-jong", "--json", *MAS_JONG_OUT]) == Exit.OK
    answered = json.loads(capsys.readouterr().out)
    assert answered["goes_out"] is True and answered["total"] is None


def test_score_of_not_your_mas_jong_tells_why_a_hand_does_not_go_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", "not-your-mas-jong", *MAS_JONG_OUT[:-1], "G6"]) == Exit.OK
    shown = capsys.readouterr().out
    assert "does not go out" in shown and "1 card short" in shown
    assert "discard G6: waiting for E1" in shown


ARENA = ["arena", "war-jhong", "--bots", "greedy,random", "--games", "3", "--target", "5"]


def test_arena_plays_the_same_games_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    digests = []
    for _ in range(2):
        assert run([*ARENA, "--seed", "7", "--json"]) == Exit.OK
        report = json.loads(capsys.readouterr().out)
        digests.append(report["digest"])
        assert report["games"] == 3 and {row["strategy"] for row in report["rows"]} == {
            "greedy",
            "random",
        }
    assert digests[0] == digests[1]


def test_arena_shows_who_fared_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ARENA) == Exit.OK
    shown = capsys.readouterr().out
    for part in ("3 games of War Jhong", "greedy", "random", "--seed"):
        assert part in shown


def test_verify_refuses_a_file_that_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "record"
    other.write_bytes(b"\x00\x00\x00\x05hello")
    assert run(["verify", str(other)]) == Exit.FAULT
    assert "is not a record" in capsys.readouterr().err
    assert run(["verify", str(tmp_path / "nowhere")]) == Exit.USAGE


VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"


def verify_json(record: Path, capsys: pytest.CaptureFixture[str], code: Exit) -> dict[str, Any]:
    assert run(["verify", "--json", str(record)]) == code
    shown = capsys.readouterr()
    assert shown.err == "", "no bar and no words beside the object"
    answer: dict[str, Any] = json.loads(shown.out)
    return answer


def first_messages(record: Path, count: int, folder: Path) -> Path:
    """The record broken off after so many messages, at the end of one."""
    content, end = record.read_bytes(), 0
    for _ in range(count + 1):
        end += 4 + int.from_bytes(content[end : end + 4], "big")
    path = folder / "short"
    path.write_bytes(content[:end])
    return path


def test_verify_calls_a_cut_file_damaged_and_never_a_breach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes((VECTORS / "record-two-seats.bin").read_bytes()[:-1])
    assert run(["verify", str(cut)]) == Exit.FAULT
    shown = capsys.readouterr()
    assert "is damaged: it is cut short" in shown.err
    assert "hold" not in shown.err


def test_verify_tells_of_a_cut_file_what_its_good_first_part_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (VECTORS / "record-two-seats.bin").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    assert run(["verify", str(tmp_path / "cut")]) == Exit.FAULT
    shown = capsys.readouterr()
    assert "unfinished after 0 hands, 88 messages" in shown.out
    assert "Up to the damage every message is signed, in its place" in shown.out
    assert "2  shuffles of a deck" in shown.out and "breaks off" not in shown.out
    assert "is damaged: it is cut short" in shown.err
    assert run(["verify", "--json", str(tmp_path / "cut")]) == Exit.FAULT
    assert set(json.loads(capsys.readouterr().out)) == {"error"}
    faulty = (VECTORS / "record-false-claim.bin").read_bytes()
    (tmp_path / "cut").write_bytes(faulty + bytes(2))
    assert run(["verify", str(tmp_path / "cut")]) == Exit.FAULT
    assert capsys.readouterr().out == "", "a damaged file says nothing about any seat"


@pytest.mark.parametrize("part", [0.3, 0.6])
def test_verify_calls_a_changed_byte_damage_in_plain_words(
    part: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = bytearray((VECTORS / "record-two-seats.bin").read_bytes())
    message, at = -1, 0
    while at < part * len(content):
        at += 4 + int.from_bytes(content[at : at + 4], "big")
        message += 1
    content[at + 100] ^= 1  # within that message, whose length stays
    (tmp_path / "flipped").write_bytes(content)
    assert run(["verify", str(tmp_path / "flipped")]) == Exit.FAULT
    shown = " ".join(capsys.readouterr().out.split())
    where = f"it is damaged, or was changed after it was written, at message {message} "
    assert where in shown and "breaks off" not in shown
    answer = verify_json(tmp_path / "flipped", capsys, Exit.FAULT)
    assert answer["valid"] is False and answer["fault"] is None
    assert answer["problem"].startswith(f"message {message} of the record: ")


def test_verify_names_seat_rule_and_message_of_a_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = VECTORS / "record-false-claim.bin"
    assert run(["verify", str(record)]) == Exit.FAULT
    shown = capsys.readouterr().out
    assert "(seat 1) claimed a Formation without the cards for it." in " ".join(shown.split())
    assert "[claim-without-formation: seat 1, message 12, epoch 1]\n" in shown
    assert "damaged" not in shown and shown.count("does not hold") == 1
    answer = verify_json(record, capsys, Exit.FAULT)
    assert answer["valid"] is False
    fault = answer["fault"]
    assert (fault["seat"], fault["rule"], fault["number"]) == (1, "claim-without-formation", 12)
    said = "seat 1 (seat 1) broke “claim-without-formation” at its message 12"
    assert fault["message"] == answer["problem"] == said, "scripts go by the names of rules"


@pytest.mark.slow
def test_verify_names_the_seat_voted_absent_and_its_voters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = VECTORS / "record-voted-absent.bin"
    assert run(["verify", str(record)]) == Exit.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert "was removed by the votes of seat 0 (seat 0) and seat 2 (seat 2)" in shown
    assert "that a seat voted absent was silent" in shown
    answer = verify_json(record, capsys, Exit.OK)
    assert answer["votes"] == [{"seat": 1, "voters": [0, 2]}]
    assert answer["fault"] is None


def test_verify_tells_who_left_and_who_signed(capsys: pytest.CaptureFixture[str]) -> None:
    answer = verify_json(VECTORS / "record-one-leaves.bin", capsys, Exit.OK)
    assert answer["left"] == [{"seat": 1, "number": 14}]
    (result,) = answer["results"]
    assert result == {
        "scores": answer["scores"],
        "signed_by": [0, 2],
        "present": [0, 2],
        "by_majority": True,
        "closed": True,
    }
    assert answer["proven"]["results"] == 1
    assert answer["stops_at"] is None


def test_verify_lists_the_books_of_a_table_with_open_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = VECTORS / "record-open-books.bin"
    answer = verify_json(record, capsys, Exit.OK)
    (books,) = answer["books"]
    assert (books["hand"], books["not_opened_by"]) == (1, [])
    assert [hand["seat"] for hand in books["hands"]] == [0, 1]
    assert any(hand["faces"] for hand in books["hands"])
    assert books["deck"] and "" not in books["deck"]
    assert run(["verify", str(record)]) == Exit.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert "Open books: The books of hand 1:" in shown
    assert "left in the deck:" in shown
    assert "what the cards of void hands were" in shown


def test_verify_says_who_has_not_opened_its_books(capsys: pytest.CaptureFixture[str]) -> None:
    record = VECTORS / "record-books-left-shut.bin"
    assert run(["verify", str(record)]) == Exit.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert "seat 0 (seat 0) did not open their books of hand 1" in shown
    (books,) = verify_json(record, capsys, Exit.OK)["books"]
    assert books["not_opened_by"] == [0]
    assert "what the unopened cards were" in shown
    assert verify_json(VECTORS / "record-two-seats.bin", capsys, Exit.OK)["books"] == []


def test_verify_names_the_seat_that_published_another_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = verify_json(VECTORS / "record-published-key.bin", capsys, Exit.FAULT)
    assert (answer["fault"]["seat"], answer["fault"]["rule"]) == (1, "published-key")
    assert answer["outcome"] == "finished"


def test_verify_tells_where_a_record_breaks_off_and_who_was_awaited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = first_messages(VECTORS / "record-two-seats.bin", 13, tmp_path)
    assert run(["verify", str(short)]) == Exit.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "breaks off in epoch 1, at step 7: it was waiting for seat 1 (seat 1) to shuffle the deck"
        in shown
    )
    assert "how the game ended" in shown
    answer = verify_json(short, capsys, Exit.OK)
    assert answer["outcome"] == "unfinished"
    assert answer["stops_at"] == {
        "epoch": 1,
        "step": 7,
        "awaited": [1],
        "reason": "shuffle-deck",
    }


def test_verify_shows_its_progress_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(VECTORS / "record-no-key.bin")
    run(["verify", record])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run(["verify", record])
    assert "checking" in capsys.readouterr().err
    run(["verify", "--json", record])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("war", "WAR JHONG"), ("n", "NOT YOUR MA'S JONG"), ("SAMURAI", "SAMURAI WARFARE")],
)
def test_a_game_is_known_by_how_it_begins(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", typed]) == Exit.OK
    assert capsys.readouterr().out.startswith(meant)


@pytest.mark.parametrize(
    ("section", "begins"),
    [
        ("claims", "Claims\n---"),
        ("diplomatic solution", "The Diplomatic Solution"),
        ("w5", "  W5 "),
    ],
)
def test_rules_open_at_a_section_or_a_ruling(
    section: str, begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "war-jhong", *section.split()]) == Exit.OK
    shown = capsys.readouterr().out
    assert shown.startswith(begins) and shown.rstrip().endswith("--target sets another goal.")


def test_of_a_section_that_is_none_those_there_are_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "war-jhong", "stealing"]) == Exit.USAGE
    assert "Claims, The Diplomatic Solution, Points" in capsys.readouterr().err


def test_help_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help"]) == Exit.OK
    listed = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in listed
        assert run(["help", name]) == Exit.OK
        told = capsys.readouterr().out
        assert run([name, "--help"]) == Exit.OK
        assert capsys.readouterr().out == told
    assert run(["help", "jion"]) == Exit.USAGE
    assert "did you mean join?" in capsys.readouterr().err


def test_the_report_of_the_arena_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    bots = "greedy,random,greedy,random"
    assert run(["arena", "not-your-mas-jong", "--bots", bots, "--games", "2", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 4 and max(map(len, lines)) <= 80
