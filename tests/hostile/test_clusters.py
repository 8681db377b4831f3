"""What goes to the workers of a cluster, where it is written there, and over which connection."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client

from boildown.runner.cluster import Cluster, _shipment
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.judging.judge import Expected
from boildown.runner.run import CannotRun
from boildown.runner.shipment import home_of, read_files, unpack
from helpers import dask_process

FILES = {
    "check.py": "import sys; sys.exit('a' in open(sys.argv[1]).read())",
    "src/tool.py": "",
    "src/deep/more.py": "",
    "src/.hidden.py": "",
    "src/.cache/x.py": "",
    ".env": "PASSWORD=secret",
    ".git/config": "",
    "server.pem": "",
    "id_ed25519": "",
    "src/Server.KEY": "",
    "build/tool.so": "",
    "build/.secret": "",
    "src/gen.py": "",
    "src/deep/kept.log": "",
    "src/other.log": "",
    ".gitignore": "build/\n*.log\n",
    "src/.gitignore": "gen.py\n",
    "src/deep/.gitignore": "!kept.log\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with files of all kinds, and with links that lead out of it and in it."""
    folder = tmp_path / "project"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "diary.py").write_text("secret")
    (folder / "out").symlink_to(tmp_path / "home")
    (folder / "diary.py").symlink_to(tmp_path / "home" / "diary.py")
    (folder / "again.py").symlink_to("src/tool.py")
    (folder / "env.py").symlink_to(".env")
    return folder


ORDINARY = {"check.py", "again.py", "src/tool.py", "src/deep/more.py", "src/deep/kept.log"}


@pytest.mark.parametrize(
    ("globs", "shipped"),
    [
        (["**/*"], ORDINARY),
        (["**/*", ".env"], ORDINARY | {".env"}),
        (["*.py"], {"check.py", "again.py"}),
        (["src/*"], {"src/tool.py"}),
        (["src/**/*.py"], {"src/tool.py", "src/deep/more.py"}),
        (["src/gen.py", "src/.hidden.py"], {"src/gen.py", "src/.hidden.py"}),
        (["server.pem", "id_ed25519"], {"server.pem", "id_ed25519"}),
        (["build/*"], {"build/tool.so"}),
        (["src/.cache/*"], {"src/.cache/x.py"}),
        (["env.py"], {"env.py"}),
        (["nothing*"], set()),
        ([], set()),
    ],
)
def test_what_is_shipped(project: Path, globs: list[str], shipped: set[str]) -> None:
    assert set(read_files(project, globs)) == shipped


@pytest.mark.parametrize(
    "glob",
    [".e*", "*.pem", "out/*", "out/diary.py", "diary.py", "b*/tool.so", "src/*.KEY", "env*", ".*"],
)
def test_a_glob_of_what_is_not_shipped_is_refused(project: Path, glob: str) -> None:
    with pytest.raises(CannotRun, match="is not shipped: hidden files"):
        read_files(project, [glob])


@pytest.mark.parametrize(
    "glob", ["../home/*", "src/../../home/*", "..", "/etc/passwd", "/**/*", "", "."]
)
def test_a_glob_that_leads_out_is_refused(project: Path, glob: str) -> None:
    with pytest.raises(CannotRun, match="cannot be shipped: globs start at"):
        read_files(project, [glob])


def test_the_repository_may_begin_above(project: Path) -> None:
    assert set(read_files(project / "src", ["*"])) == {"tool.py"}
    with pytest.raises(CannotRun, match="is not shipped"):
        read_files(project / "build", ["*"])


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/tmp/x", "", "a//b", ".", "a/./b", "a\0b", ".."]
)
@pytest.mark.parametrize("name", ["project", "..", "a/b", ""])
def test_a_worker_writes_only_inside_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, name: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ValueError, match="must not be written to"):
        unpack("boildown-shipped-1", name, {"good": b"", path: b"x"})
    assert list(tmp_path.iterdir()) == []
    assert home_of("boildown-shipped-1") is None


@contextlib.contextmanager
def cluster(temp: Path, scheme: str, options: list[str]) -> Iterator[str]:
    """Start a scheduler and a worker on the loopback; give the scheduler's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"{scheme}://127.0.0.1:{port}"
    at = ["--host", f"{scheme}://127.0.0.1", "--port", str(port)]
    processes = [
        dask_process(["scheduler", *at, *options], temp),
        dask_process(["worker", address, "--no-nanny", "--nthreads", "1", *options], temp),
    ]
    try:
        yield address
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def command(project: Path) -> TestCommand:
    return from_argv([sys.executable, "check.py", "crash.txt"], Path("crash.txt"), project)


def judged(address: str, command: TestCommand) -> list[bool]:
    with Cluster(address, command, ["*.py"]) as remote:
        return [verdict.reproduced for verdict in remote.oracle(Expected("exit 1"))(["a", "b"])]


@pytest.mark.nightly
def test_a_real_worker_gets_only_what_may_be_shipped(tmp_path: Path, command: TestCommand) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    with cluster(temp, "tcp", []) as address:
        with Cluster(address, command, ["**/*"]):
            (home,) = temp.glob("boildown-shipped-*")
            assert home.stat().st_mode & 0o777 == 0o700
            names = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
            assert names == {f"project/{name}" for name in ORDINARY}
        end = time.monotonic() + 20
        while list(temp.glob("boildown-shipped-*")) and time.monotonic() < end:
            time.sleep(0.1)
        assert list(temp.glob("boildown-shipped-*")) == []
        assert judged(address, command) == [True, False]
        # A client that is not Boildown's can do as it likes anyhow: what is shown is that the
        # worker's own code refuses the path.
        with Client(address) as client:  # type: ignore[no-untyped-call]
            import distributed

            plugin = _shipment(distributed, "hostile", "project", {"../../escaped": b"x"})
            with pytest.raises(ValueError, match="must not be written to"):
                client.register_plugin(plugin, name="hostile")
        assert not list(tmp_path.rglob("escaped"))


@pytest.fixture
def tls(tmp_path: Path) -> dict[str, Any]:
    """Make a certificate that both ends trust; return Dask's settings for it."""
    try:
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", "/CN=boildown", "-keyout", "own.pem", "-out", "ca.pem"),
            ],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        pytest.skip("openssl, which makes the certificate, is not installed.")
    ca, key = str(tmp_path / "ca.pem"), str(tmp_path / "own.pem")
    return {
        "distributed.comm.tls.ca-file": ca,
        "distributed.comm.tls.client": {"cert": ca, "key": key},
    }


@pytest.mark.nightly
def test_dasks_own_certificates_are_used(
    tmp_path: Path, command: TestCommand, tls: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    ca, key = tls["distributed.comm.tls.ca-file"], str(tmp_path / "own.pem")
    options = ["--tls-ca-file", ca, "--tls-cert", ca, "--tls-key", key]
    with cluster(temp, "tls", options) as address:
        with dask.config.set({**tls, "distributed.comm.require-encryption": True}):
            assert judged(address, command) == [True, False]
        monkeypatch.setattr("boildown.runner.cluster._CONNECTING_TIMEOUT", 2)
        # Without a certificate nobody gets in, whether encrypted or not; it is no hang either,
        # also when it is tried again.
        for _ in range(2):
            with pytest.raises(CannotRun, match=r"Dask's own configuration"):
                judged(address, command)
            with pytest.raises(CannotRun, match="does not answer"):
                judged(address.replace("tls:", "tcp:"), command)


def test_a_connection_that_must_be_encrypted_is(command: TestCommand) -> None:
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(CannotRun, match="encryption required by Dask configuration"),
    ):
        Cluster("tcp://127.0.0.1:9", command)
