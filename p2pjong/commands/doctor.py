"""`doctor`: why no table is found on this network, and what to do about it."""

import asyncio
from collections.abc import Sequence

import click

from p2pjong.commands.flags import Flags, answer_json, common_options, ip_address, json_option
from p2pjong.commands.log_lines import set_up_log
from p2pjong.errors import Exit
from p2pjong.net.doctor import Finding, examine
from p2pjong.program_name import as_typed

# Without these nothing can be found or played, whoever else is on the network.
NEEDED = frozenset(("network", "port", "links", "multicast"))
PORT_MAX = 65535
CHECK_COLUMNS = 12


@click.command()
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, PORT_MAX),
    metavar="P",
    help="Also check that this TCP port, for host --port, is free.",
)
@click.option(
    "--bind",
    default="",
    callback=ip_address,
    metavar="ADDRESS",
    help="Check this address only.",
)
@json_option
@common_options
def doctor(port: int, bind: str, is_json: bool) -> int:
    """Find out why no table is found on this network, and what to do.

    Takes some seconds. Run it on both machines: on the one that hosts, and on the one that joins.
    """
    if not is_json:
        click.echo("checking this machine and its network ...", err=True)
    set_up_log(click.get_current_context().ensure_object(Flags).is_debug)
    findings = asyncio.run(examine(port, bind or None))
    code = judge(findings)
    if is_json:
        answer_json(_as_json(findings, code))
        return code
    for line in report_lines(findings):
        click.echo(line)
    return code


def judge(findings: Sequence[Finding]) -> Exit:
    """OK where a table is found, or would be if one were open; else NOTHING_FOUND."""
    wrong = {finding.check for finding in findings if not finding.is_well}
    is_cut_off = not wrong.isdisjoint(NEEDED | {"neighbours", "reach"})
    return Exit.NOTHING_FOUND if "tables" in wrong and is_cut_off else Exit.OK


def report_lines(findings: Sequence[Finding]) -> list[str]:
    """All findings, what to do beneath each that asks for it, and what it comes to."""
    from p2pjong.ui.text import bold, wrap

    told = [line for finding in findings for line in _finding_lines(finding)]
    return [*told, "", *map(bold, wrap(as_typed(conclusion(findings)).split()))]


def _finding_lines(finding: Finding) -> list[str]:
    from p2pjong.ui.text import alarm, bold, clean, dim, wrap

    if finding.is_well:
        mark = dim("ok")
    else:
        mark = alarm("NO") if finding.check in NEEDED else bold("? ")
    hang = " " * (CHECK_COLUMNS + 4)
    first, *rest = wrap(clean(finding.text, 400).split(), hang)
    hint = wrap(["->", *as_typed(finding.hint).split()], hang, hang="   ") if finding.hint else []
    return [f"{mark}  {finding.check:{CHECK_COLUMNS}}{first.strip()}", *rest, *map(dim, hint)]


def conclusion(findings: Sequence[Finding]) -> str:
    """One sentence on what all findings come to."""
    wrong = [finding.check for finding in findings if not finding.is_well]
    broken = [check for check in wrong if check in NEEDED]
    if "tables" not in wrong and "firewall" in wrong:
        return (
            "The firewall of this machine seems to keep others from its table: allow what is named "
            "above. To see whether they get through, run p2pjong doctor on their machine."
        )
    if "tables" not in wrong:
        return "Tables are found: p2pjong join."
    if broken:
        return f"Nothing can be found from here until this is fixed: {', '.join(broken)}."
    if "reach" in wrong:
        return (
            "A table is announced, but this machine cannot connect to it: most likely the firewall "
            "of its machine lets nobody in. Run p2pjong doctor there."
        )
    if "neighbours" in wrong:
        return (
            "This machine is fine, but it hears no other: the network between may keep machines "
            "apart. If p2pjong doctor says the same on the other machine, use another network, or "
            "p2pjong host --port 4242 there and p2pjong join --connect ADDRESS:4242 here."
        )
    return "All is well here, and no table is open on this network: p2pjong host opens one."


def _as_json(findings: Sequence[Finding], code: Exit) -> dict[str, object]:
    return {
        "well": code == Exit.OK,
        "findings": [
            {
                "check": finding.check,
                "well": finding.is_well,
                "text": finding.text,
                "hint": finding.hint,
            }
            for finding in findings
        ],
        "conclusion": conclusion(findings),
    }
