"""How long War Jhong's scorer takes, in processor time.

`bench_rows()` gives one row a measure: what is done, how often, the median and the worst in
milliseconds, and the limit that each is held to (None: none).
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from p2pjong.bots.war_jhong_eval import Outlook, rank_discards  # noqa: E402 - the path comes first
from p2pjong.games.war_jhong.faces import COPIES, DECK  # noqa: E402
from p2pjong.games.war_jhong.scoring import goes_out, ready_discards, score  # noqa: E402
from tests.support.war_jhong_hands import Question, random_question  # noqa: E402

SCORE_MEDIAN_MS, SCORE_WORST_MS = 1.0, 30.0
HANDS = 2000
# Hands that leave the search most to try: every natural card fits many Formations.
HARDEST = (
    ("T T T T T T I1 I2 I3 I4 I5 I6 I7", ()),
    ("T T T T T T I2 I3 I3 I4 I4 I5 I6", ()),
    ("T T T T T T I3 I3 I4 I4 I5 I5 I6", ()),
    ("T T T T T T I4 I4 I5 I5 I6 I6", ()),
    ("T T T I2 I3 I3 I4 I4 I5 I6", ("T T T",)),
    ("I2 I3 I4 I4 I5 I6 I3", ("T T T", "T T T")),
    ("T T I3 I4 I5 I6 I7", ("T T I5", "T T I5")),
)


def bench_rows() -> list[dict[str, Any]]:
    """Scoring hands that go out, the hardest hands, and what play calls every turn."""
    realistic = [question for question in _questions(wilds_max=2) if score(*question)]
    wild = [question for question in _questions(wilds_max=6) if score(*question)]
    rng = Random(3)
    dealt = [rng.sample(DECK, 13) for _ in range(HANDS)]
    return [
        _row("score: hands that go out, up to 2 Tactics", realistic, _score, SCORE_MEDIAN_MS),
        _row("score: hands that go out, up to 6 Tactics", wild, _score, SCORE_MEDIAN_MS),
        _row("score: the hardest hands of 6 Tactics", _hardest(), _score, None),
        _row("goes out: random hands", dealt, lambda hand: goes_out(hand, ()), None),
        _row("ready discards: random hands", dealt, lambda hand: ready_discards(hand, ()), None),
        _row("greedy bot's discard: random hands", dealt[:300], _rank_discards, None),
    ]


def _questions(wilds_max: int) -> Iterable[Question]:
    rng = Random(wilds_max)
    return [random_question(rng, wilds_max) for _ in range(HANDS)]


def _hardest() -> list[Question]:
    questions: list[Question] = []
    for hand, melds in HARDEST:
        triples = [tuple(meld.split()) for meld in melds]
        questions.append((tuple(hand.split()), tuple((a, b, c) for a, b, c in triples), 0))
    return questions


def _score(question: Question) -> object:
    return score(*question)


def _rank_discards(hand: list[str]) -> object:
    unseen = Counter(COPIES)
    unseen.subtract(hand)
    return rank_discards(hand, (), Outlook(unseen, 72, (0, 0, 0), 0))


def _row(
    work: str, inputs: Iterable[Any], call: Callable[[Any], object], median_limit_ms: float | None
) -> dict[str, Any]:
    times_ms = [_time_ms(call, each) for each in inputs]
    return {
        "work": work,
        "times": len(times_ms),
        "median_ms": round(median(times_ms), 4),
        "worst_ms": round(max(times_ms), 3),
        "median_limit_ms": median_limit_ms,
        "worst_limit_ms": SCORE_WORST_MS if call is _score else None,
    }


def _time_ms(call: Callable[[Any], object], argument: Any) -> float:
    started = time.process_time_ns()
    call(argument)
    return (time.process_time_ns() - started) / 1e6


def main() -> None:
    rows = bench_rows()
    for row in rows:
        print(f"{row['work']:45} {row['times']:6} times", end="  ")
        print(f"median {row['median_ms']:8.4f} ms  worst {row['worst_ms']:8.3f} ms")
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
