"""One table, deterministic: a game, its state, and a dealer for its cards."""
