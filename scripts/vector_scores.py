"""What hands and lines are worth, and what is paid: the small cases of the vectors of games."""

from random import Random
from typing import Any

from p2pjong.games.not_your_mas_jong.faces import DECK as MAS_JONG_DECK
from p2pjong.games.not_your_mas_jong.hands import goes_out
from p2pjong.games.not_your_mas_jong.payments import pay
from p2pjong.games.not_your_mas_jong.sets import SETS, is_set
from p2pjong.games.samurai_warfare.battlefield import force, playable_types
from p2pjong.games.samurai_warfare.cards import DECK as SAMURAI_DECK
from p2pjong.games.war_jhong.scoring import score
from tests.support.war_jhong_hands import random_question, random_solution

Case = dict[str, Any]


def war_jhong_hands() -> list[Case]:
    """Hands with their melds and discarded Generals; `combos` is nothing if it does not go out."""
    rng = Random(12)
    questions = [random_question(rng, wilds_max=3) for _ in range(20)]
    questions += [random_solution(rng) for _ in range(6)]
    cases = []
    for hand, melds, generals in questions:
        reading = score(hand, melds, generals)
        told = reading and [list(combo) for combo in reading.combos]
        melded = [list(meld) for meld in melds]
        cases.append({"hand": list(hand), "melds": melded, "generals": generals, "combos": told})
    return cases


def mas_jong_sets() -> list[list[Any]]:
    """[three faces, whether they are a set]."""
    rng = Random(5)
    sets = rng.sample(sorted(SETS), 8)
    sets += [tuple(rng.sample(MAS_JONG_DECK, 3)) for _ in range(4)]
    sets += [("E1", "E2", "E3"), ("S3", "S4", "S1"), ("R5", "R6", "B1"), ("R4", "R6", "R5")]
    return [[list(cards), is_set(cards)] for cards in sets]


def mas_jong_hands() -> list[Case]:
    """Hands with their melds, and whether they go out."""
    rng = Random(6)
    cases: list[Case] = []
    while len(cases) < 24:
        sets = [list(rng.choice(sorted(SETS))) for _ in range(3)]
        pair = [rng.choice(MAS_JONG_DECK)] * 2
        face_up = rng.randrange(4)
        hand = [face for cards in sets[face_up:] for face in cards] + pair
        if rng.random() < 0.5:
            hand[rng.randrange(len(hand))] = rng.choice(MAS_JONG_DECK)
        melds = sets[:face_up]
        held = hand + [face for cards in melds for face in cards]
        if max(held.count(face) for face in held) > 3:
            continue
        rng.shuffle(hand)
        out = goes_out(hand, [(one, two, three) for one, two, three in melds])
        cases.append({"hand": hand, "melds": melds, "goes_out": out})
    return cases


def mas_jong_payments() -> list[Case]:
    """Tokens before and after a round; some lack tokens (N11), some are out."""
    rng = Random(7)
    cases = []
    for number in range(16):
        seats = 3 + number % 2
        tokens = [rng.choice([0, 1, 2, 3, 5, 10, 14]) for _ in range(seats)]
        present = [True] * seats
        if seats == 4 and number % 4 == 1:
            present[rng.randrange(4)] = False
        here = [seat for seat in range(seats) if present[seat]]
        ma, winner, is_steal = rng.choice(here), rng.choice(here), bool(number // 2 % 2)
        after = pay(tokens, present, winner, ma, is_steal)
        won = {"ma": ma, "winner": winner, "by": "steal" if is_steal else "draw"}
        cases.append({"tokens": tokens, "present": present, **won, "after": list(after)})
    return cases


def samurai_lines() -> list[Case]:
    """Cards in play and fallen, their total, and of which types one more may be played."""
    rng = Random(8)
    cases = []
    for number in range(24):
        drawn = rng.sample(SAMURAI_DECK, 3 + number % 6)
        cut = rng.randrange(3)
        fallen, in_play = tuple(drawn[:cut]), tuple(drawn[cut:])
        lines = {"in_play": list(in_play), "fallen": list(fallen)}
        total, types = force(in_play, fallen), list(playable_types(in_play, fallen))
        cases.append({**lines, "total": total, "open_types": types})
    return cases
