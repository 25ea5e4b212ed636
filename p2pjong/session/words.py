"""Table words: a few short words that are equal on all screens if nobody sits between the peers."""

from hashlib import sha256

LABEL = b"p2pjong/v1/words\x00"
WORDS_SHOWN = 4  # of 8 bits each: 32 bits, over nonces that nobody could choose to fit

# 256 words of everyday speech that are hard to mistake for one another when read aloud.
WORDS = tuple(
    """
    acid acorn agent album almond amber anchor angle ankle apple april apron arch arrow atlas
    autumn badge bagel baker bamboo banjo barrel basil basket beacon beard beaver bishop
    blanket blossom bonus bottle branch bread bridge broom bubble bucket buffalo bugle butter
    button cabin cactus camel candle canyon carpet carrot castle cedar cellar cherry chimney
    circus clover cobra coffee comet copper coral cotton cradle crayon cricket crown cuckoo
    curtain daisy denim desert diesel dinner doctor dolphin donkey dragon drawer drum eagle
    earth easel echo elbow elephant elm emerald engine envelope fabric falcon feather fence
    ferry fiddle finger flame flute forest fossil fountain fox freckle frost galaxy garden
    garlic gate geyser ginger giraffe glacier glove goblet gold grape gravel guitar hammer
    harbor harp hazel helmet hermit hockey honey hornet hotel iceberg igloo insect iron island
    ivory jacket jaguar jelly jewel jigsaw journal jungle kettle kidney kitchen kite ladder
    lagoon lantern lava lemon leopard lettuce library lily lizard lobster lotus lumber magnet
    mango maple marble market meadow melon mirror mitten monkey moon mosaic mountain muffin
    museum mustard napkin needle nickel ninja noodle nutmeg oak oasis ocean olive onion orange
    orbit orchid otter oven oyster paddle palace panda paper parrot peanut pebble pencil
    pepper piano pigeon pillow planet plum pocket polar pond poppy potato puddle pumpkin
    puzzle quartz queen quilt rabbit radio raven ribbon river robot rocket ruby saddle salmon
    sandal saturn scarf school shadow shovel silver skunk snow spider spoon squid stable sugar
    sunset swan table teapot thunder tiger tulip tunnel umbrella vanilla velvet violin walnut
    walrus window zebra
    """.split()
)


def table_words(charter: bytes) -> tuple[str, ...]:
    """The words of a charter's hash: a byte of its tagged SHA-256 chooses each of them."""
    return tuple(WORDS[byte] for byte in sha256(LABEL + charter).digest()[:WORDS_SHOWN])
