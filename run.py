"""Start Kseri Arena from a fresh clone: ``python3 run.py demo``, ``python3 run.py test``.

``test`` runs the test suite and ``develop`` adds the linters and the browser driver; any other
words go to the ``kseri`` command. The first start makes ``.venv`` beside this file. Standard
library only, and no syntax newer than Python 3.6, so that an old Python can still say what is
needed.
"""

import hashlib
import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
KSERI = os.path.join(VENV, "bin", "kseri")
LOG = os.path.join(VENV, "set-up.log")
# Written last: only a finished set-up has it, and it says what the set-up was made from.
STAMP = os.path.join(VENV, "set-up.stamp")
# Written first: only an environment that run.py made may be emptied by run.py.
MADE_HERE = os.path.join(VENV, "made-by-run.py")
LOCK = os.path.join(ROOT, "requirements.lock")
LOCK_CI = os.path.join(ROOT, "requirements-ci.lock")
PROJECT = os.path.join(ROOT, "pyproject.toml")

# In place of an editable install: that would have to download the build backend, and would copy
# the bots and schemas as they are now. A .pth file with the metadata that importlib.metadata, pip
# and uv read needs nothing and cannot go stale.
WHEEL = """\
Wheel-Version: 1.0
Generator: run.py
Root-Is-Purelib: true
Tag: py3-none-any
"""
KSERI_SCRIPT = """\
#!{python}
import sys

from arena.cli import main

if __name__ == "__main__":
    sys.exit(main())
"""


class SetUpError(Exception):
    """The environment could not be made; the text is one line for the person at the terminal."""


def main(words):
    """Run what `words` ask for in the environment; returns an exit status only on trouble."""
    trouble = unsupported()
    if trouble:
        say(trouble)
        return 2
    try:
        ensure_environment()
        return start(words)
    # Whatever goes wrong before the arena itself starts, the person who wanted to play gets a
    # sentence, not a traceback.
    except Exception as error:
        say(f"run.py: {error or type(error).__name__}")
        return 1
    except KeyboardInterrupt:
        say("run.py: interrupted")
        return 130


def unsupported():
    """Say in one sentence why this machine cannot run the arena; None if it can."""
    if sys.version_info < (3, 11):
        return "Python 3.11 or newer is needed (this is {}.{}).".format(*sys.version_info[:2])
    if os.name == "nt":
        return "Kseri Arena needs Linux; under Windows, run it inside WSL."
    return None


def start(words):
    """Become the program that `words` name."""
    if words[:1] == ["develop"]:
        say("Adding the linters and the browser driver ...")
        install(LOCK_CI)
        return 0
    if words[:1] == ["test"]:
        os.chdir(ROOT)
        # What stands together has fixtures in common; at the end nobody waits for one worker.
        spread = ["-n", str(workers_for_tests()), "--dist", "worksteal"]
        command = [PYTHON, "-m", "pytest", *spread, *words[1:]]
    else:
        command = [PYTHON, KSERI, *words]
    return os.execv(PYTHON, command)


def workers_for_tests():
    """More than twice as many as cores: most tests wait for a bot, a clock or a browser."""
    usable = getattr(os, "sched_getaffinity", None)
    cores = len(usable(0)) if usable else os.cpu_count() or 1
    return 2 * cores + 2


def ensure_environment():
    """Make the environment unless the one that is there was made from the same files."""
    wanted = wanted_stamp()
    if is_current(wanted):
        return
    import fcntl

    os.makedirs(VENV, exist_ok=True)
    # The folder itself is locked: it needs no further file, and the kernel lets go of it
    # however this process ends.
    folder = os.open(VENV, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is making the environment; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        if not is_current(wanted):
            make_environment(wanted)
    finally:
        os.close(folder)


def wanted_stamp():
    """What the environment depends on, as a hash; the path counts, since it stands inside it."""
    digest = hashlib.sha256("{} {}.{}".format(ROOT, *sys.version_info[:2]).encode())
    for path in (LOCK, PROJECT):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def is_current(wanted):
    """Whether a finished environment made from `wanted` is there and its Python still exists."""
    try:
        with open(STAMP) as file:
            return file.read() == wanted and os.path.exists(PYTHON)
    except FileNotFoundError:
        return False


def make_environment(wanted):
    """Fill .venv, with the stamp last; the caller holds the lock."""
    if os.path.exists(STAMP):
        os.remove(STAMP)
    if os.path.exists(MADE_HERE) or not os.listdir(VENV):
        say("Making the environment in .venv (once) ...")
        make_venv()
    else:
        say("Using the environment in .venv, which run.py did not make ...")
    packages = packages_folder()
    install(LOCK)
    link_project(packages)
    with open(STAMP, "w") as file:
        file.write(wanted)
    say("The environment is ready.")


def make_venv():
    """Make .venv anew without pip; what a set-up before left half-made is thrown away."""
    import shutil
    import venv

    with open(MADE_HERE, "w") as file:
        file.write("run.py made this environment and may make it anew.\n")
    for entry in os.scandir(VENV):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.path != MADE_HERE:
            os.remove(entry.path)
    venv.create(VENV, symlinks=True, with_pip=False)


def packages_folder():
    """Where the environment keeps its packages; SetUpError if its Python does not serve."""
    import subprocess

    probe = "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_path('purelib'))"
    try:
        answer = subprocess.check_output([PYTHON, "-c", probe], universal_newlines=True)
        major, minor, folder = answer.rstrip("\n").split(" ", 2)
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise unusable("has no working Python") from None
    if (int(major), int(minor)) < (3, 11):
        raise unusable(f"has Python {major}.{minor}")
    return folder


def unusable(what):
    """The error for an environment that is not ours to repair."""
    return SetUpError(f".venv {what}: move it away or delete it, then start again.")


def install(lock):
    """Install what `lock` lists, every file checked against its hash."""
    command = installer()
    say(f"Installing {os.path.basename(lock)} ...")
    run([*command, "--quiet", "--require-hashes", "--requirement", lock])


def installer():
    """The command that installs into .venv: uv, or its own pip, or the pip of this Python."""
    import shutil

    uv = shutil.which("uv")
    # On the path is not enough: pyenv's shims stand there for programs of other versions.
    if uv and works([uv, "--version"]):
        return [uv, "pip", "install", "--python", PYTHON]
    own_pip = [PYTHON, "-m", "pip"]
    if works([*own_pip, "--version"]) or works([PYTHON, "-m", "ensurepip"]):
        return [*own_pip, "install"]
    # Debian without python3-venv has no ensurepip.
    pip = [sys.executable, "-m", "pip"]
    if works([*pip, "--python", PYTHON, "--version"]):
        return [*pip, "--python", PYTHON, "install"]
    if works([*pip, "--version"]):  # older than 22.3: no --python
        return [*pip, "install", "--upgrade", "--target", packages_folder()]
    raise SetUpError("neither uv nor pip is here; on Debian: apt install python3-venv")


def works(command):
    """Whether `command` can be run and succeeds; what it says goes to the log."""
    try:
        run(command)
    except SetUpError:
        return False
    return True


def run(command):
    """Run a set-up step into the log; SetUpError with its last word if it fails."""
    import subprocess

    # A person's own pip settings may ask for --user, which no environment allows.
    quiet = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", PIP_USER="0")
    with open(LOG, "a+", encoding="utf-8", errors="replace") as log:
        log.write("$ {}\n".format(" ".join(command)))
        log.flush()
        begin = log.tell()
        status = subprocess.call(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=quiet
        )
        log.seek(begin)
        if status:
            raise SetUpError(f"{last_word(log.read())} (all of it: {LOG})")


def last_word(output):
    """The line of a failed program's output that most likely says why."""
    lines = output.split("\n")
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or [line for line in lines if line.strip()] or ["it gave no reason"])[-1].strip()


def link_project(packages):
    """Make the packages beside this file importable, and known as installed."""
    import glob
    import shutil

    import tomllib

    with open(PROJECT, "rb") as file:
        project = tomllib.load(file)["project"]
    name = project["name"].replace("-", "_")
    for old in glob.glob(os.path.join(packages, name + "-*.dist-info")):
        shutil.rmtree(old)
    info = "{}-{}.dist-info".format(name, project["version"])
    os.mkdir(os.path.join(packages, info))
    files = {
        name + ".pth": ROOT + "\n",
        info + "/METADATA": metadata(project),
        info + "/WHEEL": WHEEL,
        info + "/INSTALLER": "run.py\n",
    }
    files[info + "/RECORD"] = "".join(f"{path},,\n" for path in [*files, info + "/RECORD"])
    for path, text in files.items():
        write(os.path.join(packages, path), text)
    write(KSERI, KSERI_SCRIPT.format(python=PYTHON))
    os.chmod(KSERI, 0o755)


def metadata(project):
    """The core metadata of pyproject.toml's `project` table, as far as installers ask for it."""
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + project["name"],
        "Version: " + project["version"],
        "Requires-Python: " + project["requires-python"],
    ]
    lines += ["Requires-Dist: " + need for need in project["dependencies"]]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Write a small text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def say(line):
    """Tell the person at the terminal; standard output belongs to the program that is started."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
