"""A workflow that checks a group's ratings whenever its export changes, filled in for the group's repository."""

import re
from importlib.metadata import metadata
from importlib.resources import files
from pathlib import Path
from string import Template

_NAME = "board-night-check.yml"
#: Paths and refs that need no quoting, whether in YAML, in a pattern of paths or in a shell.
_PATH = re.compile(r"(?!-)[A-Za-z0-9_.@+-]+(/[A-Za-z0-9_.@+-]+)*")
_ADDRESS = re.compile(r"https://[A-Za-z0-9_.~/-]+")


def compose_workflow(
    export: str,
    *,
    skill: str | None = None,
    complexity: str | None = None,
    ref: str = "main",
    written_to: Path | None = None,
) -> str:
    """Fill in the workflow for a group's repository.

    Parameters
    ----------
    export : str
        Path of the export in the repository, with forward slashes.
    skill, complexity : str, optional
        Paths of the group's tables.
    ref : str
        Branch, tag or commit of ludometrics to install.
    written_to : Path, optional
        Where the workflow will stand: it runs on changes of itself, too. Elsewhere than in ``.github/workflows`` it is
        no workflow yet, and its name there is the customary one.

    Returns
    -------
    str
        YAML for GitHub Actions, by custom in ``.github/workflows/board-night-check.yml``.

    Raises
    ------
    ValueError
        A path or ref with signs that a workflow could misread, or that leads out of the repository.

    Examples
    --------
    >>> print(compose_workflow("plays/export.json").splitlines()[3])
    name: board-night check
    >>> compose_workflow("../export.json")
    Traceback (most recent call last):
    ...
    ValueError: export is '../export.json': a path inside the repository is needed, of letters, digits and ._@+-/
    """
    own = f".github/workflows/{_name_among_workflows(written_to)}"
    options, watched = "", [own]
    for name, value in (
        ("out", own),
        ("export", export),
        ("skill", skill),
        ("complexity", complexity),
        ("ref", ref),
    ):
        if value is None:
            continue
        if not _PATH.fullmatch(value) or ".." in value.split("/"):
            where = "a branch, tag or commit" if name == "ref" else "a path inside the repository"
            raise ValueError(f"{name} is {value!r}: {where} is needed, of letters, digits and ._@+-/")
        if name not in ("out", "ref"):
            watched.append(value)
        if name in ("skill", "complexity"):
            options += f' --{name} "{value}"'
    template = files("ludometrics.boardgames").joinpath("templates", _NAME).read_text(encoding="utf-8")
    paths = "\n".join(f'      - "{path}"' for path in sorted(watched))
    return Template(template).substitute(
        export=export, paths=paths, repository=_repository(), ref=ref, options=options
    )


def _name_among_workflows(path: Path | None) -> str:
    if path is None or path.absolute().parts[-3:-1] != (".github", "workflows"):
        return _NAME
    return path.name


def _repository() -> str:
    """Address of ludometrics, as the package itself gives it."""
    for line in metadata("ludometrics").get_all("Project-URL") or ():
        label, _, address = line.partition(", ")
        if label == "Repository" and _ADDRESS.fullmatch(address):
            return address
    raise ValueError("the installed package gives no address of its repository: install it anew")
