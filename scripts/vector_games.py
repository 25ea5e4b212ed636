"""The games of `war_jhong.json`, `samurai_warfare.json` and `not_your_mas_jong.json`: rules alone,
digest by digest.

Played on the open dealer with fixed seeds: what each state waited for was answered so, and came to
the state with that digest. Some states stand there in full, in their canonical encoding; some
decisions with what may be chosen and what not; some openings with faces that convict their seat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from p2pjong.bots import STRATEGIES
from p2pjong.engine import canonical
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.games import GAMES
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    Known,
    Open,
    Options,
    Order,
    Over,
    Pending,
    Seat,
    Settle,
    Toss,
    View,
)
from scripts.vector_asked import asked, named
from scripts.vector_refused import refused

Case = dict[str, Any]
Choose = Callable[[View, tuple[Action, ...], Random], Action]

PREFERRED = ("go_out", "claim_go_out", "claim_formation")
TRIES_MAX = 60  # at faces that would be a foul


def choose_eagerly(view: View, actions: tuple[Action, ...], rng: Random) -> Action:
    """Go out or claim whenever it can be."""
    for verb in PREFERRED:
        if best := [action for action in actions if action.verb == verb]:
            return rng.choice(best)
    return rng.choice(actions)


def choose_quietly(view: View, actions: tuple[Action, ...], rng: Random) -> Action:
    """Never go out, claim nor call, so that the deck runs out."""
    return rng.choice([action for action in actions if action.verb in ("discard", "pass")])


def choose_busily(view: View, actions: tuple[Action, ...], rng: Random) -> Action:
    """Play rather than pass, and name many cards, so that the discards become the deck."""
    most = max(len(action.slots) for action in actions if action.verb != "play" or action.slots)
    plays = [action for action in actions if action.verb == "play"]
    return rng.choice(plays or [action for action in actions if len(action.slots) == most])


def choose_hastily(view: View, actions: tuple[Action, ...], rng: Random) -> Action:
    """As the greedy bot does, but for calls made in haste, many of them wrong."""
    calls = [action for action in actions if action.verb in ("call_set", "call_win")]
    is_hasty = bool(calls) and rng.random() < 0.25
    return rng.choice(calls) if is_hasty else STRATEGIES["greedy"]()(view, actions, rng)


@dataclass
class Story:
    """One game, told step by step."""

    game: str
    seats: int
    seed: int
    options: Options
    choose: Choose
    steps_max: int
    void_at: Mapping[int, tuple[Seat, ...]] = field(default_factory=dict)
    told: list[list[Any]] = field(default_factory=list)
    full: dict[str, str] = field(default_factory=dict)  # the last state of each phase
    decisions: dict[Any, Case] = field(default_factory=dict)  # by what is decided
    fouls: dict[str, Case] = field(default_factory=dict)  # by the rule

    def tell(self) -> Case:
        """Play it, at most so many steps."""
        self.rules = GAMES[self.game]
        self.rng = Random(self.seed)
        self.dealer = OpenDealer(self.seats, Chance(f"vectors/{self.seed}"))
        state = start = self.rules.start(self.seats, self.options)
        self._keep(state)
        for number in range(self.steps_max):
            if isinstance(self.rules.pending(state), Over):
                break
            state = self._step(state, number)
            self._keep(state)
        return {
            "seats": self.seats,
            "target": self.options.target,
            "rounds": self.options.rounds,
            "oldest": list(self.options.oldest),
            "start": canonical.digest(start).hex(),
            "steps": self.told,
            "states": self.full,
            "decisions": list(self.decisions.values()),
            "fouls": list(self.fouls.values()),
        }

    def _step(self, state: Any, number: int) -> Any:
        pending = self.rules.pending(state)
        waits = asked(pending, self.rules.deck)
        if number in self.void_at:
            out = self.void_at[number]
            return self._tell(self.rules.void(state, out), waits, "void", list(out))
        if isinstance(pending, Decide):
            self._keep_decision(state, pending, number)
            actions = tuple(self._choice(state, seat) for seat in pending.seats)
            told = [named(action) for action in actions]
            return self._tell(self.rules.decide(state, actions), waits, "actions", told)
        if isinstance(pending, Settle):
            return self._tell(self.rules.resolve(state, Facts()), waits, "done", None)
        assert not isinstance(pending, Over)
        self.dealer.begin(pending)
        facts = self.dealer.facts()
        assert facts is not None
        if isinstance(pending, Open):
            self._keep_foul(state, pending, number)
        return self._tell(self.rules.resolve(state, facts), waits, *_told(pending, facts))

    def _choice(self, state: Any, seat: Seat) -> Action:
        known = self.dealer.known(seat)
        actions = self.rules.legal(state, seat, known)
        return self.choose(self.rules.view(state, seat, known), actions, self.rng)

    def _tell(self, after: Any, waits: list[Any], what: str, how: Any) -> Any:
        # Eight bytes tell two digests apart as well as 32 do, in a quarter of the room.
        self.told.append([waits, what, how, canonical.digest(after).hex()[:16]])
        return after

    def _keep(self, state: Any) -> None:
        place = place_of(state)
        self.full.pop(place, None)  # so that the last state of all stands last
        self.full[place] = canonical.encode(state).decode()

    # --- What may be chosen, and what not ---------------------------------------------------------

    def _keep_decision(self, state: Any, pending: Decide, number: int) -> None:
        """The first decision of each kind and number of verbs, for its first seat."""
        seat = pending.seats[0]
        known = self.dealer.known(seat)
        offered = self.rules.legal(state, seat, known)
        kind = (pending.reason, frozenset(action.verb for action in offered))
        if kind in self.decisions:
            return
        possible = self.rules.legal(state, seat, {})
        default = self.rules.default(state, seat, known)
        self.decisions[kind] = {
            "at": number,
            "seat": seat,
            "known": _known_of(state, seat, offered, known),
            "offered": [named(action) for action in offered],
            "possible": len(possible),
            "default": named(default),
            "refused": [named(action) for action in refused(state, seat, possible)],
        }

    def _keep_foul(self, state: Any, pending: Open, number: int) -> None:
        """Faces that contradict what the seat claimed, if any do."""
        rng = Random(number)
        for _ in range(TRIES_MAX):
            faces = rng.sample(self.rules.deck, len(pending.slots))
            opened = tuple(zip(pending.slots, faces, strict=True))
            try:
                self.rules.resolve(state, Facts(opened=opened))
            except Foul as foul:
                told = {"at": number, "opened": [list(card) for card in opened]}
                self.fouls.setdefault(foul.rule, {**told, "seat": foul.seat, "rule": foul.rule})


def place_of(state: Any) -> str:
    """The phase, and in Samurai Warfare the step under way."""
    queue = getattr(state, "queue", ())
    return f"{state.phase} {type(queue[0]).__name__}" if queue else str(state.phase)


def _told(pending: Pending, facts: Facts) -> tuple[str, Any]:
    """What an operation told all."""
    if isinstance(pending, Toss):
        return "tossed", facts.tossed
    if isinstance(pending, Order):
        return "ordered", list(facts.order)
    if isinstance(pending, Open):
        return "opened", [list(card) for card in facts.opened]
    return "done", None


def _known_of(
    state: Any, seat: Seat, offered: tuple[Action, ...], known: Known
) -> list[tuple[int, str]]:
    """What the seat knows of the cards that matter: its hand, what it may name, what it drew."""
    slots = {*state.hands[seat], *(slot for action in offered for slot in action.slots)}
    slots.add(getattr(state, "drawn", NOBODY))
    return [(slot, known[slot]) for slot in sorted(slots) if slot in known]


# --- The files ----------------------------------------------------------------------------------


def _story(
    game: str, seats: int, seed: int, options: Options, choose: Choose, steps_max: int, **more: Any
) -> Case:
    return Story(game, seats, seed, options, choose, steps_max, **more).tell()


def _each_place_once(stories: list[Case]) -> list[Case]:
    """Of the states that stand in full, those that no earlier game has; the last one always."""
    seen: set[str] = set()
    for story in stories:
        *places, last = story["states"]
        kept = [place for place in places if place not in seen] + [last]
        story["states"] = {place: story["states"][place] for place in kept}
        seen.update(kept)
    return stories


def war_jhong_games() -> list[Case]:
    """A game of two, one of three that loses a seat, one abandoned, one washed out, and one that
    loses a seat while hands are re-veiled."""
    game = "war-jhong"
    stories = [
        _story(game, 2, 1, Options(target=20), choose_eagerly, 440),
        _story(game, 3, 3, Options(target=1), choose_eagerly, 600, void_at={2: (), 40: (1,)}),
        _story(
            game, 4, 3, Options(target=100), choose_eagerly, 900, void_at={0: (3,), 300: (0, 2)}
        ),
        _story(game, 8, 4, Options(target=100), choose_quietly, 160),
        _story(game, 4, 3, Options(target=100), choose_eagerly, 14, void_at={8: (2,)}),
    ]
    return _each_place_once(stories)


def samurai_warfare_games() -> list[Case]:
    """A game of two, one of three that loses its Shogun, and one abandoned."""
    game = "samurai-warfare"
    stories = [
        _story(game, 2, 1, Options(target=3), choose_busily, 600),
        _story(game, 3, 2, Options(target=1, oldest=(2,)), choose_busily, 300, void_at={60: (2,)}),
        _story(game, 6, 3, Options(), choose_busily, 200, void_at={0: (4,), 120: (0, 1, 2, 3)}),
    ]
    return _each_place_once(stories)


def not_your_mas_jong_games() -> list[Case]:
    """A game of three, one of four that loses its Ma, one abandoned, and one washed out."""
    game = "not-your-mas-jong"
    stories = [
        _story(game, 3, 1, Options(rounds=3), choose_hastily, 600),
        _story(game, 4, 2, Options(rounds=1, oldest=(3,)), choose_hastily, 300, void_at={20: (3,)}),
        _story(game, 3, 3, Options(), choose_hastily, 40, void_at={0: (), 30: (1,)}),
        _story(game, 4, 4, Options(rounds=1), choose_quietly, 240),
    ]
    return _each_place_once(stories)
