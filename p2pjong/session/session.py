"""One peer at one table: frames and choices in, effects out; no I/O, no clock, no randomness.

Implements `protocol/play.md`. It owns the lanes and the course, and is the one public class here.
"""

from p2pjong.games.game import (
    Action,
    IllegalAction,
    Seat,
    twins,
)
from p2pjong.session.effects import (
    Effect,
    Store,
)
from p2pjong.session.history import Signed
from p2pjong.session.play import encode_action
from p2pjong.session.turn_back import TurnBack
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Evidence,
    Have,
    Lane,
    Leave,
    TableMessage,
    Want,
)


class Session(TurnBack):
    """The state machine of one peer at one table.

    Call `begin` once, then `receive` for frames of linked seats, `answer` for choices and `leave`.
    Each returns effects to be carried out in order. Raises Refusal on frames that prove nothing.
    """

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
            self._on_evidence(sender, message)
        else:
            self._on_vote(sender, message)
        return self.drain()

    def linked(self, seat: Seat) -> list[Effect]:
        """A link to this seat is up: tell it what we hold."""
        self.gossip.links.add(seat)
        have = self.gossip.have(self.lanes, seat)
        return [have, *self.gossip.proof(seat), *self._tell_votes(seat)]

    def unlinked(self, seat: Seat) -> list[Effect]:
        """The link to this seat is down; others may still forward between us."""
        self.gossip.links.discard(seat)
        self.gossip.forget(seat)
        return []

    def tick(self) -> list[Effect]:
        """Called about once a second: tell everyone what we hold, so that what was lost comes."""
        self.gossip.tick()
        self._votes.tick()
        self._vote_again()
        have = self.gossip.have(self.lanes, None)
        return [have, *self.gossip.proof(None), *self._tell_votes(None), *self.drain()]

    def prepare(self, question: int, action: Action) -> list[Effect]:
        """Work out `answer(question, action)` but for its signature, and say nothing yet.

        All that takes a time which depends on the hand is done here, so that the instant at which
        an answer then leaves tells nothing. May be called again, with another action. Raises as
        `answer` does.
        """
        asked = self._asked
        if asked is not None and asked.question == question:
            if action not in asked.actions:
                raise IllegalAction(f"not possible now: {action.verb}")
            step = self.course.current
            assert step is not None and step.answer is not None
            self._prepared = action, step.answer(self._any_twin(action))
        return []

    def answer(self, question: int, action: Action) -> list[Effect]:
        """Our choice; a stale one is dropped. Raises IllegalAction and then changes nothing."""
        if self._asked is None or self._asked.question != question:
            return []
        if self._prepared is None or self._prepared[0] != action:
            self.prepare(question, action)
        assert self._prepared is not None
        _, payload = self._prepared
        self._asked = self._prepared = None
        self._say(payload)
        self._run()
        return self.drain()

    def go_on(self) -> list[Effect]:
        """Our person has seen the end of the hand: our seat does its part of the next (`Rest`)."""
        self.resting.is_now = False
        self._run()
        return self.drain()

    def _any_twin(self, action: Action) -> Action:
        """The action with any of equal cards: always the first would tell how many there are."""
        seat = self.me
        same = twins(self.game, self.play.state, action, self.dealer.known(seat))
        entropy = self._seed.entropy(self.course.context(seat))
        order = entropy.permutation("twin", encode(encode_action(action)), len(same))
        return same[order[0]]

    def leave(self) -> list[Effect]:
        """Our seat leaves for good. Others go on without it; the hand is void (G6)."""
        if not self.is_over and not self._has_left:
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

    # --- Lane messages -------------------------------------------------------------------------

    def _take_in(self, lane: Lane, sender: Seat) -> None:
        equivocation = self.lanes.add(lane)
        if equivocation is not None:
            self._convict(equivocation)
            self._run()
        self._accept_waiting(sender)
        if not self.is_over:
            self._look_again()
            self._accept_waiting(sender)  # for a seat may be put out by that
            disputed = self.lanes.disputed()
            self._effects += [self.gossip.want(missing, sender) for missing in disputed]

    def _accept_waiting(self, sender: Seat) -> None:
        while not self.is_over:
            ready = self.lanes.next_ready()
            if ready is None:
                break
            self._accept(ready, sender)
            self._run()

    def _accept(self, signed: Signed, sender: Seat) -> None:
        self._effects.append(Store(signed.body.seat, signed.number, signed.frame))
        self._effects += self.gossip.forward(signed, sender)
        self._judge(signed, is_own=False)
