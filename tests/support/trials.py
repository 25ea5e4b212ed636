"""One misdeed tried at one table, and what all honest peers must have made of it.

In the tiny game a table is played to its end; in the real games up to where the others go on, since
from there on the game is one among honest peers. The cheat is always the same seat.
"""

from collections.abc import Callable, Mapping
from random import Random

from msgspec.structs import replace as with_fields

from p2pjong.bots import STRATEGIES
from p2pjong.games import GAMES
from p2pjong.games.game import NOBODY, Action, Seat
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.session.draft import game_options
from p2pjong.session.effects import Ask, VotedOut
from p2pjong.wire.messages import Draft
from tests.support import mas_jong_lies, samurai_lies, war_jhong_lies
from tests.support.hostile import HostileSession, Misdeed, hostile
from tests.support.misdeeds import (
    ANSWERS,
    AT_OPEN_BOOKS,
    GENERAL,
    MISDEEDS,
    TOSSES,
    is_at_open_books,
)
from tests.support.scenario import may_end_first, short_draft, with_open_books
from tests.support.sim import (
    Chooser,
    Peer,
    SimTable,
    audit_journal,
    choose_default,
    choose_randomly,
)

CHEAT = 1
OF_A_BAD_STORY = ("digest", "proof-encoding", "false-evidence")
DELIVERIES_MAX = 20_000
SEEDS_MAX = 24  # not every table gives a seat the turn, or the cards, that a misdeed needs

SEATS: Mapping[str, tuple[int, ...]] = {
    "tiny": (2, 3, 5),
    "war-jhong": (2, 3, 5),
    "samurai-warfare": (2, 3, 5),
    "not-your-mas-jong": (3, 4),
}
LIES: Mapping[str, tuple[Misdeed, ...]] = {
    "war-jhong": (*ANSWERS, *war_jhong_lies.LIES),
    "samurai-warfare": (*TOSSES, *samurai_lies.LIES),
    "not-your-mas-jong": mas_jong_lies.LIES,
}


def misdeeds_of(game: str) -> list[Misdeed]:
    """All misdeeds that can be tried in a game."""
    if game == "tiny":
        return [*MISDEEDS, *AT_OPEN_BOOKS]
    return [*GENERAL, *LIES[game], *AT_OPEN_BOOKS]


def seats_of(game: str, misdeed: Misdeed) -> tuple[int, ...]:
    """With how many seats it is tried there.

    Outside the tiny game a second hand comes about by another seat's leaving the first one.
    """
    least = misdeed.seats_min
    if misdeed.nth and game != "tiny":
        least = max(least, GAMES[game].seats_min + 1)
    return tuple(seats for seats in SEATS[game] if seats >= least)


# --- Real games -----------------------------------------------------------------------------------


def choose_greedily(ask: Ask, rng: Random) -> Action:
    """What the greedy bot would do: hands come to an end."""
    return STRATEGIES["greedy"]()(ask.view, ask.actions, rng)


def choose_wastefully(ask: Ask, rng: Random) -> Action:
    """Any action, of those that name most cards, so that the deck runs out soon; looks ahead."""
    held = dict(ask.view.hand)
    if ask.view.reason == "play-in-tactics":
        leaders = [a for a in ask.actions if a.slots and CARDS[held[a.slots[0]]].type == "shogun"]
        return rng.choice(leaders or ask.actions)
    most = max([len(action.slots) for action in ask.actions if action.verb != "play"], default=0)
    return rng.choice([action for action in ask.actions if len(action.slots) >= most])


def chooser_for(game: str, misdeed: Misdeed) -> Chooser:
    """How people play so that the misdeed's moment comes soon."""
    if misdeed in LIES[game] and game != "war-jhong":
        return choose_randomly
    return choose_greedily if is_at_end_of_hand(misdeed) else choose_default


def is_at_end_of_hand(misdeed: Misdeed) -> bool:
    """Whether the hand counts already, or is about to: nobody can undo it by that any more."""
    return misdeed.kind in ("Settled", "KeyPublished")


def draft_for(game: str, seats: int, misdeed: Misdeed) -> Draft:
    """A game of one hand; where it is about calls the cheat is the first to discard."""
    draft = short_draft(game, seats)
    if is_at_open_books(misdeed):
        return with_open_books(draft)
    if game != "not-your-mas-jong" or misdeed not in LIES[game]:
        return draft
    entries = tuple(
        with_fields(entry, is_oldest=seat == CHEAT) for seat, entry in enumerate(draft.seats)
    )
    return with_fields(draft, seats=entries)


def try_in(game: str, misdeed: Misdeed, seats: int) -> SimTable:
    """A table of the game at which the misdeed was committed, and the others have judged it."""
    for seed in range(SEEDS_MAX):
        table = SimTable(
            seats,
            seed,
            draft=draft_for(game, seats, misdeed),
            makers={CHEAT: hostile(misdeed)},
            choose=chooser_for(game, misdeed),
        ).start()
        if misdeed.nth:
            let_one_leave(table)
        if not run_until(table, has_erred):
            continue
        if misdeed.rule and not run_until(table, judged(misdeed)):
            # The game has ended for who heard a bad story first; the others can only leave.
            assert is_alone_with_the_cheat(table, misdeed) or may_end_first(misdeed)
        return table
    raise AssertionError("the misdeed was never committed")


def run_until(table: SimTable, reached: Callable[[SimTable], bool]) -> bool:
    """Until it holds or nothing is left to do; fails if peers never come to rest."""
    last = table.delivered + DELIVERIES_MAX
    is_reached = table.run_until(lambda table: reached(table) or table.delivered > last)
    assert table.delivered <= last, "the peers never come to rest"
    return is_reached


def let_one_leave(table: SimTable) -> None:
    """The last seat leaves as soon as anyone is asked: the hand is dealt again."""
    assert table.run_until(lambda table: any(peer.asked for peer in table.peers))
    table.at(len(table.peers) - 1, lambda session: session.leave())


def has_erred(table: SimTable) -> bool:
    """Whether the cheat has committed its misdeed."""
    cheat = table.peers[CHEAT].session
    assert isinstance(cheat, HostileSession)
    return cheat.has_erred


def stayed(table: SimTable) -> list[tuple[Seat, Peer]]:
    """The honest peers that are still in the game."""
    return [
        (seat, peer)
        for seat, peer in enumerate(table.peers)
        if peer.is_honest and not peer.session._has_left
    ]


def is_judged(table: SimTable) -> bool:
    """Whether all who stayed go on without the cheat, or are done."""
    return all(
        peer.finished or (not session.turning.is_open and CHEAT not in session.play.present())
        for _, peer in stayed(table)
        for session in (peer.session,)
    )


def judged(misdeed: Misdeed) -> Callable[[SimTable], bool]:
    """Whether they do, and have heard both stories where there were two."""
    stories = misdeed.rule == "equivocation"

    def is_reached(table: SimTable) -> bool:
        return is_judged(table) and not (stories and any(map(_knows_one, stayed(table))))

    return is_reached


def _knows_one(seated: tuple[Seat, Peer]) -> bool:
    faults = seated[1].session.course.faults
    return not seated[1].finished and "equivocation" not in {fault.rule for fault in faults}


# --- What must hold -------------------------------------------------------------------------------


def check_blame(table: SimTable, misdeed: Misdeed) -> None:
    """All honest peers name the same rule, or none; an auditor of any record does, too."""
    expected = [[(CHEAT, misdeed.rule)]] if misdeed.rule else [[]]
    if may_end_first(misdeed) or is_alone_with_the_cheat(table, misdeed):
        # A peer may hear the bad story first, and then no other.
        expected += [[], *([(CHEAT, rule)] for rule in OF_A_BAD_STORY)]
    for _, peer in stayed(table):
        verdict = audit_journal(table.draft, peer.journal)
        found = [(fault.seat, fault.rule) for fault in peer.session.course.faults]
        assert found in expected
        assert verdict.is_valid == (not found)
        assert set(peer.blames()) >= set(found)
        named = [(verdict.fault.seat, verdict.fault.rule)] if verdict.fault else []
        assert named == found or (may_end_first(misdeed) and named in expected)


def is_alone_with_the_cheat(table: SimTable, misdeed: Misdeed) -> bool:
    """Whether the game ends for who has heard one of two stories."""
    return misdeed.tell is not None and len(stayed(table)) < table.game.seats_min


def propose_absent(table: SimTable) -> None:
    """All honest peers would vote the cheat absent."""
    for seat, _ in stayed(table):
        table.at(seat, lambda session: session.propose_absent(CHEAT))


def leave_all(table: SimTable) -> None:
    """All honest peers leave a table at which nothing goes on."""
    for seat, _ in stayed(table):
        table.at(seat, lambda session: session.leave())
    table.finish()
    for seat, peer in enumerate(table.peers):
        if peer.is_honest and not peer.finished:
            table.at(seat, lambda session: session.abandon())


def can_vote(table: SimTable) -> bool:
    """Whether a strict majority is there: never half a table, and none before the charter."""
    return all(peer.session.charter for _, peer in stayed(table)) and len(stayed(table)) > 1


def votes_against(table: SimTable) -> set[tuple[Seat, tuple[Seat, ...]]]:
    """Who was voted absent, by whom, as the honest peers were told."""
    told = [effect for peer in table.honest() for effect in peer.seen]
    return {(one.seat, one.voters) for one in told if isinstance(one, VotedOut)}


def check_votes(table: SimTable) -> None:
    """A vote is one of a strict majority, which the absent one is no part of, and no fault."""
    present = len(stayed(table)) + 1
    for absent, voters in votes_against(table):
        assert absent == CHEAT
        assert 2 * len(voters) > present and CHEAT not in voters
    assert table.faults() == []
    assert all(verdict.fault is None for verdict in table.audits())


def check_in_game(table: SimTable, misdeed: Misdeed) -> None:
    """What became of a misdeed in a real game."""
    if misdeed.is_silent:
        check_silence(table, misdeed)
    elif misdeed.rule:
        check_blame(table, misdeed)
        check_out(table, misdeed)
    else:
        table.run_until(_some_more(table, 200))
        check_blame(table, misdeed)
        assert all(CHEAT in peer.session.play.present() for _, peer in stayed(table))


def _some_more(table: SimTable, deliveries: int) -> Callable[[SimTable], bool]:
    last = table.delivered + deliveries
    return lambda table: table.delivered >= last


def check_out(table: SimTable, misdeed: Misdeed) -> None:
    """A proven cheat is out; the hand was void, so that all scores are as before its deal."""
    start = table.game.start(len(table.peers), game_options(table.draft))
    scores = table.game.view(start, NOBODY, {}).scores
    cheat = table.peers[CHEAT].session
    assert isinstance(cheat, HostileSession)
    for _, peer in stayed(table):
        play = peer.session.play
        is_late = misdeed.kind == "Settled" or misdeed.rule == "equivocation"
        if is_late and play.results_closed() > cheat.erred_after:
            continue  # who lies about a result, or whose stories are heard after it, undoes nothing
        assert play.results_closed() == cheat.erred_after
        before = play.results[-1].scores if play.results else scores
        assert peer.session.view().scores == before
        assert is_at_open_books(misdeed) or CHEAT not in peer.session.standing().winners


def check_silence(table: SimTable, misdeed: Misdeed) -> None:
    """Everybody knows who is waited for; a majority votes it absent, and nobody is blamed."""
    table.run()
    for _ in range(4):
        table.tick()
        table.run()
    for _, peer in stayed(table):
        if not peer.finished:
            assert peer.session.course.missing() == (CHEAT,)
    is_majority = can_vote(table)
    propose_absent(table)
    run_until(table, is_judged)
    assert bool(votes_against(table)) == is_majority
    if is_majority:
        assert is_judged(table)
    else:
        leave_all(table)
    check_votes(table)
    for peer in table.honest():
        is_settled = is_at_end_of_hand(misdeed) and peer.session.play.results_closed()
        assert is_settled or CHEAT not in peer.session.standing().winners
