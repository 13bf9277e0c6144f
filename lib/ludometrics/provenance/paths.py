"""The root of the repository, found from wherever a notebook was opened."""

from pathlib import Path


def root(start: str | Path | None = None) -> Path:
    """Find the repository's root: the nearest folder upwards that holds the project's ``pyproject.toml``.

    Papermill runs a notebook in the folder of whoever launched it, JupyterLab in the folder of the notebook;
    paths are therefore always taken from the root and never from the current folder.

    Parameters
    ----------
    start : str or Path, optional
        Folder to start from; the current folder unless given.

    Returns
    -------
    Path
        Absolute path of the root. Outside a checkout (the package installed from a wheel, as on Colab) the
        folder of an editable install if there is one, else the starting folder itself.

    Source
    ------
    Own.
    """
    here = Path.cwd() if start is None else Path(start).resolve()
    package = Path(__file__).resolve().parent
    for folder in (here, *here.parents, *package.parents):
        if _is_root(folder):
            return folder
    return here


def resolve(path: str | Path) -> Path:
    """Turn a path given as a parameter into an absolute one, taken from `root` when it is relative.

    Parameters
    ----------
    path : str or Path
        Absolute path, or path relative to the repository's root.

    Returns
    -------
    Path
        Absolute path; it need not exist.

    Examples
    --------
    >>> resolve("results").is_absolute()
    True

    Source
    ------
    Own.
    """
    path = Path(path).expanduser()
    return path if path.is_absolute() else root() / path


def _is_root(folder: Path) -> bool:
    pyproject = folder / "pyproject.toml"
    if not pyproject.is_file():
        return False
    return 'name = "ludometrics"' in pyproject.read_text(encoding="utf-8", errors="replace")
