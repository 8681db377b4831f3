"""Exact binomial confidence bounds (Clopper and Pearson).

Source: C. J. Clopper and E. S. Pearson, The Use of Confidence or Fiducial Limits Illustrated in the
Case of the Binomial, Biometrika 26, 1934. No approximation is made, so a stated bound holds at
least as often as it says, for few trials too.
"""

from __future__ import annotations

import math

BISECTIONS = 60
"""Bisections of the interval from 0 to 1: more than a double can tell apart."""


def lower_bound(successes: int, trials: int, confidence: float = 0.95) -> float:
    """Return the lower end of the one-sided confidence interval for a success's probability.

    It is 0 without a success. For n successes in n trials it is `(1 - confidence) ** (1 / n)`.

    >>> round(lower_bound(100, 100), 4)
    0.9705
    """
    if successes == 0:
        return 0.0
    risk = 1 - confidence
    if successes == trials:
        return float(risk ** (1 / trials))
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if at_least(successes, trials, middle) < risk:
            low = middle
        else:
            high = middle
    return low


def upper_bound(successes: int, trials: int, confidence: float = 0.95) -> float:
    """Return the upper end of the one-sided confidence interval for a success's probability."""
    return 1 - lower_bound(trials - successes, trials, confidence)


def at_least(successes: int, trials: int, probability: float) -> float:
    """Return the binomial tail: the probability of this many successes or more."""
    if successes <= 0 or probability >= 1:
        return 1.0
    if probability <= 0:
        return 0.0
    odds = math.log(probability) - math.log1p(-probability)
    log_ways = math.lgamma(trials + 1) - math.lgamma(successes + 1)
    log_term = log_ways - math.lgamma(trials - successes + 1)
    log_term += successes * odds + trials * math.log1p(-probability)
    terms = []
    for count in range(successes, trials + 1):
        terms.append(math.exp(log_term))
        if count < trials:
            log_term += math.log(trials - count) - math.log(count + 1) + odds
    return min(math.fsum(terms), 1.0)
