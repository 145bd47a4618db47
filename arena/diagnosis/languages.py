"""What a bot's language needs to be told: how it flushes its output."""

from __future__ import annotations

from collections.abc import Sequence

_FLUSH = {
    "Python": "print(line, flush=True)",
    "JavaScript": "process.stdout.write(line + '\\n') for every answer, and no process.exit before",
    "C": "fflush(stdout) after every answer, or setvbuf(stdout, NULL, _IOLBF, 0) once",
    "C++": "std::cout << line << std::endl",
    "Rust": "std::io::stdout().flush().unwrap() after every answer",
    "Java": "System.out.println(line), or a PrintWriter made with autoflush",
    "Go": "writer.Flush() after every answer, or fmt.Println",
    "Perl": "$| = 1; at the top",
    "Ruby": "$stdout.sync = true at the top",
    "Lua": "io.stdout:flush() after every answer",
    "PHP": "flush() after every answer",
    "Tcl": "flush stdout after every answer",
}

_ENDINGS = {
    "py": "Python",
    "js": "JavaScript",
    "mjs": "JavaScript",
    "c": "C",
    "cpp": "C++",
    "rs": "Rust",
    "java": "Java",
    "jar": "Java",
    "go": "Go",
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
}


def language(words: Sequence[str]) -> str:
    """The language of a bot, by the words of its commands; empty where they do not tell."""
    for word in words:
        name = word.rpartition("/")[2]
        found = _COMMANDS.get(name) or _ENDINGS.get(name.rpartition(".")[2] if "." in name else "")
        if found:
            return found
        if name.startswith("python3."):
            return "Python"
    return ""


def how_to_flush(words: Sequence[str]) -> str:
    """How a bot with these commands flushes its output."""
    known = language(words)
    if known:
        return f"in {known}: {_FLUSH[known]}"
    return "; ".join(f"in {name}: {_FLUSH[name]}" for name in ("Python", "C", "Java", "Perl"))
