"""One run over a group's exports: read, weighed, rated, judged, checked, shown; and all of it written, or nothing."""

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ludometrics.boardgames.backup import keep_previous
from ludometrics.boardgames.bgg import fetch_complexity, kept_complexity
from ludometrics.boardgames.engine import RatedLog, rate_log
from ludometrics.boardgames.finishing import Rejection
from ludometrics.boardgames.naming import Names
from ludometrics.boardgames.outputs import check_apart, check_target, publication_target, write_together
from ludometrics.boardgames.payload_tables import TABLES, payload_tables
from ludometrics.boardgames.reading import read_log
from ludometrics.boardgames.records import LeftOut, PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import (
    GameWeight,
    game_weights,
    read_complexity,
    read_editions,
    read_skill,
)

#: File in which complexities from BoardGameGeek are kept.
CACHE = "bgg_complexity.json"
#: Folder, inside that of the outputs, of exports and what they were before. Real names stand in them.
KEPT = "exports"
#: Files of a run besides its tables.
PAYLOAD, DASHBOARD = "payload.json", "dashboard.html"
#: How a reason begins that is no fault: the group deleted the row, or the log has it already.
_EXPECTED = re.compile(r"deleted\b|[0-9]+ older or equal cop(y|ies)\b")
#: Most left-out rows and plays that a message of --strict names.
_MOST_NAMED = 3
#: Of the intervals of the judgement: their ends repeat to a few per cent of their width.
_REPLICATES = 1000

Say = Callable[[str], None]


@dataclass(frozen=True)
class Source:
    """What a group's ratings are made of.

    Attributes
    ----------
    exports : tuple of Path
        Exports of one group, or one table of plays.
    settings : EngineSettings
    complexity, skill, aliases, editions : Path, optional
        Tables that the group edits.
    cache : Path, optional
        File of complexities that were fetched; it need not exist. A table of complexities goes before it.
    refresh : bool
        Ask BoardGameGeek for all complexities now.
    since, as_of : date, optional
        First and last day of the plays that count.
    strict : bool
        Rows that cannot be read, and plays that refer to what the log does not hold, are an error.
    """

    exports: tuple[Path, ...]
    settings: EngineSettings
    complexity: Path | None = None
    skill: Path | None = None
    aliases: Path | None = None
    editions: Path | None = None
    cache: Path | None = None
    refresh: bool = False
    since: date | None = None
    as_of: date | None = None
    strict: bool = False

    @property
    def inputs(self) -> list[Path]:
        """Files that are read."""
        tables = (self.complexity, self.skill, self.aliases, self.editions, self.cache)
        return [*self.exports, *(path for path in tables if path is not None)]


@dataclass(frozen=True)
class Request:
    """A run.

    Attributes
    ----------
    source : Source
    folder : Path
        For the outputs; made if need be.
    names : {"real", "initials", "pseudonyms"}
    title : str
    preset : str
        Name of the preset, for show.
    publish : Path, optional
        Folder of a site that the payload is laid into as well.
    publish_name : str
        Name of the file there.
    seed : int
        Of intervals.
    """

    source: Source
    folder: Path
    names: Names = "real"
    title: str = "Board-game night"
    preset: str = "tuned"
    publish: Path | None = None
    publish_name: str = "board-night.json"
    seed: int = 1


@dataclass(frozen=True)
class Done:
    """What a run made.

    Attributes
    ----------
    payload : dict
        As written: rounded.
    files : list of Path
        Written, the published one last.
    kept : list of Path
        What an export of the same name held before.
    """

    payload: dict[str, Any]
    files: list[Path]
    kept: list[Path] = field(default_factory=list)


def run(request: Request, *, say: Say = lambda text: None) -> Done:
    """Do everything that the request asks for, and write it together at the end.

    Parameters
    ----------
    request : Request
    say : callable
        Called with a word on what is being done.

    Returns
    -------
    Done

    Raises
    ------
    ValueError
        Something in the input, naming file and place. Nothing is written, but for complexities that were fetched.
    OSError
        A file cannot be read or written, or BoardGameGeek does not answer.
    ImportError
        An optional package is missing, naming the way to get it.
    """
    from ludometrics.boardgames.dashboard import build_dashboard
    from ludometrics.boardgames.payload import build_payload, check_payload, encode_payload

    targets = _targets(request)
    rated, _ = rate_source(request.source, say=say)
    say("judging")
    payload = build_payload(
        rated,
        names=request.names,
        as_of=request.source.as_of,
        since=request.source.since,
        title=request.title,
        judgement=judge_rated(rated, request.seed),
        checks=check_rated(rated, request.seed),
        preset=request.preset,
    )
    say("checking the payload")
    check_payload(payload)
    say("drawing the dashboard")
    encoded = encode_payload(payload)
    shown = json.loads(encoded)  # what is written is what is shown
    contents = {
        PAYLOAD: encoded,
        DASHBOARD: build_dashboard(shown).encode("utf-8"),
        **payload_tables(shown),
    }
    by_path = {targets[name]: content for name, content in contents.items()}
    if request.publish is not None:
        by_path[publication_target(request.publish, request.publish_name)] = encoded
    say("writing")
    files = write_together(by_path)
    kept = [keep_previous(path, request.folder / KEPT) for path in request.source.exports]
    return Done(shown, files, [path for path in kept if path is not None])


class FromSource(NamedTuple):
    """A rated log, and the editions that it was rated with."""

    rated: RatedLog
    editions: dict[str, str] | None


def rate_source(source: Source, *, say: Say = lambda text: None) -> FromSource:
    """Read a group's files and rate its plays; parameters and errors as in `run`."""
    with _collected() as found:
        say("reading")
        log = read_log(source.exports, aliases=source.aliases)
        editions = None if source.editions is None else read_editions(source.editions, log)
        weights = _weigh(source, log, editions, say)
    log = replace(log, warnings=(*log.warnings, *found))
    if source.since or source.as_of:
        log = _cut(log, source.since, source.as_of)
    say("rating")
    rated = rate_log(log, source.settings, weights=weights, editions=editions)
    if source.strict:
        _check_strictly(rated)
    return FromSource(rated, editions)


def judge_rated(rated: RatedLog, seed: int) -> Any:
    """Judgement of the forecasts, with intervals; a table without rows where there is nothing to judge."""
    from ludometrics.boardgames.judging import judge_group
    from ludometrics.provenance import named_stream

    return judge_group(rated, replicates=_REPLICATES, rng=named_stream(seed, "judgement"))


def check_rated(rated: RatedLog, seed: int) -> Any:
    """The six checks."""
    from ludometrics.boardgames.checks import run_checks
    from ludometrics.provenance import named_stream

    return run_checks(rated, rng=named_stream(seed, "checks"))


def _targets(request: Request) -> dict[str, Path]:
    """Where each file goes, found to be possible before anything is read."""
    folder = request.folder
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: is a file: a folder is needed for the outputs")
    targets = {name: folder / name for name in (PAYLOAD, DASHBOARD, *TABLES)}
    outputs = list(targets.values())
    if request.publish is not None:
        outputs.append(publication_target(request.publish, request.publish_name))
    for path in outputs:
        check_target(path)
    check_apart(outputs, request.source.inputs)
    if (folder / KEPT).exists() and not (folder / KEPT).is_dir():
        raise ValueError(f"{folder / KEPT}: is a file: a folder is needed for the exports")
    for path in request.source.exports:
        if (folder / KEPT / path.name).is_dir():
            raise ValueError(
                f"{folder / KEPT / path.name}: is a folder: the export's own name must be free there"
            )
    twice = {path.name for path in request.source.exports}
    if len(twice) < len(request.source.exports):
        raise ValueError("two exports have the same name: they could not both be kept; rename one")
    return targets


def _weigh(
    source: Source, log: PlayLog, editions: Mapping[str, str] | None, say: Say
) -> dict[str, GameWeight]:
    """Weights of the games, from the group's tables before what was fetched."""
    complexity: dict[int, float] = {}
    if source.cache is not None and source.refresh:
        say("asking BoardGameGeek")
        played = {play.game for play in log.plays}
        numbers = {game.bgg_id for key, game in log.games.items() if key in played}
        complexity = fetch_complexity(numbers, cache=source.cache, refresh=True)
    elif source.cache is not None:
        complexity = kept_complexity(source.cache)
    if source.complexity is not None:
        complexity |= read_complexity(source.complexity)
    skill = None if source.skill is None else read_skill(source.skill, log)
    return game_weights(log.games, source.settings, complexity=complexity, skill=skill, editions=editions)


def _cut(log: PlayLog, since: date | None, as_of: date | None) -> PlayLog:
    if since and as_of and since > as_of:
        raise ValueError(f"--since is {since} and --as-of {as_of}: the first must not be later")
    cut = log.between(since, as_of)
    if not cut.plays:
        first, last = log.plays[0].at.date(), log.plays[-1].at.date()
        raise ValueError(
            f"no play lies between {since or 'the beginning'} and {as_of or 'the end'}: the log goes from {first} to "
            f"{last}"
        )
    return cut


def _check_strictly(rated: RatedLog) -> None:
    bad = [f"{row.where}: {row.reason}" for row in rated.log.left_out if not is_expected(row)]
    for play, outcome in zip(rated.log.plays, rated.outcomes, strict=True):
        if isinstance(outcome, Rejection) and outcome.reason == "unknown_reference":
            bad.append(f"play {play.key} of {play.at}: {outcome.detail} is not in the log")
    if bad:
        more = f"; and {len(bad) - _MOST_NAMED} more" if len(bad) > _MOST_NAMED else ""
        raise ValueError(f"{rated.log.source}: {'; '.join(bad[:_MOST_NAMED])}{more} (--strict)")


def is_expected(row: LeftOut) -> bool:
    """Whether a row is left out because the group wants it so: deleted, or an older copy.

    Examples
    --------
    >>> is_expected(LeftOut("plays, uuid 1", "deleted on 2024-06-29 20:15:00"))
    True
    """
    return _EXPECTED.match(row.reason) is not None


@contextmanager
def _collected() -> Iterator[list[str]]:
    """Warnings as texts, for the summary and the payload."""
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield found
    texts = (str(each.message) for each in caught if issubclass(each.category, UserWarning))
    found += dict.fromkeys(texts)
