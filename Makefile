# Everything is set up in .venv: `make demo` and `make test` need only Python 3.10+ and make.
PYTHON ?= python3
BIN := .venv/bin
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: help check demo test test-slow test-tools test-all nightly hostile matrix release-check lint shootout bench-large bench-parse bench-runner bench-lsp bench-generalize bench-diagnosis bench-slips bench-why bench-field bench-public bench-flaky bench-fragile bench-first-tries bench-failing-tests bench-limits bench-own-time bench-projects bench-cores bench-each bench-hypothesis bench-pytest docs vsix e2e e2e-soak clean

# Lists the targets, each with the first sentence of the comment above it.
help:
	@awk '/^# / { said = said substr($$0, 3) " "; next } \
	    /^[a-z][a-z0-9-]*:/ { sub(/:.*/, ""); sub(/[.;] .*/, "", said); printf "make %-18s %s\n", $$0, said } \
	    { said = "" }' Makefile

# Style, types, the tests of the engine without its laws, and those of the contract. 90 seconds on two idle cores.
check: lint
	$(PYTEST) -q -m 'not slow and not nightly' --ignore-glob '*/test_*laws*.py' tests/engine tests/test_architecture.py tests/test_docstrings.py
	$(PYTEST) -q -m 'contract and not slow and not nightly' tests/cli tests/library

# Reduces an example, and shows it.
demo: .venv/ready
	@$(BIN)/boildown demo

# Runs the tests but the slow ones, on all cores. Seven minutes on two idle ones.
test: .venv/ready
	$(PYTEST) -m 'not slow and not nightly'

# Tests that take several seconds each: whole jobs in the terminal and in an editor. On all cores.
test-slow: .venv/ready
	$(PYTEST) -m slow

# Tests of the benchmarks, the releases and the workflows, which no user meets.
test-tools: .venv/ready
	$(PYTEST) benchmarks/tests release/tests

# Runs all tests, on all cores.
test-all: .venv/ready
	$(PYTEST) tests benchmarks/tests release/tests

# What takes long and seldom breaks: tests that are marked `nightly`, and those of the tools. Then properties on new random
# examples, EXAMPLES of each, where `make test` has the same ones everywhere; what fails prints the example to keep. Then
# 10,000 mutants of each file that somebody may send. `make nightly EXAMPLES=50000 TESTS=tests/test_tree.py` takes the
# properties of these files alone.
nightly: .venv/ready
	$(if $(TESTS),,$(PYTEST) -m nightly)
	$(if $(TESTS),,$(MAKE) test-tools)
	BOILDOWN_EXAMPLES=$(or $(EXAMPLES),2000) $(PYTEST) -m hypothesis --hypothesis-profile=new -o faulthandler_timeout=0 $(TESTS)
	$(if $(TESTS),,BOILDOWN_MUTANTS=10000 $(PYTEST) -o faulthandler_timeout=0 tests/hostile/test_*_files.py)

# Hostile programs, inputs, records and clients, with thousands of random ones, as a table of what held.
# Takes an hour or so.
hostile: .venv/ready
	$(BIN)/python -m benchmarks.hostile

# Wheel and sdist on every Python that is there: installed into empty environments, with the tests of the contract. Some
# minutes; `make matrix PYTHONS=3.12` takes that one alone.
matrix: .venv/ready
	@$(BIN)/python -m release.matrix $(PYTHONS)

# The checklist of a release: versions, changelog, licences, links, and all that is published. `make release-check
# ITEMS=links` takes that one alone.
release-check: .venv/ready
	@$(BIN)/python -m release.check $(ITEMS)

# Style and types.
lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Measures the pipeline on the benchmark cases and writes benchmarks/RESULTS.md.
shootout: .venv/ready
	$(BIN)/python -m benchmarks.shootout

# Measures Boildown and its peers on the large cases that are set up, and writes benchmarks/LARGE.md; up to ten minutes
# for each tool and case.
bench-large: .venv/ready
	$(BIN)/python -m benchmarks.large

# Parsers beside Lark's and parso, and by damaged texts. Each of these prints its figures and says where a goal is missed.
bench-parse: .venv/ready
	$(BIN)/python -m benchmarks.parse
	$(BIN)/python -m benchmarks.malformed

# What a run costs beside the bare command.
bench-runner: .venv/ready
	$(BIN)/python -m benchmarks.runner

# How fast the server answers while a job runs.
bench-lsp: .venv/ready
	$(BIN)/python -m benchmarks.lsp

# Generalizes the benchmark cases that are set up, checks each pattern with fresh inputs, and writes
# benchmarks/GENERALIZATION.md.
bench-generalize: .venv/ready
	$(BIN)/python -m benchmarks.generalize

# Generalizes failing inputs of programs whose law of failure is known, compares the answers with the truth on
# independent texts, and writes benchmarks/DIAGNOSIS.md. Installs old releases of ten programs or so; takes an hour.
bench-diagnosis: .venv/ready
	$(BIN)/python -m benchmarks.diagnosis --setup
	$(BIN)/python -m benchmarks.diagnosis

# Reduces inputs of programs with several bugs in one function, counts the results that show another bug than the
# original, and writes benchmarks/SLIPS.md. Then does so with known bugs of real tools, which it installs into private
# folders, and writes benchmarks/SLIPS_TOOLS.md. Needs gcc, g++, node, java, rustc, npm and apt-get; what is missing is
# left out.
bench-slips: .venv/ready
	$(BIN)/python -m benchmarks.slips
	$(BIN)/python -m benchmarks.slips.tools

# Asks why real bugs of old releases fail, which it installs into private folders, compares the functions that are named
# with those that the fixing release changed, and writes benchmarks/WHY.md. Needs pip and npm; takes an hour.
bench-why: .venv/ready
	$(BIN)/python -m benchmarks.why.costs
	$(BIN)/python -m benchmarks.why.suites
	$(BIN)/python -m benchmarks.why

# Asks for the patterns of real bugs in large inputs, which it installs into private folders, and says how right they are
# for inputs that others wrote. Needs pip, npm and Node 20; takes half an hour.
bench-field: .venv/ready
	$(BIN)/python -m benchmarks.field

# Reduces families of coupled inputs, drawn anew from their seeds, and writes benchmarks/PUBLIC.md. Takes two minutes.
bench-public: .venv/ready
	$(BIN)/python -m benchmarks.public

# Reduces by random predicates that are made flaky, and prints what is claimed falsely, and the runs that it takes.
bench-flaky: .venv/ready
	$(BIN)/python -m benchmarks.flaky

# Reduces 30 inputs whose failure depends on depth, layout, hash seed, environment, timing or chance, measures how reliably
# the results fail, and writes benchmarks/FRAGILE.md. Needs pip, npm, Node 20, dash, make and sqlite3; what is missing is
# left out.
bench-fragile: .venv/ready
	$(BIN)/python -m benchmarks.fragile

# Runs what a new user would type on real bugs of old releases, which it installs into private folders, and writes
# benchmarks/FIRST_TRIES.md. Needs Node 20, npm, gcc, jq, go and cargo; what is missing is left out.
bench-first-tries: .venv/ready
	$(BIN)/python -m benchmarks.first_tries

# Reduces the inputs of 100 failing tests, of six packages that it gets from their registry and of 40 shapes, counts those
# whose labelled input is found without a question, and writes benchmarks/FAILING_TESTS.md. Takes an hour or two.
bench-failing-tests: .venv/ready
	$(BIN)/python -m benchmarks.failing_tests

# Time to the first candidate and memory on long inputs, beside the peers that are installed.
bench-limits: .venv/ready
	$(BIN)/python -m benchmarks.limits

# Own time between two runs on texts of 100 KB and 1 MB in nine languages; runs and memory for deep nesting.
bench-own-time: .venv/ready
	$(BIN)/python -m benchmarks.own_time

# Reduces whole projects, which it gets from their registries and breaks in one line, by Boildown and by Shrink Ray, and
# writes benchmarks/PROJECTS.md. Needs pip, npm, apt and make; a project whose registry is missing is left out.
bench-projects: .venv/ready
	$(BIN)/python -m benchmarks.projects

# Runs and speed of the real bugs on 1, 2, 8 and 16 simulated workers.
bench-cores: .venv/ready
	$(BIN)/python -m benchmarks.cores

# Builds the documentation as a site, build/docs/index.html, without network; warnings and dead links in it are errors.
docs: .venv/ready
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder html docs build/docs
	@echo build/docs/index.html

# Reduces each bug of a folder of crashes of an old release, which it installs, and prints inputs, bugs, sizes and runs.
bench-each: .venv/ready
	$(BIN)/python -m benchmarks.each

# Ten properties over structured text: Hypothesis's own shrink, and what boildown.hypothesis.smaller makes of it.
bench-hypothesis: .venv/ready
	$(BIN)/python -m benchmarks.properties

# Sessions of pytest --boildown on three packages of the registry, each broken in one line, as a table.
bench-pytest: .venv/ready
	$(BIN)/python -m benchmarks.pytest_flow

# Packs the VS Code extension. Needs Node 20 and npm; the result is vscode-extension/boildown-VERSION.vsix.
vsix: .venv/ready
	$(MAKE) -C vscode-extension vsix BIN=$(abspath $(BIN))

# Drives the built extension in a real browser, and looks at the documentation; installs what it needs (as root, Debian packages).
# With NIGHTLY=1 all tests run, without it those that are meant for each push.
e2e: .venv/ready docs
	$(MAKE) -C vscode-extension e2e BIN=$(abspath $(BIN))

# Runs the browser tests five times, and counts those that are flaky. Takes an hour or so.
e2e-soak: .venv/ready docs
	$(MAKE) -C vscode-extension soak BIN=$(abspath $(BIN))

# Made anew only when the dependencies change, so the second run needs no network.
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Boildown needs Python 3.10 or later; try: make PYTHON=python3.12 " + "demo")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# Removes what was made.
clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
