"""The set-up script: no CUDA by accident, no half environment kept, clear refusals. Nothing here reaches a network."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import setup_venv

REPORT = {
    "install": [
        {"metadata": {"name": name}}
        for name in (
            "torch",
            "filelock",
            "nvidia-cublas",
            "cuda-toolkit",
            "Triton",
            "numpy",
            "cudatools-free",
        )
    ]
}


class Commands:
    """Stands for subprocess.run: keeps what was asked, answers by the first word that fits."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []

    def __call__(self, command, **options):
        words = " ".join(map(str, command))
        self.asked.append(words)
        for part, (status, out) in self.answers.items():
            if part.replace("_", " ") in words:
                return SimpleNamespace(returncode=status, stdout=out, stderr="no such thing\n")
        return SimpleNamespace(returncode=0, stdout="", stderr="")


@pytest.fixture
def commands(monkeypatch):
    def replace(**answers):
        fake = Commands(**answers)
        monkeypatch.setattr(setup_venv.subprocess, "run", fake)
        return fake

    return replace


def run_main(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["setup_venv.py", *map(str, arguments)])
    return setup_venv.main()


def test_cuda_packages_are_found():
    assert setup_venv.cuda_packages(REPORT) == ["nvidia-cublas", "cuda-toolkit", "triton", "cudatools-free"]
    assert setup_venv.cuda_packages({"install": [{"metadata": {"name": "torch"}}]}) == []
    assert setup_venv.cuda_packages({}) == []


def test_torch_that_would_bring_cuda_is_not_installed(commands, capsys):
    fake = commands(import_torch=(1, ""), report=(0, json.dumps(REPORT)))
    assert not setup_venv.install_torch("python", "torch==2.13.0", "https://example.org/cpu")
    assert "would bring 4 CUDA packages (nvidia-cublas, ...)" in capsys.readouterr().err
    assert all("--dry-run" in words for words in fake.asked if " install " in words)


def test_the_cpu_build_is_installed(commands):
    report = json.dumps({"install": [{"metadata": {"name": "torch"}}]})
    fake = commands(import_torch=(1, ""), report=(0, report))
    assert setup_venv.install_torch("python", "torch==2.13.0", "https://example.org/cpu")
    assert "--extra-index-url https://example.org/cpu --retries 1 --timeout 5" in fake.asked[-1]
    assert "--dry-run" not in fake.asked[-1]


@pytest.mark.parametrize(("torch", "answers", "there"), [("", {}, False), ("torch", {}, True)])
def test_torch_that_is_there_or_not_wanted(commands, torch, answers, there):
    fake = commands(**answers)
    assert setup_venv.install_torch("python", torch, "") == there
    assert not [words for words in fake.asked if "install" in words]


def test_torch_that_cannot_be_had_says_why(commands, capsys):
    commands(import_torch=(1, ""), report=(1, ""))
    assert not setup_venv.install_torch("python", "torch==9", "")
    assert "pip finds no torch==9: no such thing" in capsys.readouterr().err


def test_without_torch_the_rest_is_installed(commands, monkeypatch, tmp_path, capsys):
    fake = commands(import_torch=(1, ""), report=(1, ""))
    assert run_main(monkeypatch, tmp_path, "--extras", "lab,connect4", "--installer", "pip") == 0
    assert fake.asked[-1].endswith(f"--editable {setup_venv.ROOT}[lab]")
    assert "going on without torch" in capsys.readouterr().err


def test_the_mark_of_readiness_comes_last(commands, monkeypatch, tmp_path):
    folder = tmp_path / "venv"
    folder.mkdir()
    commands(editable=(3, ""))
    with pytest.raises(SystemExit) as ended:
        run_main(monkeypatch, folder, "--extras", "lab", "--installer", "pip")
    assert ended.value.code == 3 and not (folder / ".ready").exists()
    commands()
    assert run_main(monkeypatch, folder, "--extras", "lab") == 0 and (folder / ".ready").exists()


def test_pins_reach_the_installer_and_pip_serves_where_uv_fails(commands, capsys):
    fake = commands(uv_pip=(2, ""))
    setup_venv.install_project("python", ["lab", "test"], "requirements.lock", "auto")
    assert [words.split()[2] for words in fake.asked] == ["pip", "uv", "pip"]
    assert all(words.endswith("[lab,test] --constraint requirements.lock") for words in fake.asked[1:])
    assert "trying pip" in capsys.readouterr().err
    fake = commands(quiet_uv=(1, ""))
    setup_venv.install_project("python", [], None, "auto")
    assert fake.asked[-1].endswith(f"--editable {setup_venv.ROOT}") and "uv pip" not in " ".join(fake.asked)


def test_an_extra_that_does_not_exist_is_refused(monkeypatch, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        run_main(monkeypatch, tmp_path / "venv", "--extras", "lab,labb")
    assert ended.value.code == 2 and "'labb'; pyproject.toml has lab, test" in capsys.readouterr().err
    assert not (tmp_path / "venv").exists()


def test_every_extra_is_installed_unless_told_otherwise():
    assert setup_venv.EVERYTHING.split(",") == setup_venv.known_extras()


def test_an_old_python_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(setup_venv.sys, "version_info", (3, 9, 18))
    assert run_main(monkeypatch, tmp_path / "venv") == 1
    assert "too old: use 3.11 or newer" in capsys.readouterr().err and not (tmp_path / "venv").exists()


def test_an_old_python_can_read_the_script():
    """So that it says what is wrong: no newer syntax, and annotations that are not evaluated."""
    source = Path(setup_venv.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    assert "from __future__ import annotations" in source
    imported = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= {"argparse", "json", "os", "platform", "subprocess", "sys", "time"}


def test_an_environment_is_kept_or_made_anew(tmp_path):
    """A real one, without pip: as a system without python3-venv leaves it behind."""
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    asked = []
    made = pytest.MonkeyPatch()
    made.setattr(setup_venv, "run", lambda *words: asked.append(words))
    try:
        assert setup_venv.make_environment(folder) == python
        assert asked == [(sys.executable, "-m", "venv", "--clear", folder)]
        # With a pip that can be imported it is whole.
        (site,) = folder.glob("**/site-packages")
        (site / "pip.py").touch()
        assert setup_venv.make_environment(folder) == python and len(asked) == 1
        made.setattr(setup_venv.sys, "version_info", (3, 99))
        setup_venv.make_environment(folder)
        assert len(asked) == 2
    finally:
        made.undo()
