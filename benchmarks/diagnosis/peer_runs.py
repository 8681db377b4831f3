"""Runs a peer in a Python that has it installed; the truth is asked over pipes.

PYTHON peer_runs.py TOOL    # TOOL is ddset, alhazen or avicenna

In comes one JSON object with a grammar, a failing text and passing ones. Out go questions, each
answered by a line with true or false; then what was found; then an answer for each further text.
"""

import json
import random
import sys


def told() -> object:
    """Read one line of JSON; None at the end."""
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def tell(**said: object) -> None:
    """Write one line of JSON."""
    print(json.dumps(said), file=ANSWERS, flush=True)


def fails(text: object) -> bool:
    """Ask for the truth of a text."""
    tell(ask=str(text))
    return bool(told())


def ddset(grammar: dict, failing: str, _: list) -> tuple:
    """Generalize with the Debugging Book's debugger; a text of the pattern is one of its answer."""
    from debuggingbook.DDSetDebugger import DDSetDebugger
    from fuzzingbook.Parser import EarleyParser

    def program(s: str) -> None:
        assert not fails(s)

    with DDSetDebugger(grammar) as debugger:
        program(failing)
    pattern = debugger.generalize()["s"]
    parser = EarleyParser({**grammar, "<start>": [pattern]})

    def matches(text: str) -> bool:
        try:
            return next(iter(parser.parse(text)), None) is not None
        except SyntaxError:
            return False

    return pattern, matches


def alhazen(grammar: dict, failing: str, passing: list) -> tuple:
    """Learn a decision tree; a text is one of the answer if the tree says that it fails."""
    import numpy

    numpy.NAN = numpy.nan  # alhazen-py 0.0.3 is older than numpy 2
    from alhazen import Alhazen
    from alhazen.input import Input
    from alhazen.oracle import OracleResult
    from fuzzingbook.Parser import EarleyParser
    from isla.derivation_tree import DerivationTree
    from pandas import DataFrame
    from sklearn.tree import export_text

    def judged(text: object) -> OracleResult:
        return OracleResult.BUG if fails(text) else OracleResult.NO_BUG

    learner = Alhazen([failing, *passing], grammar, judged)
    tree = learner.run()[-1]
    names = list(tree.feature_names_in_)

    def matches(text: str) -> bool:
        parsed = next(iter(EarleyParser(grammar).parse(text)))
        features = learner._collector.collect_features(
            Input(DerivationTree.from_parse_tree(parsed))
        )
        row = DataFrame([features]).reindex(columns=names).fillna(-1)
        return "NO_BUG" not in str(tree.predict(row)[0])

    return export_text(tree, feature_names=names), matches


def avicenna(grammar: dict, failing: str, passing: list) -> tuple:
    """Learn a formula of ISLa; a text is one of the answer if it satisfies the formula."""
    from avicenna.avicenna import Avicenna
    from avicenna.feature_extractor import DecisionTreeRelevanceLearner
    from avicenna.oracle import OracleResult
    from isla.language import ISLaUnparser
    from isla.solver import ISLaSolver

    def judged(text: object) -> OracleResult:
        return OracleResult.BUG if fails(text) else OracleResult.NO_BUG

    # The default one fails with the releases of LightGBM that are to be had.
    features = DecisionTreeRelevanceLearner(grammar)
    learner = Avicenna(grammar, judged, [failing, *passing], feature_learner=features)
    formula = learner.explain()[0]
    solver = ISLaSolver(grammar, formula)
    return ISLaUnparser(formula).unparse(), lambda text: bool(solver.check(text))


if __name__ == "__main__":
    random.seed(0)
    ANSWERS, sys.stdout = sys.stdout, sys.stderr  # the peers print
    given = told()
    found, matches = globals()[sys.argv[1]](given["grammar"], given["failing"], given["passing"])
    tell(found=found)
    while (text := told()) is not None:
        tell(matches=matches(text))
