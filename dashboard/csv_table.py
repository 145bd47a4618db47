"""Rows as a CSV file, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import msgspec
from flask import Response

from arena.text import one_line

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_answer(rows: Sequence[msgspec.Struct], struct: type[msgspec.Struct], name: str) -> Response:
    """A line for every row below the names of the fields; `name` is the file's, without `.csv`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(struct.__struct_fields__)
    for row in rows:
        writer.writerow([csv_cell(value) for value in msgspec.structs.astuple(row)])
    answer = Response(text.getvalue(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; lists with blanks between their items."""
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    if isinstance(value, dict):
        value = " ".join(f"{key}={count}" for key, count in value.items())
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        value = one_line(value)
        return "'" + value if value.startswith(_FORMULAS) else value
    return value
