"""Proofs of names."""

import os

import pytest

from ludometrics.web.proofs import Proofs

ID = "9" * 32


def test_a_proof_holds_for_all_spellings_and_after_a_restart(tmp_path):
    proof = Proofs(tmp_path).make(ID, "Straße")
    assert Proofs(tmp_path).game_of(proof, "STRASSE") == ID


def test_another_name_game_or_folder_makes_another_proof(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    proofs, others = Proofs(tmp_path / "one"), Proofs(tmp_path / "two")
    proof = proofs.make(ID, "Ann")
    assert proofs.game_of(proof, "Bob") is None
    assert proofs.game_of(proof.replace("9", "8", 1), "Ann") is None
    assert others.game_of(proof, "Ann") is None


@pytest.mark.parametrize("text", ["", ".", ID, f"{ID}.", f"{ID}.{'0' * 32}", "é" * 65, f"{ID}.{'0' * 32}\n"])
def test_any_other_text_is_no_proof(tmp_path, text):
    assert Proofs(tmp_path).game_of(text, "Ann") is None


def test_the_key_is_for_its_owner_alone(tmp_path):
    Proofs(tmp_path)
    path = tmp_path / "server.key"
    assert os.stat(path).st_mode & 0o777 == 0o600
    key = path.read_text()
    Proofs(tmp_path)
    assert path.read_text() == key


def test_a_broken_key_is_named(tmp_path):
    (tmp_path / "server.key").write_bytes(b"\0" * 64)
    with pytest.raises(ValueError, match=r"server\.key: holds no key"):
        Proofs(tmp_path)
