"""The games that the command line offers, and the options of tables at which they are played."""

from importlib.resources import files

from p2pjong.games import ENTRIES, GAMES, TARGET, Entry
from p2pjong.games.game import Options
from p2pjong.settings import usage

OFFERED = tuple(sorted(GAMES))


def rules_text(game: str) -> str:
    """The game's page of rules, in the project's own words."""
    return files(ENTRIES[game].page).joinpath("rules.txt").read_text(encoding="utf-8")


def check_table(game: str, seats: int, options: Options) -> None:
    """Raises P2PJongError (usage) if the game is not for so many seats, or has no such options."""
    rules = GAMES[game]
    if not rules.seats_min <= seats <= rules.seats_max:
        allowed = f"{rules.seats_min} to {rules.seats_max} seats"
        raise usage(f"{rules.title} is for {allowed}, not {seats}")
    try:
        rules.start(seats, options)
    except ValueError as error:
        raise usage(str(error)) from error


def length_help(option: str) -> str:
    """What an option that says how long a game is means for each game that has it."""
    having = [ENTRIES[name] for name in OFFERED if ENTRIES[name].length.option == option]
    what = "What wins" if option == TARGET else "How long the game is"
    meant = [f"{one.length.unit} in {one.rules.title}  [default: {_usual(one)}]" for one in having]
    return f"{what}: {', '.join(meant)}."


def _usual(entry: Entry) -> str:
    seats = range(entry.rules.seats_min, entry.rules.seats_max + 1)
    usual = {count: entry.length.usual(count) for count in seats}
    if len(set(usual.values())) == 1:
        return str(usual[entry.rules.seats_min])
    return ", ".join(f"{number} with {count} seats" for count, number in usual.items())
