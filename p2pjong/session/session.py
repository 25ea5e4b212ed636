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
from p2pjong.session.charter import CHARTER_STEPS, draft_hash, sign_charter
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
    VotedOut,
    Withdraw,
    Words,
)
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.gossip import Gossip
from p2pjong.session.lanes import Equivocation, Lanes, Signed, sign_body
from p2pjong.session.mental_dealer import MentalDealer
from p2pjong.session.play import Play, encode_action
from p2pjong.session.seed import Seed
from p2pjong.session.turning import Turning
from p2pjong.session.words import table_words
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    Convict,
    Draft,
    Evidence,
    Have,
    Lane,
    LaneBody,
    Leave,
    Payload,
    Settled,
    TableMessage,
    VoteAbsent,
    Want,
    Willing,
)
from p2pjong.wire.names import clean_name


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
        self.turning = Turning()
        self._votes: dict[tuple[Seat, Seat], int] = {}  # (voter, absent): how far it will go
        self._votes_against: set[Seat] = set()
        self._willing: set[Seat] = set()  # whom we would vote absent
        self._others_willing: dict[Seat, set[Seat]] = {}
        self._later: list[Equivocation] = []
        self._told: set[tuple[Seat, int, str]] = set()

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
        else:
            self._on_willing(sender, message)
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
        return [
            self.gossip.have(self.lanes, None),
            *self.gossip.proof(None),
            *self._tell_willing(),
        ]

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
            self._finish()
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
        seat, payload = signed.body.seat, signed.body.payload
        if self._breaks_vote(signed):
            self._condemn(signed, "broken-vote")
        elif isinstance(payload, Convict | VoteAbsent):
            self._on_word(signed, payload)
        elif self.turning.is_open:
            # What else belongs to the hand that is turned back means nothing any more.
            if isinstance(payload, Leave):
                self.course.depart(signed)
            self._begin_anew()
        else:
            self.course.judge(signed, is_own)
            self._report_new_faults()
        if self.course.is_closed(seat):
            self.lanes.close(seat)
            if isinstance(payload, Leave):
                self._effects.append(Left(seat))

    # --- Turning back -------------------------------------------------------------------------

    def _convict(self, equivocation: Equivocation) -> None:
        """Two stories in one lane: everyone gets the proof, and the hand is turned back."""
        if self.is_over:
            return  # what all have signed is not undone by what comes to light later
        first, second = sorted((equivocation.first, equivocation.second), key=lambda s: s.hash)
        if self.charter is None and first.number >= CHARTER_STEPS:
            self._later.append(equivocation)  # for others play has begun; here it soon will
            return
        evidence = (first.frame, second.frame)
        seat = first.body.seat
        self.course.convict(Fault(first.body.epoch, seat, first.number, "equivocation", evidence))
        self._report_new_faults()
        if seat in self.turning.out | self.turning.done:
            return
        self._effects.append(self.gossip.evidence(first, second))
        if self.charter is None or seat == self.me:
            self._keep_stories(first, second)
            self._finish()
            return
        lanes: list[Lane] = [decode(frame, Lane) for frame in evidence]
        self._put_out(seat, lambda: Convict(self.play.results_closed(), lanes[0], lanes[1]))

    def _convict_later(self) -> None:
        """What came to light before our charter closed."""
        if self.charter is not None:
            later, self._later = self._later, []
            for equivocation in later:
                self._convict(equivocation)
            for absent in sorted(self.turning.words):
                self._count_votes(absent)

    def _keep_stories(self, *stories: Signed) -> None:
        """Both belong in the record, also one that was never accepted here."""
        self._effects += [
            Store(one.body.seat, one.number, one.frame)
            for one in stories
            if self.lanes.find(one.body.seat, one.number, one.hash) is None
        ]

    def _on_evidence(self, message: Evidence) -> None:
        # It stands on its own: whether that lane is closed here, or how far it has come, is nothing
        # to it.
        self._convict(self.lanes.compare(message.first, message.second))
        self._run()

    def _on_word(self, signed: Signed, word: Convict | VoteAbsent) -> None:
        """A seat turns the hand back, with evidence or by its vote."""
        speaker = signed.body.seat
        if word.settled > self._signed_results(speaker):
            self._condemn(signed, "settled-count")
        elif isinstance(word, VoteAbsent):
            self._on_vote(signed, word)
        else:
            try:
                equivocation = self.lanes.compare(word.first, word.second)
            except Refusal:
                self._condemn(signed, "false-evidence")
                return
            self.turning.hear(equivocation.first.body.seat, speaker, word.settled)
            self._convict(equivocation)
        self._begin_anew()

    def _signed_results(self, seat: Seat) -> int:
        """How many results this seat has signed in its lane."""
        lane = self.lanes.accepted[seat]
        return sum(isinstance(signed.body.payload, Settled) for signed in lane)

    def _on_vote(self, signed: Signed, vote: VoteAbsent) -> None:
        voter, absent = signed.body.seat, vote.seat
        heads = signed.body.heads
        if absent == voter or absent >= len(heads) or heads[absent].length != vote.number:
            self._condemn(signed, "vote")
            return
        self._votes[voter, absent] = vote.number
        self.turning.hear(absent, voter, vote.settled)
        self._votes_against.add(absent)
        self._count_votes(absent)

    def _count_votes(self, absent: Seat) -> None:
        """Put the seat out if a strict majority wants it; nobody is before the charter is signed."""
        if self.charter is None or absent not in self._votes_against:
            return
        present = self.play.present()
        voters = self.turning.speakers(absent, [seat for seat in present if seat != absent])
        if absent not in present or 2 * len(voters) <= len(present):
            return
        if absent not in self.turning.out | self.turning.done:
            self._effects.append(VotedOut(absent, voters))
        if absent == self.me:
            self._finish()
            return
        number = len(self.lanes.accepted[absent])
        self._put_out(absent, lambda: VoteAbsent(self.play.results_closed(), absent, number))

    def _breaks_vote(self, signed: Signed) -> bool:
        """Whether its author acknowledges more of a lane than it had voted to."""
        return any(
            voter == signed.body.seat and signed.body.heads[absent].length > number
            for (voter, absent), number in self._votes.items()
        )

    def _condemn(self, signed: Signed, rule: str) -> None:
        self.course.condemn(signed, rule)
        self._report_new_faults()

    def _put_out(self, seat: Seat, word: Callable[[], Convict | VoteAbsent]) -> None:
        """Turn the hand back without this seat, and say so in our own lane."""
        if seat in self.turning.out | self.turning.done:
            return
        if seat not in self.play.present_in(self.play.base):
            return  # it is out already, and nothing of the hand rests on it
        self.turning.out.add(seat)
        self.lanes.ignore(seat)
        self.course.suspend()
        self._withdraw()
        if self.me in self._stays() and not self.turning.speakers(seat, [self.me or 0]):
            self._say(word())
        self._begin_anew()

    def _stays(self) -> tuple[Seat, ...]:
        """Who goes on when the hand is turned back."""
        gone = self.turning.out | self.turning.done | self.course.outcasts()
        return tuple(seat for seat in self.play.present_in(self.play.base) if seat not in gone)

    def _begin_anew(self) -> None:
        """When all who stay have turned back: the hand begins anew, at one place for all."""
        stays = self._stays()
        if not self.turning.is_open or self.is_over:
            return
        if self._is_final() and self._ends_with_result():
            self.play.accept_result()  # who has all signatures is done, and gives no word
            self._finish()
        elif not self.turning.missing(stays):
            self._restart(stays)

    def _ends_with_result(self) -> bool:
        after = self.game.resolve(self.play.state, Facts())
        return isinstance(self.game.pending(after), Over)

    def _restart(self, stays: tuple[Seat, ...]) -> None:
        settled = self.turning.settled(stays) if stays else self.play.results_closed()
        # Signed by a majority, or closed for somebody: nothing undoes it.
        is_behind = settled > self.play.results_closed()
        if self._is_final() or (is_behind and isinstance(self.play.pending(), Settle)):
            self.play.accept_result()
            settled = max(settled, self.play.results_closed())
        assert self.charter is not None
        self.turning.close()
        gone = frozenset(self.turning.done)
        if settled != self.play.results_closed():
            self._finish()  # others are where we cannot follow
            return
        self.play.turn_back(gone)
        place = self.turning.place(self.charter, settled)
        self.course.restart(self.play.steps(), place, self.play.base_epoch, gone)
        self.lanes.reopen(seat for seat in stays if not self.course.is_closed(seat))
        self._willing.clear()

    # --- Absence ------------------------------------------------------------------------------

    def propose_absent(self, seat: Seat) -> list[Effect]:
        """Our seat would vote this one absent; it does once a strict majority would.

        Nothing is signed before that, so who comes back in time costs nobody anything.
        """
        if self._may_be_absent(seat):
            self._willing.add(seat)
            self._effects.append(self.gossip.willing(seat, self.lanes))
            self._vote_if_enough(seat)
        return self.drain()

    def _may_be_absent(self, seat: Seat) -> bool:
        present = self.play.present()
        return (
            self.charter is not None
            and self.me in present
            and len(present) > 2
            and seat != self.me
            and self.course.is_awaited(seat)
        )

    def _on_willing(self, sender: Seat, message: Willing) -> None:
        if self.gossip.on_willing(message, self.lanes):
            self._others_willing.setdefault(message.seat, set()).add(sender)
            self._vote_if_enough(message.seat)

    def _vote_if_enough(self, seat: Seat) -> None:
        if seat not in self._willing or not self._may_be_absent(seat):
            return
        present = self.play.present()
        others = self._others_willing.get(seat, set()) & set(present)
        if 2 * (len(others) + 1) > len(present):
            self._willing.discard(seat)
            number = len(self.lanes.accepted[seat])
            self._say(VoteAbsent(self.play.results_closed(), seat, number))
            self._run()

    def _tell_willing(self) -> list[Effect]:
        """Say again whom we would vote absent; who is no longer awaited is forgiven."""
        self._willing = {seat for seat in self._willing if self._may_be_absent(seat)}
        self._others_willing.clear()
        return [self.gossip.willing(seat, self.lanes) for seat in sorted(self._willing)]

    # --- The course ---------------------------------------------------------------------------

    def _run(self) -> None:
        """Close steps and do our duties until the table waits for others, or for our choice."""
        while not self.is_over and not self.turning.is_open:
            if self.course.close_step():
                self._withdraw()
                self._report_new_faults()
                self._convict_later()
                continue
            step = self.course.current
            if step is None:
                self._finish()
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
        if self.turning.is_open:
            awaiting = Awaiting(self.turning.missing(self._stays()), "to begin the hand anew")
        else:
            missing = self.course.missing()
            votable = tuple(seat for seat in missing if self._may_be_absent(seat))
            is_decision = step is not None and step.make is None
            awaiting = Awaiting(missing, step.reason if step else "", votable, is_decision)
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

    def _report_new_faults(self) -> None:
        for fault in self.course.faults:
            if (fault.seat, fault.number, fault.rule) not in self._told:
                self._told.add((fault.seat, fault.number, fault.rule))
                self._effects.append(self._blame(fault))
            self.lanes.close(fault.seat)

    def _blame(self, fault: Fault) -> Blame:
        name = clean_name(self.draft.seats[fault.seat].name)
        text = f"{name} broke the rule “{fault.rule}” with its message {fault.number}"
        return Blame(fault.seat, fault.rule, text)

    def _finish(self) -> None:
        """The game is over here. A proven fault that left too few to go on is what ended it."""
        self.is_over = True
        self.verdict = min(self.course.faults, key=lambda fault: fault.rank, default=None)
        self._withdraw()
        over = self.standing()
        if self.verdict is not None and over.outcome == "abandoned":
            over = replace(over, outcome="fault")
        blame = self._blame(self.verdict) if self.verdict else None
        self._effects.append(Finished(over, self.play.public_digest(), blame))

    def standing(self) -> Over:
        """How the game stands; a result that a strict majority has signed counts."""
        state, closed = self.play.state, self.play.results_closed()
        if self._is_final():
            # It stands, whoever is silent now.
            state, closed = self.game.resolve(state, Facts()), closed + 1
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            return pending
        return Over("abandoned", self.game.view(state, NOBODY, {}).scores, (), closed)

    def _is_final(self) -> bool:
        """Whether the pending result has the signatures of a strict majority of the seats.

        The signature of who told two stories is none.
        """
        if not isinstance(self.play.pending(), Settle):
            return False
        present = self.play.present()
        signers = [
            seat
            for seat in present
            if seat not in self.turning.out and self._has_signed_result(seat)
        ]
        return 2 * len(signers) > len(present)

    def _has_signed_result(self, seat: Seat) -> bool:
        place, wanted = self.course.place, Settled(self.play.public_digest())
        return any(
            signed.body.payload == wanted and signed.body.place == place
            for signed in self.lanes.accepted[seat]
        )

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
