"""A table that gathers, in words: who sits, who is ready, what can be done. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

from p2pjong.errors import Exit, P2PJongError
from p2pjong.games import GAMES
from p2pjong.games.game import NOBODY
from p2pjong.program_name import as_typed
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
from p2pjong.ui.names import Names
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.terms import told_terms
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, plural, rule, wrap


def lobby_lines(lobby: LobbyView) -> list[str]:
    """The whole lobby: the table, its options, its seats."""
    title = f"{clean(lobby.table)} - {_game_title(lobby.game)}"
    free = lobby.seats_total - len(lobby.seats)
    terms = told_terms(lobby.game, lobby.terms, lobby.seats_total)
    rows = [_seat_row(number, seat, lobby) for number, seat in enumerate(lobby.seats)]
    rows += [(dim(str(len(lobby.seats) + place)), dim("free"), "", "", "") for place in range(free)]
    return [
        rule(title),
        *wrap([f"{name}: {bold(text)}" for name, text in terms], " ", "   "),
        *(f" {line}" for line in aligned(rows)),
        *_start_lines(lobby),
        *_code_lines(lobby),
        *_way_in_lines(lobby),
        *(line for warning in lobby.warnings for line in warning_lines(warning)),
    ]


def _start_lines(lobby: LobbyView) -> list[str]:
    """When play begins: nobody is to start it by a key meant for something else."""
    text = "Play begins when everybody is ready."
    if not lobby.is_full:
        text = f"Play begins once {lobby.seats_total} are here and ready"
        if _seats_min(lobby) < lobby.seats_total:
            sooner = "s starts" if lobby.am_host else "the host may start"
            least = f", {_seats_min(lobby)} at least" if _seats_min(lobby) > SEATS_ALWAYS else ""
            text += f"; {sooner} with fewer{least}"
        text += "."
    return [dim(line) for line in wrap(text.split(" "), " ")]


SEATS_ALWAYS = 2  # so many it takes in any case


def _seats_min(lobby: LobbyView) -> int:
    return GAMES[lobby.game].seats_min if lobby.game in GAMES else SEATS_ALWAYS


def _code_lines(lobby: LobbyView) -> list[str]:
    if not lobby.code:
        return []
    return [f" private: joiners need the code {bold(clean(lobby.code, 64))}"]


def _way_in_lines(lobby: LobbyView) -> list[str]:
    """What friends of the host have to type, as long as there is room for them."""
    if not lobby.where:
        return []
    return [
        f" Friends on this network type: {bold(as_typed('p2pjong join'))}",
        dim(as_typed(" If that finds no table: p2pjong join --connect ") + clean(lobby.where, 50)),
    ]


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


def lobby_news(
    before: LobbyView | None, after: LobbyView, removed: Collection[str] = ()
) -> list[str]:
    """What changed in the lobby; all of it when it is seen first or when every seat is taken.

    `removed` are the fingerprints of those whom our person, the host, has sent away.
    """
    if before is None:
        return lobby_lines(after)
    seating = _seating_news(before, after, removed)
    if after.is_full and not before.is_full:
        return [*seating, *lobby_lines(after), *_again_lines(before, after)]
    lines = [*seating, *_again_lines(before, after)] if seating else _ready_news(before, after)
    fresh = [warning for warning in after.warnings if warning not in before.warnings]
    if after.code != before.code:
        lines += _code_lines(after)
    if after.where and before.where and after.where != before.where:
        lines += ["This machine has another address now.", *_way_in_lines(after)]
    if _can_start_now(after) and not _can_start_now(before):
        starts = "s starts" if after.am_host else "the host can start"
        lines.append(f"Everyone here is ready: {starts}, or wait for more.")
    return lines + [line for warning in fresh for line in warning_lines(warning)]


def _seating_news(before: LobbyView, after: LobbyView, removed: Collection[str]) -> list[str]:
    """Who has come, gone, or changed their name or place."""
    old = {seat.who: clean(seat.name) for seat in before.seats}
    new = {seat.who: clean(seat.name) for seat in after.seats}
    gone = [who for who in old if who not in new]
    lines = [
        f"You removed {old[who]}" if who[0] in removed else f"{old[who]} leaves the table"
        for who in gone
    ]
    names_gone = {old[who].casefold() for who in gone}
    for place, seat in enumerate(after.seats):
        name = new[seat.who]
        if place == after.me:
            continue
        if seat.who not in old:
            # A seat may be swapped for a stranger who bears the name that was there.
            another = f", not the {name} who left" * (name.casefold() in names_gone)
            lines.append(f"{name} sits down" + (" (a bot)" if seat.is_bot else "") + another)
        elif old[seat.who] != name:
            lines.append(f"{old[seat.who]} is now called {name}")
    stayed = [who for who in old if who in new]
    if stayed != [who for who in new if who in old]:
        lines.append("The host has changed the order of the seats")
    return lines


def _again_lines(before: LobbyView, after: LobbyView) -> list[str]:
    """Where other people sit now, whoever was ready says so again: one word for all of them."""
    am = [lobby.me is not None and lobby.seats[lobby.me].is_ready for lobby in (before, after)]
    if am == [True, False]:
        return ["You are not ready any more: look who is here, then press r again."]
    people = [seat for seat in after.seats if not seat.is_bot]
    had_word = {seat.who for seat in before.seats if seat.is_ready}
    is_asked = any(seat.who in had_word and not seat.is_ready for seat in people)
    return ["Everyone has to say ready again."] if is_asked else []


def _ready_news(before: LobbyView, after: LobbyView) -> list[str]:
    """Who got ready, or took it back. Bots are ready anyway, and nobody waits for them."""
    was_ready = {seat.who: seat.is_ready for seat in before.seats}
    lines = []
    for place, seat in enumerate(after.seats):
        who = "You are" if place == after.me else f"{clean(seat.name)} is"
        if seat.is_ready != was_ready[seat.who] and (place == after.me or not seat.is_bot):
            lines.append(f"{who} ready" if seat.is_ready else f"{who} not ready any more")
    return lines


def _can_start_now(lobby: LobbyView) -> bool:
    """Whether all who are here are ready, with seats free: nothing happens but by the host."""
    is_enough = len(lobby.seats) >= _seats_min(lobby)
    return is_enough and not lobby.is_full and all(seat.is_ready for seat in lobby.seats)


class LobbyQuestion(Question[LobbyCommand]):
    """A question whose keys follow the lobby while it stands open."""

    @classmethod
    def of(cls, lobby: LobbyView) -> "LobbyQuestion":
        """What our person may ask of the lobby now."""
        return lobby_question(lobby)


def lobby_question(lobby: LobbyView) -> LobbyQuestion:
    """What our person may ask of the lobby now."""
    keys: dict[str, LobbyCommand] = {}
    shown = []
    am_ready = lobby.me is not None and lobby.seats[lobby.me].is_ready
    if lobby.me is not None:
        keys["r"] = SetReady(not am_ready, lobby.shown)
        shown.append("r: take back ready" if am_ready else _ready_word(lobby))
    if lobby.am_host:
        removable = [seat for seat in range(len(lobby.seats)) if seat != lobby.me]
        if len(lobby.seats) >= _seats_min(lobby):
            keys["s"] = Start(lobby.shown)
            shown.append("s: start")
        if removable:
            shown.append("x SEAT: remove")
        keys |= {f"x {seat}": Remove(seat) for seat in removable}
    keys["q"] = Leave()
    also = {key.replace(" ", ""): command for key, command in keys.items()}
    return LobbyQuestion(
        ", ".join([*shown, "q: leave"]),
        keys,
        break_key="q",
        also=also,
        is_standing=True,
        hints=_host_hints(lobby) if lobby.am_host else dict.fromkeys("sx", HOST_ALONE),
    )


def _host_hints(lobby: LobbyView) -> dict[str, str]:
    """What to say to a host who types what cannot be done."""
    taken = len(lobby.seats)
    hints = {
        "x": "x needs the number of a seat, like x 1" if taken > 1 else "nobody else is here yet"
    }
    if taken < _seats_min(lobby):
        hints["s"] = f"it takes {_seats_min(lobby)} to play, and {taken} {_is_are(taken)} here"
    for seat in range(SEAT_NUMBERS):
        told = f"there is no seat {seat}"
        if seat == lobby.me:
            told = f"{seat} is you; q leaves"
        elif seat < lobby.seats_total:
            told = f"seat {seat} is free"
        hints |= dict.fromkeys((f"x {seat}", f"x{seat}"), told)
    return hints


HOST_ALONE = "only the host may do that"
SEAT_NUMBERS = 100  # that may be typed; no table has as many seats


def _is_are(count: int) -> str:
    return "is" if count == 1 else "are"


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
            are = f"{plural(free, 'seat')} {_is_are(free)} free"
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
        told = f"{plural(free, 'seat')} free"
        starts = "s starts" if lobby.am_host else "the host can start"
        return f"{told}; everyone here is ready: {starts}" if _can_start_now(lobby) else told
    unready = [place for place, seat in enumerate(lobby.seats) if not seat.is_ready]
    if any(not lobby.seats[place].is_host for place in unready):
        me = NOBODY if lobby.me is None else lobby.me
        names = Names(tuple(seat.name for seat in lobby.seats), me)
        return f"waiting for {names.listed(tuple(unready))} to be ready"
    if lobby.am_host:
        return "all others are ready: r or s starts"
    if unready:
        return f"all others are ready: waiting for {clean(lobby.seats[unready[0]].name)} to start"
    return "all are ready: the game begins"


def found_line(offer: TableOffer) -> str:
    """One table as it is found."""
    return f" found {clean(offer.table)}: {_game_title(offer.game)}, {_room(offer)}"


def offer_lines(offers: tuple[TableOffer, ...]) -> list[str]:
    """Tables to choose from, by their numbers; those of a list that has none, from 1."""
    rows = [_offer_row(offer, offer.number or place) for place, offer in enumerate(offers, 1)]
    lines: list[str] = []
    for offer, line in zip(offers, aligned(rows), strict=True):
        lines.append(f" {line}")
        if offer.is_known and not offer.is_gone:
            lines.append(f"    {bold(KNOWN_HOST)}")
    return lines


KNOWN_HOST = "you have played with this host before"


def _offer_row(offer: TableOffer, number: int) -> tuple[str, ...]:
    return (
        bold(str(number)),
        clean(offer.table),
        _game_title(offer.game),
        _room(offer),
        dim(clean(offer.fingerprint)) if offer.fingerprint else "",
        dim(clean(offer.where, 40)) if offer.where else "",
    )


def offer_news(before: tuple[TableOffer, ...], after: tuple[TableOffer, ...]) -> list[str]:
    """Which tables have come or gone, or have room or none any more."""
    old = {offer.number: offer for offer in before}
    lines = []
    for offer in after:
        was = old.get(offer.number)
        if was is None:
            lines += offer_lines((offer,))
        elif _room(was) != _room(offer):
            lines.append(f" {offer.number}  {clean(offer.table)}: {_room(offer)} now")
    return lines


def _room(offer: TableOffer) -> str:
    if offer.is_gone:
        return "closed"
    if offer.is_playing:
        return "playing"
    if offer.is_private and offer.seats_free:
        return f"private, {offer.seats_free} of {offer.seats_total} free"
    return f"{offer.seats_free} of {offer.seats_total} free" if offer.seats_free else "full"


@dataclass(frozen=True)
class OfferQuestion(Question[TableOffer | None]):
    """Which table to join: by its number, or by as much of its name as tells it from others."""

    offers: tuple[TableOffer, ...] = ()

    @classmethod
    def of(cls, offers: tuple[TableOffer, ...]) -> "OfferQuestion":
        """The question, as the tables are now."""
        is_open = [offer.number for offer in offers if not offer.is_gone]
        some = f"join {is_open[0]}-{is_open[-1]}, or type a name" if is_open else ""
        one = f"join {is_open[0]}" if len(is_open) == 1 else some
        return cls(
            f"{one or 'no table is open now'}, q: give up",
            {"q": None},
            tuple(offer_lines(offers)),
            break_key="q",
            about=f"{plural(len(is_open), 'table')} found",
            offers=offers,
        )

    def read(self, text: str) -> TableOffer | None:
        typed = " ".join(text.split())
        if typed.lower() in self.keys:
            return None
        meant = [offer for offer in self.offers if str(offer.number) == typed]
        meant = meant or [offer for offer in self.offers if offer.is_called(typed)]
        if not meant:
            raise NoAnswer(f"there is no table {typed!r}: type a number or a name")
        is_open = [offer for offer in meant if not offer.is_gone]
        if not is_open:
            raise NoAnswer(f"{clean(meant[0].table)} has closed: choose another one")
        if len(is_open) > 1:
            numbers = ", ".join(str(offer.number) for offer in is_open)
            raise NoAnswer(f"several tables have that name ({numbers}): type the number")
        return is_open[0]


SHOWN_MAX = 6  # of the tables that an error lists


def several_tables(offers: tuple[TableOffer, ...]) -> P2PJongError:
    """A script has to say which table it means; so it is told what to type for each."""
    named = [
        f'"{clean(offer.table)}{f"#{offer.fingerprint}" * bool(offer.fingerprint)}"'
        + f" ({KNOWN_HOST})" * offer.is_known
        for offer in offers
        if not offer.is_gone
    ]
    more = f", and {len(named) - SHOWN_MAX} more" if len(named) > SHOWN_MAX else ""
    return P2PJongError(
        "more than one table could be meant, and a bot cannot choose",
        f"name one of them: {', '.join(named[:SHOWN_MAX])}{more}; or --connect HOST:PORT",
        Exit.USAGE,
    )


class CodeQuestion(Question[str | None]):
    """Asks for the code of a private table: a typing error is told at once and costs no guess."""

    @classmethod
    def asked(cls) -> "CodeQuestion":
        lines = (f"The table is private. Ask its host for the code, which looks like {EXAMPLE}.",)
        about = "the host's screen shows the code"
        return cls("code of the table, q: give up", {"q": None}, lines, break_key="q", about=about)

    def read(self, text: str) -> str | None:
        if " ".join(text.lower().split()) in self.keys:
            return None
        try:
            code = normal_code(text)
            check_form(code)
        except BadCode as error:
            raise NoAnswer(str(error)) from error
        return code
