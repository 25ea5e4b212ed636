"""The cases of `protocol/vectors/war_jhong.json`: whole games as rules alone, digest by digest.

Played on the open dealer with fixed seeds: what each state waited for was answered so, and came to
the state with that digest. Some states stand there in full, in their canonical encoding.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from p2pjong.engine import canonical
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Decide, Facts, Open, Options, Over, Settle, Toss
from p2pjong.games.war_jhong.state import State

Case = dict[str, Any]
Choose = Callable[[tuple[Action, ...], Random], Action]

GAME = GAMES["war-jhong"]
PREFERRED = ("go_out", "claim_go_out", "claim_formation")


def choose_eagerly(actions: tuple[Action, ...], rng: Random) -> Action:
    """Go out or claim whenever it can be."""
    for verb in PREFERRED:
        if best := [action for action in actions if action.verb == verb]:
            return rng.choice(best)
    return rng.choice(actions)


def choose_quietly(actions: tuple[Action, ...], rng: Random) -> Action:
    """Never go out nor claim, so that the deck runs out."""
    return rng.choice([action for action in actions if action.verb in ("discard", "pass")])


@dataclass
class Story:
    """One game, told step by step."""

    seats: int
    seed: int
    target: int
    choose: Choose
    steps_max: int
    void_at: dict[int, tuple[int, ...]] = field(default_factory=dict)
    told: list[list[Any]] = field(default_factory=list)
    full: dict[str, str] = field(default_factory=dict)  # one state of each phase

    def tell(self) -> Case:
        """Play it, at most so many steps."""
        self.rng = Random(self.seed)
        self.dealer = OpenDealer(self.seats, Chance(f"vectors/{self.seed}"))
        state: State = GAME.start(self.seats, Options(target=self.target))
        self._keep(state)
        for number in range(self.steps_max):
            if isinstance(GAME.pending(state), Over):
                break
            state = self._step(state, number)
            self._keep(state)
        return {
            "seats": self.seats,
            "target": self.target,
            "start": canonical.digest(GAME.start(self.seats, Options(target=self.target))).hex(),
            "steps": self.told,
            "states": self.full,
        }

    def _step(self, state: State, number: int) -> State:
        pending = GAME.pending(state)
        after: State
        if number in self.void_at:
            out = self.void_at[number]
            after = GAME.void(state, out)
            return self._tell(after, "void", list(out))
        if isinstance(pending, Decide):
            actions = tuple(self._choice(state, seat) for seat in pending.seats)
            told = [[action.seat, action.verb, list(action.slots)] for action in actions]
            return self._tell(GAME.decide(state, actions), "actions", told)
        if isinstance(pending, Settle):
            return self._tell(GAME.resolve(state, Facts()), "done", None)
        assert not isinstance(pending, Over)
        self.dealer.begin(pending)
        facts = self.dealer.facts()
        assert facts is not None
        after = GAME.resolve(state, facts)
        if isinstance(pending, Toss):
            return self._tell(after, "tossed", facts.tossed)
        if isinstance(pending, Open):
            return self._tell(after, "opened", [list(card) for card in facts.opened])
        return self._tell(after, "done", None)

    def _choice(self, state: State, seat: int) -> Action:
        actions = GAME.legal(state, seat, self.dealer.known(seat))
        return self.choose(actions, self.rng)

    def _tell(self, after: State, what: str, how: Any) -> State:
        # Eight bytes tell two digests apart as well as 32 do, in a quarter of the room.
        self.told.append([what, how, canonical.digest(after).hex()[:16]])
        return after

    def _keep(self, state: State) -> None:
        self.full[state.phase] = canonical.encode(state).decode()


def games_file() -> Case:
    """The whole file: a game of two, one of three that loses a seat, and one that is washed out."""
    stories = [
        Story(2, 1, 20, choose_eagerly, 600),
        Story(3, 2, 10, choose_eagerly, 600, void_at={2: (), 40: (1,)}),
        Story(4, 3, 100, choose_eagerly, 900, void_at={0: (3,), 300: (0, 2)}),
        Story(8, 4, 100, choose_quietly, 160),
    ]
    return {"page": "protocol/war-jhong.md", "games": [story.tell() for story in stories]}
