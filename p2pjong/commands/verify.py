"""`verify`: what a record proves, found out from the file alone."""

import sys
from pathlib import Path
from typing import Any

import click

from p2pjong.app.verify import verify_record
from p2pjong.commands.flags import answer_json, common_options, json_option
from p2pjong.errors import Exit
from p2pjong.games import GAMES
from p2pjong.session.audit import Verdict


@click.command()
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@common_options
def verify(record: Path, is_json: bool) -> int:
    """Check a record: replay the game in the file RECORD, without network or trust."""
    verdict = _verdict(record)
    if is_json:
        answer_json(_as_json(verdict))
    else:
        for line in _lines(verdict):
            click.echo(line)
    return Exit.OK if verdict.is_valid else Exit.FAULT


def _verdict(record: Path) -> Verdict:
    if not sys.stderr.isatty():
        return verify_record(record)
    with click.progressbar(length=1, label="checking", file=sys.stderr) as bar:
        return verify_record(record, lambda done, total: _advance(bar, done, total))


def _advance(bar: Any, done: int, total: int) -> None:
    bar.length = max(total, 1)
    bar.update(done - bar.pos)


def _as_json(verdict: Verdict) -> dict[str, Any]:
    fault = verdict.fault
    return {
        "valid": verdict.is_valid,
        "game": verdict.draft.game,
        "table": verdict.draft.name,
        "outcome": verdict.outcome,
        "seats": [{"name": seat.name, "key": seat.key.hex()} for seat in verdict.draft.seats],
        "scores": list(verdict.scores),
        "winners": list(verdict.winners),
        "hands": verdict.hands,
        "digest": verdict.digest.hex(),
        "fault": fault and {"seat": fault.seat, "rule": fault.rule, "message": verdict.problem},
        "problem": verdict.problem,
    }


def _lines(verdict: Verdict) -> list[str]:
    from p2pjong.ui.names import Names
    from p2pjong.ui.render import hand_of
    from p2pjong.ui.text import alarm, aligned, bold, clean, dim, plural

    names = Names(tuple(seat.name for seat in verdict.draft.seats))
    rows = [
        ("*" if seat in verdict.winners else "", names.plain(seat), str(score))
        for seat, score in enumerate(verdict.scores)
    ]
    left = [f"{names.plain(seat)} left the game" for seat in verdict.left]
    judgement = (
        bold("The record holds: every message is signed, in its place, and by the rules.")
        if verdict.is_valid
        else alarm(f"The record does not hold: {clean(verdict.problem, 300)}")
    )
    hands = plural(verdict.hands, hand_of(verdict.draft.game))
    return [
        f"{clean(verdict.draft.name)}, {GAMES[verdict.draft.game].title}: {verdict.outcome} "
        f"after {hands}, {plural(verdict.messages, 'message')}",
        *(f" {line}" for line in aligned(rows, right=(2,))),
        *left,
        judgement,
        dim(f"digest {verdict.digest.hex()}"),
    ]
