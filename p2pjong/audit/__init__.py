"""The audit of records: a path of its own, from the bytes of a record to what it proves."""

from p2pjong.audit.books import Books
from p2pjong.audit.faults import Fault
from p2pjong.audit.tally import PROVEN, Ballot, Result
from p2pjong.audit.verdict import Stop, Verdict, audit, fault_problem

__all__ = [
    "PROVEN",
    "Ballot",
    "Books",
    "Fault",
    "Result",
    "Stop",
    "Verdict",
    "audit",
    "fault_problem",
]
