"""Tables on this network: announcing ours, finding those of others.

Implements "Discovery" of `protocol/handshake.md`. A table is found when its announcement parses
and its host proves, over a link handshake, to be the one announced: what only claims to be a table,
or was one before its host vanished, is not shown.
"""

import asyncio
import dataclasses
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zeroconf import (
    BadTypeInNameException,
    DNSOutgoing,
    DNSQuestion,
    ServiceInfo,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from p2pjong.net.address import Address, by_nearness, own_addresses
from p2pjong.net.announcement import (
    SERVICE_TYPE,
    Announcement,
    BadAnnouncement,
    OtherVersion,
    from_txt,
    instance_label,
    to_txt,
)
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.link_errors import LinkError
from p2pjong.net.multicast import WATCH_S, Multicast
from p2pjong.net.probe import Prober

__all__ = ["Announcement", "Announcer", "Browser", "FoundTable", "find_tables"]
