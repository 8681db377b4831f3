"""All subjects. A new one is an entry in the module of its language."""

from __future__ import annotations

from benchmarks.diagnosis.subject import Subject
from benchmarks.diagnosis.subjects import (
    csv_files,
    expressions,
    html_pages,
    json_documents,
    links_and_dates,
    python_files,
    real_programs,
    settings,
    sql_scripts,
    xml_documents,
)

WRITTEN: tuple[Subject, ...] = (
    *json_documents.SUBJECTS,
    *xml_documents.SUBJECTS,
    *html_pages.SUBJECTS,
    *csv_files.SUBJECTS,
    *sql_scripts.SUBJECTS,
    *python_files.SUBJECTS,
    *expressions.SUBJECTS,
    *settings.SUBJECTS,
    *links_and_dates.SUBJECTS,
)
"""Those that need nothing but Python."""
REAL: tuple[Subject, ...] = real_programs.SUBJECTS
"""Those whose truth is a program that has to be installed: `python -m benchmarks.diagnosis
--setup`."""


def available() -> tuple[Subject, ...]:
    """Return the subjects that can be run."""
    return (*WRITTEN, *real_programs.installed())
