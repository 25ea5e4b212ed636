"""What a peer does at a table: its duties in steps, what it signs, and what its shell is told.

The lower layer of `Session`: it knows of steps, views and results, and nothing of frames.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from p2pjong.engine.table import check_state
from p2pjong.games.game import (
    NOBODY,
    Action,
    Facts,
    Game,
    Over,
    Seat,
    Settle,
    Shuffle,
    has_one_choice,
)
from p2pjong.session.books import Opening
from p2pjong.session.charter import draft_hash, sign_charter
from p2pjong.session.closing import ends_game
from p2pjong.session.course import Course, HandVoid, Step
from p2pjong.session.draft import check_keys, game_options
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Effect,
    Finished,
    Happened,
    Keep,
    Progress,
    Rest,
    Send,
    Store,
    Withdraw,
    Words,
)
from p2pjong.session.faults import Fault
from p2pjong.session.gossip import Gossip
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Equivocation, Lanes, sign_body
from p2pjong.session.mental_dealer import MentalDealer
from p2pjong.session.play import Play, decode_action
from p2pjong.session.purposes import Purpose
from p2pjong.session.results import Ballot, Signatures
from p2pjong.session.seed import NoSeed, Seed
from p2pjong.session.tally import Tally
from p2pjong.session.turning import Turning
from p2pjong.session.unsettled import Unsettled
from p2pjong.session.votes import Votes
from p2pjong.session.words import table_words
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Act,
    Draft,
    Evidence,
    LaneBody,
    Payload,
    Settled,
    Vote,
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
    seed: bytes = field(repr=False)


@dataclass
class Resting:
    """The time that our person has to see the end of each hand, if it `is_wanted`."""

    is_wanted: bool = False
    is_now: bool = False
    results: int = 0  # so many it has seen, or sees now


class Conduct(ABC):
    """The lanes, the course and the game of one table, and our own part in them.

    Without secrets it is an onlooker's: its seat is NOBODY, so no step awaits it and no vote is its
    to give; it hears and judges as every seat does. Raises BadDraft on seats that nobody may sign
    with, ValueError on options that the game has not.
    """

    def __init__(
        self, draft: Draft, game: Game, secrets: Secrets | None, is_checked: bool = False
    ) -> None:
        self.draft = draft
        self.game = game
        self.me = secrets.seat if secrets else NOBODY
        self._secrets = secrets
        self._is_checked = is_checked
        self._place = draft_hash(draft)
        keys = tuple(entry.key for entry in draft.seats)
        check_keys(keys)
        self.lanes = Lanes(self._place, keys)
        self.gossip = Gossip(self._place, len(draft.seats), self.me)
        self.course = Course(len(draft.seats), self._place, self._program(), self._digest)
        self._seed = Seed(secrets.seed) if secrets else NoSeed()
        self._kept = self._seed.value
        self.signatures, self.tally = Signatures(), Tally()
        self.dealer = MentalDealer(game, self.course, self.me, self._seed, self.tally)
        self.play = self._make_play()
        self.dealer.present = self.play.present
        self.charter: bytes | None = None
        self.verdict: Fault | None = None
        self.is_over = False
        self._effects: list[Effect] = []
        self._question = 0
        self._asked: Ask | None = None
        self._prepared: tuple[Action, Payload] | None = None  # an answer to it, ready to be signed
        self._awaiting = Awaiting((), "")
        self._has_left = secrets is None  # who has no seat has no word to say either
        self.resting = Resting()
        self.turning = Turning()
        self.unsettled = Unsettled(self.lanes, self.course, self.play)
        self.departures: list[tuple[Seat, int]] = []  # who left, with which message of its lane
        self._votes = Votes(keys)
        # By votes that were valid wherever they came from, in words or not: who is to go.
        self._majorities: dict[Seat, tuple[Vote, ...]] = {}
        self._stories: dict[Seat, Equivocation] = {}  # of those that a seat told, the least two
        self._convicted: dict[Seat, tuple[int, int]] = {}  # rank of the stories in a word of ours
        self._idle: Counter[Seat] = Counter()  # how much each has said that means nothing
        self._idle_bytes = 0  # all of it together
        self._deferred: list[Signed] = []  # of who has turned back: judged once we all have
        self._told: set[tuple[Seat, int, str]] = set()

    def _make_play(self) -> Play:
        draft, game = self.draft, self.game
        return Play(
            game=game,
            state=game.start(len(draft.seats), game_options(draft)),
            dealer=self.dealer,
            course=self.course,
            me=self.me,
            seed=self._seed,
            tally=self.tally,
            signers=self._signers,
            watch=self._watch,
            tell=self._tell_books,
            is_open_books=draft.options.is_open_books,
        )

    def _run(self) -> None:
        """Close steps and do our duties until the table waits for others, or for our choice."""
        while not self.is_over and not self.turning.is_open:
            if self.course.close_step():
                self._withdraw()
                self._report_new_faults()
                self._look_again()
                continue
            step = self.course.current
            if step is None:
                (self._end if self.charter else self._break_off)()
                return
            if not self._do_duty(step):
                break
        self._tell_awaited()

    def _do_duty(self, step: Step) -> bool:
        """Our own part of the open step; says whether we gave an answer."""
        if self._is_at_rest() or self._has_left or not self.course.is_awaited(self.me):
            return False
        if self.turning.has_turned(self.me):
            return False  # between our word and the new beginning nothing of ours counts
        if step.make is None:
            return self._choose(step)
        self._say(step.make())
        return True

    def _is_at_rest(self) -> bool:
        """Whether our person has yet to see the end of the hand, with its books."""
        closed = self.play.results_closed()
        resting = self.resting
        if resting.is_wanted and closed > resting.results and self.play.opening is None:
            resting.results, resting.is_now = closed, True
            self._effects.append(Rest(closed))
        return resting.is_now

    def _choose(self, step: Step) -> bool:
        """Ask for our choice; what can come to nothing is chosen at once, without asking."""
        if not self._is_moot(step):
            self._ask(step)
            return False
        assert step.answer is not None
        self._withdraw()
        known = self.dealer.known(self.me)
        self._say(step.answer(self.game.default(self.play.state, self.me, known)))
        return True

    def _is_moot(self, step: Step) -> bool:
        """Whether so many have left that the hand is void and the game over, whatever we choose.

        Who could still end the game with this very choice, and win it, is asked: those who left
        must not have the better of that.
        """
        stay = [seat for seat in self.play.present() if not self.course.is_closed(seat)]
        if len(stay) >= self.game.seats_min:
            return False
        state, known = self.play.state, self.dealer.known(self.me)
        return not any(
            ends_game(self.game, state, actions, self.me, known)
            for action in self.game.legal(state, self.me, known)
            if (actions := self._decided_with(step, action))
        )

    def _decided_with(self, step: Step, action: Action) -> tuple[Action, ...]:
        """What the step comes to by our action; () if it needs an answer that nobody will see."""
        said = {seat: self.course.answered(seat) for seat in step.seats if seat != self.me}
        decided = {
            seat: decode_action(seat, payload)
            for seat, payload in said.items()
            if isinstance(payload, Act)
        }
        if decided.keys() != said.keys():
            return ()
        decided[self.me] = action
        return tuple(decided[seat] for seat in step.seats)

    def _say(self, payload: Payload) -> None:
        """Sign our next lane message, journal it, and only then send it."""
        assert self._secrets is not None, "an onlooker says nothing"
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
            self.charter, out = yield from sign_charter(
                self.draft, lambda: self.course, self.me, self._seed
            )
        except HandVoid:
            return  # somebody left before the table began: there is no game
        self._effects.append(Words(table_words(self.charter)))
        self.play.begin(self.charter, out)
        yield from self.play.steps()

    def _digest(self) -> bytes:
        return self.play.public_digest()

    @abstractmethod
    def _judge(self, signed: Signed, is_own: bool) -> None:
        """Make of an accepted message what it is worth."""

    @abstractmethod
    def _look_again(self) -> None:
        """A step has closed: draw the conclusions that could not be drawn before."""

    @abstractmethod
    def _accept_waiting(self, sender: Seat) -> None:
        """Accept what can be of the messages that wait."""

    @abstractmethod
    def _break_off(self) -> None:
        """There will be no charter."""

    def _put_out_ever(self) -> set[Seat]:
        return self.turning.out | self.turning.done

    def _stays(self) -> tuple[Seat, ...]:
        """Who goes on when the hand is turned back."""
        gone = self._put_out_ever() | self.course.outcasts()
        return tuple(seat for seat in self.play.present_at_base() if seat not in gone)

    def _may_be_absent(self, seat: Seat) -> bool:
        return self._can_be_voted_out(seat) and seat in self._missing()

    def _can_be_voted_out(self, seat: Seat) -> bool:
        """Whether a vote against this seat could ever have an effect."""
        present = self.play.present()
        return (
            self.charter is not None
            and self.me in present
            and len(present) > 2
            and seat != self.me
            and seat in present
        )

    def _missing(self) -> tuple[Seat, ...]:
        """Who is awaited: in the open step, or with its word while the hand is turned back."""
        if self.turning.is_open:
            return self.turning.missing(self._stays())
        return self.course.missing()

    # --- What people see -----------------------------------------------------------------------

    def view(self) -> Any:
        """What our seat may know now."""
        known = self.dealer.known(self.me)
        view = self.game.view(self.play.state, self.me, known)
        awaiting = self._awaiting
        return replace(view, awaited=awaiting.seats, reason=awaiting.reason)

    def _watch(self, before: Any, cause: Facts | tuple[Action, ...], after: Any) -> None:
        if self._is_checked:
            check_state(self.game, after)
        if not self.turning.is_open:  # then all that were found stand
            self._tell_new_faults()  # what a seat did, before what follows from it
        view = self.view()
        events = self.game.events(before, cause, after)
        is_end = any(isinstance(self.game.pending(state), Settle) for state in (before, after))
        self._effects += [Happened(event, view, is_end) for event in events]

    def _tell_books(self, opening: Opening) -> None:
        self._effects.append(opening.books())

    def _ask(self, step: Step) -> None:
        if self._asked is not None:
            return
        state, known = self.play.state, self.dealer.known(self.me)
        actions = self.game.legal(state, self.me, known)
        self._question += 1
        self._asked = Ask(
            question=self._question,
            view=replace(self.view(), awaited=step.seats, reason=step.reason),
            actions=actions,
            default=self.game.default(state, self.me, known),
            is_answer=step.is_answer,
            is_race=step.is_race,
            is_obvious=len(actions) == 1 and has_one_choice(self.game, state, self.me),
        )
        self._effects.append(self._asked)

    def _withdraw(self) -> None:
        if self._asked is not None:
            self._effects.append(Withdraw(self._asked.question))
            self._asked = self._prepared = None

    def awaiting(self) -> Awaiting:
        """Who is awaited now, and for what."""
        step = self.course.current
        missing = self._missing()
        votable = tuple(seat for seat in missing if self._may_be_absent(seat))
        if self.turning.is_open:
            return Awaiting(missing, Purpose.BEGIN_ANEW, votable)
        is_decision = step is not None and step.make is None
        is_answer = step is not None and step.is_answer
        reason = step.reason if step else ""
        return Awaiting(missing, reason, votable, is_decision, is_answer)

    def _tell_awaited(self) -> None:
        awaiting = self.awaiting()
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
        return Progress("shuffling", self.dealer.shuffled, len(self.play.present()))

    def _report_new_faults(self) -> None:
        self._tell_new_faults()
        for fault in self.course.faults:
            self._shut(fault.seat)

    def _tell_new_faults(self) -> None:
        for fault in self.course.faults:
            # Lesser stories may come to light one by one, as many as their author likes.
            number = -1 if fault.rule == "equivocation" else fault.number
            if (fault.seat, number, fault.rule) not in self._told:
                self._told.add((fault.seat, number, fault.rule))
                self._effects.append(self._blame(fault))

    def _shut(self, seat: Seat) -> None:
        """Nothing more of this seat counts.

        But while a hand is turned back its lane stays open, for others may not know yet, and rest
        on what it goes on to say; unless it is a message of this lane that tells everyone.
        """
        if not self.turning.is_open or seat in self.course.outcasts():
            self.lanes.close(seat)

    def _blame(self, fault: Fault) -> Blame:
        name = clean_name(self.draft.seats[fault.seat].name)
        text = f"{name} broke the rule “{fault.rule}” with its message {fault.number}"
        return Blame(fault.seat, fault.rule, text, fault.number, fault.reason)

    # --- How it ends ---------------------------------------------------------------------------

    def _end(self) -> None:
        """The program has ended, for all alike."""
        self.course.conclude(self.play.present_at_base())
        self._finish()

    def _finish(self) -> None:
        """The game is over here. A proven fault that left too few to go on is what ended it."""
        self.is_over = True
        self.verdict = min(self.course.faults, key=lambda fault: fault.rank, default=None)
        self._withdraw()
        self.play.close_books()
        self._store_stories()
        over = self.standing()
        if self.verdict is not None and over.outcome == "abandoned":
            over = replace(over, outcome="fault")
        blame = self._blame(self.verdict) if self.verdict else None
        self._effects.append(Finished(over, self.play.public_digest(), blame))

    def _store_stories(self) -> None:
        """Two stories that are in no word of ours, on which all rests here, follow our lanes."""
        proven = {fault.seat for fault in self.course.faults if fault.rule == "equivocation"}
        for seat in sorted(proven & self._stories.keys()):
            stories = self._stories[seat]
            if seat in self._convicted and self._convicted[seat] <= stories.rank:
                continue
            first, second = stories.first, stories.second
            frame = encode(Evidence(self.gossip.draft, first, second))
            self._effects.append(Store(seat, first.number, frame))

    def standing(self) -> Over:
        """How the game stands; one more result counts if most have signed it."""
        state, closed = self.play.state, self.play.results_closed()
        if self._is_final():
            # It stands, whoever is silent now.
            state, closed = self.game.resolve(state, Facts()), closed + 1
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            return pending
        return Over("abandoned", self.game.view(state, NOBODY, {}).scores, (), closed)

    def _is_final(self) -> bool:
        """Whether most have signed the pending result: it counts if the table ends."""
        step = self.course.current
        if step is None or step.kind is not Settled:
            return False
        present, digest = self.play.present(), self.play.public_digest()
        return self.signatures.are_most(present, self.course.place, digest)

    def ballots(self) -> tuple[Ballot, ...]:
        """Every seat that was voted absent, and by whom."""
        return tuple(
            Ballot(seat, tuple(vote.voter for vote in votes))
            for seat, votes in sorted(self._majorities.items())
        )

    def _signers(self) -> set[Seat]:
        """Who has signed the result that waits."""
        digest = self.play.public_digest()
        return self.signatures.of(self.course.place, digest, self.turning.out)

    def drain(self) -> list[Effect]:
        """The effects so far; also those of a frame that was refused halfway."""
        effects, self._effects = self._effects, []
        if self._seed.value != self._kept:
            self._kept = self._seed.value
            effects.append(Keep(self._kept))
        return effects
