"""The counting and the arithmetic of the shoot-out, on tiny data; nothing is measured here."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from benchmarks import counting, generated, growth
from benchmarks.bugs import Case
from benchmarks.curves import (
    Curve,
    best_peer,
    geometric_mean,
    improvements,
    read_log,
    read_trajectory,
)
from benchmarks.measured import Figures, Measured, load, save
from benchmarks.plot import Line, Panel, Scale, figure
from benchmarks.recorded import recorded
from benchmarks.standings import Standing, larger, mean_ratio, near
from benchmarks.tools import measure


def oracle(folder: Path) -> Path:
    """Write an oracle: 0 if there is an x, 2 if there is a !, killed if there is a k."""
    path = folder / "oracle"
    path.write_text(
        "#!/bin/sh\necho noise\n"
        'grep -q k "$1" && kill -9 $$\ngrep -q ! "$1" && exit 2\ngrep -q x "$1"\n'
    )
    path.chmod(0o755)
    return path


def test_the_wrapper_counts_every_run_and_keeps_the_smallest_success(tmp_path: Path) -> None:
    test = oracle(tmp_path)
    candidate = tmp_path / "candidate"
    statuses = []
    for text in ("xaaaa", "aaa", "xa", "a!", "xaa", "k"):
        candidate.write_text(text)
        command = [sys.executable, "-ISs", counting.__file__, str(tmp_path), str(test)]
        statuses.append(subprocess.run([*command, str(candidate)], capture_output=True))
    assert [each.returncode for each in statuses] == [0, 1, 0, 2, 0, 1]
    assert {each.stdout for each in statuses} == {b""}
    assert (tmp_path / "runs").stat().st_size == 6
    assert (tmp_path / "log").read_text() == "1 5 0\n2 3 1\n3 2 0\n4 2 2\n5 3 0\n6 1 1\n"
    assert (tmp_path / "best").read_text() == "xa"
    assert read_log((tmp_path / "log").read_text()) == ((1, 5), (3, 2))


def test_a_killed_run_counts(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("..")
    (tmp_path / "x").write_text("x")
    assert counting.main(str(tmp_path), str(oracle(tmp_path)), str(tmp_path / "x")) == 0
    assert (tmp_path / "log").read_text() == "3 1 0\n"


def test_a_curve_is_the_smallest_success_so_far() -> None:
    points = read_trajectory("1 900 0.1\n4 300 0.2\n5 500 0.3\n9 300 0.4\n120 20 9.9\n")
    assert points == ((1, 900), (4, 300), (120, 20))
    curve = Curve(points, final=18)
    assert [curve.after(runs) for runs in (0, 1, 3, 4, 100, 120, None)] == [
        *(None, 900, 900, 300, 300, 20, 18)
    ]
    assert improvements([(7, 5), (2, 9), (3, 9)]) == ((2, 9), (7, 5))


def test_the_best_peer_may_be_another_one_at_each_point() -> None:
    peers = {
        "quick": Curve(((1, 900), (10, 50)), 50),
        "slow": Curve(((1, 900), (300, 10)), 10),
        "late": Curve(((200, 1),), None),
    }
    assert best_peer(peers, 100) == ("quick", 50)
    assert best_peer(peers, 250) == ("late", 1)
    assert best_peer(peers, None) == ("slow", 10)
    assert best_peer({"late": peers["late"]}, 100) is None


def test_the_geometric_mean() -> None:
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1.0)
    assert geometric_mean([0.1, 0.1, 0.8]) == pytest.approx(0.2)
    assert geometric_mean([]) == 1.0


def standing(name: str, ours: int, peer: int, best: int, folder: Path) -> Standing:
    input_file = folder / f"{name}.txt"
    input_file.write_text("a" * 1000)
    return Standing(
        Case(name, input_file, folder / "oracle", best, "a" * best, "hand"),
        measured(name, "boildown", ((1, 1000), (90, 100), (200, ours)), ours),
        (measured(name, "peer", ((1, 1000), (300, peer)), peer),),
    )


def measured(
    case: str, tool: str, points: tuple[tuple[int, int], ...], final: int | None
) -> Measured:
    return Measured(case, tool, points[-1][0], 1.5, final, final, False, points, "a")


def test_standings_say_who_is_ahead(tmp_path: Path) -> None:
    ahead = standing("ahead", 20, 40, 19, tmp_path)
    behind = standing("behind", 48, 40, 10, tmp_path)
    even = standing("even", 44, 40, 40, tmp_path)
    assert ahead.compared(100).ratio == 0.1
    assert ahead.compared(400).ratio == ahead.compared(None).ratio == 0.5
    assert behind.compared(None).ratio == 1.2
    assert behind.to_best_known == 4.8
    assert (ahead.caught_up(400), behind.caught_up(400)) == (200, None)
    assert mean_ratio([ahead, ahead, behind], 400) == pytest.approx(0.3 ** (1 / 3))
    assert larger([ahead, behind, even]) == ["behind"]
    assert near([ahead, behind, even]) == ["ahead", "even"]


def test_a_tool_without_a_success_yet_has_the_whole_input(tmp_path: Path) -> None:
    each = standing("case", 20, 40, 20, tmp_path)
    late = Standing(each.case, each.ours, (measured("case", "late", ((500, 3),), 3),))
    assert (late.compared(100).peer, late.compared(100).ratio) == ("none", 0.1)
    assert (late.compared(None).peer, late.compared(None).bytes) == ("late", 20)


def test_recorded_peers_end_with_their_smallest_confirmed_result(tmp_path: Path) -> None:
    head = (
        "case,peer,jobs,oracle_runs,seconds,bytes_in,bytes_out,tokens_out,ok,capped,cap,note,when"
    )
    rows = [
        "c,ray,1,50,9.5,900,90,30,1,1,60,,x",
        "c,ray,1,99,20,900,10,5,1,0,60,,x",
        "c,ray,1,99,20,900,1,1,0,0,60,,x",
        "other,ray,1,99,20,900,2,2,1,0,60,,x",
    ]
    (tmp_path / "results.csv").write_text("\n".join([head, *rows]) + "\n")
    (tmp_path / "traj").mkdir()
    (tmp_path / "traj" / "c.ray.j1.txt").write_text("1 900 0.1\n40 10 3.0\n")
    (tmp_path / "traj" / "c.vise.j1.txt").write_text("1 900 0.1\n7 30 3.0\n")
    ray, vise = recorded("c", tmp_path)
    assert (ray.tool, ray.bytes_out, ray.oracle_runs, ray.capped) == ("ray", 10, 99, False)
    assert ray.points == ((1, 900), (40, 10))
    assert (vise.tool, vise.bytes_out, vise.oracle_runs, vise.seconds) == ("vise", 30, 7, None)


def test_figures_come_back_as_they_were_kept(tmp_path: Path) -> None:
    row = generated.Generated("json", 0, ("array",), "auto", 9, 2, 7, True)
    grown = growth.Grown("json", 1000, 20, 70, 0.1, 0.8)
    figures = Figures([measured("c", "boildown", ((1, 9), (2, 3)), 3)], [row], [grown])
    assert load(tmp_path / "none.json") == Figures()
    save(figures, tmp_path / "kept.json")
    assert load(tmp_path / "kept.json") == figures
    assert grown.milliseconds_per_run == pytest.approx(10)


def test_boildown_is_measured_through_the_wrapper(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("aaaa\nbxbb\ncccc\n")
    case = Case("tiny", tmp_path / "input.txt", oracle(tmp_path), 1, "x", "hand")
    found = measure("boildown", case, cap=60)
    assert (found.bytes_out, found.text, found.capped, found.note) == (1, "x", False, "")
    assert found.report is not None
    assert found.oracle_runs >= found.report["runs"] > 0
    assert found.points[0] == (1, 15)
    assert found.points[-1][1] == 1


def test_a_test_for_symbols_tells_three_outcomes_apart() -> None:
    language = generated.load("json")
    test = generated.occurrence_test(language, ("array", "pair"))
    texts = ('[{"a": 1}]', "[1]", "[1")
    assert [test(text).value for text in texts] == ["REPRODUCED", "PASSED", "INVALID"]


def test_generated_cases_are_the_same_every_time_and_need_their_symbols() -> None:
    language = generated.load("expressions")
    made = list(generated.cases(language, "seed"))
    assert made == list(generated.cases(language, "seed"))
    assert [len(symbols) for _, symbols in made] == [
        wanted for wanted in (1, 2, 3) for _ in range(generated.INPUTS)
    ]
    for text, symbols in made:
        assert set(symbols) <= generated.symbols_in(language, text)
        assert not set(symbols) <= generated.symbols_in(language, "1")


@pytest.mark.parametrize("make", growth.INPUTS.values())
def test_growing_inputs_hold_both_needles_once(make: growth.Make) -> None:
    for size in (1_000, 10_000):
        text = make(size)
        assert size <= len(text) < size * 1.2
        assert [text.count(needle) for needle in growth.NEEDLES] == [1, 1]


def test_a_plot_is_xml_with_a_line_per_tool() -> None:
    lines = [Line("<a>", [(1, 1000), (10, 10)]), Line("b", [(1, 1000), (100, 1)], steps=False)]
    root = ElementTree.fromstring(figure([Panel("t & u", lines, "runs", "bytes")] * 3))
    strokes = [each.get("d") for each in root.iter() if float(each.get("stroke-width", 0)) > 1]
    texts = [each.text for each in root.iter() if each.text]
    assert len(strokes) == 2 + 3 * 2
    assert {"<a>", "b", "t & u", "1k", "100"} <= set(texts)
    assert Scale(1, 100, 0, 50).at(10) == 25
    assert Scale(2, 2000, 0, 50).ticks() == [10, 100, 1000]


def test_a_stretch_counts_while_twice_the_result_is_left() -> None:
    points = ((1, 100), (5, 41), (25, 20), (95, 18))
    assert Curve(points, 20).stretch == 20
    assert Curve(points, 21).stretch == 4
    assert Curve(points, 50).stretch == 0
    assert Curve((), None).stretch == 0
