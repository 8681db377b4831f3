"""Installed packages of Node for candidates that are folders: a copy where Node looks for them.

`node_modules` is no part of an input, yet a run of it may need what is there. Node looks in the
folders above a file, so a copy for each worker stands above its candidates. It is no link to the
user's, into which a run could write.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAME = "node_modules"
_MOST_BYTES = 1 << 30
_MOST_FILES = 200_000


def copy_packages(folder: Path, base: Path, candidate: Path) -> str | None:
    """Copy the packages that Node finds from a folder into `base`, above the candidate's.

    Links into the folder, as to the packages of a workspace, lead into the candidate; other links
    to outside of the packages are left out. Return a sentence if there are too many to be copied.

    Raises OSError.
    """
    found = (above / NAME for above in (folder, *folder.parents))
    source = next((path for path in found if os.path.isdir(path)), None)
    if source is None:
        return None
    if not _is_small(source):
        return f"{source} is not there for the runs, since it is too large to be copied."
    own = source.resolve()
    inward: list[tuple[Path, Path]] = []

    def left_out(above: str, names: list[str]) -> set[str]:
        return {name for name in names if not is_copied(Path(above, name))}

    def is_copied(path: Path) -> bool:
        if not path.is_symlink():
            return os.path.isdir(path) or os.path.isfile(path)
        target = path.resolve()
        if target.is_relative_to(own):
            return not os.path.isabs(os.readlink(path))
        if target.is_relative_to(folder):
            inward.append((path.relative_to(source), target.relative_to(folder)))
        return False

    shutil.copytree(source, base / NAME, symlinks=True, ignore=left_out)
    for link, target in inward:
        (base / NAME / link).symlink_to(candidate / target)
    return None


def _is_small(folder: Path) -> bool:
    size = count = 0
    for above, _, names in os.walk(folder):
        count += len(names)
        size += sum(os.lstat(os.path.join(above, name)).st_size for name in names)
        if size > _MOST_BYTES or count > _MOST_FILES:
            return False
    return True
