"""What a hand of War Jhong could become: plans of Formations that it is a few cards away from.

A plan is what the hand's Formations would show, the cards that are still missing for it, and the
cards that it has no use for. Only plans within reach are listed, so that a bot can weigh each.
"""
