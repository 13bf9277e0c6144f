"""The door to every format: files in, one `PlayLog` out."""

import os
from collections.abc import Sequence
from pathlib import Path

from ludometrics.boardgames.aliases import Aliases, apply_aliases, read_aliases
from ludometrics.boardgames.bgstats import read_exports
from ludometrics.boardgames.export_file import read_content
from ludometrics.boardgames.play_table import NEEDED, read_play_table
from ludometrics.boardgames.records import PlayLog
from ludometrics.boardgames.text_table import without_separator_line

_TABLES = (".csv", ".tsv", ".txt")
_BLANK = b"\xef\xbb\xbf \t\r\n"


def read_log(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    aliases: str | os.PathLike[str] | Aliases | None = None,
) -> PlayLog:
    """Read the play log of a group.

    Parameters
    ----------
    paths : path or sequence of path
        Exports of BG Stats, which are merged, or one plain CSV of plays. What a file is, its content says, whatever it
        is called.
    aliases : path or Aliases, optional
        Who is the same person as who.

    Returns
    -------
    PlayLog

    Raises
    ------
    ValueError
        Naming the file: it is neither, cannot be read, or a table is given beside other files.
    """
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    tables = [path for path in paths if _is_table(path)]
    if tables and len(paths) > 1:
        raise ValueError(
            f"{tables[0]}: is a table of plays, and {len(paths)} files are given: one table is allowed, or exports"
        )
    log = read_play_table(tables[0]) if tables else read_exports(paths)
    if aliases is None:
        return log
    return apply_aliases(log, aliases if isinstance(aliases, Aliases) else read_aliases(aliases))


def _is_table(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a table of plays, and not JSON, readable or not."""
    content = read_content(path)
    if content.lstrip(_BLANK)[:1] in (b"{", b"["):
        return False
    if Path(path).suffix.lower() in _TABLES:
        return True
    table = without_separator_line(content.lstrip(_BLANK).decode("latin-1"))
    header = next(iter(table.splitlines()), "").lower()
    return all(name in header for name in NEEDED)
