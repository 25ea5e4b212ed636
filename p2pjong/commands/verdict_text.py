"""A verdict on a record in plain words: what was proven, who signed, and what it cannot prove."""

from p2pjong.audit import Ballot, SignedResult, Verdict, fault_problem
from p2pjong.games import GAMES, hand_of
from p2pjong.session.effects import Books
from p2pjong.session.purposes import Purpose
from p2pjong.ui.names import Names
from p2pjong.ui.purposes import purpose_text
from p2pjong.ui.render import books_lines
from p2pjong.ui.rule_words import breach_text
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, plural, wrap

WORDS = {
    "keys": "key share, its secret known to its seat",
    "decks": "deck, shuffled by every seat",
    "shuffles": "shuffle of a deck",
    "dealt": "card dealt or drawn, unseen by the others",
    "opened": "card opened to all",
    "shares": "key share of single cards",
    "reveils": "hand shuffled anew by its holder",
    "switches": "card handed over or shown to one seat",
    "passes": "hand that held nothing to play",
    "tosses": "joint toss",
    "actions": "choice within the rules",
    "results": "result",
    "published": "key published at the end of its epoch",
}
PLURALS = {
    "keys": "key shares, their secrets known to their seats",
    "decks": "decks, shuffled by every seat",
    "shuffles": "shuffles of a deck",
    "dealt": "cards dealt or drawn, unseen by the others",
    "opened": "cards opened to all",
    "shares": "key shares of single cards",
    "reveils": "hands shuffled anew by their holders",
    "switches": "cards handed over or shown to one seat",
    "passes": "hands that held nothing to play",
    "tosses": "joint tosses",
    "actions": "choices within the rules",
    "results": "results",
    "published": "keys published at the end of their epoch",
}
ALWAYS_UNPROVEN = (
    "that nothing is missing at its end",
    "that the seats were different people who told each other nothing",
    "what the unopened cards were, or why somebody passed",
    "when anything was said: messages carry no times",
    "that chance was fair, if all seats worked together",
)
# What stands in place of a line of these where all books were opened.
WITH_OPEN_BOOKS = {
    "what the unopened cards were, or why somebody passed": (
        "what the cards of void hands were, or why somebody passed"
    ),
}


# What was awaited last, where the protocol's word for it is no word of players.
PLAINLY: dict[str, str] = {
    Purpose.COMMIT_NONCE: "to agree to the table",
    Purpose.OPEN_NONCE: "to agree to the table",
    Purpose.SIGN_CHARTER: "to agree to the table",
    Purpose.COMMIT_KEY: "to prepare the deck",
    Purpose.OPEN_KEY: "to prepare the deck",
    Purpose.CONFIRM: "to prepare the deck",
    Purpose.COMMIT_TOSS: "to draw lots",
    Purpose.OPEN_TOSS: "to draw lots",
    Purpose.OPEN_BOOKS: "to show all cards of the hand that had ended",
}


def verdict_lines(verdict: Verdict) -> list[str]:
    """All that people are told of a verdict."""
    names = Names(tuple(seat.name for seat in verdict.draft.seats))
    return [
        *_head(verdict, names),
        *_gone(verdict, names),
        *_judgement(verdict, names),
        *_stop(verdict, names),
        *_proven(verdict),
        *_signed(verdict, names),
        *_books(verdict, names),
        "It cannot prove:",
        *(f"  {line}" for line in unproven(verdict)),
        dim(f"digest {verdict.digest.hex()}"),
    ]


def first_part_lines(verdict: Verdict) -> list[str]:
    """What stands before the place where a damaged file cannot be read on: nothing unless it holds.

    A damaged file says nothing about any seat (`protocol/audit.md`).
    """
    if not verdict.is_valid:
        return []
    names = Names(tuple(seat.name for seat in verdict.draft.seats))
    return [
        *_head(verdict, names),
        *_gone(verdict, names),
        "Up to the damage every message is signed, in its place, and by the rules.",
        *_proven(verdict),
        *_signed(verdict, names),
    ]


def unproven(verdict: Verdict) -> tuple[str, ...]:
    """What this record leaves open, in plain words."""
    lines: tuple[str, ...] = ALWAYS_UNPROVEN
    if verdict.books and not any(books.unopened for books in verdict.books):
        lines = tuple(WITH_OPEN_BOOKS.get(line, line) for line in lines)
    if verdict.stop is not None:
        is_damaged = verdict.damaged_at is not None
        why = "cannot be read to its end" if is_damaged else "breaks off"
        lines = (f"how the game ended: the record {why}", *lines)
    if verdict.ballots:
        lines = (*lines, "that a seat voted absent was silent: a vote is no proof")
    return lines


def _head(verdict: Verdict, names: Names) -> list[str]:
    rows = [
        ("*" if seat in verdict.winners else "", f"seat {seat}", names.plain(seat), str(score))
        for seat, score in enumerate(verdict.scores)
    ]
    hands = plural(verdict.hands, hand_of(verdict.draft.game))
    played = (
        f"{clean(verdict.draft.name)}, {GAMES[verdict.draft.game].title}: {verdict.outcome} "
        f"after {hands}, {plural(verdict.messages, 'message')}"
    )
    return [
        *_wrapped(played),
        *(f" {line}" for line in aligned(rows, right=(3,))),
    ]


def _gone(verdict: Verdict, names: Names) -> list[str]:
    told = [
        f"{names.plain(seat)} (seat {seat}) left the game (message {number})"
        for seat, number in verdict.departures
    ]
    told += [ballot_text(ballot, names) for ballot in verdict.ballots]
    return [line for text in told for line in _wrapped(text)]


def _wrapped(text: str, indent: str = "", hang: str = "") -> list[str]:
    return wrap(text.split(" "), indent, hang=hang)


def ballot_text(ballot: Ballot, names: Names) -> str:
    """ "Cy (seat 2) was removed by the votes of Ada (seat 0) and Ben (seat 1)"."""
    voters = [f"{names.plain(voter)} (seat {voter})" for voter in ballot.voters]
    by = " and ".join([", ".join(voters[:-1]), voters[-1]])
    return f"{names.plain(ballot.seat)} (seat {ballot.seat}) was removed by the votes of {by}"


def _judgement(verdict: Verdict, names: Names) -> list[str]:
    if verdict.is_valid:
        return [bold("The record holds: every message is signed, in its place, and by the rules.")]
    fault = verdict.fault
    if verdict.damaged_at is not None and fault is None:
        changed = "it is damaged, or was changed after it was written"
        return _not_held(f"{changed}, at message {verdict.damaged_at}")
    if fault is None:
        return _not_held(clean(verdict.problem, 300))
    who = f"{clean(names.seats[fault.seat])} (seat {fault.seat})"
    said = f"{breach_text(fault.rule, fault.reason, who)}."
    named = f"[{fault.rule}: seat {fault.seat}, message {fault.number}, epoch {fault.epoch}]"
    if verdict.problem == fault_problem(verdict.draft, fault):
        return [*_not_held(said), dim(named)]
    # The reading broke off for another reason, after the fault was found.
    return [
        *_not_held(clean(verdict.problem, 300)),
        *_wrapped(f"Besides, {said}"),
        dim(named),
    ]


def _not_held(why: str) -> list[str]:
    return [alarm(line) for line in _wrapped(f"The record does not hold: {why}")]


def _stop(verdict: Verdict, names: Names) -> list[str]:
    stop = verdict.stop
    if verdict.damaged_at is not None:
        read = [f"It was read up to epoch {stop.epoch}, step {stop.step}"] if stop else []
        return [*read, dim(f"the finding: {clean(verdict.problem, 300)}")]
    if stop is None:
        return []
    place = f"The record breaks off in epoch {stop.epoch}, at step {stop.step}"
    if not stop.awaited:
        return _wrapped(place)
    awaited = ", ".join(f"{names.plain(seat)} (seat {seat})" for seat in stop.awaited)
    reason = PLAINLY.get(stop.reason) or purpose_text(stop.reason, verdict.draft.game)
    return _wrapped(f"{place}: it was waiting for {awaited} {reason}")


def _proven(verdict: Verdict) -> list[str]:
    rows = [
        (str(count), WORDS[kind] if count == 1 else PLURALS[kind])
        for kind, count in verdict.proven
        if count
    ]
    return ["Proven:", *(f"  {line}" for line in aligned(rows, right=(0,)))] if rows else []


def _signed(verdict: Verdict, names: Names) -> list[str]:
    if not verdict.results:
        return []
    hand = hand_of(verdict.draft.game)
    return [
        "Signed:",
        *(
            line
            for number, result in enumerate(verdict.results, start=1)
            for line in _wrapped(f"{hand} {number}: {_signers(result, names)}", "  ", "  ")
        ),
    ]


def _books(verdict: Verdict, names: Names) -> list[str]:
    game = verdict.draft.game
    told = [Books(one.hand, one.hands, one.deck, one.unopened) for one in verdict.books]
    lines = [line for books in told for line in books_lines(books, names, game)]
    return ["Open books:", *(f"  {line}" for line in lines)] if lines else []


def _signers(result: SignedResult, names: Names) -> str:
    score = ", ".join(map(str, result.scores))
    if not result.signers:
        return f"scores {score}, not signed yet"
    who = "everybody" if result.signers == result.present else names.listed(result.signers)
    weight = "a strict majority" if result.is_by_majority else "no majority"
    weight = "" if result.signers == result.present else f", {weight} of {len(result.present)}"
    return f"scores {score}, by {who}{weight}"
