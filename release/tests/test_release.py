"""The checklist of a release, and the matrix of Pythons: what they find, and what holds always."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from release import check, matrix


@pytest.mark.parametrize("item", [check.versions, check.changes, check.addresses, check.manifest])
def test_what_must_hold_at_any_time(item: object) -> None:
    assert callable(item)
    assert item()


@pytest.mark.skipif(not (check.ROOT / ".git").exists(), reason="Git lists the documents")
def test_links_between_documents_lead_somewhere() -> None:
    assert check.links().startswith("those of ")


def test_a_broken_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# A page: with `code`, and more\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](there.md) [b](there.md#a-page-with-code-and-more) [c](#here) [d](https://x.y)\n"
        "[e](gone.md) [f](there.md#else) [g](#nowhere) `[h](code.md)`\n```\n[i](block.md)\n```\n"
    )
    assert list(check.broken_links(page)) == [
        "page.md: gone.md",
        "page.md: there.md#else names no heading",
        "page.md: #nowhere names no heading",
    ]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"qna": ""}, "package.json lacks qna"),
        ({"categories": ["Testing", "Fun"]}, "no marketplace has the categories Fun"),
        ({"keywords": ["fuzzing"] * 31}, "package.json has more than 30 keywords"),
        ({"icon": "package.json"}, "package.json is no square PNG of 128 pixels or more"),
        (
            {"extensionKind": ["ui"]},
            "the extension must run where the workspace is: extensionKind",
        ),
        (
            {"engines": {"vscode": "^1.101.0"}},
            "engines.vscode is 1.101, and the browser tests run 1.100",
        ),
        (
            {"engines": {"vscode": "^1.90.0"}},
            "@types/vscode has another version than engines.vscode",
        ),
    ],
)
def test_a_fault_of_the_manifest_is_named(
    changed: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = check.package()
    shutil.copytree(check.EXTENSION / "e2e", tmp_path / "e2e")
    shutil.copytree(check.EXTENSION / "media", tmp_path / "media")
    (tmp_path / "package.json").write_text(json.dumps({**whole, **changed}))
    monkeypatch.setattr(check, "EXTENSION", tmp_path)
    with pytest.raises(check.Wrong) as caught:
        check.manifest()
    assert str(caught.value) == message


def test_pictures_of_a_readme_are_found() -> None:
    text = (
        '![a](x.png) [b](c.md) <img width="3" src="https://y.z/d.png"> ![](data:image/png;base64,A)'
    )
    assert check.pictures(text) == ["x.png", "https://y.z/d.png", "data:image/png;base64,A"]


@pytest.mark.parametrize(
    ("said", "permits"),
    [
        ("MIT", True),
        ("License :: OSI Approved :: BSD License", True),
        ("Apache-2.0 OR BSD-2-Clause", True),
        ("MPL-2.0", True),
        ("GPL-3.0-or-later", False),
        ("LGPL-2.1-only", False),
        ("none", False),
    ],
)
def test_licences(said: str, permits: bool) -> None:
    assert check.is_permissive(said) is permits


def test_what_boildown_needs_is_followed_through_extras() -> None:
    assert "lark" in set(check.needed({"boildown"}, set()))
    assert "distributed" not in set(check.needed({"boildown"}, set()))
    assert "distributed" in set(check.needed({"boildown"}, {"cluster"}))
    assert "pytest" not in set(check.needed({"boildown"}, {"cluster", "completion"}))


def test_a_distribution_lacks_nothing_and_has_nothing_needless() -> None:
    check.refuse_needless({"LICENSE", "tests/a.py"}, ("LICENSE",))
    with pytest.raises(check.Wrong, match=r"^it lacks README\.md$"):
        check.refuse_needless({"LICENSE"}, ("LICENSE", "README.md"))
    with pytest.raises(check.Wrong, match=r"^it has tests/__pycache__/a\.pyc$"):
        check.refuse_needless({"LICENSE", "tests/__pycache__/a.pyc"}, ("LICENSE",))


def test_a_changelog_without_a_section(tmp_path: Path) -> None:
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("# Changelog\n\n## 1.2.3, unreleased\n\n## 1.2.2\n")
    assert check.latest(changelog) == "1.2.3"
    changelog.write_text("# Changelog\n")
    with pytest.raises(check.Wrong, match="has no section"):
        check.latest(changelog)


def test_a_failed_item_is_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def good() -> str:
        return "fine"

    def bad() -> str:
        raise check.Wrong("do this")

    monkeypatch.setattr(check, "ITEMS", (bad, good))
    monkeypatch.setattr("sys.argv", ["check"])
    assert check.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAILED  bad: do this",
        "ok      good: fine",
        "Not ready for a release: bad.",
    ]
    monkeypatch.setattr("sys.argv", ["check", "good"])
    assert check.main() == 0


def test_a_python_that_is_missing_is_in_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def row(python: Path, kind: matrix.Kind, _file: Path, _tests: Path) -> tuple[str, str]:
        if kind.extras:
            raise matrix.Failed("does not resolve: no wheel")
        return "json", f"7 passed by {python}"

    files = {".whl": tmp_path, ".tar.gz": tmp_path}
    monkeypatch.setattr(matrix, "built", lambda _folder: files)
    monkeypatch.setattr(matrix, "unpacked", lambda _sdist, _folder: tmp_path)
    monkeypatch.setattr(matrix, "interpreter", {"3.10": Path("p")}.get)
    monkeypatch.setattr(matrix, "row", row)
    monkeypatch.setattr(matrix, "tool_rows", lambda *_: iter([("pipx", "json")]))
    monkeypatch.setattr("sys.argv", ["matrix", "3.10", "3.99"])
    assert matrix.main() == 1
    assert [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()][1:] == [
        ["3.10", f"{'wheel':14} {'json':45} 7 passed by p"],
        ["3.10", f"{'wheel, extras':14} FAILED: does not resolve: no wheel"],
        ["3.10", f"{'sdist':14} {'json':45} 7 passed by p"],
        ["3.10", f"{'pipx':14} json"],
        ["3.99", f"{'–':14} not tried: this Python is not there"],
    ]


def test_the_tools_of_the_tests_are_those_of_development() -> None:
    names = [each.partition(">")[0] for each in matrix.requirements()]
    assert sorted(names) == sorted(matrix.TEST_TOOLS)
