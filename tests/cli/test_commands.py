"""`score`, `rules`, `arena` and `verify` as they are called."""

import io
import json
import sys
from pathlib import Path

import pytest

from p2pjong.cli import run
from p2pjong.commands.offered import OFFERED, rules_text
from p2pjong.errors import Exit
from p2pjong.score import SCORERS
from p2pjong.ui.render import GAME_WORDS

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
    assert game in GAME_WORDS and game in SCORERS
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
    for part in ("force 24", "Cannons  15  9 +3 (Guns, by Castle)", "by Takeda, destroyed"):
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
    assert "without G6 awaiting E1" in shown


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
    damaged = tmp_path / "record"
    damaged.write_bytes(b"\x00\x00\x00\x05hello")
    assert run(["verify", str(damaged)]) == Exit.FAULT
    assert "damaged or no record" in capsys.readouterr().err
    assert run(["verify", str(tmp_path / "nowhere")]) == Exit.USAGE
