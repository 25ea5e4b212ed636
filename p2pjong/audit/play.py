"""The program of a table as an auditor runs it: it asks for the answers to step after step.

Implements "Charter", "The game", "Decisions" and "Settlement" of `protocol/play.md`. A record is
whole, so the program is plain code that asks and goes on; it ends early when the record does, or
when the hand is turned back, by what `ask` raises.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from p2pjong.audit.books import Books, Opening
from p2pjong.audit.dealer import Dealer, check_opening
from p2pjong.audit.faults import Breach
from p2pjong.audit.steps import Ask, Step, Steps, Void
from p2pjong.audit.tally import Result, Tally
from p2pjong.crypto.commitment import combine_toss
from p2pjong.engine.canonical import digest
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    Game,
    Operation,
    Options,
    Over,
    Pending,
    Seat,
    Settle,
    Shuffle,
    Slot,
    Toss,
)
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Act,
    ActCommit,
    ActOpen,
    Charter,
    Draft,
    KeyPublished,
    NonceCommit,
    NonceOpen,
    Settled,
    Sign,
    TableOptions,
    Tallied,
)
from p2pjong.wire.ranges import check_times

DRAFT_LABEL = b"p2pjong/v1/draft\x00"
CHARTER_LABEL = b"p2pjong/v1/charter\x00"
LOT_CONTEXT = b"p2pjong/v1/lot"

Zones = Mapping[str, tuple[Slot, ...]]


def draft_hash(draft: Draft) -> bytes:
    """What names the table."""
    return sha256(DRAFT_LABEL + encode(draft)).digest()


@dataclass
class Base:
    """Where a hand that is turned back begins anew: right after the last result that closed."""

    state: Any
    epoch: int = 0
    out: frozenset[Seat] = frozenset()  # who was out by the step that closed it


@dataclass(frozen=True)
class Waiting:
    """A result that waits to be closed."""

    state: Any  # which holds it
    present: tuple[Seat, ...]
    opening: Opening | None  # its books, at a table with open books, if an epoch ends with it


class Play:
    """The public state of the game, and the program that changes it.

    Raises ValueError if the draft's options are none of the game's, or times by which nobody plays.
    """

    def __init__(self, draft: Draft, game: Game, steps: Steps, ask: Ask) -> None:
        self.state = game.start(len(draft.seats), _game_options(draft))
        _check_times(draft.options)
        self.base = Base(self.state)
        # Who is not of the base, and how long the lanes are for all who know it.
        self.out_since: dict[Seat, dict[Seat, int]] = {}
        self.charter = b""  # its hash, once it is signed
        self.tally = Tally()
        self.results: list[Result] = []  # those that closed
        self.books: list[Books] = []
        self._draft, self._game, self._steps, self._ask = draft, game, steps, ask
        self._dealer = Dealer(game, steps, ask, self.tally, draft.options.is_open_books)
        self._opening: Opening | None = None  # the books that are being opened
        self._digested: tuple[Any, bytes] = (None, b"")

    # --- The state ----------------------------------------------------------------------------

    @property
    def pending(self) -> Pending:
        """What the game waits for."""
        return self._game.pending(self.state)

    @property
    def is_over(self) -> bool:
        """Whether it waits for nothing any more."""
        return isinstance(self.pending, Over)

    def digest(self) -> bytes:
        """The digest of the public state."""
        if self._digested[0] is not self.state:
            self._digested = (self.state, digest(self.state))
        return self._digested[1]

    def present(self) -> tuple[Seat, ...]:
        """The seats that are in the game."""
        return self._present_in(self.state)

    def present_at_base(self) -> tuple[Seat, ...]:
        """The seats of the base."""
        return tuple(s for s in self._present_in(self.base.state) if s not in self.base.out)

    def present_in_base(self) -> set[Seat]:
        """The seats that the state of the base calls present."""
        return set(self._present_in(self.base.state))

    def _present_in(self, state: Any) -> tuple[Seat, ...]:
        present = self._game.view(state, NOBODY, {}).present
        return tuple(seat for seat, is_present in enumerate(present) if is_present)

    def standing(self, is_final: bool) -> Over:
        """How the game stands. `is_final`: whether the result that waits, if one does, counts."""
        state, hands = self.state, len(self.results)
        if is_final and isinstance(self.pending, Settle):
            state, hands = self._game.resolve(state, Facts()), hands + 1
        pending, scores = self._game.pending(state), self._game.view(state, NOBODY, {}).scores
        if isinstance(pending, Over) and pending.outcome == "finished":
            return Over("finished", scores, pending.winners, hands)
        return Over("abandoned", scores, (), hands)

    # --- The charter --------------------------------------------------------------------------

    def sign_charter(self) -> None:
        """Nonces committed to, opened, and the charter signed. Raises Void if there is none."""
        steps, seats = self._steps, tuple(range(len(self._draft.seats)))
        context = steps.contexts(seats)
        purpose = "to commit to a nonce"
        commitments = self._ask(Step(NonceCommit, seats, purpose, lambda _, said: said.commitment))

        def check(seat: Seat, said: NonceOpen) -> bytes:
            check_opening(context[seat], commitments[seat], said.nonce, said.opening)
            return said.nonce

        nonces = self._ask(Step(NonceOpen, seats, "to open its nonce", check))
        packed = encode(Charter(steps.place, tuple(nonces[seat] for seat in seats)))
        charter = sha256(CHARTER_LABEL + packed).digest()
        out = self._out_by(Step(Sign, seats, "to sign the charter", _equal_to(charter)))
        self.charter = steps.place = charter
        self._draw_lot()
        self.base = Base(self.state, out=frozenset(out))
        self._note_out()
        self._go_on_without(out)

    def _draw_lot(self) -> None:
        """What the game tosses for before all else the charter has drawn (G1, G6)."""
        pending = self.pending
        if isinstance(pending, Toss):
            tossed = combine_toss(LOT_CONTEXT, [self.charter], pending.sides)
            self.state = self._game.resolve(self.state, Facts(tossed=tossed))
            self.tally.add_operation(pending)
            self.tally.set_base()

    def _out_by(self, step: Step) -> tuple[Seat, ...]:
        """Who is out by a step that counts even if some do not answer it."""
        try:
            self._ask(step)
        except Void as void:
            return void.out
        return ()

    # --- The game -----------------------------------------------------------------------------

    def run(self) -> None:
        """Until the game is over. A void hand is dealt again to those who are left (G6)."""
        while not self.is_over:
            try:
                self._advance(self.pending)
            except Void as void:
                self._void(void.out)

    def _advance(self, pending: Pending) -> None:
        if isinstance(pending, Decide):
            self._decide(pending)
        elif isinstance(pending, Settle):
            self._settle()
        else:
            assert not isinstance(pending, Over)
            self._operate(pending)

    def _void(self, out: tuple[Seat, ...]) -> None:
        self._dealer.forget()
        self.state = self._game.void(self.state, out)

    def _operate(self, operation: Operation) -> None:
        facts = self._dealer.carry_out(operation, self.present())
        try:
            self.state = self._game.resolve(self.state, facts)
        except Foul as foul:
            # The faces lie open, and contradict what their seat had claimed (G5).
            self._steps.blame_answer(foul.seat, foul.rule)
            raise Void((foul.seat,)) from foul
        self.tally.add_operation(operation)

    # --- Decisions ----------------------------------------------------------------------------

    def _decide(self, pending: Decide) -> None:
        if pending.secret:
            actions = self._decide_in_secret(pending)
        else:
            actions = self._ask(Step(Act, pending.seats, pending.reason, self._check_act))
        chosen = tuple(actions[seat] for seat in pending.seats)
        self.state = self._game.decide(self.state, chosen)
        self.tally.add("actions", len(chosen))

    def _decide_in_secret(self, pending: Decide) -> dict[Seat, Action]:
        """All have committed to their actions before the first was opened (W5)."""
        seats = pending.seats
        context = self._steps.contexts(seats)
        commitments = self._ask(
            Step(ActCommit, seats, pending.reason, lambda _, said: said.commitment)
        )

        def check(seat: Seat, said: ActOpen) -> Action:
            check_opening(context[seat], commitments[seat], encode(said.act), said.opening)
            return self._check_act(seat, said.act)

        return self._ask(Step(ActOpen, seats, "to show its answer", check))

    def _check_act(self, seat: Seat, act: Act) -> Action:
        """What nobody can rule out without seeing the hand is within the rules (G5)."""
        action = Action(seat, act.verb, act.slots, act.target)
        if action not in self._game.legal(self.state, seat, {}):
            raise Breach("illegal-action")
        return action

    # --- Results ------------------------------------------------------------------------------

    def _settle(self) -> None:
        waiting = self.waiting()
        come = Step(Tallied, waiting.present, "to work out the result", lambda seat, said: None)
        out = set(self._out_by(come))
        if signing := tuple(seat for seat in waiting.present if seat not in out):
            out.update(self._out_by(self.signing(signing)))
        publishing = self.close_result(waiting, out)
        if publishing is not None:
            self.close_epoch(self._out_by(publishing))
        if self._is_epoch_over():
            self._dealer.forget()
        self._go_on_without(self.base.out)

    def signing(self, seats: tuple[Seat, ...]) -> Step:
        """The step in which these seats sign the result that waits."""
        return Step(Settled, seats, "to sign the result", _equal_to(self.digest(), "result"))

    def waiting(self) -> Waiting:
        """The result that waits to be closed."""
        after = self._game.pending(self._game.resolve(self.state, Facts()))
        opening = None
        if self._draft.options.is_open_books and _ends_epoch(after):
            hand, zones, dealer = len(self.results) + 1, self._game.zones(self.state), self._dealer
            opening = Opening(hand, zones, dealer.points, dealer.epoch)
        return Waiting(self.state, self.present(), opening)

    def close_result(self, waiting: Waiting, out: Iterable[Seat]) -> Step | None:
        """The result that waits is final; these seats are out from now on.

        Returns the step in which all who hold a key of the epoch publish it, if they do.
        """
        self.results.append(self._result(is_closed=True))
        self.state = self._game.resolve(self.state, Facts())
        self.base = Base(self.state, self._steps.epoch, frozenset(out))
        self._note_out()
        self.tally.add("results")
        self.tally.set_base()
        self._opening = waiting.opening
        publishing = self._publishing(waiting.opening) if waiting.opening else None
        if publishing is None:
            self.close_books()
        return publishing

    def _publishing(self, opening: Opening) -> Step | None:
        present = self.present()
        holders = [seat for seat in opening.epoch.keys if seat in present]
        seats = tuple(seat for seat in holders if seat not in self.base.out)

        def check(seat: Seat, said: KeyPublished) -> None:
            is_new = seat not in opening.secrets
            opening.publish(seat, said)
            self.tally.add("published", int(is_new))

        return Step(KeyPublished, seats, "to open its books", check) if seats else None

    def close_epoch(self, out: Iterable[Seat]) -> None:
        """Its books are open as far as they ever will be; who did not open its own is out, too."""
        self.base.out |= set(out)
        self._note_out()
        self.close_books()
        self.tally.set_base()

    def _note_out(self) -> None:
        """Who is not of the base is out since the step that has just closed, or longer."""
        everyone = set(range(len(self._draft.seats)))
        for seat in everyone.difference(self.present_at_base(), self.out_since):
            self.out_since[seat] = self._steps.closing_lengths()

    def _go_on_without(self, out: Iterable[Seat]) -> None:
        """The hand that follows is void at once if somebody is out."""
        if out and not self.is_over:
            self._void(tuple(sorted(out)))

    def waiting_result(self) -> Result | None:
        """The result that waits for signatures, if one does."""
        return self._result(is_closed=False) if isinstance(self.pending, Settle) else None

    def _result(self, is_closed: bool) -> Result:
        pending, present = self.pending, self.present()
        assert isinstance(pending, Settle)
        signers = self._steps.signers(self.digest(), self._steps.place) - self._steps.without
        signed = tuple(seat for seat in present if seat in signers)
        return Result(pending.result.scores, signed, present, is_closed)

    def _is_epoch_over(self) -> bool:
        return _ends_epoch(self.pending)

    def close_books(self) -> None:
        """No more keys are published. Raises InvalidProof if the books contradict the proofs."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.check()
            self.books.append(opening.books())

    def all_books(self) -> tuple[Books, ...]:
        """The books of each hand, as far as they were opened; those under way last."""
        return (*self.books, *([self._opening.books()] if self._opening else []))

    # --- Turning back -------------------------------------------------------------------------

    def turn_back(self, put_out: set[Seat]) -> None:
        """The hand begins anew, from the base, without these seats (G6)."""
        self._dealer.forget()
        self.tally.turn_back()
        present = self._present_in(self.base.state)
        out = tuple(seat for seat in present if seat in put_out | self.base.out)
        self.state = self._game.void(self.base.state, out)


def _ends_epoch(pending: Pending) -> bool:
    return isinstance(pending, Over) or (isinstance(pending, Shuffle) and pending.fresh_keys)


def _check_times(options: TableOptions) -> None:
    check_times(options.clock_ms / 1000, options.window_ms / 1000, options.grace_ms / 1000)


def _game_options(draft: Draft) -> Options:
    oldest = tuple(seat for seat, entry in enumerate(draft.seats) if entry.is_oldest)
    return Options(draft.options.target, draft.options.rounds, oldest)


def _equal_to(wanted: bytes, rule: str = "charter") -> Callable[[Seat, Any], None]:
    """A check that what a seat signs is this hash."""

    def check(_: Seat, said: Sign | Settled) -> None:
        if (said.charter if isinstance(said, Sign) else said.result) != wanted:
            raise Breach(rule)

    return check
