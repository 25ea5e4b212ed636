"""`arena`: many games between bots, with no network and the deck open to the program."""

import secrets
import time
from dataclasses import asdict
from typing import Any

import click

from p2pjong.arena import Report, run
from p2pjong.bots import STRATEGIES
from p2pjong.commands.flags import (
    GameName,
    answer_json,
    common_options,
    json_option,
    word_to_a_person,
)
from p2pjong.commands.offered import OFFERED, check_table, length_help
from p2pjong.errors import Exit
from p2pjong.games import ENTRIES, GAMES, ROUNDS, TARGET
from p2pjong.games.game import Options
from p2pjong.settings import usage
from p2pjong.wire.ranges import ROUNDS_MAX, TARGET_MAX

SEEDS = 1 << 32


@click.command(epilog=f"GAME is one of {', '.join(OFFERED)}.")
@click.argument("game", type=GameName(list(OFFERED)), metavar="GAME")
@click.option(
    "--bots",
    required=True,
    metavar="A,B,..",
    help=f"A strategy for each seat: {', '.join(sorted(STRATEGIES))}.",
)
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--seed", type=click.IntRange(0), help="The same seed, the same games.")
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    help="How many to play at once; it changes nothing else.",
)
@click.option("--target", type=click.IntRange(1, TARGET_MAX), help=length_help(TARGET))
@click.option("--rounds", type=click.IntRange(1, ROUNDS_MAX), help=length_help(ROUNDS))
@json_option
@common_options
def arena(
    game: str,
    bots: str,
    games: int,
    seed: int | None,
    processes: int,
    target: int | None,
    rounds: int | None,
    is_json: bool,
) -> int:
    """Let bots play many games of GAME, and tell how they fared."""
    strategies = _strategies(bots)
    options = Options(target=target or 0, rounds=rounds or 0)
    check_table(game, len(strategies), options)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    word_to_a_person(f"playing {games} {'game' if games == 1 else 'games'}")
    started_s = time.monotonic()
    report = run(game, strategies, games, seed, processes, options)
    if is_json:
        answer_json(_as_json(report))
        return Exit.OK
    for line in _report_lines(report, time.monotonic() - started_s):
        click.echo(line)
    return Exit.OK


def _strategies(bots: str) -> tuple[str, ...]:
    strategies = tuple(name.strip() for name in bots.split(",") if name.strip())
    for name in strategies:
        if name not in STRATEGIES:
            raise usage(f"there is no strategy {name!r}", f"known: {', '.join(sorted(STRATEGIES))}")
    return strategies


def _as_json(report: Report) -> dict[str, Any]:
    bots = [
        asdict(row)
        | {"win_share": row.win_share, "mean_points": row.mean_points, "mean_win": row.mean_win}
        for row in report.rows
    ]
    return asdict(report) | {"rows": bots}


def _report_lines(report: Report, seconds: float) -> list[str]:
    from p2pjong.ui.text import aligned, dim, plural

    entry = ENTRIES[report.game]
    hand, scored = entry.hand, entry.scored
    won = (f"{hand}s won", f"{scored} per {hand}", f"per {hand} won")
    head = ("strategy", "seats", "games won", "share", *won)
    rows = [
        (
            row.strategy,
            str(row.seats),
            f"{row.games_won:g}",
            f"{row.win_share:.1%}",
            str(row.hands_won),
            f"{row.mean_points:.2f}",
            f"{row.mean_win:.1f}",
        )
        for row in report.rows
    ]
    again = f"--seed {report.seed} plays the same games again"
    return [
        f"{plural(report.games, 'game')} of {GAMES[report.game].title}, "
        f"{plural(report.hands, hand)}, {report.washed_out_share:.1%} without a winner",
        *aligned([tuple(map(dim, head)), *rows], right=range(1, len(head))),
        *([f"{plural(report.unfinished, 'game')} stopped early"] if report.unfinished else []),
        dim(f"{again}; {report.hands / seconds:.0f} {hand}s a second"),
    ]
