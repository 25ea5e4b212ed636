"""The 71 cards of Samurai Warfare: name, copies, type, force, traits and Battle Action.

The order of the list is the order of card codes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2pjong.games.cards import build_deck, rank_faces
from p2pjong.games.game import Face
from p2pjong.games.samurai_warfare.effects import (
    ARCHER,
    ASHIGARU,
    CAVALRY,
    FORT,
    GUNS,
    SAMURAI,
    SHOGUN,
    SPEAR,
    SPECIAL,
    STRATEGY,
    SWORD,
    TERRAIN,
    Bonus,
    Destroy,
    DrawCards,
    Effect,
    Extra,
    LookAtHand,
    Lose,
    Steal,
)


@dataclass(frozen=True)
class Card:
    """One kind of card. `action` takes place when it is played in the Battle Phase (S8)."""

    name: str
    copies: int
    type: str
    force: int
    traits: tuple[str, ...] = ()
    action: Effect | None = None

    @property
    def code(self) -> Face:
        """The name in lower case with hyphens."""
        return self.name.lower().replace(" ", "-")

    @property
    def actions(self) -> tuple[Effect, ...]:
        """The Battle Action as a list of effects; () for a card without one."""
        return (self.action,) if self.action else ()

    def is_a(self, kind: str) -> bool:
        """Whether the card is of this type, or has this trait."""
        return kind == self.type or kind in self.traits


_LIST = (
    Card("Yari Spearmen", 4, ASHIGARU, 2, (SPEAR,)),
    Card("Yumi Archers", 4, ASHIGARU, 4, (ARCHER,)),
    Card("Matchlock Gunners", 4, ASHIGARU, 6, (GUNS,)),
    Card("Clan Swordsmen", 2, SAMURAI, 3, (SWORD,)),
    Card("Naginata", 2, SAMURAI, 4, (SPEAR,)),
    Card("Bushi Archers", 2, SAMURAI, 5, (ARCHER,)),
    Card("Horse Archers", 3, SAMURAI, 7, (CAVALRY, ARCHER)),
    Card("Heavy Cavalry", 3, SAMURAI, 8, (CAVALRY,)),
    Card("Takeda", 1, SHOGUN, 7, action=Bonus(GUNS)),
    Card("Masamune", 1, SHOGUN, 6, action=Lose(1)),
    Card("Tokugawa", 1, SHOGUN, 8, action=DrawCards(2)),
    Card("Honda", 1, SHOGUN, 10, action=LookAtHand()),
    Card("Masashige", 1, SHOGUN, 9, action=DrawCards(1)),
    Card("Minamoto", 1, SHOGUN, 6, action=Bonus(ARCHER)),
    Card("Motonari", 1, SHOGUN, 6, action=Extra(TERRAIN)),
    Card("Nobunaga", 1, SHOGUN, 7, action=Extra(SAMURAI)),
    Card("Toyotomi", 1, SHOGUN, 7, action=Extra(STRATEGY)),
    Card("Fukushima", 1, SHOGUN, 5, action=Bonus(SPEAR)),
    Card("Musashi", 1, SHOGUN, 8, action=Bonus(SWORD)),
    Card("Naomasa", 1, SHOGUN, 5, action=Bonus(CAVALRY)),
    Card("Explosives", 1, SPECIAL, 3, action=Destroy(TERRAIN)),
    Card("Sohei Warrior Monks", 1, SPECIAL, 6, (SPEAR,)),
    Card("Ronin Mercenaries", 1, SPECIAL, 5, (SWORD,)),
    Card("Portuguese Soldiers", 1, SPECIAL, 7, (GUNS,)),
    Card("Ninja Assassin", 1, SPECIAL, 2, action=Destroy(SHOGUN)),
    Card("Cannons", 1, SPECIAL, 9, (GUNS,)),
    Card("Retainer", 1, SPECIAL, 5, action=Extra(SHOGUN)),
    Card("Rebellion", 1, SPECIAL, 3, action=Lose(2)),
    Card("Seppuku", 1, SPECIAL, 1, action=Destroy(SHOGUN)),
    Card("Betrayal", 1, SPECIAL, 4, action=Lose(1)),
    Card("Spies", 1, SPECIAL, 3, action=LookAtHand()),
    Card("Fortress", 1, TERRAIN, 10, (FORT,), Bonus(ARCHER)),
    Card("Castle", 1, TERRAIN, 9, (FORT,), Bonus(GUNS)),
    Card("River", 1, TERRAIN, 8, action=Steal()),
    Card("Open Ground", 1, TERRAIN, 2, action=Destroy(SPEAR)),
    Card("Stronghold", 1, TERRAIN, 7, (FORT,), Extra(SAMURAI)),
    Card("Treacherous Terrain", 1, TERRAIN, 7, action=Lose(1)),
    Card("Difficult Terrain", 1, TERRAIN, 6, action=Destroy(SPEAR)),
    Card("Mountain", 1, TERRAIN, 6, action=Destroy(CAVALRY)),
    Card("Forest", 1, TERRAIN, 5, action=DrawCards(1)),
    Card("Thunderstorm", 1, TERRAIN, 4, action=Destroy(GUNS)),
    Card("Heavy Snow", 1, TERRAIN, 6, action=Destroy(ASHIGARU)),
    Card("Roads", 1, TERRAIN, 3, action=Extra(ASHIGARU)),
    Card("Invasion Fleet", 1, STRATEGY, 10, action=Destroy(TERRAIN, but_no=FORT)),
    Card("Allied Clan", 1, STRATEGY, 4, action=Extra(SAMURAI)),
    Card("Reserves", 1, STRATEGY, 3, action=DrawCards(1)),
    Card("Campaign", 1, STRATEGY, 9, action=Extra(STRATEGY)),
    Card("Siege", 1, STRATEGY, 7, action=Destroy(FORT)),
    Card("Surprise Attack", 1, STRATEGY, 8, action=Destroy(ASHIGARU)),
    Card("Ambush", 1, STRATEGY, 8, action=Destroy(GUNS)),
    Card("Cut Off Supplies", 1, STRATEGY, 7, action=Lose(1)),
    Card("Counterattack", 1, STRATEGY, 6, action=Bonus(SPEAR)),
    Card("Surrounded", 1, STRATEGY, 6, action=Destroy(SAMURAI)),
    Card("Superior Tactics", 1, STRATEGY, 2, action=Steal()),
    Card("Forced March", 1, STRATEGY, 5, action=Extra(ASHIGARU)),
)

CARDS: Mapping[Face, Card] = {card.code: card for card in _LIST}
COPIES: Mapping[Face, int] = {code: card.copies for code, card in CARDS.items()}
FACES: tuple[Face, ...] = tuple(CARDS)
DECK = build_deck(COPIES)
RANK = rank_faces(COPIES)
