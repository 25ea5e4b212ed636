"""`score`: what a hand is worth, and why; one hand for people, thousands for scripts."""

from collections.abc import Sequence
from typing import Any, BinaryIO

import click

from p2pjong.commands.flags import GameName, answer_json, common_options, json_option
from p2pjong.commands.offered import OFFERED
from p2pjong.errors import Exit
from p2pjong.games.question import BadQuestion
from p2pjong.score import answer, answer_batch, hand_question, split_cards
from p2pjong.settings import usage
from p2pjong.ui.json_text import json_text


@click.command(epilog=f"GAME is one of {', '.join(OFFERED)}.")
@click.argument("game", type=GameName(list(OFFERED)), metavar="GAME")
@click.argument("cards", nargs=-1)
@click.option(
    "--meld",
    "melds",
    multiple=True,
    metavar="CARDS",
    help='A face-up set, like "A4 A5 A6"; repeat it for each.',
)
@click.option(
    "--generals",
    default=0,
    type=click.IntRange(0),
    metavar="N",
    help="Generals discarded in this hand (War Jhong).",
)
@click.option(
    "--destroyed",
    multiple=True,
    metavar="CARDS",
    help="Which of the cards were destroyed (Samurai Warfare).",
)
@click.option(
    "--batch",
    type=click.File("rb"),
    metavar="FILE",
    help="One question per line, in JSON; - reads standard input.",
)
@json_option
@common_options
def score(
    game: str,
    cards: tuple[str, ...],
    melds: tuple[str, ...],
    generals: int,
    destroyed: tuple[str, ...],
    batch: BinaryIO | None,
    is_json: bool,
) -> int:
    """Tell what CARDS are worth in GAME, and why.

    War Jhong takes 12 or 13 cards, Not Your Ma's Jong 11, less 3 for each --meld; Samurai Warfare
    any cards that were played, in a line before one seat:

    \b
      p2pjong score war-jhong I1 I2 I3 A1 A2 A3 C1 C2 C3 J J T G
      p2pjong score not-your-mas-jong R1 R2 R3 B4 B4 B4 E1 E1 --meld "S2 S3 S4"
      p2pjong score samurai-warfare takeda cannons --destroyed takeda

    A --batch FILE has one question a line:

    \b
      {"hand": [..], "melds": [[..]], "generals": n}
      {"played": [..], "destroyed": [..]}
    """
    if batch is not None:
        if cards or melds or generals or destroyed:
            raise usage("--batch takes its hands from the file alone")
        return _score_batch(game, batch)
    if not cards:
        raise usage("which cards?", f"p2pjong score {game} CARDS..., or --batch FILE")
    try:
        question = hand_question(game, cards, melds, generals, destroyed)
        answered = answer(game, question)
    except BadQuestion as error:
        raise usage(str(error), _hint(game, melds)) from error
    if is_json:
        answer_json(answered)
    else:
        for line in _explain(game, question):
            click.echo(line)
    return Exit.OK


def _hint(game: str, melds: Sequence[str]) -> str:
    """What most likely went wrong: a set that the shell took apart, or a code that is none."""
    if any(len(split_cards(game, [meld])) == 1 for meld in melds):
        return 'the cards of a set stand in quotes: --meld "S2 S3 S4"'
    return f"p2pjong rules {game} lists the cards and their codes"


def _score_batch(game: str, batch: BinaryIO) -> int:
    for answered in answer_batch(game, batch):
        click.echo(json_text(answered))
    return Exit.OK


def _explain(game: str, question: Any) -> Sequence[str]:
    from p2pjong.ui.game_words import words_of

    return words_of(game).score_lines(question)
