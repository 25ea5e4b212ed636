"""The bots that a host starts beside itself: whole peers in processes of their own."""

import asyncio
import os
import sys
from pathlib import Path

from p2pjong.app.parent import PARENT_VARIABLE
from p2pjong.games import ENTRIES
from p2pjong.net.identity import load_identity, make_private_directory
from p2pjong.settings import CODE_VARIABLE, PeerSettings

STOP_S = 3.0


class BotProcesses:
    """Starts the bots of a table, and takes care that none outlives its table.

    Each holds the reading end of a pipe from us as its standard input: when we die, however
    suddenly, the pipe ends, and so does the bot.
    """

    def __init__(self, settings: PeerSettings, port: int) -> None:
        self._settings = settings
        self._port = port
        self._processes: list[asyncio.subprocess.Process] = []
        self._keys: list[bytes] = []

    def identities(self) -> list[bytes]:
        """The keys under which they will come: our own door knows them, and tells them no code."""
        if not self._keys:
            self._keys = [load_identity(self._home(number)).key for number in self._numbers()]
        return self._keys

    async def start(self) -> None:
        """Start all of them."""
        for number in self._numbers():
            self._processes.append(await self._start_one(number))

    def _numbers(self) -> range:
        return range(1, self._settings.bots + 1)

    def _home(self, number: int) -> Path:
        return self._settings.home / "bots" / str(number)

    async def _start_one(self, number: int) -> asyncio.subprocess.Process:
        home = self._home(number)
        make_private_directory(home)
        with (home / "log.txt").open("wb") as log:
            return await asyncio.create_subprocess_exec(
                *self._command(number, home),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C in our terminal is not for them
                env=_environment(),
            )

    def _command(self, number: int, home: Path) -> list[str]:
        settings = self._settings
        host = settings.bind or "127.0.0.1"
        where = f"[{host}]:{self._port}" if ":" in host else f"{host}:{self._port}"
        command = [sys.executable, "-m", "p2pjong"]
        if settings.is_debug:
            command.append("--debug")
        command += ["bot", "--connect", where, "--name", f"bot {number}"]
        command += ["--strategy", settings.bot_strategy, "--home", str(home)]
        if settings.bind:
            command += ["--bind", settings.bind]
        delay_ms = settings.delay_ms or _pause_ms(settings)
        if delay_ms:
            command += ["--delay", str(delay_ms)]
        return command

    def dismiss(self) -> None:
        """End their input: they leave their table in order, at once, and go."""
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()

    async def stop(self) -> None:
        """See that all end: by themselves, as we said goodbye, or because their input does."""
        if not await self._have_ended():
            self.dismiss()
            await self._have_ended()
        for process in self._processes:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _have_ended(self) -> bool:
        """Whether all have within some seconds, the same ones for all."""
        ending = [asyncio.create_task(process.wait()) for process in self._processes]
        if not ending:
            return True
        _, running = await asyncio.wait(ending, timeout=STOP_S)
        for task in running:
            task.cancel()
        return not running


def _pause_ms(settings: PeerSettings) -> int:
    if settings.is_automatic:
        return 0
    return ENTRIES[settings.game].pause_ms


def _environment() -> dict[str, str]:
    # A code that our person keeps there is that of somebody else's table.
    kept = {name: value for name, value in os.environ.items() if name != CODE_VARIABLE}
    return {**kept, PARENT_VARIABLE: "stdin"}
