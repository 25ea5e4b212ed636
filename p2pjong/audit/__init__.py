"""The audit of records: from the messages of a record to what they prove."""

from p2pjong.audit.verdict import Stop, Verdict, audit, fault_problem
from p2pjong.session.effects import Books
from p2pjong.session.faults import Fault
from p2pjong.session.results import Ballot, SignedResult
from p2pjong.session.tally import PROVEN

__all__ = [
    "PROVEN",
    "Ballot",
    "Books",
    "Fault",
    "SignedResult",
    "Stop",
    "Verdict",
    "audit",
    "fault_problem",
]
