"""One peer from its options to its outcome: puts net, session, store and front together."""
