"""Seeded tables of the simulator: rough networks, leavers, cheats. Prints the seed that fails.

scripts/simulate.py --seed N --count K      K scenarios from seed N on
scripts/simulate.py --seed N --verbose      one scenario, with what came of it
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from p2pjong.games import GAMES
from tests.support.scenario import Scenario, draw, play
from tests.support.sim import SimTable


def main(args: Sequence[str] | None = None) -> int:
    """Runs the scenarios; the exit code is 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/simulate.py")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1, help="how many seeds")
    parser.add_argument("--game", choices=["tiny", *GAMES], default="tiny")
    parser.add_argument("--impatient", action="store_true", help="seats vote each other absent")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument("--verbose", action="store_true", help="say what each scenario came to")
    options = parser.parse_args(args)
    outcomes: Counter[str] = Counter()
    started = time.process_time()
    for seed in range(options.seed, options.seed + options.count):
        scenario = replace(draw(seed, options.game), is_impatient=options.impatient)
        outcome = run(scenario, is_verbose=options.verbose)
        outcomes[outcome] += 1
        if outcome == "FAILED" and not options.keep_going:
            break
    summary = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{summary}; {time.process_time() - started:.1f} s of processor time")
    return 1 if outcomes["FAILED"] else 0


def run(scenario: Scenario, is_verbose: bool) -> str:
    """One scenario: how its game ended, or FAILED."""
    try:
        table = play(scenario)
    except Exception:
        print(f"FAILED: {scenario}", file=sys.stderr)
        print(f"again:  {command(scenario)}", file=sys.stderr)
        traceback.print_exc(limit=-4)
        return "FAILED"
    outcome = outcome_of(table)
    if is_verbose:
        print(f"{scenario}: {outcome}")
        for peer in table.honest():
            print(f"  {peer.finished and peer.finished.over}, blamed: {peer.blames()}")
    return outcome


def command(scenario: Scenario) -> str:
    """What runs this scenario alone again."""
    game = "" if scenario.game == "tiny" else f" --game {scenario.game}"
    votes = " --impatient" if scenario.is_impatient else ""
    return f"scripts/simulate.py --seed {scenario.seed} --verbose{game}{votes}"


def outcome_of(table: SimTable) -> str:
    """How most honest peers saw it end."""
    ends = [peer.finished.over.outcome if peer.finished else "waiting" for peer in table.honest()]
    return Counter(ends).most_common(1)[0][0]


if __name__ == "__main__":
    sys.exit(main())
