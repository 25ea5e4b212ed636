"""The program of a table for the second verifier: the second half of `protocol/play.md`.

Imports nothing of the project.
"""

from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any

from tests.support import second_mas_jong, second_samurai
from tests.support import second_msgpack as msgpack
from tests.support import second_proofs as proofs
from tests.support import second_war_jhong as war_jhong
from tests.support.second_proofs import Point, Slot
from tests.support.second_steps import Answers, Breach, Course, Program, Step, Void, sha256
from tests.support.second_tiny import Tiny

# Of each game: start, waits, move, is_legal, void, winners, DECK, FACES, SEATS, has_options.
GAMES: dict[str, Any] = {
    "war-jhong": war_jhong,
    "samurai-warfare": second_samurai,
    "not-your-mas-jong": second_mas_jong,
    **{f"tiny-{kinds}": Tiny(kinds) for kinds in (3, 4, 5)},
}
DECK = -1  # the holder of slots under the joint key
Moves = list[tuple[int, int]]  # slots, each with the seat to which it goes


class Play:
    """The public state of one game, and the slots and keys of its cards."""

    def __init__(self, draft: list[Any], course: Course) -> None:
        self.course = course
        self.name = draft[4]
        self.rules = GAMES[self.name]
        target, rounds, *_ = draft[5]
        oldest = [seat for seat, entry in enumerate(draft[6]) if entry[3]]
        self.state = self.rules.start(len(course.keys), target, rounds, oldest)
        self.cards: dict[int, tuple[Slot, int]] = {}
        self.publics: dict[int, Point] = {}
        self.charter = b""
        self.is_open_books = draft[5][5]
        self.results = 0  # how many have closed
        self.base, self.base_epoch = deepcopy(self.state), 0
        self.base_out: set[int] = set()  # who was out by the step that closed that result
        self.out_since: dict[int, dict[int, int]] = {}  # not of the base; how far all know it
        self.faces = {self.point(face): face for face in self.rules.FACES}

    def point(self, face: str) -> Point:
        return proofs.face_point(self.name, face)

    def digest(self) -> bytes:
        return war_jhong.digest(self.state)

    def waits(self) -> list[Any]:
        """What the state waits for, as the vectors write it."""
        asked: list[Any] = self.rules.waits(self.state)
        return asked

    def _move(self, what: str, how: Any = None) -> None:
        self.rules.move(self.state, what, how)

    def program(self) -> Program:
        try:
            yield from self._charter()
        except Void:
            return
        yield from self.game()

    def game(self) -> Program:
        """The game, from the state as it is."""
        while self.state["phase"] != "over":
            name, *asked = self.waits()
            try:
                yield from CARRY_OUT[name](self, *asked)
            except Void as void:
                self._void(void.out)
            except war_jhong.Foul as foul:
                self.course.blame(self.course.closing[foul.seat], foul.rule)
                self._void([foul.seat])

    def _void(self, out: list[int]) -> None:
        self.cards, self.publics = {}, {}
        self._move("void", out)

    def _charter(self) -> Program:
        seats = list(range(len(self.course.keys)))
        context = self.course.contexts(seats)
        commits = yield Step("nonce-commit", seats, anything)

        def opens(seat: int, payload: list[Any]) -> None:
            opening(context[seat], commits[seat][1], payload[1], payload[2])

        nonces = yield Step("nonce-open", seats, opens)
        charter = msgpack.pack(["charter", self.course.table, [nonces[seat][1] for seat in seats]])
        hash_ = sha256(b"p2pjong/v1/charter\x00", charter)
        try:
            yield Step("sign", seats, equals(hash_, "charter"))
        except Void as void:
            self.base_out = set(void.out)
        self.charter = self.course.place = hash_
        name, *asked = self.waits()
        if name == "toss":
            self._move("tossed", draw_lot(hash_, asked[0]))
            self.base = deepcopy(self.state)
        self._note_out()
        if self.base_out:
            self._void(sorted(self.base_out))

    def _echo(self) -> Step:
        return Step("echo", war_jhong.present(self.state), equals(self.course.chain, "echo"))

    # --- Card operations ------------------------------------------------------------------------

    def _toss(self, sides: int) -> Program:
        seats = war_jhong.present(self.state)
        context = self.course.contexts(seats)
        commits = yield Step("toss-commit", seats, anything)
        yield self._echo()

        def opens(seat: int, payload: list[Any]) -> None:
            opening(context[seat], commits[seat][1], payload[1], payload[2])

        parts = yield Step("toss-open", seats, opens)
        ordered = [parts[seat][1] for seat in seats]
        self._move("tossed", proofs.toss(context[seats[0]], ordered, sides))

    def _shuffle(self, faces: Any, ends: list[int], is_fresh: bool) -> Program:
        seats = war_jhong.present(self.state)
        if is_fresh:
            self.cards, self.publics = {}, {}
            self.course.epoch += 1
            yield from self._keys(seats)
        joint = proofs.total([(1, self.publics[seat]) for seat in seats])
        listed = self.rules.DECK if faces == "deck" else faces
        deck = [(proofs.G, proofs.plus(self.point(face), joint)) for face in listed]
        for seat in seats:
            deck = yield from self._shuffled(seat, joint, deck)
        yield self._echo()
        self.cards |= {ends[0] + place: (slot, DECK) for place, slot in enumerate(deck)}
        self._move("done")

    def _keys(self, seats: list[int]) -> Program:
        context = self.course.contexts(seats)
        commits = yield Step("key-commit", seats, anything)
        yield self._echo()

        def opens(seat: int, payload: list[Any]) -> None:
            _, key, proof, nonce = payload
            opening(context[seat], commits[seat][1], key + proof, nonce)
            proven(lambda: proofs.check_key(context[seat], key, proof))

        opened = yield Step("key-open", seats, opens)
        self.publics = {seat: opened[seat][1] for seat in seats}
        if proofs.total([(1, self.publics[seat]) for seat in seats]) == bytes(32):
            for seat in seats:
                self.course.blame(self.course.closing[seat], "joint-key")
            raise Void(seats)

    def _shuffled(
        self, seat: int, key: Point, before: list[Slot]
    ) -> Generator[Step, Answers, list[Slot]]:
        context = self.course.context(seat)
        made: list[Slot] = []

        def check(_: int, payload: list[Any]) -> None:
            made[:] = proven(
                lambda: proofs.check_shuffle(context, key, before, payload[1], payload[2])
            )

        yield Step("shuffled", [seat], check)
        return made

    def _shares(
        self, asked: dict[int, list[int]]
    ) -> Generator[Step, Answers, dict[int, dict[int, Point]]]:
        context = self.course.contexts(list(asked))
        given: dict[int, dict[int, Point]] = {}

        def check(seat: int, payload: list[Any]) -> None:
            slots = [self.cards[number][0] for number in asked[seat]]
            public = self.publics[seat]
            shares = proven(
                lambda: proofs.check_shares(context[seat], public, slots, payload[1], payload[2])
            )
            given[seat] = dict(zip(asked[seat], shares, strict=True))

        yield Step("shares", sorted(asked), check)
        return given

    def _draw(self, runs: list[list[int]]) -> Program:
        yield from self._deliver([(slot, seat) for seat, *slots in runs for slot in slots])
        self._move("done")

    def _peek(self, seat: int, slots: list[int]) -> Program:
        yield from self._deliver([(slot, seat) for slot in slots])
        self._move("done")

    def _deliver(self, moves: Moves) -> Program:
        """Brings each slot under one seat's key: off the joint key, or off a peeker's."""
        yield from self._unveil([move for move in moves if self.cards[move[0]][1] == DECK])
        peeked = [move for move in moves if self.cards[move[0]][1] != move[1]]
        for holder, to in sorted({(self.cards[slot][1], to) for slot, to in peeked}):
            numbers = [n for n, seat in peeked if (self.cards[n][1], seat) == (holder, to)]
            after = yield from self._switched(holder, to, numbers)
            self.cards |= {n: (slot, to) for n, slot in zip(numbers, after, strict=True)}

    def _unveil(self, moves: Moves) -> Program:
        asked = {
            seat: [number for number, to in moves if to != seat]
            for seat in war_jhong.present(self.state)
        }
        asked = {seat: numbers for seat, numbers in asked.items() if numbers}
        if not asked:
            return
        given = yield from self._shares(asked)
        for number, to in moves:
            (a, b), _ = self.cards[number]
            for seat in asked:
                if seat != to:
                    b = proofs.minus(b, given[seat][number])
            self.cards[number] = ((a, b), to)

    def _switched(
        self, holder: int, to: int, numbers: list[int]
    ) -> Generator[Step, Answers, list[Slot]]:
        context, keys = self.course.context(holder), (self.publics[holder], self.publics[to])
        before = [self.cards[number][0] for number in numbers]
        made: list[Slot] = []

        def check(_: int, payload: list[Any]) -> None:
            made[:] = proven(
                lambda: proofs.check_switch(context, keys, before, payload[1], payload[2])
            )

        yield Step("switched", [holder], check)
        return made

    def _give(self, giver: int, taker: int, number: int) -> Program:
        after = yield from self._switched(giver, taker, [number])
        self.cards[number] = (after[0], taker)
        self._move("done")

    def _show(self, seat: int, viewer: int, numbers: list[int]) -> Program:
        if numbers:
            yield from self._switched(seat, viewer, numbers)
        self._move("done")

    def _reveil(self, seat: int, numbers: list[int], ends: list[int]) -> Program:
        before = [self.cards.pop(number)[0] for number in numbers]
        after = yield from self._shuffled(seat, self.publics[seat], before)
        self.cards |= {ends[0] + place: (slot, seat) for place, slot in enumerate(after)}
        self._move("done")

    def _open(self, seat: int, numbers: list[int]) -> Program:
        given = yield from self._shares({seat: numbers})
        opened: list[list[Any]] = []
        for number in numbers:
            (_, b), _ = self.cards.pop(number)
            opened.append([number, self.faces[proofs.minus(b, given[seat][number])]])
        self._move("opened", opened)

    def _prove(self, seat: int, numbers: list[int], faces: list[str]) -> Program:
        context, public = self.course.context(seat), self.publics[seat]
        held = [self.cards[number][0] for number in numbers]
        listed = [self.point(face) for face in faces]

        def check(_: int, payload: list[Any]) -> None:
            proven(lambda: proofs.check_membership(context, public, held, listed, payload[1]))

        yield Step("proven-among", [seat], check)
        self._move("done")

    def _order(self, judge: int, seats: list[int]) -> Program:
        def check(_: int, payload: list[Any]) -> None:
            if sorted(payload[1]) != sorted(seats):
                raise Breach("order")

        answers = yield Step("ordered", [judge], check)
        self._move("ordered", answers[judge][1])

    # --- Decisions and settlement ---------------------------------------------------------------

    def _check_act(self, seat: int, act: list[Any]) -> None:
        if not self.rules.is_legal(self.state, seat, *act[1:]):
            raise Breach("illegal-action")

    def _decide(self, seats: list[int], how: str) -> Program:
        if how == "open":
            acts = yield Step("act", seats, self._check_act)
        else:
            acts = yield from self._decide_in_secret(seats)
        self._move("actions", [[seat, *acts[seat][1:]] for seat in seats])

    def _decide_in_secret(self, seats: list[int]) -> Generator[Step, Answers, dict[int, list[Any]]]:
        context = self.course.contexts(seats)
        commits = yield Step("act-commit", seats, anything)

        def opens(seat: int, payload: list[Any]) -> None:
            _, act, nonce = payload
            opening(context[seat], commits[seat][1], msgpack.pack(act), nonce)
            self._check_act(seat, act)

        opened = yield Step("act-open", seats, opens)
        return {seat: opened[seat][1] for seat in seats}

    def _settle(self, *result: Any) -> Program:
        out = yield from self._out_by(self.signing(war_jhong.present(self.state)))
        publishing = self.close_result(out)
        if publishing is not None:
            self.end_books((yield from self._out_by(publishing)))
        if self._does_epoch_end():
            self.cards, self.publics = {}, {}
        if self.base_out and self.state["phase"] != "over":
            self._void(sorted(self.base_out))

    def _out_by(self, step: Step) -> Generator[Step, Answers, list[int]]:
        try:
            yield step
        except Void as void:
            return void.out
        return []

    def signing(self, seats: list[int]) -> Step:
        """The result is signed."""
        return Step("settled", seats, equals(self.digest(), "result"))

    def restore(self, state: dict[str, Any], cards: Any, publics: Any) -> None:
        """As it was in a hand that was turned back."""
        self.state.clear()
        self.state.update(deepcopy(state))
        self.cards, self.publics = cards, publics

    def _does_epoch_end(self) -> bool:
        """Whether the game is over, or goes on with fresh keys."""
        name, *asked = self.waits()
        return name == "over" or (name == "shuffle" and bool(asked[2]))

    def close_result(self, out: list[int]) -> Step | None:
        """The result that waits is closed; what is turned back later begins here. The step in
        which its books are opened, if they are."""
        self._move("done")
        self.results += 1
        self.base, self.base_epoch = deepcopy(self.state), self.course.epoch
        self.base_out = set(out)
        self._note_out()
        if not self.is_open_books or not self._does_epoch_end():
            return None
        present, publics = war_jhong.present(self.state), self.publics
        seats = [seat for seat in sorted(publics) if seat in present and seat not in out]

        def check(seat: int, payload: list[Any]) -> None:
            if not proofs.is_secret_of(payload[1], publics[seat]):
                raise Breach("published-key")

        return Step("key-published", seats, check) if seats else None

    def end_books(self, out: list[int]) -> None:
        """Nobody publishes a key any more, and who has not is out, too."""
        self.base_out |= set(out)
        self._note_out()

    def _note_out(self) -> None:
        """Who is not of the base is out since what closed the last step, or longer."""
        lengths = {seat: message.number + 1 for seat, message in self.course.closing.items()}
        for seat in set(range(len(self.course.keys))) - {*self.present_at_base(), *self.out_since}:
            self.out_since[seat] = lengths

    def present_at_base(self) -> list[int]:
        """Who is in the game right after the last closed result, and answered what closed it."""
        return [seat for seat in war_jhong.present(self.base) if seat not in self.base_out]

    def ends_without(self, out: set[int]) -> bool:
        """Whether the game is over if a hand begins anew without these."""
        state = deepcopy(self.base)
        gone = [seat for seat in war_jhong.present(state) if seat in out | self.base_out]
        self.rules.move(state, "void", gone)
        return bool(state["phase"] == "over")

    def turn_back(self, out: set[int]) -> None:
        """The hand begins anew from the base, without these seats."""
        gone = [seat for seat in war_jhong.present(self.base) if seat in out | self.base_out]
        self.state.clear()
        self.state.update(deepcopy(self.base))
        self._void(gone)


CARRY_OUT: dict[str, Callable[..., Program]] = {
    "toss": Play._toss,
    "shuffle": Play._shuffle,
    "draw": Play._draw,
    "peek": Play._peek,
    "open": Play._open,
    "reveil": Play._reveil,
    "show": Play._show,
    "give": Play._give,
    "prove": Play._prove,
    "order": Play._order,
    "decide": Play._decide,
    "settle": Play._settle,
}


def draw_lot(charter: bytes, sides: int) -> int:
    """The lot that the charter of this hash has drawn."""
    return proofs.toss(b"p2pjong/v1/lot", [charter], sides)


def anything(seat: int, payload: list[Any]) -> None:
    """A commitment asks for nothing yet."""


def equals(wanted: bytes, rule: str) -> Callable[[int, list[Any]], None]:
    def check(seat: int, payload: list[Any]) -> None:
        if payload[1] != wanted:
            raise Breach(rule)

    return check


def opening(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    try:
        proofs.check_opening(context, commitment, content, nonce)
    except proofs.Refused as error:
        raise Breach("commitment") from error


def proven(check: Callable[[], Any]) -> Any:
    try:
        return check()
    except proofs.Refused as error:
        raise Breach(f"proof-{error}") from error
