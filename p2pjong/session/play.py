"""The program of a table from the charter to the end of the game: which steps follow which.

Implements `protocol/play.md`. Rules and cryptography meet here and in the mental dealer only. The
game says what it waits for; the dealer turns an operation into steps of the machines, a decision
becomes steps of actions, and what comes out goes back into the game.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2pjong.crypto.commitment import commit
from p2pjong.engine.canonical import digest
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    Game,
    Over,
    Pending,
    Seat,
    Settle,
    Shuffle,
    Toss,
    Way,
)
from p2pjong.session.books import Opening
from p2pjong.session.charter import check_opening, draw_lot
from p2pjong.session.course import Answers, Course, HandVoid, Step
from p2pjong.session.faults import PeerFault
from p2pjong.session.mental_dealer import MentalDealer
from p2pjong.session.purposes import Purpose
from p2pjong.session.results import SignedResult
from p2pjong.session.seed import Seed
from p2pjong.session.tally import Tally
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Act, ActCommit, ActOpen, Settled

Steps: TypeAlias = Generator[Step, Answers, None]
Cause: TypeAlias = Facts | tuple[Action, ...]  # () where a hand was voided
Watcher: TypeAlias = Callable[[Any, Cause, Any], None]


@dataclass(frozen=True)
class Waiting:
    """A result that waits to be closed."""

    state: Any  # which holds it
    present: tuple[Seat, ...]
    opening: Opening | None  # its books, at a table with open books, if an epoch ends with it


@dataclass
class Play:
    """The game of one table in progress: its public state and the dealer that serves it."""

    game: Game
    state: Any
    dealer: MentalDealer
    course: Course
    me: Seat
    seed: Seed
    tally: Tally
    signers: Callable[[], set[Seat]]  # of the result that waits
    watch: Watcher  # told of every change of state
    tell: Callable[[Opening], None]  # told of books that are open
    is_open_books: bool
    _digested: tuple[Any, bytes] | None = None
    _present: tuple[Any, tuple[Seat, ...]] | None = None
    # Where a hand that is turned back begins anew: the state after the last closed result, or lot.
    base: Any = field(init=False)
    base_epoch: int = 0
    base_out: frozenset[Seat] = frozenset()  # out by what closed that result, or by its books
    # Who is not of the base, and how much of each lane those who know it have heard at least.
    out_since: dict[Seat, Mapping[Seat, int]] = field(default_factory=dict)
    opening: Opening | None = None  # the books that are being opened, at a table with open books
    results: list[SignedResult] = field(default_factory=list)  # those that closed

    def __post_init__(self) -> None:
        self.base = self.state

    def pending(self) -> Pending:
        """What the game waits for."""
        return self.game.pending(self.state)

    def present(self) -> tuple[Seat, ...]:
        """The seats still in the game."""
        if self._present is None or self._present[0] is not self.state:
            self._present = (self.state, self.present_in(self.state))
        return self._present[1]

    def public_digest(self) -> bytes:
        """What honest peers at the same point agree on."""
        if self._digested is None or self._digested[0] is not self.state:
            self._digested = (self.state, digest(self.state))
        return self._digested[1]

    def steps(self) -> Steps:
        """Play until the game is over. A void hand is dealt again to those who are left (G6)."""
        while not isinstance(self.pending(), Over):
            try:
                yield from self._advance()
            except HandVoid as void:
                self.dealer.forget()
                self._change((), self.game.void(self.state, void.out))

    def begin(self, charter: bytes, out: tuple[Seat, ...]) -> None:
        """The charter has this hash, and these seats did not sign it: the table begins without.

        Who begins is drawn by the charter itself, and so is part of the base: were it tossed for
        in steps, a first hand that is turned back would have another first seat (G6).
        """
        first = self.pending()
        if isinstance(first, Toss):
            self._resolve(Facts(tossed=draw_lot(charter, first.sides)))
            self.tally.set_base()
            self.base = self.state
        self._set_base_out(out)
        if out:
            self._change((), self.game.void(self.state, out))

    def _advance(self) -> Steps:
        pending = self.pending()
        if isinstance(pending, Decide):
            yield from self._decide(pending)
        elif isinstance(pending, Settle):
            yield from self._settle()
        else:
            assert not isinstance(pending, Over)
            self.dealer.begin(pending)
            yield from self.dealer.steps()
            facts = self.dealer.facts()
            assert facts is not None
            self._resolve(facts)

    def _resolve(self, facts: Facts) -> None:
        pending = self.pending()
        try:
            after = self.game.resolve(self.state, facts)
        except Foul as foul:
            # The opened cards are on the table for all to see: everyone finds the same (G5).
            self.course.blame(foul.seat, foul.rule)
            raise HandVoid((foul.seat,)) from foul
        self.tally.add_operation(pending)
        self._change(facts, after)

    def _change(self, cause: Cause, after: Any) -> None:
        before, self.state = self.state, after
        self.watch(before, cause, after)

    # --- Decisions ----------------------------------------------------------------------------

    def _decide(self, pending: Decide) -> Steps:
        if pending.way.is_hidden:
            answers = yield from self._decide_in_secret(pending)
        else:
            answers = yield Step(
                Act,
                pending.seats,
                pending.reason,
                self._check_act,
                answer=encode_action,
                is_answer=pending.way.is_answer,
                is_race=pending.way is Way.RACE,
            )
        actions = tuple(decode_action(seat, answers[seat]) for seat in pending.seats)
        self.tally.add("actions", len(actions))
        self._change(actions, self.game.decide(self.state, actions))

    def _decide_in_secret(self, pending: Decide) -> Generator[Step, Answers, Answers]:
        """All commit to their actions before the first is opened (W5)."""
        context = {seat: self.course.context(seat) for seat in pending.seats}
        own: list[ActOpen] = []

        def answer(action: Action) -> ActCommit:
            act = encode_action(action)
            opening = self.seed.entropy(context[action.seat]).take("act", encode(act), 32)
            own[:] = [ActOpen(act, opening)]
            return ActCommit(commit(context[action.seat], encode(act), opening))

        commitments = yield Step(
            ActCommit,
            pending.seats,
            pending.reason,
            lambda seat, payload: None,
            answer=answer,
            is_answer=pending.way.is_answer,
        )

        def check(seat: Seat, payload: ActOpen) -> None:
            commitment = commitments[seat].commitment
            check_opening(context[seat], commitment, encode(payload.act), payload.opening)
            self._check_act(seat, payload.act)

        openings = yield Step(
            ActOpen, pending.seats, Purpose.SHOW_ANSWER, check, make=lambda: own[0]
        )
        return {seat: openings[seat].act for seat in pending.seats}

    def _check_act(self, seat: Seat, act: Act) -> None:
        """What nobody can rule out without seeing the hand is accepted; the rest is a foul (G5)."""
        if decode_action(seat, act) not in self.game.legal(self.state, seat, {}):
            raise PeerFault("illegal-action")

    # --- Results ------------------------------------------------------------------------------

    def _settle(self) -> Steps:
        """All sign the result. Who leaves or breaks a rule meanwhile is out, but undoes nothing."""
        waiting = self.waiting()
        out = yield from self._out_by(self.signing(waiting.present))
        publishing = self.close_result(waiting, out)
        if publishing is not None:
            self.close_epoch((yield from self._out_by(publishing)))
        out = tuple(sorted(self.base_out))
        if out or _is_fresh(self.pending()):
            self.dealer.forget()
        if out and not isinstance(self.pending(), Over):
            self._change((), self.game.void(self.state, out))

    def _out_by(self, step: Step) -> Generator[Step, Answers, tuple[Seat, ...]]:
        """Who is out by a step whose outcome stands, whoever leaves or fouls in it."""
        try:
            yield step
        except HandVoid as void:
            return void.out
        return ()

    def waiting(self) -> Waiting:
        """The result that waits to be closed."""
        after = self.game.resolve(self.state, Facts())
        opening = None
        if self.is_open_books and _is_fresh(self.game.pending(after)):
            hand, zones = self.results_closed() + 1, self.game.zones(self.state)
            opening = self.dealer.opening(hand, zones)
        return Waiting(self.state, self.present(), opening)

    def signing(self, seats: tuple[Seat, ...]) -> Step:
        """The step in which these seats sign the result that waits."""
        expected = self.public_digest()

        def check(seat: Seat, payload: Settled) -> None:
            if payload.result != expected:
                raise PeerFault("result")

        return Step(Settled, seats, Purpose.SIGN_RESULT, check, make=lambda: Settled(expected))

    def close_result(self, waiting: Waiting, out: tuple[Seat, ...]) -> Step | None:
        """The result is closed: nothing undoes it, and these seats are out.

        Returns the step in which its books are opened, if any are. Whoever leaves or breaks a rule
        in that is out as if it had done so before.
        """
        self.results.append(self.result(is_closed=True))
        self._resolve(Facts())
        self.tally.add("results")
        self.tally.set_base()
        self.base, self.base_epoch = self.state, self.course.epoch
        self._set_base_out(out)
        self.opening = waiting.opening
        if self.opening is None:
            return None
        present = self.present()
        seats = [seat for seat in self.opening.publics if seat in present and seat not in out]
        if not seats:
            self.close_books()  # nobody is left who could publish a key
            return None
        return self.opening.step(tuple(seats))

    def result(self, is_closed: bool = False) -> SignedResult:
        """The result that waits, and who has signed it."""
        pending, present = self.pending(), self.present()
        assert isinstance(pending, Settle)
        signers = self.signers().intersection(present)
        return SignedResult(pending.result, tuple(sorted(signers)), present, is_closed)

    def close_epoch(self, out: tuple[Seat, ...]) -> None:
        """The keys are published, as far as they ever will be; these seats are out by that."""
        if out:
            self._set_base_out(tuple(self.base_out.union(out)))
        self.close_books()

    def close_books(self) -> None:
        """Tell what the keys published so far have opened, if books are open."""
        if self.opening is not None:
            opening, self.opening = self.opening, None
            self.tell(opening)

    def results_closed(self) -> int:
        """How many results all seats have signed, as far as we know."""
        return len(self.results)

    def _set_base_out(self, out: tuple[Seat, ...]) -> None:
        """These seats are out by the step that has just closed."""
        self.base_out = frozenset(out)
        seats = range(self.game.view(self.base, NOBODY, {}).seats)
        for seat in set(seats).difference(self.present_at_base(), self.out_since):
            self.out_since[seat] = self.course.closing_lengths()

    def turn_back(self, out: frozenset[Seat]) -> None:
        """The hand begins anew, from the last closed result, without these seats (G6)."""
        self.dealer.forget()
        self.tally.turn_back()
        self._change((), self._without(out))

    def ends_without(self, out: frozenset[Seat]) -> bool:
        """Whether too few seats are left without these for a hand that begins anew."""
        return isinstance(self.game.pending(self._without(out)), Over)

    def _without(self, out: frozenset[Seat]) -> Any:
        present = self.present_in(self.base)
        gone = tuple(seat for seat in present if seat in out | self.base_out)
        return self.game.void(self.base, gone)

    def present_at_base(self) -> tuple[Seat, ...]:
        """The seats with which a hand that is turned back begins anew, if no more are put out."""
        return tuple(seat for seat in self.present_in(self.base) if seat not in self.base_out)

    def present_in(self, state: Any) -> tuple[Seat, ...]:
        """The seats that are in the game in a state of it."""
        view = self.game.view(state, NOBODY, {})
        return tuple(seat for seat in range(view.seats) if view.present[seat])


def _is_fresh(pending: Pending) -> bool:
    return isinstance(pending, Over) or (isinstance(pending, Shuffle) and pending.fresh_keys)


def encode_action(action: Action) -> Act:
    """An action as it goes on the wire; its seat is its lane's."""
    return Act(action.verb, action.slots, action.target)


def decode_action(seat: Seat, act: Act) -> Action:
    """The action of a seat that an `Act` of its lane means."""
    return Action(seat, act.verb, act.slots, act.target)
