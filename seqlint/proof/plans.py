"""Chooses what is driven in a module of classes: once, on the unchanged module, so that both sides get the same inputs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.proof.programs import Program
    from seqlint.proof.recorder.recording import Left, Plan
    from seqlint.proof.run import Pair, Run
    from seqlint.proof.running import Worker

Undriven = tuple["Run", str, str]
"""The run that tried, why nothing can be driven, and the smallest factory that would do."""


def planned(pair: Pair, child: Worker) -> tuple[Pair, Undriven | None]:
    """The pair with its plan, and why nothing can be driven, if so.

    A pair that has a factory or a plan is returned as it is: the plan of one pair serves all pairs of its file.
    """
    program = pair.program
    if program.factory or program.plan:
        return pair, None
    run = _tried(pair, child, pair.before)
    if run.recording is None:
        return pair, (run, f"the module can't be imported: {run.detail}", "")
    plan = run.recording["plan"]
    if plan["left"] and run.recording["error"] is None:
        plan = _with_repaired(plan, _tried(pair, child, pair.after))
    if plan["targets"]:
        return replace(pair, program=replace(program, plan=json.dumps(plan))), None
    error = run.recording["error"]
    if error is not None:
        return pair, (run, f"the module can't be imported: {error['type']}: {error['text']}", "")
    reasons = "; ".join(
        f"{left['name']}: {left['reason']}" if left["name"] else left["reason"] for left in plan["left"]
    )
    return pair, (run, reasons or run.detail, together(plan["left"]))


def _tried(pair: Pair, child: Worker, text: str | bytes) -> Run:
    return child.run(text, pair.script, pair.folder, replace(pair.program, kind="plan"))


def _with_repaired(plan: Plan, after: Run) -> Plan:
    """The plan, with what can be driven only once it is changed: what is wrong with it may be what the change repairs."""
    if after.recording is None:
        return plan
    left = {item["name"] for item in plan["left"]}
    repaired = [target for target in after.recording["plan"]["targets"] if target["name"] in left]
    names = {target["name"] for target in repaired}
    return {
        "targets": [*plan["targets"], *repaired], "left": [item for item in plan["left"] if item["name"] not in names],
    }  # fmt: skip


def missing_factory(program: Program) -> str:
    """The factories for what a plan leaves out; empty where there is none, or nothing is left out."""
    return together(json.loads(program.plan)["left"]) if program.plan else ""


def together(left: Iterable[Left]) -> str:
    """One file of factories for all that can't be driven."""
    factories = [item["factory"] for item in left if item["factory"]]
    heads: dict[str, None] = {}
    bodies: list[str] = []
    for factory in factories:
        head, _, body = factory.partition("\n\n\n")
        heads.update(dict.fromkeys(line for line in head.splitlines() if line))
        bodies.append(body.strip("\n"))
    return "\n\n\n".join(["\n".join(heads), *bodies]) + "\n" if factories else ""
