"""The program of a table for the second verifier: the second half of `protocol/play.md`.

Imports nothing of the project.
"""

from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any

from tests.support import second_msgpack as msgpack
from tests.support import second_proofs as proofs
from tests.support import second_war_jhong as war_jhong
from tests.support.second_proofs import Point, Slot
from tests.support.second_steps import Answers, Breach, Course, Program, Step, Void, sha256

GAME = "war-jhong"


class Play:
    """The public state of one game, and the slots and keys of its cards."""

    def __init__(self, draft: list[Any], course: Course) -> None:
        self.course = course
        self.state = war_jhong.start(len(course.keys), draft[5][0])
        self.cards: dict[int, tuple[Slot, int]] = {}
        self.publics: dict[int, Point] = {}
        self.charter = b""
        self.is_open_books = draft[5][5]
        self.results = 0  # how many have closed
        self.base, self.base_epoch = deepcopy(self.state), 0
        self.base_out: set[int] = set()  # who was out by the step that closed that result
        self.faces = {proofs.face_point(GAME, face): face for face in war_jhong.FACES}

    def digest(self) -> bytes:
        return war_jhong.digest(self.state)

    def program(self) -> Program:
        try:
            yield from self._charter()
        except Void:
            return
        yield from self.game()

    def game(self) -> Program:
        """The game, from the state as it is."""
        while self.state["phase"] != "over":
            phase = self.state["phase"]
            try:
                yield from PHASES[phase](self)
            except Void as void:
                self._void(void.out)
            except war_jhong.Foul as foul:
                self.course.blame(self.course.closing[foul.seat], foul.rule)
                self._void([foul.seat])

    def _void(self, out: list[int]) -> None:
        self.cards, self.publics = {}, {}
        war_jhong.void(self.state, out)

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
        if self.base_out:
            self._void(sorted(self.base_out))

    def _echo(self) -> Step:
        return Step("echo", war_jhong.present(self.state), equals(self.course.chain, "echo"))

    # --- Card operations ------------------------------------------------------------------------

    def _toss(self) -> Program:
        seats = war_jhong.present(self.state)
        context = self.course.contexts(seats)
        commits = yield Step("toss-commit", seats, anything)
        yield self._echo()

        def opens(seat: int, payload: list[Any]) -> None:
            opening(context[seat], commits[seat][1], payload[1], payload[2])

        parts = yield Step("toss-open", seats, opens)
        ordered = [parts[seat][1] for seat in seats]
        war_jhong.on_toss(self.state, proofs.toss(context[seats[0]], ordered, len(seats)))

    def _shuffle(self) -> Program:
        self.cards, self.publics = {}, {}
        self.course.epoch += 1
        seats = war_jhong.present(self.state)
        yield from self._keys(seats)
        joint = proofs.total([(1, self.publics[seat]) for seat in seats])
        deck = [
            (proofs.G, proofs.plus(proofs.face_point(GAME, face), joint)) for face in war_jhong.DECK
        ]
        for seat in seats:
            deck = yield from self._shuffled(seat, joint, deck)
        yield self._echo()
        first = self.state["next_slot"]
        self.cards = {first + place: (slot, -1) for place, slot in enumerate(deck)}
        war_jhong.on_shuffle(self.state)

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

    def _draw(self, moves: list[tuple[int, int]]) -> Program:
        asked = {
            seat: [number for number, to in moves if to != seat]
            for seat in war_jhong.present(self.state)
        }
        asked = {seat: numbers for seat, numbers in asked.items() if numbers}
        given = yield from self._shares(asked)
        for number, to in moves:
            (a, b), _ = self.cards[number]
            for seat in asked:
                if seat != to:
                    b = proofs.minus(b, given[seat][number])
            self.cards[number] = ((a, b), to)

    def _deal(self) -> Program:
        yield from self._draw(war_jhong.deal_moves(self.state))
        war_jhong.on_deal(self.state)

    def _draw_one(self) -> Program:
        yield from self._draw([(self.state["deck_top"], self.state["turn"])])
        war_jhong.on_draw(self.state)

    def _reveil(self) -> Program:
        seat = war_jhong.mixer(self.state)
        before = [self.cards.pop(number)[0] for number in self.state["hands"][seat]]
        after = yield from self._shuffled(seat, self.publics[seat], before)
        for number, slot in zip(war_jhong.fresh_slots(self.state), after, strict=True):
            self.cards[number] = (slot, seat)
        war_jhong.on_reveil(self.state)

    def _opened(self, numbers: list[int]) -> Generator[Step, Answers, list[list[Any]]]:
        seat = self.state["chosen"][1]
        given = yield from self._shares({seat: numbers})
        opened: list[list[Any]] = []
        for number in numbers:
            (_, b), _ = self.cards.pop(number)
            opened.append([number, self.faces[proofs.minus(b, given[seat][number])]])
        return opened

    def _discard(self) -> Program:
        war_jhong.on_discard(self.state, (yield from self._opened(self.state["chosen"][3])))

    def _claim(self) -> Program:
        war_jhong.on_claim(self.state, (yield from self._opened(self.state["chosen"][3])))

    def _win(self) -> Program:
        hand = self.state["hands"][self.state["chosen"][1]]
        war_jhong.on_win(self.state, (yield from self._opened(hand)))

    # --- Decisions and settlement ---------------------------------------------------------------

    def _check_act(self, seat: int, act: list[Any]) -> None:
        if not war_jhong.is_legal(self.state, seat, *act[1:]):
            raise Breach("illegal-action")

    def _turn(self) -> Program:
        turn = self.state["turn"]
        acts = yield Step("act", [turn], self._check_act)
        war_jhong.on_turn(self.state, war_jhong.action(turn, *acts[turn][1:]))

    def _answer(self) -> Program:
        seats = war_jhong.after(self.state, self.state["turn"])
        context = self.course.contexts(seats)
        commits = yield Step("act-commit", seats, anything)

        def opens(seat: int, payload: list[Any]) -> None:
            _, act, nonce = payload
            opening(context[seat], commits[seat][1], msgpack.pack(act), nonce)
            self._check_act(seat, act)

        opened = yield Step("act-open", seats, opens)
        actions = [war_jhong.action(seat, *opened[seat][1][1:]) for seat in seats]
        war_jhong.on_answers(self.state, actions)

    def _settle(self) -> Program:
        seats = war_jhong.present(self.state)
        out: list[int] = []
        try:
            yield Step("settled", seats, equals(self.digest(), "result"))
        except Void as void:
            out = void.out
        self._close_result(out)
        if self.is_open_books:
            out = yield from self._open_books(out)
        self.cards, self.publics = {}, {}
        if out and self.state["phase"] != "over":
            self._void(out)

    def _open_books(self, out: list[int]) -> Generator[Step, Answers, list[int]]:
        """All publish their keys; who does not is out, too."""
        present = war_jhong.present(self.state)
        seats = [seat for seat in sorted(self.publics) if seat in present and seat not in out]

        def check(seat: int, payload: list[Any]) -> None:
            if not proofs.is_secret_of(payload[1], self.publics[seat]):
                raise Breach("published-key")

        if seats:
            try:
                yield Step("key-published", seats, check)
            except Void as void:
                out = sorted({*out, *void.out})
        return out

    def _close_result(self, out: list[int]) -> None:
        """The result that waits is closed; what is turned back later begins here."""
        war_jhong.on_settle(self.state)
        self.results += 1
        self.base, self.base_epoch = deepcopy(self.state), self.course.epoch
        self.base_out = set(out)

    def present_at_base(self) -> list[int]:
        """Who is in the game right after the last closed result, and answered what closed it."""
        return [seat for seat in war_jhong.present(self.base) if seat not in self.base_out]

    def turn_back(self, out: set[int]) -> None:
        """The hand begins anew from the base, without these seats."""
        gone = [seat for seat in war_jhong.present(self.base) if seat in out | self.base_out]
        self.state.clear()
        self.state.update(deepcopy(self.base))
        self._void(gone)


PHASES: dict[str, Callable[[Play], Program]] = {
    "toss": Play._toss,
    "shuffle": Play._shuffle,
    "deal": Play._deal,
    "draw": Play._draw_one,
    "reveil": Play._reveil,
    "mix": Play._reveil,
    "turn": Play._turn,
    "discard": Play._discard,
    "answer": Play._answer,
    "claim": Play._claim,
    "win": Play._win,
    "settle": Play._settle,
}


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
