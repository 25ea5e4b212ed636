"""`tables`: what is being played on this network."""

import asyncio

import click

from p2pjong.commands.flags import (
    Flags,
    answer_json,
    common_options,
    ip_address,
    json_option,
    word_to_a_person,
)
from p2pjong.commands.log_lines import set_up_log
from p2pjong.errors import Exit, P2PJongError
from p2pjong.session.lobby_view import TableOffer


@click.command()
@click.option(
    "--wait",
    "wait_s",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.1, 600),
    metavar="SECONDS",
    help="How long to listen.",
)
@click.option(
    "--bind",
    default="",
    callback=ip_address,
    metavar="ADDRESS",
    help="Listen on this address only.",
)
@json_option
@common_options
def tables(wait_s: float, bind: str, is_json: bool) -> int:
    """List the tables on this network."""
    from p2pjong.app.choosing import offer
    from p2pjong.app.searching import no_table_answers, one_of_each
    from p2pjong.net.found_table import unanswered
    from p2pjong.net.surroundings import look_around

    word_to_a_person(f"listening for {wait_s:g} s")
    set_up_log(click.get_current_context().ensure_object(Flags).is_debug)
    around = asyncio.run(look_around(wait_s, bind=bind or None))
    found = [offer(table) for table in one_of_each(around.tables)]
    silent = one_of_each(around.unreachable)
    if is_json:
        unreachable = [_as_json(offer(table)) for table in silent]
        answer_json({"tables": [_as_json(offer) for offer in found], "unreachable": unreachable})
        return Exit.OK if found else Exit.NOTHING_FOUND
    if not found and silent:
        raise no_table_answers(silent)
    if not found:
        raise P2PJongError(
            "no table found on this network",
            "open one with p2pjong host; p2pjong doctor finds out why none is found; "
            "p2pjong join --connect HOST:PORT goes straight to one",
            Exit.NOTHING_FOUND,
        )
    for table in silent:
        word_to_a_person(unanswered(table))
    from p2pjong.ui.lobby import offer_lines

    for line in offer_lines(tuple(found)):
        click.echo(line)
    return Exit.OK


def _as_json(offer: TableOffer) -> dict[str, object]:
    return {
        "table": offer.table,
        "game": offer.game,
        "seats": offer.seats_total,
        "free": offer.seats_free,
        "playing": offer.is_playing,
        "private": offer.is_private,
        "fingerprint": offer.fingerprint,
        "address": offer.where,
    }
