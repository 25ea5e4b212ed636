"""One peer at one table: frames and choices in, effects out; no I/O, no clock, no randomness.

Implements `protocol/play.md`. With a seat it plays; without one (`me` None) it only looks on, which
is how records are audited. It owns the lanes and the course, and is the one public class here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from p2pjong.engine.table import check_state
from p2pjong.games.game import (
    NOBODY,
    Action,
    Facts,
    Game,
    IllegalAction,
    Options,
    Over,
    Seat,
    Settle,
    Shuffle,
    twins,
)
from p2pjong.session.charter import draft_hash, sign_charter
from p2pjong.session.course import Course, HandVoid, Step
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Effect,
    Finished,
    Happened,
    Keep,
    Left,
    Progress,
    Send,
    Store,
    Withdraw,
    Words,
)
from p2pjong.session.faults import Fault
from p2pjong.session.gossip import Gossip
from p2pjong.session.lanes import Equivocation, Lanes, Signed, sign_body
from p2pjong.session.mental_dealer import MentalDealer
from p2pjong.session.play import Play, encode_action
from p2pjong.session.seed import Seed
from p2pjong.session.words import table_words
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Draft,
    Evidence,
    Have,
    Lane,
    LaneBody,
    Leave,
    Payload,
    TableMessage,
    Want,
)


@dataclass(frozen=True)
class Secrets:
    """What a seated peer holds: its seat, its signing function and the seed of its table.

    The seed is 32 bytes made for this table alone and on the disk before anything is signed; all
    nonces, keys and permutations derive from it, so a step done again gives the same bytes. `Keep`
    replaces it when an epoch is over.
    """

    seat: Seat
    sign: Callable[[bytes], bytes]
    seed: bytes


class Session:
    """The state machine of one peer at one table.

    Call `begin` once, then `receive` for frames of linked seats, `answer` for choices and `leave`.
    Each returns effects to be carried out in order. Raises Refusal on frames that prove nothing.
    """

    def __init__(
        self, draft: Draft, game: Game, secrets: Secrets | None, is_checked: bool = False
    ) -> None:
        self.draft = draft
        self.game = game
        self.me = secrets.seat if secrets else None
        self._secrets = secrets
        self._is_checked = is_checked
        self._place = draft_hash(draft)
        self.lanes = Lanes(self._place, tuple(entry.key for entry in draft.seats))
        self.gossip = Gossip(self._place, len(draft.seats), self.me)
        self.course = Course(len(draft.seats), self._place, self._program(), self._digest)
        self._seed = Seed(secrets.seed if secrets else b"")
        self._kept = self._seed.value
        self.dealer = MentalDealer(game, self.course, self.me, self._seed)
        self.play = Play(
            game=game,
            state=game.start(len(draft.seats), game_options(draft)),
            dealer=self.dealer,
            course=self.course,
            me=self.me,
            seed=self._seed,
            watch=self._watch,
        )
        self.dealer.present = self.play.present
        self.charter: bytes | None = None
        self.verdict: Fault | None = None
        self.is_over = False
        self._effects: list[Effect] = []
        self._question = 0
        self._asked: Ask | None = None
        self._awaiting = Awaiting((), "")
        self._has_left = False

    # --- What the shell calls -----------------------------------------------------------------

    def begin(self) -> list[Effect]:
        """Open the first step and do our part of it."""
        self.course.begin()
        self._run()
        return self.drain()

    def receive(self, sender: Seat, message: TableMessage) -> list[Effect]:
        """A frame of the table from a linked seat (which need not be its author)."""
        if isinstance(message, Lane):
            self._take_in(message, sender)
        elif isinstance(message, Have):
            self._effects += self.gossip.on_have(sender, message, self.lanes)
        elif isinstance(message, Want):
            self._effects += self.gossip.on_want(sender, message, self.lanes)
        elif isinstance(message, Evidence):
            self._on_evidence(message)
        return self.drain()

    def linked(self, seat: Seat) -> list[Effect]:
        """A link to this seat is up: tell it what we hold."""
        self.gossip.links.add(seat)
        return [self.gossip.have(self.lanes, seat), *self.gossip.proof(seat)]

    def unlinked(self, seat: Seat) -> list[Effect]:
        """The link to this seat is down; others may still forward between us."""
        self.gossip.links.discard(seat)
        self.gossip.forget(seat)
        return []

    def tick(self) -> list[Effect]:
        """Called about once a second: tell everyone what we hold, so that what was lost comes."""
        return [self.gossip.have(self.lanes, None), *self.gossip.proof(None)]

    def answer(self, question: int, action: Action) -> list[Effect]:
        """Our choice; a stale one is dropped. Raises IllegalAction and then changes nothing."""
        asked = self._asked
        if asked is None or asked.question != question:
            return []
        if action not in asked.actions:
            raise IllegalAction(f"not possible now: {action.verb}")
        step = self.course.current
        assert step is not None and step.answer is not None
        self._asked = None
        self._say(step.answer(self._any_twin(action)))
        self._run()
        return self.drain()

    def _any_twin(self, action: Action) -> Action:
        """The action with any of equal cards: always the first would tell how many there are."""
        assert self._secrets is not None
        seat = self._secrets.seat
        same = twins(self.game, self.play.state, action, self.dealer.known(seat))
        entropy = self._seed.entropy(self.course.context(seat))
        order = entropy.permutation("twin", encode(encode_action(action)), len(same))
        return same[order[0]]

    def leave(self) -> list[Effect]:
        """Our seat leaves for good. Others go on without it; the hand is void (G6)."""
        if self._secrets is not None and not self.is_over and not self._has_left:
            self._has_left = True
            self._withdraw()
            self._say(Leave())
            self._run()
        return self.drain()

    def abandon(self) -> list[Effect]:
        """We have left and see no more of this game: it ends here, for us alone."""
        if not self.is_over:
            self._finish(None)
        return self.drain()

    # --- Lane messages ------------------------------------------------------------------------

    def _take_in(self, lane: Lane, sender: Seat) -> None:
        equivocation = self.lanes.add(lane)
        if equivocation is not None:
            self._convict(equivocation)
        while not self.is_over:
            ready = self.lanes.next_ready()
            if ready is None:
                break
            self._accept(ready, sender)
            self._run()
        if not self.is_over:
            disputed = self.lanes.disputed()
            self._effects += [self.gossip.want(missing, sender) for missing in disputed]

    def _accept(self, signed: Signed, sender: Seat) -> None:
        self._effects.append(Store(signed.body.seat, signed.number, signed.frame))
        self._effects += self.gossip.forward(signed, sender)
        self._judge(signed, is_own=False)

    def _judge(self, signed: Signed, is_own: bool) -> None:
        fault = self.course.judge(signed, is_own)
        if fault is not None:
            self._report(fault)
        if self.course.is_closed(signed.body.seat):
            self.lanes.close(signed.body.seat)
            if isinstance(signed.body.payload, Leave):
                self._effects.append(Left(signed.body.seat))

    def _convict(self, equivocation: Equivocation) -> None:
        """Two stories in one lane: the table cannot go on, and everyone gets the proof."""
        if self.is_over:
            return  # what all have signed is not undone by what comes to light later
        first, second = sorted((equivocation.first, equivocation.second), key=lambda s: s.hash)
        evidence = (first.frame, second.frame)
        seat = first.body.seat
        fault = Fault(first.body.epoch, seat, first.number, "equivocation", evidence)
        self.course.convict(fault)
        # Both stories belong in the record, also one that was never accepted here.
        self._effects += [
            Store(seat, one.number, one.frame)
            for one in (first, second)
            if self.lanes.find(seat, one.number, one.hash) is None
        ]
        self._effects.append(self.gossip.evidence(first, second))
        self._report(fault)
        self._finish(fault)

    def _on_evidence(self, message: Evidence) -> None:
        # It stands on its own: whether that lane is closed here, or how far it has come, is nothing
        # to it.
        self._convict(self.lanes.compare(message.first, message.second))

    # --- The course ---------------------------------------------------------------------------

    def _run(self) -> None:
        """Close steps and do our duties until the table waits for others, or for our choice."""
        while not self.is_over:
            if self.course.close_step():
                self._withdraw()
                self._report_new_faults()
                continue
            step = self.course.current
            if step is None:
                self._finish(None)
                return
            if not self._do_duty(step):
                break
        self._tell_awaited()

    def _do_duty(self, step: Step) -> bool:
        """Our own part of the open step; says whether we gave an answer."""
        if self.me is None or self._has_left or not self.course.is_awaited(self.me):
            return False
        if step.make is None:
            self._ask(step)
            return False
        self._say(step.make())
        return True

    def _say(self, payload: Payload) -> None:
        """Sign our next lane message, journal it, and only then send it."""
        assert self._secrets is not None
        body = LaneBody(
            table=self.gossip.draft,
            place=self.course.place,
            seat=self._secrets.seat,
            incarnation=0,
            heads=self.lanes.heads(),
            epoch=self.course.epoch,
            step=self.course.step,
            digest=self.course.opening_digest(),
            payload=payload,
        )
        signed = sign_body(body, self._secrets.sign)
        self.lanes.accept_own(signed)
        self._effects.append(Store(self._secrets.seat, signed.number, signed.frame))
        self._effects.append(Send(signed.frame))
        self._judge(signed, is_own=True)

    def _program(self) -> Any:
        """The charter, then the game."""
        try:
            self.charter = yield from sign_charter(
                self.draft, lambda: self.course, self.me, self._seed
            )
        except HandVoid:
            return  # somebody left before the table began: there is no game
        self._effects.append(Words(table_words(self.charter)))
        yield from self.play.steps()

    def _digest(self) -> bytes:
        return self.play.public_digest()

    # --- What people see ----------------------------------------------------------------------

    def view(self) -> Any:
        """What our seat may know now."""
        seat = self.me if self.me is not None else -1
        known = self.dealer.known(seat)
        view = self.game.view(self.play.state, seat, known)
        awaiting = self._awaiting
        return replace(view, awaited=awaiting.seats, reason=awaiting.reason)

    def _watch(self, before: Any, cause: Facts | tuple[Action, ...], after: Any) -> None:
        if self._is_checked:
            check_state(self.game, after)
        view = self.view()
        events = self.game.events(before, cause, after)
        self._effects += [Happened(event, view) for event in events]

    def _ask(self, step: Step) -> None:
        if self._asked is not None:
            return
        assert self.me is not None
        state, known = self.play.state, self.dealer.known(self.me)
        self._question += 1
        self._asked = Ask(
            question=self._question,
            view=replace(self.view(), awaited=step.seats, reason=step.reason),
            actions=self.game.legal(state, self.me, known),
            default=self.game.default(state, self.me, known),
            is_answer=step.is_answer,
            is_race=step.is_race,
        )
        self._effects.append(self._asked)

    def _withdraw(self) -> None:
        if self._asked is not None:
            self._effects.append(Withdraw(self._asked.question))
            self._asked = None

    def _tell_awaited(self) -> None:
        step = self.course.current
        reason = step.reason if step else ""
        awaiting = Awaiting(self.course.missing(), reason)
        if awaiting != self._awaiting and not self.is_over:
            self._awaiting = awaiting
            self._effects.append(awaiting)
        progress = self._progress()
        if progress is not None and progress not in self._effects:
            self._effects.append(progress)

    def _progress(self) -> Progress | None:
        pending = self.play.pending()
        if not isinstance(pending, Shuffle) or self.charter is None:
            return None
        return Progress("shuffle", self.dealer.shuffled, len(self.play.present()))

    def _report(self, fault: Fault) -> None:
        name = self.draft.seats[fault.seat].name
        text = f"{name} broke the rule “{fault.rule}” with its message {fault.number}"
        self._effects.append(Blame(fault.seat, fault.rule, text))
        self._reported = len(self.course.faults)

    _reported = 0

    def _report_new_faults(self) -> None:
        for fault in self.course.faults[self._reported :]:
            self._report(fault)
            self.lanes.close(fault.seat)

    def _finish(self, fault: Fault | None) -> None:
        self.is_over = True
        self.verdict = fault
        self._withdraw()
        over = self._outcome(fault)
        blame = None
        if fault is not None:
            text = f"seat {fault.seat} told two stories with its message {fault.number}"
            blame = Blame(fault.seat, fault.rule, text)
        self._effects.append(Finished(over, self.play.public_digest(), blame))

    def standing(self) -> Over:
        """How the game stands; a result that a strict majority has signed counts."""
        return self._outcome(None)

    def _outcome(self, fault: Fault | None) -> Over:
        state = self.play.state
        if self._is_final():
            # A strict majority has signed this result: it stands, whoever is silent now.
            state = self.game.resolve(state, Facts())
        pending = self.game.pending(state)
        if isinstance(pending, Over) and fault is None:
            return pending
        view = self.game.view(state, NOBODY, {})
        outcome = "fault" if fault else "abandoned"
        return Over(outcome, view.scores, (), view.hand_number)

    def _is_final(self) -> bool:
        """Whether the pending result has the signatures of a strict majority of the seats."""
        seats = len(self.play.present())
        signed = seats - len(self.course.missing())
        return isinstance(self.play.pending(), Settle) and 2 * signed > seats

    def drain(self) -> list[Effect]:
        """The effects so far; also those of a frame that was refused halfway."""
        effects, self._effects = self._effects, []
        if self._seed.value != self._kept:
            self._kept = self._seed.value
            effects.append(Keep(self._kept))
        return effects


def game_options(draft: Draft) -> Options:
    """What of a draft's options the rules know."""
    oldest = tuple(seat for seat, entry in enumerate(draft.seats) if entry.is_oldest)
    return Options(draft.options.target, draft.options.rounds, oldest)


def seat_names(draft: Draft) -> Mapping[Seat, str]:
    """Who sits where."""
    return {seat: entry.name for seat, entry in enumerate(draft.seats)}


def encode_frame(message: Any) -> bytes:
    """A message as it goes over a link."""
    return encode(message)
