"""run.py from outside: what it says where it cannot run, and when it makes the environment anew.

A stand-in for uv on the path takes the place of every download.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

RUN_PY = Path(__file__).resolve().parent.parent / "run.py"
PRETEND = """\
import os, pathlib, runpy, sys
{}
sys.argv = ["run.py", "hello"]
runpy.run_path({!r}, run_name="__main__")
"""
FAKE_UV = """\
#!/bin/sh
[ "$1" = --version ] && exit 0
echo "$@" >> {log}
{then}
"""
FAKE_KSERI = """\
import sys
from importlib.metadata import version


def main():
    print("kseri", version("kseri-arena"), *sys.argv[1:])
"""
PYPROJECT = """\
[project]
name = "kseri-arena"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["trio>=0.27"]
"""


class Clone:
    """A fresh clone with just enough in it for run.py, and a stand-in for uv."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "clone"
        self.log = folder / "uv.log"
        self.uv = folder / "bin" / "uv"
        self.uv.parent.mkdir(parents=True)
        (self.root / "arena" / "cli").mkdir(parents=True)
        (self.root / "arena" / "__init__.py").touch()
        (self.root / "arena" / "cli" / "__init__.py").write_text(FAKE_KSERI)
        (self.root / "pytest.py").write_text("import sys; print('pytest', *sys.argv[1:])")
        (self.root / "pyproject.toml").write_text(PYPROJECT)
        (self.root / "requirements.lock").write_text("trio==0.27.0\n")
        shutil.copy(RUN_PY, self.root)
        self.install("exit 0")

    def install(self, then: str) -> None:
        """Let installing do what the shell line `then` says."""
        self.uv.write_text(FAKE_UV.format(log=self.log, then=then))
        self.uv.chmod(0o755)

    def popen(self, *words: str) -> "subprocess.Popen[str]":
        """Start run.py with these words."""
        path = f"{self.uv.parent}:{os.environ['PATH']}"
        return subprocess.Popen(
            [sys.executable, str(self.root / "run.py"), *words],
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        """Start run.py, wait for its end: status, standard output, standard error."""
        process = self.popen(*words)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def installs(self) -> int:
        """How often something was installed so far."""
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def pretend(change: str) -> tuple[int, str]:
    """Run run.py in a Python that `change` makes look different: status and standard error."""
    done = subprocess.run(
        [sys.executable, "-c", PRETEND.format(change, str(RUN_PY))],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stderr


def test_its_syntax_is_old_enough_to_reach_the_message() -> None:
    ast.parse(RUN_PY.read_text(), feature_version=(3, 6))
    assert "from __future__" not in RUN_PY.read_text()


def test_an_old_python_is_told_what_is_needed() -> None:
    status, said = pretend("sys.version_info = (3, 6, 9, 'final', 0)")
    assert (status, said) == (2, "Python 3.11 or newer is needed (this is 3.6).\n")


def test_windows_is_sent_to_wsl() -> None:
    status, said = pretend("os.name = 'nt'")
    assert (status, said) == (2, "Kseri Arena needs Linux; under Windows, run it inside WSL.\n")


def test_the_first_start_makes_the_environment_and_the_second_does_not(clone: Clone) -> None:
    status, out, err = clone.run("play", "a b", "--fast")
    assert (status, out) == (0, "kseri 0.1.0 play a b --fast\n")
    assert err.splitlines() == [
        "Making the environment in .venv (once) ...",
        "Installing requirements.lock ...",
        "The environment is ready.",
    ]
    assert "--require-hashes" in clone.log.read_text()
    assert clone.run("play") == (0, "kseri 0.1.0 play\n", "")
    assert clone.installs() == 1


def test_the_word_test_runs_pytest_on_every_core_with_the_other_words(clone: Clone) -> None:
    status, told = clone.run("test", "-k", "deal")[:2]
    assert status == 0
    assert re.fullmatch(r"pytest -n [1-9]\d* --dist worksteal -k deal\n", told)


def test_the_word_develop_adds_the_second_lock(clone: Clone) -> None:
    assert clone.run("develop")[:2] == (0, "")
    assert clone.installs() == 2
    assert clone.log.read_text().rstrip().endswith("requirements-ci.lock")


def test_the_kseri_script_works_by_itself(clone: Clone) -> None:
    clone.run("hello")
    script = clone.root / ".venv" / "bin" / "kseri"
    assert subprocess.check_output([script, "x"], text=True) == "kseri 0.1.0 x\n"


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml"])
def test_a_changed_file_makes_it_anew(clone: Clone, file: str) -> None:
    clone.run("hello")
    with (clone.root / file).open("a") as changed:
        changed.write("# changed\n")
    status, out, err = clone.run("hello")
    assert (status, out) == (0, "kseri 0.1.0 hello\n")
    assert err.startswith("Making the environment")
    assert clone.installs() == 2


def test_a_moved_clone_makes_it_anew(clone: Clone) -> None:
    clone.run("hello")
    clone.root = clone.root.rename(clone.root.with_name("elsewhere"))
    assert clone.run("hello")[:2] == (0, "kseri 0.1.0 hello\n")
    assert clone.installs() == 2


def test_a_failed_set_up_says_one_line_and_is_not_taken_for_good(clone: Clone) -> None:
    clone.install("echo 'error: the disk is full'; exit 3")
    status, out, err = clone.run("hello")
    assert (status, out) == (1, "")
    trouble = [line for line in err.splitlines() if line.startswith("run.py: ")]
    assert trouble == err.splitlines()[-1:]
    assert trouble[0].startswith("run.py: error: the disk is full (all of it: ")

    clone.install("exit 0")
    assert clone.run("hello")[:2] == (0, "kseri 0.1.0 hello\n")


def test_any_other_trouble_is_one_line_too(clone: Clone) -> None:
    (clone.root / "pyproject.toml").unlink()
    status, out, err = clone.run("hello")
    assert (status, out) == (1, "")
    assert err.startswith("run.py: ")
    assert err.count("\n") == 1


def test_what_a_killed_set_up_left_is_thrown_away(clone: Clone) -> None:
    clone.install("kill -9 $PPID")
    assert clone.run("hello")[0] == -9
    left = clone.root / ".venv" / "half-made"
    left.touch()
    clone.install("exit 0")
    assert clone.run("hello")[:2] == (0, "kseri 0.1.0 hello\n")
    assert not left.exists()


def test_two_starts_at_once_make_it_once(clone: Clone) -> None:
    first, second = clone.popen("one"), clone.popen("two")
    outs = [first.communicate(timeout=60)[0], second.communicate(timeout=60)[0]]
    assert outs == ["kseri 0.1.0 one\n", "kseri 0.1.0 two\n"]
    assert clone.installs() == 1


def test_an_environment_made_by_somebody_else_is_used_and_never_emptied(clone: Clone) -> None:
    venv.create(clone.root / ".venv", symlinks=True)
    theirs = clone.root / ".venv" / "theirs"
    theirs.touch()
    status, out, err = clone.run("hello")
    assert (status, out) == (0, "kseri 0.1.0 hello\n")
    assert err.startswith("Using the environment in .venv, which run.py did not make")
    (clone.root / "requirements.lock").write_text("trio==0.28.0\n")
    assert clone.run("hello")[:2] == (0, "kseri 0.1.0 hello\n")
    assert theirs.exists()


def test_a_folder_that_is_no_environment_is_left_alone(clone: Clone) -> None:
    theirs = clone.root / ".venv" / "theirs"
    theirs.parent.mkdir()
    theirs.touch()
    status, out, err = clone.run("hello")
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == (
        "run.py: .venv has no working Python: move it away or delete it, then start again."
    )
    assert [path.name for path in theirs.parent.iterdir()] == ["theirs"]
