"""What one peer may cost another on the network: times, counts and sizes, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of links; the defaults suit a LAN, tests shorten the times."""

    connect_s: float = 4.0  # until TCP answers
    handshake_s: float = 5.0  # for each of TLS and the link handshake
    closing_s: float = 2.0  # for the last bytes of a link to get out
    ping_s: float = 5.0  # silence before a ping
    pings_unanswered: int = 3  # after as many the link is dead
    pong_s: float = 0.25  # the beat in which pings are answered

    links: int = 16
    half_open: int = 16  # connections that have not proved who they are
    half_open_per_address: int = 12  # so that one address cannot lock all others out
    connections_burst: int = 32  # of one address at once,
    connections_per_s: float = 4.0  # and in the long run

    # A reader this far behind has stopped reading. A whole game's journal fits several times.
    write_buffer_bytes: int = 32 << 20
    # Inbound bytes of one link: a flood is read at this pace, TCP makes the flooder wait.
    inbound_burst_bytes: int = 64 << 20
    inbound_bytes_per_s: float = 8 << 20

    redial_min_s: float = 0.2
    redial_max_s: float = 10.0
    stagger_s: float = 0.25  # between the addresses of one peer

    # An announcement costs whoever looks at it no more than this: a first try at the nearest
    # addresses, which on a LAN is enough for nearly every host, and one at all of them.
    probe_first_addresses: int = 2
    probe_first_s: float = 1.0
    probe_addresses: int = 16
    probe_s: float = 4.0


LIMITS = Limits()
