"""All misdeeds that the tests try, in plain words: where, what becomes of each, and which test.

The rows of the table in `protocol/threats.md`, written by `scripts/make_misdeed_table.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.support import forgeries as forged
from tests.support.hostile import Misdeed, silent
from tests.support.misdeeds import CHARTER
from tests.support.samurai_lies import RESHUFFLES
from tests.support.trials import SEATS, misdeeds_of, seats_of

SHORT: Mapping[str, str] = {
    "tiny": "T",
    "war-jhong": "W",
    "samurai-warfare": "S",
    "not-your-mas-jong": "N",
}
IN_TINY = "tests/sim/test_misdeeds.py"
IN_GAMES = "tests/sim/test_misdeeds_in_games.py"

# What is said of a payload, where the name alone does not say it.
KINDS: Mapping[str, str] = {
    "NonceCommit": "its commitment to a nonce",
    "NonceOpen": "its nonce",
    "Sign": "its signature of the charter",
    "TossCommit": "its commitment to a toss",
    "TossOpen": "its toss",
    "KeyCommit": "its commitment to a key",
    "Echo": "its echo",
    "KeyOpen": "its key",
    "Shuffled": "its shuffle",
    "Shares": "its shares",
    "Switched": "its switch",
    "ProvenAmong": "its proof of a pass",
    "Ordered": "who called first",
    "Act": "its action",
    "ActCommit": "its commitment to an answer",
    "ActOpen": "its answer",
    "Settled": "the result",
    "KeyPublished": "the key that it publishes",
}


@dataclass(frozen=True)
class Row:
    """One row: what is tried, where, what becomes of it, and the tests that show it.

    With a `case` these are files, and it is what the case of that name in each of them shows.
    """

    words: str
    where: str
    outcome: str
    tests: tuple[str, ...]
    case: str = ""


def rows() -> list[Row]:
    """All rows, in the order of the registry; then what is shown without a hostile session."""
    tried: dict[tuple[str, str], list[str]] = {}
    misdeeds: dict[tuple[str, str], Misdeed] = {}
    for game in SEATS:
        for misdeed in misdeeds_of(game):
            key = (misdeed.name, misdeed.rule)  # what is the same in several games is one row
            misdeeds.setdefault(key, misdeed)
            tried.setdefault(key, []).append(game)
    of_sessions = [_row(misdeeds[key], games) for key, games in tried.items()]
    return [*of_sessions, *_reshuffles(), *ELSEWHERE]


def _row(misdeed: Misdeed, games: list[str]) -> Row:
    where = "; ".join(
        f"{SHORT[game]} {' '.join(map(str, seats_of(game, misdeed)))}" for game in games
    )
    files = [IN_TINY] * ("tiny" in games) + [IN_GAMES] * (games != ["tiny"])
    case = misdeed.name.replace(" ", "-")
    return Row(words(misdeed), where, outcome(misdeed), tuple(files), case)


def words(misdeed: Misdeed) -> str:
    """What the cheat does, for people."""
    name = misdeed.name
    for kind, said in KINDS.items():
        if name == f"tells two stories at {kind}":
            return f"tells two stories: of {said}"
    return name


def outcome(misdeed: Misdeed) -> str:
    """In which of the four ways it ends."""
    if misdeed.rule:
        return f"caught: `{misdeed.rule}`"
    if not misdeed.is_silent:
        return "harmless: " + ("a fair shuffle" if misdeed.forge else "refused")
    absent = "no table" if misdeed in CHARTER else "voted absent"
    return absent if misdeed.forge in PURE_SILENCE else f"not accepted, then {absent}"


PURE_SILENCE = (silent, forged.key_kept_back)


def _reshuffles() -> Iterator[Row]:
    test = f"{IN_GAMES}::test_no_card_is_doubled_when_the_discards_become_the_deck"
    where = f"S {' '.join(map(str, SEATS['samurai-warfare']))}"
    for misdeed in RESHUFFLES:
        yield Row(words(misdeed), where, outcome(misdeed), (test,))


# --- Shown without a hostile session --------------------------------------------------------------

IMPOSSIBLE, REFUSED = "impossible", "refused"


def _shown(words: str, outcome: str, *tests: str, where: str = "") -> Row:
    return Row(words, where, outcome, tests)


NEVER_GAINS = "tests/sim/test_cheating_never_gains.py"
END_OF_GAME = "tests/attack/test_end_of_game.py"
LEAVING = "tests/sim/test_leaving.py"

ELSEWHERE = (
    _shown(
        "leaves, at any step",
        "out; the hand is void",
        f"{LEAVING}::test_two_go_on_when_one_of_three_leaves",
        f"{LEAVING}::test_four_go_on_when_one_of_five_leaves",
        f"{LEAVING}::test_a_game_of_two_ends_without_a_winner_when_one_leaves",
        f"{NEVER_GAINS}::test_one_never_gains_by_breaking_off",
        where="T 2 3 5",
    ),
    _shown(
        "falls silent for ever, at any step",
        "voted absent",
        "tests/session/test_turning.py::test_a_strict_majority_votes_a_silent_seat_absent",
        f"{NEVER_GAINS}::test_one_never_gains_by_breaking_off",
        where="T 2 3 5",
    ),
    _shown(
        "leaves, lies or falls silent in the last moment of a hand that it would win, or lose",
        "out; the hand is void",
        f"{NEVER_GAINS}::test_one_never_gains_right_before_the_end_of_a_hand",
        where="W 3; S 3; N 4",
    ),
    _shown(
        "leaves in place of signing a result, or right after it",
        "the result stands",
        f"{LEAVING}::test_who_leaves_in_place_of_signing_undoes_nothing",
        f"{LEAVING}::test_who_leaves_right_after_signing_undoes_nothing",
        where="T 2 3",
    ),
    _shown(
        "votes without a majority: half of a table puts nobody out",
        REFUSED,
        "tests/session/test_votes.py::test_two_of_four_put_nobody_out_whatever_they_sign",
        "tests/session/test_turning.py::test_neither_half_of_a_split_table_votes_the_other_absent",
        where="T 4",
    ),
    _shown(
        "tells two stories of its lane after it is out",
        "harmless",
        "tests/attack/test_evidence_storm.py::test_two_stories_of_a_seat_that_is_out_are_told_once",
        where="T 3 4",
    ),
    _shown(
        "sends what it, or others, signed at another table",
        REFUSED,
        "tests/attack/test_old_table.py::"
        "test_what_was_signed_at_the_old_table_is_refused_at_the_new_and_nobody_is_blamed",
        "tests/session/test_lanes.py::test_a_message_of_another_table_is_dropped_even_with_a_number"
        "_of_this_one",
    ),
    _shown(
        "a host that seats people at a table other than they got ready for",
        REFUSED,
        "tests/attack/test_switched_table.py::test_what_people_got_ready_for_does_not_change",
        "tests/attack/test_switched_table.py::"
        "test_nobody_plays_with_somebody_who_took_a_seat_after_they_got_ready",
        "tests/attack/test_old_table.py::test_an_old_draft_is_not_signed_again",
    ),
    _shown(
        "lies with its last message of the game, while another seat is voted absent",
        "caught: `result`, `published-key`",
        f"{END_OF_GAME}::test_a_wrong_result_is_named_by_all_while_another_seat_is_voted_absent",
        f"{END_OF_GAME}::test_a_wrong_key_is_named_by_all_while_another_seat_is_voted_absent",
        where="T 7",
    ),
    _shown(
        "lies to one seat alone, while the others vote it absent",
        "voted absent",
        f"{END_OF_GAME}::test_of_a_seat_that_is_voted_absent_nobody_names_what_some_have_heard",
        where="T 5",
    ),
    _shown(
        "says one thing more after its last answer of the game",
        "harmless",
        f"{END_OF_GAME}::test_what_a_seat_adds_to_its_last_answer_is_nothing_to_anyone",
        where="T 4",
    ),
    _shown(
        "adds a word against a seat against which there is nothing to one against a cheat",
        "harmless: nobody follows",
        f"{END_OF_GAME}::test_a_word_too_many_makes_nobody_answer_out_of_turn",
        where="T 5",
    ),
    _shown(
        "talks on and on while a hand is turned back, to fill disks",
        "not accepted, then voted absent",
        "tests/attack/test_idle_talk.py::"
        "test_who_talks_on_while_a_hand_is_turned_back_is_not_kept_and_voted_absent",
        where="T 5",
    ),
    _shown(
        "calls up the same messages again and again",
        "harmless: once, then not within a second",
        "tests/session/test_gossip.py::"
        "test_what_one_peer_calls_up_within_a_second_is_bounded_whatever_it_sends",
    ),
    _shown(
        "begins checks of a table's code and ends none, to take every link",
        "harmless: gives way",
        "tests/app/test_crowds.py::test_who_begins_checks_and_ends_none_keeps_no_friend_out",
    ),
    _shown(
        "holds up forged stories of an honest seat",
        REFUSED,
        "tests/session/test_lanes.py::test_a_forged_story_convicts_nobody",
        "tests/session/test_lanes.py::test_no_other_two_messages_convict",
    ),
    _shown(
        "changes any one element of a statement or a proof",
        "caught: `proof-..`",
        "tests/crypto/test_masking.py::test_each_changed_element_of_a_shares_statement_is_refused",
        "tests/crypto/test_shuffle.py::test_each_changed_element_of_a_shuffle_statement_is_refused",
        "tests/crypto/test_shuffle.py::test_each_changed_field_of_a_shuffle_proof_is_refused",
    ),
    _shown(
        "profits from a challenge that does not hash the whole statement",
        IMPOSSIBLE,
        "tests/crypto/test_binding.py::"
        "test_weights_and_challenge_of_a_shares_proof_bind_the_whole_statement",
        "tests/crypto/test_binding.py::"
        "test_weights_and_challenge_of_a_switch_proof_bind_the_whole_statement",
        "tests/crypto/test_binding.py::"
        "test_the_challenge_of_a_membership_proof_binds_the_whole_statement",
        "tests/crypto/test_binding.py::"
        "test_every_challenge_of_a_shuffle_proof_binds_all_that_came_before_it",
    ),
    _shown(
        "chooses the generators of commitments: all compute them from a fixed label",
        IMPOSSIBLE,
        "tests/crypto/test_group.py::"
        "test_generators_are_distinct_and_a_longer_list_continues_a_shorter_one",
    ),
    _shown(
        "proves something about nothing: empty or short vectors",
        REFUSED,
        "tests/crypto/test_masking.py::"
        "test_shares_of_nothing_of_too_much_or_of_unequal_lengths_are_refused",
        "tests/crypto/test_shuffle.py::test_proofs_with_vectors_of_the_wrong_length_are_refused",
    ),
    _shown(
        "reads a secret out of a field of a proof, or of anything else that is sent",
        IMPOSSIBLE,
        "tests/session/test_no_leak.py::"
        "test_all_seats_but_one_together_cannot_tell_two_worlds_apart",
        "tests/session/test_no_leak_in_games.py::"
        "test_two_of_three_together_cannot_tell_two_worlds_of_a_real_game_apart",
        "tests/sim/test_two_worlds.py::test_worlds_that_look_alike_are_alike_in_all_that_is_public",
    ),
    _shown(
        "makes a seat that restarts from a backup use a nonce twice",
        IMPOSSIBLE,
        "tests/sim/test_restart.py::"
        "test_no_nonce_serves_two_statements_not_even_after_a_restart_from_a_backup",
    ),
    _shown(
        "a name with control characters of terminals (there is no chat in this version)",
        "harmless: shown without them",
        "tests/wire/test_names.py::test_what_is_shown_is_bounded_clean_and_stays_as_it_is",
    ),
    _shown(
        "sends bytes that are no message, other encodings, deep nesting, or too much",
        REFUSED,
        "tests/wire/test_codec.py::test_any_bytes_are_a_message_or_refused",
        "tests/wire/test_codec.py::test_no_other_bytes_mean_the_same_message",
        "tests/net/test_link.py::test_noise_on_an_open_link_ends_it_as_malformed",
        "tests/fuzz/test_targets.py::test_edits_of_valid_inputs_are_no_findings",
    ),
    _shown(
        "floods a link",
        "harmless: read at a pace",
        "tests/net/test_mesh.py::test_a_flood_is_read_at_a_pace",
    ),
    _shown(
        "plays back, or relays, somebody else's link",
        REFUSED,
        "tests/net/test_link.py::test_a_proof_recorded_on_one_link_opens_no_other",
        "tests/net/test_link.py::test_who_dials_through_a_terminating_proxy_does_not_link",
    ),
)
