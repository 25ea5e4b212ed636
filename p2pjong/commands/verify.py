"""`verify`: what a record proves, found out from the file alone."""

import sys
from pathlib import Path
from typing import Any

import click

from p2pjong.app.verify import Damaged, verify_record
from p2pjong.audit import Ballot, Books, SignedResult, Verdict
from p2pjong.commands.flags import answer_json, common_options, json_option
from p2pjong.errors import Exit


@click.command()
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@common_options
def verify(record: Path, is_json: bool) -> int:
    """Check a record: replay the game in the file RECORD, without network or trust."""
    try:
        verdict = _verdict(record, is_json)
    except Damaged as damaged:
        if not is_json:
            from p2pjong.commands.verdict_text import first_part_lines

            for line in first_part_lines(damaged.first_part):
                click.echo(line)
        raise
    if is_json:
        answer_json(_as_json(verdict))
    else:
        from p2pjong.commands.verdict_text import verdict_lines

        for line in verdict_lines(verdict):
            click.echo(line)
    return Exit.OK if verdict.is_valid else Exit.FAULT


def _verdict(record: Path, is_json: bool) -> Verdict:
    if is_json or not sys.stderr.isatty():
        return verify_record(record)
    with click.progressbar(length=1, label="checking", file=sys.stderr) as bar:
        return verify_record(record, lambda done, total: _advance(bar, done, total))


def _advance(bar: Any, done: int, total: int) -> None:
    bar.length = max(total, 1)
    bar.update(done - bar.pos)


def _as_json(verdict: Verdict) -> dict[str, Any]:
    from p2pjong.commands.verdict_text import unproven

    fault, stop = verdict.fault, verdict.stop
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
        "fault": fault
        and {
            "seat": fault.seat,
            "rule": fault.rule,
            "message": verdict.problem,
            "number": fault.number,
        },
        "problem": verdict.problem,
        "messages": verdict.messages,
        "left": [{"seat": seat, "number": number} for seat, number in verdict.departures],
        "votes": [_ballot_json(ballot) for ballot in verdict.ballots],
        "results": [_result_json(result) for result in verdict.results],
        "proven": dict(verdict.proven),
        "books": [_books_json(books) for books in verdict.books],
        "not_proven": list(unproven(verdict)),
        "stops_at": stop
        and {
            "epoch": stop.epoch,
            "step": stop.step,
            "awaited": list(stop.awaited),
            "reason": stop.reason,
        },
    }


def _books_json(books: Books) -> dict[str, Any]:
    return {
        "hand": books.hand,
        "hands": [{"seat": seat, "faces": list(faces)} for seat, faces in books.hands],
        "deck": list(books.deck),
        "not_opened_by": list(books.unopened),
    }


def _ballot_json(ballot: Ballot) -> dict[str, Any]:
    return {"seat": ballot.seat, "voters": list(ballot.voters)}


def _result_json(result: SignedResult) -> dict[str, Any]:
    return {
        "scores": list(result.scores),
        "signed_by": list(result.signers),
        "present": list(result.present),
        "by_majority": result.is_by_majority,
        "closed": result.is_closed,
    }
