"""Whether a choice can end the game by itself, with nobody else needed for it. Pure."""

from typing import Any

from p2pjong.games.game import Action, Decide, Facts, Foul, Game, Known, Open, Over, Seat, Settle


def ends_game(
    game: Game, state: Any, actions: tuple[Action, ...], seat: Seat, known: Known
) -> bool:
    """Whether `seat` can end the game once these actions, all that are awaited, are carried out.

    As far as it goes by what this seat alone does: its further choices, opening cards whose faces
    are in `known`, and signing a result, which others cannot undo by having left.
    """
    try:
        state = game.decide(state, actions)
        while (facts := _own_facts(game, state, known)) is not None:
            state = game.resolve(state, facts)
    except Foul:
        return False
    pending = game.pending(state)
    if isinstance(pending, Decide) and pending.seats == (seat,):
        return any(
            ends_game(game, state, (action,), seat, known)
            for action in game.legal(state, seat, known)
        )
    return isinstance(pending, Over)


def _own_facts(game: Game, state: Any, known: Known) -> Facts | None:
    """What the pending operation will come to, where nobody else has a part in it."""
    pending = game.pending(state)
    if isinstance(pending, Settle):
        return Facts()
    if isinstance(pending, Open) and all(slot in known for slot in pending.slots):
        return Facts(opened=tuple((slot, known[slot]) for slot in pending.slots))
    return None
