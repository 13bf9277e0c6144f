"""Who played a saved game."""

import pytest

from ludometrics.web.saved import UnratedNames, people_of


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scores-2026-08-31.json").write_text(
        '[{"black": "Ann", "white": "STRASSE", "winner": "w", "id": "0a"}]'
    )
    (tmp_path / "scores-2026-09-01.json").write_text('[{"black": "0b", "white": "Bob", "winner": "w"}]')
    (tmp_path / "unrated-2026-09-01.json").write_text(
        '[{"black": "Cid", "white": "Bob", "why": "undo", "id": "0b"}]'
    )
    (tmp_path / "scores-2026-08-30.json").write_bytes(b'\0{"id": "0c"}')
    (tmp_path / "scores-2026-02-30.json").write_text('[{"black": "Ann", "white": "Bob", "id": "0d"}]')
    return tmp_path


@pytest.mark.parametrize(
    "game_id, people",
    [("0a", {"ann", "strasse"}), ("0b", {"bob", "cid"}), ("0c", set()), ("0d", set()), ("0e", set())],
)
def test_people_of_a_game(folder, game_id, people):
    assert people_of(folder, game_id) == people


def test_names_in_files_of_unrated_games(folder):
    names = UnratedNames(folder)
    assert [key in names for key in ("cid", "bob", "ann")] == [True, True, False]
    (folder / "unrated-2026-09-02.json").write_text('[{"black": "ＡＮＮ", "white": "Dan", "why": "undo"}]')
    assert "ann" in names
    (folder / "unrated-2026-09-01.json").unlink()
    assert "cid" not in names
    (folder / "unrated-2026-09-02.json").write_bytes(b"\0\0")
    assert "ann" not in names
