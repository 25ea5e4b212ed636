"""Every rule has words, and what a cheat did is told in them: on screens and by `verify`."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from msgspec.structs import replace as with_fields

from p2pjong.cli import run
from p2pjong.commands.verdict_text import verdict_lines
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.errors import Exit
from p2pjong.games import GAMES
from p2pjong.session.effects import Blame
from p2pjong.session.faults import SELF_PROVING
from p2pjong.session.purposes import Purpose
from p2pjong.store.record import write_record
from p2pjong.ui.endings import blame_lines
from p2pjong.ui.game_words import words_of
from p2pjong.ui.names import Names
from p2pjong.ui.purposes import TEXTS
from p2pjong.ui.rule_words import BY_REASON, OPENINGS, PROOFS, UNKNOWN, breach_text
from p2pjong.ui.rule_words import RULES as GENERAL_RULES
from p2pjong.ui.text import COLUMNS, width
from tests.support.hostile import Misdeed, hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.on_screen import screen_lines, screen_text
from tests.support.opposite_keys import in_league
from tests.support.sim import SimTable, audit_journal, choose_default, make_draft
from tests.support.trials import CHEAT, judged, misdeeds_of, run_until, try_in

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "p2pjong"

# --- Every rule has words -------------------------------------------------------------------------

NAMING = {"PeerFault", "Breach", "Foul", "Fault", "blame", "condemn", "_condemn"}
# What passes on the name of a rule that was written elsewhere.
PASSED_ON = {"rule", "broken", "breach.rule", "foul.rule", "fault.rule"}
PROOF_FAILURES = {
    f"proof-{one.failure}" for one in (InvalidProof, InvalidEncoding, InvalidStatement)
}


class Named(NamedTuple):
    """An argument that names a rule, and where."""

    text: str
    is_literal: bool
    where: str


RULES = {*GENERAL_RULES, *(rule for game in GAMES for rule in words_of(game).FOULS)}


@cache
def named_in_code() -> tuple[Named, ...]:
    """What the code gives as the rule to all that finds fault with a seat."""
    return tuple(
        named
        for package in ("session", "games")
        for path in sorted((PACKAGE / package).rglob("*.py"))
        for named in _named_in(path)
    )


def _named_in(path: Path) -> Iterator[Named]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        called = node.func.attr if isinstance(node.func, ast.Attribute) else called
        if called not in NAMING:
            continue
        # Fault(epoch, seat, number, rule); of all others the rule is the last, but for the step.
        args = node.args[3:4] if called == "Fault" else node.args[:2][-1:]
        for arg in [one for whole in args for one in _ways(whole)]:
            is_literal = isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            text = arg.value if isinstance(arg, ast.Constant) else ast.unparse(arg)
            yield Named(str(text), is_literal, f"{path.relative_to(ROOT)}:{node.lineno}")


def _ways(arg: ast.expr) -> list[ast.expr]:
    """What it may be: of a choice, each of the two."""
    return [*_ways(arg.body), *_ways(arg.orelse)] if isinstance(arg, ast.IfExp) else [arg]


def rules_in_code() -> set[str]:
    literal = {named.text for named in named_in_code() if named.is_literal}
    return literal | SELF_PROVING | PROOF_FAILURES


def test_every_rule_that_the_code_names_has_words_and_no_other() -> None:
    assert rules_in_code() == RULES
    assert {InvalidEncoding, InvalidStatement} == set(InvalidProof.__subclasses__())


def test_no_code_makes_up_the_name_of_a_rule() -> None:
    """Else the names that the test above has found would not be all."""
    odd = {one.text: one.where for one in named_in_code() if not one.is_literal}
    made_up = {text: where for text, where in odd.items() if text not in PASSED_ON}
    assert set(made_up) == {"f'proof-{error.failure}'"}, made_up


def rules_on_pages() -> set[str]:
    """The rules that the pages of the protocol name in their tables and as fouls of the games."""
    play = (ROOT / "protocol" / "play.md").read_text(encoding="utf-8")
    table = play.split("## Leaving and faults")[1].split("**The verdict**")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    found = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    found |= set(re.findall(r"(?:the fault|the rule) `([a-z-]+)`", play)) - {"proof-"}
    for game in ("war-jhong", "samurai-warfare", "not-your-mas-jong"):
        page = " ".join((ROOT / "protocol" / f"{game}.md").read_text(encoding="utf-8").split())
        found |= set(re.findall(r"(?:foul|fault) `([a-z-]+)`", page))
    return found


def test_every_rule_of_the_pages_has_words_and_no_other() -> None:
    assert rules_on_pages() == RULES


def texts_of(*modules: str) -> set[str]:
    trees = [ast.parse((PACKAGE / module).read_text(encoding="utf-8")) for module in modules]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {node.value for node in nodes if isinstance(node.value, str)}


def purposes_in(*modules: str) -> set[str]:
    """The purposes that these modules of the session give to steps."""
    text = "".join((PACKAGE / f"session/{name}.py").read_text(encoding="utf-8") for name in modules)
    return {Purpose[name] for name in re.findall(r"Purpose\.([A-Z_]+)", text)}


def test_every_proof_of_a_card_operation_is_told_by_what_it_was_for() -> None:
    unproven = {Purpose.COMMIT_KEY, Purpose.CONFIRM, Purpose.SAY_ORDER}
    tosses = {Purpose.COMMIT_TOSS, Purpose.OPEN_TOSS}
    assert purposes_in("mental_dealer") - unproven - tosses == set(PROOFS)


def test_what_is_opened_is_told_by_the_words_of_its_step() -> None:
    assert set(OPENINGS) <= purposes_in("mental_dealer", "play", "charter")


def test_every_purpose_has_its_words_on_the_screen() -> None:
    assert set(TEXTS) == set(Purpose)


def all_texts() -> list[tuple[str, str]]:
    """Every rule, with no step and with each that it has words for."""
    return [(rule, reason) for rule in sorted(RULES) for reason in ("", *BY_REASON.get(rule, ()))]


@pytest.mark.parametrize(("rule", "reason"), all_texts())
def test_words_are_plain_short_and_about_the_seat(rule: str, reason: str) -> None:
    text = breach_text(rule, reason, "Ben")
    assert text.startswith("Ben ") and text.count("Ben") == 1
    assert not text.endswith(".") and "{" not in text and len(text) <= 80
    assert "-" not in rule or rule not in text, "names of rules are for those who look into records"
    ours = breach_text(rule, reason, "you", is_ours=True)
    assert ours.startswith("you ") and not re.search(r"\btheirs?\b|\bthey\b", ours)


def test_a_rule_without_words_is_told_all_the_same() -> None:
    assert breach_text("of another version", "", "Ben") == UNKNOWN.format(who="Ben")


@pytest.mark.parametrize("name", ["W" * 40, "五" * 20, "\x1b[2J{who}\n\u202e", ""])
def test_no_name_breaks_a_line_or_acts_on_the_terminal(name: str) -> None:
    for rule, reason in all_texts():
        blame = Blame(1, rule, "", 123_456, reason)
        lines = [click.unstyle(line) for line in blame_lines(blame, Names(("Ada", name)), ())]
        assert all(width(line) <= COLUMNS and line.isprintable() for line in lines)
        assert lines[-1] == f"[{rule}, message 123456: the record proves it]"


# --- What real cheats did -------------------------------------------------------------------------

WAR, SAMURAI, MAS_JONG = "war-jhong", "samurai-warfare", "not-your-mas-jong"
QUICK = [
    (WAR, "opens another nonce", "changed their part of the lots after settling on it"),
    (WAR, "signs another charter", "signed terms that differ from what all had agreed on"),
    (WAR, "lies in its echo", "confirmed something different from what all had seen"),
    (WAR, "opens another key", "changed their key for the deck after settling on it"),
    (WAR, "has no key proof", "gave a false key for the deck; the proof does not hold"),
    (WAR, "has no key", "gave a false key for the deck; the proof does not hold"),
    (WAR, "names another place", "answered for another hand than the one played"),
    (WAR, "names a later step", "acted out of turn"),
    (WAR, "lies in its digest", "gave a wrong account of how the game stood"),
    (WAR, "says something else", "answered something that was not asked"),
    (WAR, "has seen nothing", "denied having heard what they had heard before"),
    (WAR, "puts itself out", "wrongly called for a player's removal, or called twice"),
    (WAR, "holds up one message as two", "accused a player with evidence that does not hold"),
    (
        WAR,
        "doubles a card in the deck",
        "shuffled the deck dishonestly; the proof does not hold",
    ),
    (
        WAR,
        "claims with cards that make no Formation",
        "claimed a Formation without the cards for it",
    ),
    (
        SAMURAI,
        "passes with a playable card",
        "passed, and the proof that they could play nothing does not hold",
    ),
    (MAS_JONG, "shows cards that are no set", "stole a discard without the cards for a set"),
]
SLOW = [
    (WAR, "doubles a card in its hand", "mixed their hand dishonestly; the proof does not hold"),
    (WAR, "uses another key for a draw", "gave false keys to drawn cards; the proof does not hold"),
    (
        WAR,
        "uses another key for what it shows",
        "showed their cards dishonestly; the proof does not hold",
    ),
    (WAR, "does what is no action", "made a move that the rules do not allow"),
    (WAR, "signs another result", "signed a result that differs from everyone else's"),
    (WAR, "publishes another key", "published a key that they had not played with"),
    (WAR, "opens another answer", "changed their answer after settling on it"),
    (
        WAR,
        "goes out without a hand for it",
        "tried to go out with a hand that does not go out",
    ),
    (SAMURAI, "opens another toss", "changed their part of a toss after settling on it"),
    (
        SAMURAI,
        "plays a card that may not be played",
        "played a card that could not be played then",
    ),
    (
        SAMURAI,
        "names no target in battle where there is one",
        "played a card with a wrong target, or with none where there was one",
    ),
    (
        SAMURAI,
        "switches another card than the one asked for",
        "handed over a card dishonestly; the proof does not hold",
    ),
    (MAS_JONG, "names a caller twice", "gave an impossible list of who called first"),
]


def cases() -> list[Any]:
    return [
        pytest.param(
            *case,
            id=f"{case[0]}-{case[1].replace(' ', '-')}",
            marks=[pytest.mark.slow] if case in SLOW else [],
        )
        for case in [*QUICK, *SLOW]
    ]


def misdeed_of(game: str, name: str) -> Misdeed:
    return next(one for one in misdeeds_of(game) if (one.name, bool(one.rule)) == (name, True))


def test_each_rule_that_one_seat_can_break_alone_is_tried_here() -> None:
    tried = {misdeed_of(game, name).rule for game, name, _ in [*QUICK, *SLOW]}
    # No step asks for a proof whose statement its author could spoil; the others are below.
    assert RULES - tried == {"proof-statement", "joint-key", "equivocation"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("game", "name", "said"), cases())
def test_what_a_cheat_did_is_told_once_and_in_plain_words(game: str, name: str, said: str) -> None:
    table = try_in(game, misdeed_of(game, name), 3)
    (fault,) = table.peers[0].session.course.faults
    shown = screen_text(table)
    assert shown.count(f"Ben broke the rules: they {said}.") == 1
    assert shown.count("Ben broke the rules:") == shown.count(f" {said}") == 1
    assert shown.count("Ben is out of the game.") == 1, "by what it did, and not once more"
    assert shown.count(f"[{fault.rule}, message {fault.number}: the record proves it]") == 1
    assert shown.index("broke the rules") < shown.index("is out of the game")
    assert all(width(line) <= COLUMNS for line in screen_lines(table))
    check_verify(table, said)


def check_verify(table: SimTable, said: str) -> None:
    verdict = audit_journal(table.draft, table.peers[0].journal)
    fault = verdict.fault
    assert fault is not None
    lines = [click.unstyle(line) for line in verdict_lines(verdict)]
    shown = " ".join(" ".join(lines).split())
    assert f"The record does not hold: seat {CHEAT} (seat {CHEAT}) {said}. [{fault.rule}: " in shown
    at = f"[{fault.rule}: seat {CHEAT}, message {fault.number}, epoch {fault.epoch}]"
    assert lines.count(at) == 1 and shown.count(f" {said}") == 1
    assert all(width(line) <= COLUMNS for line in lines)


def test_two_stories_are_told_of_and_who_is_out_is_out_once() -> None:
    table = try_in(WAR, misdeed_of(WAR, "tells two stories at KeyCommit"), 3)
    shown = screen_text(table)
    # Who heard the other story first has found fault with that one already.
    assert "they gave a wrong account of how the game stood." in shown
    assert shown.count("Ben broke the rules: they told two different stories.") == 1
    assert shown.count("Ben is out of the game.") == 1
    check_verify(table, "told two different stories")


def test_keys_that_add_up_to_nothing_are_told_of_all_who_made_them() -> None:
    table = SimTable(2, seed=3, makers={0: in_league, 1: in_league}).start().finish()
    said = "took part in keys that together would reveal the deck."
    shown = screen_text(table)
    assert f"You broke the rules: you {said}" in shown
    assert f"Ben broke the rules: they {said}" in shown


def test_what_ends_a_game_of_two_says_who_and_why() -> None:
    shown = screen_text(try_in(WAR, misdeed_of(WAR, "doubles a card in the deck"), 2))
    assert "Ben is out of the game. Too few players are left to go on." in shown
    assert "The game ended because Ben broke the rules; nobody wins." in shown


@pytest.mark.slow
def test_a_fault_that_ends_no_game_takes_nothing_from_its_winner() -> None:
    table = try_in(WAR, misdeed_of(WAR, "signs another result"), 3)
    ended = table.peers[0].finished
    assert ended and ended.fault is not None
    (winner,) = ended.over.winners
    wins = "You win the game." if winner == 0 else "wins the game."
    shown = screen_text(table)
    assert wins in shown and "nobody wins" not in shown


@pytest.mark.slow
def test_who_has_a_choice_when_another_acts_out_of_turn_may_go_on() -> None:
    table = try_in(WAR, misdeed_of(WAR, "acts out of turn"), 3)
    assert "Ben is out of the game. Play on as usual. When Ben is needed" in screen_text(
        table, is_asked=True
    )
    shown = screen_text(table)
    assert "is void once" not in shown and "Hand 1 is void and is dealt again" in shown


def test_what_broke_the_record_off_is_told_beside_a_fault_before_it() -> None:
    """A record may hold a fault, and after it what no record holds: both are told."""
    table = try_in(WAR, misdeed_of(WAR, "lies in its digest"), 3)
    other = SimTable(3, draft=make_draft(3, WAR, table=1)).start()
    assert other.run_until(lambda other: bool(other.peers[0].journal))
    journal = [*table.peers[0].journal, other.peers[0].journal[0]]
    lines = [click.unstyle(line) for line in verdict_lines(audit_journal(table.draft, journal))]
    shown = " ".join(" ".join(lines).split())
    at = len(journal) - 1
    assert f"The record does not hold: message {at} of the record: " in shown
    said = "gave a wrong account of how the game stood"
    assert f"Besides, seat 1 (seat 1) {said}. [digest: seat 1, message" in shown


# --- Names that would act on a terminal -----------------------------------------------------------

ESCAPES = "\x1b[2J\x9b31mB\ne\u202en"


def test_a_name_of_escapes_is_shown_clean_on_screen_and_by_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = make_draft(3, WAR)
    seats = (draft.seats[0], with_fields(draft.seats[CHEAT], name=ESCAPES), draft.seats[2])
    misdeed = next(one for one in MISDEEDS if one.name == "lies in its digest")
    table = SimTable(
        3,
        draft=with_fields(draft, seats=seats),
        makers={CHEAT: hostile(misdeed)},
        choose=choose_default,
    ).start()
    assert run_until(table, judged(misdeed))
    said = "gave a wrong account of how the game stood"
    lines = screen_lines(table, names=("Ada", ESCAPES, "Cy"))
    assert all(line.isprintable() and width(line) <= COLUMNS for line in lines)
    assert f"broke the rules: they {said}." in " ".join(lines)

    record = tmp_path / "record"
    write_record(record, table.draft, table.peers[0].journal)
    assert run(["verify", str(record)]) == Exit.FAULT
    shown = capsys.readouterr().out
    assert all(one.isprintable() or one == "\n" for one in shown)
    assert f"(seat {CHEAT}) {said}." in " ".join(shown.split())
    assert all(width(line) <= COLUMNS for line in shown.splitlines())
