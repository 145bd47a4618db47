"""What a bot's language needs to be told: how it flushes, how it writes JSON, how it is run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple


class _Ways(NamedTuple):
    """How one language does what every bot must do."""

    flush: str
    write: str
    """Writes one answer as a line of JSON."""


_WAYS = {
    "Python": _Ways(
        "print(line, flush=True), or sys.stdout.reconfigure(line_buffering=True) once",
        "print(json.dumps(answer), flush=True)",
    ),
    "JavaScript": _Ways(
        "process.stdout.write(line + '\\n') for every answer, and no process.exit before",
        "console.log(JSON.stringify(answer))",
    ),
    "C": _Ways(
        "fflush(stdout) after every answer, or setvbuf(stdout, NULL, _IOLBF, 0) once",
        r'printf("{\"type\":\"play\",\"turn\":%d,\"card\":\"%s\"}\n", turn, card)',
    ),
    "C++": _Ways(
        "std::cout << line << std::endl",
        r'std::cout << "{\"type\":\"play\",\"card\":\"" << card << "\"}" << std::endl',
    ),
    "Rust": _Ways(
        "std::io::stdout().flush().unwrap() after every answer",
        r'println!("{{\"type\":\"play\",\"turn\":{},\"card\":\"{}\"}}", turn, card)',
    ),
    "Java": _Ways(
        "System.out.println(line), or a PrintWriter made with autoflush",
        r'System.out.println("{\"type\":\"play\",\"card\":\"" + card + "\"}")',
    ),
    "Kotlin": _Ways(
        "println(line), or System.out.flush() after every answer",
        'println("""{"type":"play","turn":$turn,"card":"$card"}""")',
    ),
    "Go": _Ways(
        "writer.Flush() after every answer, or fmt.Println",
        "json.NewEncoder(os.Stdout).Encode(answer)",
    ),
    "OCaml": _Ways(
        "%! at the end of a format, or flush stdout after every answer",
        r'Printf.printf "{\"type\":\"play\",\"turn\":%d,\"card\":\"%s\"}\n%!" turn card',
    ),
    "Perl": _Ways("$| = 1; at the top", 'print encode_json($answer), "\\n" (use JSON::PP)'),
    "Ruby": _Ways("$stdout.sync = true at the top", "puts JSON.generate(answer)"),
    "Lua": _Ways(
        "io.stdout:flush() after every answer",
        """io.write(string.format('{"type":"play","turn":%d,"card":"%s"}\\n', turn, card))""",
    ),
    "PHP": _Ways("flush() after every answer", 'echo json_encode($answer), "\\n"'),
    "Tcl": _Ways(
        "flush stdout after every answer",
        """puts [format {{"type":"play","turn":%d,"card":"%s"}} $turn $card]""",
    ),
    "Bash": _Ways(
        "printf of Bash itself writes at once",
        """printf '{"type":"play","turn":%d,"card":"%s"}\\n' "$turn" "$card\"""",
    ),
}

_ENDINGS = {
    "py": "Python",
    "js": "JavaScript",
    "mjs": "JavaScript",
    "cjs": "JavaScript",
    "ts": "JavaScript",
    "c": "C",
    "cpp": "C++",
    "rs": "Rust",
    "java": "Java",
    "kt": "Kotlin",
    "jar": "Java",
    "go": "Go",
    "ml": "OCaml",
    "pl": "Perl",
    "rb": "Ruby",
    "lua": "Lua",
    "php": "PHP",
    "tcl": "Tcl",
}

_COMMANDS = {
    "python": "Python",
    "python3": "Python",
    "node": "JavaScript",
    "deno": "JavaScript",
    "tsc": "JavaScript",
    "kotlinc": "Kotlin",
    "java": "Java",
    "perl": "Perl",
    "ruby": "Ruby",
    "lua": "Lua",
    "php": "PHP",
    "tclsh": "Tcl",
    "cc": "C",
    "gcc": "C",
    "c++": "C++",
    "g++": "C++",
    "rustc": "Rust",
    "cargo": "Rust",
    "go": "Go",
    "ocamlopt": "OCaml",
}
SHELLS = ("sh", "bash", "dash")
_INTERPRETERS = {
    "py": "python3",
    "js": "node",
    "mjs": "node",
    "pl": "perl",
    "rb": "ruby",
    "lua": "lua",
    "php": "php",
    "tcl": "tclsh",
    "sh": "bash",
}


def language(run: Sequence[str], build: Sequence[str]) -> str:
    """The language of a bot by the words of its commands; empty where they do not tell."""
    for word in (*build, *run):
        name = word.rpartition("/")[2]
        found = _COMMANDS.get(name) or _ENDINGS.get(_ending(name))
        if found:
            return found
        if name.startswith("python3."):
            return "Python"
    # A shell that builds is no sign: what it builds is of another language.
    is_shell = any(word in SHELLS or _ending(word) in SHELLS for word in run)
    return "Bash" if is_shell else ""


def _ending(name: str) -> str:
    return name.rpartition(".")[2] if "." in name else ""


def how_to_flush(known: str) -> str:
    """How a bot of this language (empty: not known) flushes its output."""
    if known:
        return f"in {known}: {_WAYS[known].flush}"
    return "; ".join(f"in {name}: {_WAYS[name].flush}" for name in ("Python", "C", "Java", "Perl"))


def how_to_write(known: str) -> str:
    """How a bot of this language (empty: not known) writes an answer."""
    if known:
        return _WAYS[known].write
    some = ("Python", "JavaScript", "PHP")
    return "make it with a JSON library: " + "; ".join(f"in {n}: {_WAYS[n].write}" for n in some)


def how_to_run(file: str) -> str:
    """The line of bot.toml that runs a file by its interpreter; empty where none is known."""
    interpreter = _INTERPRETERS.get(_ending(file))
    return f'run = ["{interpreter}", "{file.removeprefix("./")}"]' if interpreter else ""


def how_to_take(entry: str, key: str, known: str) -> str:
    """How a key of an object is taken in this language, as in `c["card"]`."""
    if known == "JavaScript":
        return f"{entry}.{key}"
    if known == "Perl":
        return f"${entry}->{{{key}}}"
    return f"${entry}['{key}']" if known == "PHP" else f'{entry}["{key}"]'


_ASIDE = re.compile(r" ⟨(\w+): ([^⟩]*)⟩")


def told_in(text: str, known: str) -> str:
    """A text with what it says in ⟨Language: …⟩ for this language alone, or for one unknown."""

    def aside(found: re.Match[str]) -> str:
        if known == found[1]:
            return f" ({found[2]})"
        return "" if known else f" (in {found[1]}: {found[2]})"

    return _ASIDE.sub(aside, text)
