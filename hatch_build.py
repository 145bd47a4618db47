"""Builds a wheel in which what happens in every turn of a game is compiled, by mypyc.

Only where it is asked for: HATCH_BUILD_HOOK_ENABLE_CUSTOM=true. Such a wheel is for one kind of
machine and one version of Python, and building it needs a C compiler and Python's headers.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compiled(BuildHookInterface):
    """Adds an extension module beside every source file of the setting `modules`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them in a folder of their own: nothing is left beside the sources."""
        self._folder = tempfile.TemporaryDirectory()
        for built, path in _compile(Path(self.root), self.config["modules"], self._folder.name):
            build_data["force_include"][built] = path
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Tidy up."""
        self._folder.cleanup()


def _compile(root: Path, modules: list[str], folder: str) -> list[tuple[str, str]]:
    """The extension modules, and where each belongs in the wheel."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    before = Path.cwd()
    os.chdir(root)  # a module's name follows from its path here
    try:
        arguments = ["--cache-dir", f"{folder}/cache", *modules]
        extensions = mypycify(arguments, opt_level="3", debug_level="0", target_dir=f"{folder}/c")
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{folder}/lib", f"{folder}/temp"
        command.ensure_finalized()
        command.run()
        built = command.get_outputs()
    finally:
        os.chdir(before)
    return [(path, os.path.relpath(path, f"{folder}/lib")) for path in built]
