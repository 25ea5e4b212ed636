"""A moment of fuzzing on every run of the tests; `scripts/fuzz` goes on as long as one likes."""

from pathlib import Path
from random import Random

import msgpack
import pytest
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st

from p2pjong.wire import codec
from tests.support.fuzz_targets import TARGETS

FOUND = sorted((Path(__file__).parent.parent / "data" / "fuzz").glob("*.bin"))


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_valid_inputs_are_no_findings(name: str) -> None:
    target = TARGETS[name]
    assert target.seeds()
    for content in target.seeds()[:5]:
        target.run(content)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_edits_of_valid_inputs_are_no_findings(share: int, name: str) -> None:
    target = TARGETS[name]

    @settings(
        max_examples=max(1, target.examples // share),
        deadline=None,
        phases=[Phase.reuse, Phase.generate],  # a smaller seed makes no smaller input
    )
    @given(st.integers(0, 2**32 - 1))
    def check(seed: int) -> None:
        content = target.draw(Random(seed))
        note(f"input: {content.hex()}")
        target.run(content)

    check()


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["codec", "framing", "link", "txt", "names", "proofs"]), st.binary())
def test_any_bytes_are_no_findings(name: str, content: bytes) -> None:
    TARGETS[name].run(content)


def test_what_was_found_once_stays_mended() -> None:
    """`NAME-anything.bin` is an input of the target NAME that was a finding."""
    for path in FOUND:
        TARGETS[path.stem.split("-")[0]].run(path.read_bytes())


def test_a_check_that_is_taken_out_is_found_in_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzing itself is tested: without the bound on nesting it has a finding."""
    monkeypatch.setattr(codec, "NESTING_MAX", 99)
    monkeypatch.setattr(codec, "_unpack", msgpack.unpackb)
    rng, target = Random(1), TARGETS["codec"]
    with pytest.raises(Exception) as finding:
        for _ in range(2000):
            target.run(target.draw(rng))
    assert not isinstance(finding.value, codec.DecodeError)
