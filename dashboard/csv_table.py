"""Rows as a CSV file, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import msgspec
from flask import Response

from arena.text import csv_cell


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
