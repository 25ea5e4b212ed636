"""Whatever tells people to type a command names it as they can type it here."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import click
import pytest

from p2pjong.cli import COMMANDS, cli
from p2pjong.program_name import CALLED_VARIABLE, COMMAND, as_typed, program_name
from p2pjong.ui import lobby, render
from tests.support.open_table import lobby_of
from tests.support.war_jhong_views import view_of

PACKAGE = Path(__file__).parents[2] / "p2pjong"
# A command, and behind it what can only be meant to be typed: options and names in capitals.
TYPED = re.compile(r"p2pjong ([a-z]+)((?: (?:--[a-z-]+|[A-Z][A-Z:.]+\b|\d+))*)")


def texts() -> set[str]:
    """All string constants of the package, docstrings too: some of them are help."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {one.value for one in nodes if isinstance(one, ast.Constant) and type(one.value) is str}


@pytest.mark.slow
def test_every_command_that_a_text_names_can_be_typed() -> None:
    named = {found.groups() for text in texts() for found in TYPED.finditer(text)}
    meant = [(name, rest.split()) for name, rest in named if name in COMMANDS]
    assert len(meant) > 10
    with cli.make_context("p2pjong", []) as context:
        for name, words in meant:
            command = cli.get_command(context, name)
            assert command is not None
            known = {option for parameter in command.params for option in parameter.opts}
            assert {word for word in words if word.startswith("-")} <= known, (name, words)


def test_every_command_is_named_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED_VARIABLE, "some where/p2pjong")
    assert program_name() == "'some where/p2pjong'"
    for name in COMMANDS:
        assert COMMAND.search(f"try p2pjong {name} now"), name
        assert as_typed(f"try p2pjong {name} now") == f"try 'some where/p2pjong' {name} now"
    assert as_typed("a p2pjong that is none of ours") == "a p2pjong that is none of ours"
    assert as_typed("/bin/p2pjong host") == "/bin/p2pjong host"


def test_screens_name_it_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED_VARIABLE, "scripts/p2pjong")
    gathering = replace(lobby_of(1, 0), where="10.0.0.7:4242")
    shown = [*lobby.lobby_news(None, gathering, set()), *lobby.lobby_lines(gathering)]
    shown += render.help_lines(None, None, "", "war-jhong")
    shown += render.help_lines(view_of("I1 I2 I3"), None, "", "war-jhong")
    told = click.unstyle("\n".join(shown))
    assert "type: scripts/p2pjong join" in told
    assert "scripts/p2pjong join --connect 10.0.0.7:4242" in told
    assert told.count("scripts/p2pjong rules war-jhong") == 2
    assert not re.search(r"(?<!scripts/)p2pjong (join|rules)", told)
