"""p2pjong: card games between friends on one network, with no server and a veiled deck."""

__version__ = "0.1.0"
