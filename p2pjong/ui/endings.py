"""Seats that leave, fall silent or cheat, and how a game ends, in words. Pure."""

from collections.abc import Sequence
from enum import Enum

from p2pjong.front import Stuck
from p2pjong.games import GAMES, hand_of
from p2pjong.games.game import Over, Seat, View
from p2pjong.session.effects import Blame, Finished, Left, VotedOut
from p2pjong.ui.names import Names
from p2pjong.ui.rule_words import breach_text
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, duration, plural, rule, wrap

TOO_FEW = dim("Too few players are left to go on.")


class Gone(Enum):
    """How our own seat came out of a game that may go on, and what its person is told."""

    LEAVE = "You left the game."
    VOTE = "For you the game is over. The others may go on."


def blame_lines(effect: Blame, names: Names, follows: Sequence[str]) -> list[str]:
    """Who did what against the rules, what follows, and last what the record names it by."""
    is_ours = effect.seat == names.me
    who, they = ("You", "you") if is_ours else (names.plain(effect.seat), "they")
    said = breach_text(effect.rule, effect.reason, they, is_ours)
    return [
        *map(alarm, wrap(f"{who} broke the rules: {said}.".split(" "))),
        *follows,
        dim(f"[{clean(effect.rule)}, message {effect.number}: the record proves it]"),
    ]


def cast_out_lines(
    seat: Seat, names: Names, view: View | None, gone: frozenset[Seat], has_choice: bool
) -> list[str]:
    """What follows for who broke the rules, for the game (G4), and for who still has a choice.

    That the hand is void (G6) is told when it is: a result that all have come to may stand first.
    """
    lines = [bold(f"{names.does(seat, 'are')} out of the game.")]
    if view is None:
        return lines
    prospect = _prospect(seat, names, view, gone)
    return [*lines, *prospect] if has_choice or prospect == [TOO_FEW] else lines


def left_lines(
    effect: Left, names: Names, view: View | None = None, gone: frozenset[Seat] = frozenset()
) -> list[str]:
    """Who left, and what becomes of the hand (G6) and the game (G4), once there is one.

    `gone` are all that have left so far; those of a hand that is void are out in the view, too.
    """
    if effect.seat == names.me:
        return []  # the end tells it
    lines = [bold(f"{names.does(effect.seat, 'have')} left the game.")]
    return lines if view is None else [*lines, *_prospect(effect.seat, names, view, gone)]


def _prospect(seat: Seat, names: Names, view: View, gone: frozenset[Seat]) -> list[str]:
    stay = [seat for seat in range(view.seats) if view.present[seat] and seat not in gone]
    if len(stay) < GAMES[view.game].seats_min:
        return [TOO_FEW]
    who = names.plain(seat)
    told = f"Play on as usual. When {who} is needed, this {hand_of(view.game)} is void and begins "
    told += f"again without {who}."
    return list(map(dim, wrap(told.split(" "))))


def voted_out_lines(effect: VotedOut, names: Names) -> list[str]:
    """Who was voted absent, and by whom: it is a vote, not a verdict."""
    voters = names.listed(effect.voters)
    return [bold(f"{names.does(effect.seat, 'are')} removed from the game: {voters} voted for it.")]


def finished_lines(effect: Finished, names: Names, game: str = "") -> list[str]:
    """How the game ended, with the standings, best first."""
    hands = plural(effect.over.hands, hand_of(game))
    return [
        rule("the game is over"),
        bold(_ending(effect, names)),
        *_standings(effect.over, names),
        dim(f" after {hands}"),
    ]


def parted_lines(
    effect: Finished, names: Names, game: str, gone_by: Gone, others: int | None
) -> list[str]:
    """How it stood as our seat went, and what becomes of the game; `others` go on with it.

    `game` is "" as long as nothing was seen of one, `others` None if nobody here knows.
    """
    is_ended_by_fault = effect.over.outcome == "fault" and not others
    if is_ended_by_fault or effect.over.outcome == "finished":
        left = [bold(gone_by.value)] if gone_by is Gone.LEAVE else []
        return [*left, *finished_lines(effect, names, game)]
    if not game:
        return [bold(gone_by.value)]
    hands = effect.over.hands
    played = (
        f"after {plural(hands, hand_of(game))}" if hands else f"no {hand_of(game)} was finished"
    )
    return [
        bold(gone_by.value),
        rule("how it stands"),
        *_standings(effect.over, names),
        dim(f" {played}{_going_on(others)}"),
    ]


def _going_on(others: int | None) -> str:
    if others is None:
        return ""
    if others == 0:
        return "; the game ends here for everyone"
    return f"; the game goes on among the other {others}"


def _standings(over: Over, names: Names) -> list[str]:
    """The scores, best first; a star for who has won."""
    order = sorted(range(len(over.scores)), key=lambda seat: (-over.scores[seat], seat))
    rows = [
        (
            "*" if seat in over.winners else "",
            names.plain(seat) + (" (you)" if seat == names.me else ""),
            str(over.scores[seat]),
        )
        for seat in order
    ]
    return [f" {line}" for line in aligned(rows, right=(2,))]


def _ending(effect: Finished, names: Names) -> str:
    winners = effect.over.winners
    if effect.over.outcome == "fault" and effect.fault is not None:
        return f"The game ended because {names.of(effect.fault.seat)} broke the rules; nobody wins."
    if effect.over.outcome != "finished":
        return "The game was abandoned: too few players are left, so nobody wins."
    if len(winners) == 1:
        return f"{names.does(winners[0], 'win')} the game."
    return f"{names.listed(winners)} share the win."


def cut_line(seat: Seat, names: Names) -> str:
    """That a seat is out of reach: it may be back, and nothing is decided by it."""
    return bold(f"{names.does(seat, 'are')} not connected any more; trying again.")


def stuck_lines(effect: Stuck, names: Names) -> list[str]:
    """That a silent seat cannot be voted absent, why, and what can be done."""
    name, present = names.plain(effect.seat), effect.present
    if effect.has_voted:
        need = present // 2 + 1
        why = f"You would vote to remove them, but that takes {need} of the {present} players, "
        why += "and too few others would."
    elif present <= 2:
        why = "With two players nobody can be removed by vote: one of two is no majority."
    else:
        why = "They cannot be removed by vote now."
    hope = f"{name} may come back"
    if not effect.is_linked:
        hope = f"{name} can come back if their program is still running, but not if it has ended"
    text = f"{name} has been silent for {duration(effect.waited_s)}. {why} You can wait ({hope}), "
    text += f"or leave with q. {effect.cost}"
    return [bold(line) for line in wrap(text.split(" "))]


def vote_lines(seat: Seat, waited_s: float, names: Names, view: View | None) -> list[str]:
    """What voting a silent seat absent would mean, and what not to."""
    present = sum(view.present) if view else len(names.seats)
    hand = hand_of(view.game) if view else "hand"
    does_go_on = view is None or present > GAMES[view.game].seats_min
    then = f"the other {present - 1} play on"
    if not does_go_on:
        then = "the game is abandoned, because too few are left"
    text = (
        f"{names.plain(seat)} has been silent for {duration(waited_s)}. Vote to remove them? If "
        f"{present // 2 + 1} of the {present} players do, they are out, this {hand} is void, and "
        f"{then}. If you wait, you are asked again in {duration(waited_s)}."
    )
    return wrap(text.split(" "))


def voted_line(seat: Seat, names: Names, view: View | None) -> str:
    """What has become of our vote so far."""
    present = sum(view.present) if view else len(names.seats)
    who, need = names.plain(seat), present // 2 + 1
    told = f"You voted to remove {who}. That takes {need} votes; yours is counted."
    return dim(told)
