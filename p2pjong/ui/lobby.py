"""A table that gathers, in words: who sits, who is ready, what can be done. Pure."""

from p2pjong.games import GAMES
from p2pjong.session.lobby_view import (
    Leave,
    LobbyCommand,
    LobbySeat,
    LobbyView,
    Remove,
    SetReady,
    Start,
    TableOffer,
)
from p2pjong.session.table_code import EXAMPLE, BadCode, check_form, normal_code
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, plural, rule, wrap


def lobby_lines(lobby: LobbyView) -> list[str]:
    """The whole lobby: the table, its options, its seats."""
    title = f"{clean(lobby.table)} - {_game_title(lobby.game)}"
    free = lobby.seats_total - len(lobby.seats)
    rows = [_seat_row(number, seat, lobby) for number, seat in enumerate(lobby.seats)]
    rows += [(dim(str(len(lobby.seats) + place)), dim("free"), "", "", "") for place in range(free)]
    return [
        rule(title),
        *wrap(
            [f"{clean(name)} {bold(clean(text, 60))}" for name, text in lobby.options], " ", "   "
        ),
        *(f" {line}" for line in aligned(rows)),
        *_start_lines(lobby),
        *_code_lines(lobby),
        *(line for warning in lobby.warnings for line in warning_lines(warning)),
    ]


def _start_lines(lobby: LobbyView) -> list[str]:
    """When play begins: nobody is to start it by a key meant for something else."""
    seats = "" if lobby.is_full else f"all {lobby.seats_total} seats are taken and "
    sooner = ""
    if not lobby.is_full:
        sooner = "; s starts with fewer" if lobby.am_host else ", or as the host starts with fewer"
    text = f"Play begins when {seats}everybody is ready{sooner}."
    return [dim(line) for line in wrap(text.split(" "), " ")]


def _code_lines(lobby: LobbyView) -> list[str]:
    if not lobby.code:
        return []
    return [f" private: who joins must give the code {bold(clean(lobby.code, 64))}"]


def warning_lines(warning: str) -> list[str]:
    """A warning that nobody overlooks, with or without colours."""
    words = clean(warning, 400).split(" ")
    return [alarm(line) for line in wrap(["WARNING:", *words], "!!! ")]


def _game_title(game: str) -> str:
    return GAMES[game].title if game in GAMES else clean(game)


def _seat_row(number: int, seat: LobbySeat, lobby: LobbyView) -> tuple[str, ...]:
    kinds = [kind for kind, holds in (("host", seat.is_host), ("bot", seat.is_bot)) if holds]
    name = clean(seat.name) + (" (you)" if number == lobby.me else "")
    return (
        str(number),
        bold(name) if number == lobby.me else name,
        " ".join(kinds),
        "ready" if seat.is_ready else dim("not ready"),
        dim(clean(seat.fingerprint)),
    )


def lobby_news(before: LobbyView | None, after: LobbyView) -> list[str]:
    """What changed in the lobby; all of it when it is seen first or when every seat is taken."""
    if before is None or (after.is_full and not before.is_full):
        return lobby_lines(after)
    old = {seat.fingerprint: seat for seat in before.seats}
    new = {seat.fingerprint: seat for seat in after.seats}
    lines = [f"{clean(old[key].name)} leaves the table" for key in old if key not in new]
    for place, (key, seat) in enumerate(new.items()):
        was_ready = key in old and old[key].is_ready
        who = "You are" if place == after.me else f"{clean(seat.name)} is"
        if key not in old and place != after.me:
            lines.append(f"{clean(seat.name)} sits down" + (" (a bot)" if seat.is_bot else ""))
        if seat.is_ready != was_ready:
            lines.append(f"{who} ready" if seat.is_ready else f"{who} not ready any more")
    fresh = [warning for warning in after.warnings if warning not in before.warnings]
    if after.code != before.code:
        lines += _code_lines(after)
    return lines + [line for warning in fresh for line in warning_lines(warning)]


def lobby_question(lobby: LobbyView) -> Question[LobbyCommand]:
    """What our person may ask of the lobby now."""
    keys: dict[str, LobbyCommand] = {}
    shown = []
    am_ready = lobby.me is not None and lobby.seats[lobby.me].is_ready
    if lobby.me is not None:
        keys["r"] = SetReady(not am_ready)
        shown.append("r: not ready after all" if am_ready else _ready_word(lobby))
    if lobby.am_host:
        removable = [seat for seat in range(len(lobby.seats)) if seat != lobby.me]
        if len(lobby.seats) > 1:
            keys["s"] = Start()
            shown.append("s: start")
            shown.append("x SEAT: remove")
        keys |= {f"x {seat}": Remove(seat) for seat in removable}
    keys["q"] = Leave()
    also = {key.replace(" ", ""): command for key, command in keys.items()}
    return Question(", ".join([*shown, "q: leave"]), keys, break_key="q", also=also)


def _ready_word(lobby: LobbyView) -> str:
    others = [seat for place, seat in enumerate(lobby.seats) if place != lobby.me]
    begins = lobby.is_full and all(seat.is_ready for seat in others)
    return "r: ready, which starts the game" if begins else "r: ready"


class StartQuestion(Question[bool]):
    """Asks a host once whether to start with free seats."""

    @classmethod
    def of(cls, lobby: LobbyView) -> "StartQuestion":
        free, taken = lobby.seats_total - len(lobby.seats), len(lobby.seats)
        are = "every seat is taken"
        if free:
            are = f"{plural(free, 'seat')} {'is' if free == 1 else 'are'} free"
        return cls(
            f"{are}: start with {plural(taken, 'player')}? y/n",
            {"y": True, "n": False},
            is_instant=True,
            break_key="n",
        )


def lobby_status(lobby: LobbyView) -> str:
    """Whom the table waits for: free seats, seats that are not ready, the host."""
    free = lobby.seats_total - len(lobby.seats)
    if free:
        return f"{plural(free, 'seat')} free"
    unready = [
        "you" if place == lobby.me else clean(seat.name)
        for place, seat in enumerate(lobby.seats)
        if not (seat.is_ready or seat.is_host)  # a host that starts is ready
    ]
    if unready:
        return f"waiting for {', '.join(unready)} to be ready"
    return "all are ready" + (": s starts" if lobby.am_host else ", the host starts")


def found_line(offer: TableOffer) -> str:
    """One table as it is found."""
    return f" found {clean(offer.table)}: {_game_title(offer.game)}, {_room(offer)}"


def offer_lines(offers: tuple[TableOffer, ...]) -> list[str]:
    """Tables to choose from, numbered from 1."""
    rows = [
        (
            bold(str(number)),
            clean(offer.table),
            _game_title(offer.game),
            _room(offer),
            clean(offer.host) if offer.host else "",
            dim(clean(offer.fingerprint)) if offer.fingerprint else "",
            dim(clean(offer.where, 40)) if offer.where else "",
        )
        for number, offer in enumerate(offers, 1)
    ]
    return [f" {line}" for line in aligned(rows)]


def _room(offer: TableOffer) -> str:
    if offer.is_playing:
        return "playing"
    if offer.is_private and offer.seats_free:
        return f"private, {offer.seats_free} of {offer.seats_total} free"
    return f"{offer.seats_free} of {offer.seats_total} free" if offer.seats_free else "full"


def offer_question(offers: tuple[TableOffer, ...]) -> Question[TableOffer | None]:
    """Which table to join."""
    keys: dict[str, TableOffer | None] = {str(n): offer for n, offer in enumerate(offers, 1)}
    keys["q"] = None
    by_name = {clean(offer.table).lower(): offer for offer in offers}
    prompt = f"join 1-{len(offers)}, q: none"
    return Question(prompt, keys, tuple(offer_lines(offers)), break_key="q", also=by_name)


class CodeQuestion(Question[str | None]):
    """Asks for the code of a private table: a typing error is told at once and costs no guess."""

    @classmethod
    def asked(cls) -> "CodeQuestion":
        lines = (f"The table is private. Its host can tell you the code, such as {EXAMPLE}.",)
        return cls("code of the table, q: none", {"q": None}, lines, break_key="q")

    def read(self, text: str) -> str | None:
        if " ".join(text.lower().split()) in self.keys:
            return None
        try:
            code = normal_code(text)
            check_form(code)
        except BadCode as error:
            raise NoAnswer(str(error)) from error
        return code
