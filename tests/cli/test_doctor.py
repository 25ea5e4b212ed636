"""`doctor`: what it tells, what it comes to, and its exit codes."""

import json
from collections.abc import Sequence

import click
import pytest

from p2pjong.cli import run
from p2pjong.commands import doctor as module
from p2pjong.errors import Exit
from p2pjong.net.doctor import Finding

CHECKS = ("network", "port", "links", "multicast", "neighbours", "tables", "reach", "firewall")


def findings(*wrong: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(check, check not in wrong, f"about {check}", f"mend {check}" * (check in wrong))
        for check in CHECKS
    )


@pytest.mark.parametrize(
    ("wrong", "code", "conclusion"),
    [
        ((), Exit.OK, "p2pjong join"),
        (("tables",), Exit.OK, "p2pjong host opens one"),
        (("neighbours",), Exit.OK, "Tables are found"),
        (("neighbours", "tables"), Exit.NOTHING_FOUND, "--connect ADDRESS:4242"),
        (("multicast", "tables"), Exit.NOTHING_FOUND, "until this is fixed: multicast"),
        (("reach", "tables"), Exit.NOTHING_FOUND, "Run p2pjong doctor there"),
        (("firewall",), Exit.OK, "keep others from its table"),
        (("reach",), Exit.OK, "Tables are found"),
        (("network", "links", "tables"), Exit.NOTHING_FOUND, "fixed: network, links"),
    ],
)
def test_what_the_findings_come_to(
    wrong: Sequence[str],
    code: Exit,
    conclusion: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def examined(port: int, bind: str | None) -> tuple[Finding, ...]:
        assert (port, bind) == (4242, "127.0.0.1")
        return findings(*wrong)

    monkeypatch.setattr(module, "examine", examined)
    args = ["doctor", "--port", "4242", "--bind", "127.0.0.1"]
    assert run(args) == code
    shown = " ".join(capsys.readouterr().out.split())
    assert conclusion in shown
    for check in CHECKS:
        assert f"{check} about {check}" in shown
        assert (f"-> mend {check}" in shown) == (check in wrong)
    assert run([*args, "--json"]) == code
    answered = json.loads(capsys.readouterr().out)
    assert answered["well"] is (code == Exit.OK)
    assert [one["check"] for one in answered["findings"] if not one["well"]] == [
        check for check in CHECKS if check in wrong
    ]


def test_lines_fit_a_terminal_and_cannot_paint_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = (
        Finding("tables", True, "x\x1b[2J " + "a table, " * 30),
        Finding("port", False, "", "h"),
    )
    lines = [click.unstyle(line) for line in module.report_lines(told)]
    assert max(map(len, lines)) <= 80 and "\x1b[2J" not in "".join(lines)
