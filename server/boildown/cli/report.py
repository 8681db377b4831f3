"""The report on a reduction as programs get it, by `--json`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from boildown.jobs.advice import for_terminal
from boildown.jobs.events import coded, headed, size, tokens
from boildown.jobs.reduce import Reduced


def in_json(before: str, result: Reduced, output: Path) -> dict[str, Any]:
    """Return the report on a reduction as programs get it."""
    reduction = result.reduction
    start, flaky = result.start, reduction.flaky
    return {
        **headed("reduction"),
        "language": result.language,
        "passes": list(result.passes),
        "bytes_before": size(before),
        "bytes_after": size(reduction.text),
        "bytes_written": size(result.text),
        "tokens_before": tokens(before),
        "tokens_after": tokens(reduction.text),
        **result.in_json,
        "preflight_runs": 0 if start is None else start.runs,
        "preflight_candidates": 0 if start is None else len(start.judged),
        "verify_runs": result.verify_runs,
        "outcomes": {outcome.value: n for outcome, n in reduction.outcomes.items()},
        "seconds": round(result.seconds, 3),
        "test_seconds": round(result.test_seconds, 3),
        "stopped": result.stopped,
        "doubts": coded(result.doubts, for_terminal),
        "flaky": flaky and asdict(flaky),
        "reliability": reduction.reliability and asdict(reduction.reliability),
        "output": str(output),
        "notes": coded(result.notes, for_terminal),
    }
