"""How long `p2pjong verify` takes for a long game: War Jhong of four greedy bots, on one core.

The record is made by four real sessions in one process. They spare themselves the proofs of the
others, who are honest here, for what is measured is the audit, and that checks everything.
"""

import argparse
import time
from collections import deque
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pjong.audit import audit
from p2pjong.bots import STRATEGIES
from p2pjong.games import GAMES
from p2pjong.session import mental_dealer
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Ask, Effect, Send, Store
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, Lane, SeatEntry, TableOptions

GAME = "war-jhong"
SEATS = 4
HANDS = 30
SECONDS_MAX = 60
TARGET_POINTS = 10_000  # more than they win in so many hands
CHECKS = ("verify_key", "verify_shares", "verify_shuffle")


class Table:
    """Four sessions that hand each other every frame in order, and the journal of the first."""

    def __init__(self) -> None:
        keys = [Ed25519PrivateKey.from_private_bytes(bytes([seat]) * 32) for seat in range(SEATS)]
        entries = tuple(
            SeatEntry(f"bot {seat}", key.public_key().public_bytes_raw(), True, False)
            for seat, key in enumerate(keys)
        )
        options = TableOptions(TARGET_POINTS, 0, 0, 0, 60_000, False)
        self.draft = Draft(1, bytes(16), "bench", GAME, options, entries)
        self.sessions = [
            Session(self.draft, GAMES[GAME], Secrets(seat, key.sign, bytes([seat + 65]) * 32))
            for seat, key in enumerate(keys)
        ]
        self.journal: list[bytes] = []
        self._choose = STRATEGIES["greedy"]()
        self._rng = Random(1)
        self._asked: deque[tuple[int, Ask]] = deque()
        self._wire: deque[tuple[int, bytes]] = deque()

    def play(self, hands: int) -> None:
        """Until so many hands are closed for every seat."""
        for seat, session in enumerate(self.sessions):
            self._carry_out(seat, session.begin())
        while min(session.play.results_closed() for session in self.sessions) < hands:
            if self._wire:
                self._deliver(*self._wire.popleft())
            else:
                self._answer(*self._asked.popleft())

    def _deliver(self, sender: int, frame: bytes) -> None:
        lane = decode(frame, Lane)
        for seat, session in enumerate(self.sessions):
            if seat != sender:
                self._carry_out(seat, session.receive(sender, lane))

    def _answer(self, seat: int, ask: Ask) -> None:
        action = self._choose(ask.view, ask.actions, self._rng)
        self._carry_out(seat, self.sessions[seat].answer(ask.question, action))

    def _carry_out(self, seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._wire.append((seat, effect.frame))
            elif isinstance(effect, Store) and seat == 0:
                self.journal.append(effect.frame)
            elif isinstance(effect, Ask):
                self._asked.append((seat, effect))


def make_record(hands: int) -> Table:
    """A table that has played so many hands."""
    table = Table()
    with ExitStack() as spared:
        for check in CHECKS:
            spared.enter_context(patch.object(mental_dealer, check))
        table.play(hands)
    return table


def bench_rows(hands: int = HANDS) -> list[dict[str, Any]]:
    """One row: the audit's processor time, and its limit for thirty hands."""
    table = make_record(hands)
    lanes = [decode(frame, Lane) for frame in table.journal]
    began = time.process_time()
    verdict = audit(table.draft, lanes, GAMES)
    seconds = time.process_time() - began
    assert verdict.is_valid and verdict.hands == hands, verdict.problem
    return [
        {
            "name": f"verify {hands} hands of four",
            "seconds": round(seconds, 2),
            "seconds_max": SECONDS_MAX * hands / HANDS,
            "messages": verdict.messages,
            "megabytes": round(sum(map(len, table.journal)) / 1e6, 2),
        }
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS, metavar="N", help="a shorter game")
    for row in bench_rows(parser.parse_args().hands):
        print(row)


if __name__ == "__main__":
    main()
