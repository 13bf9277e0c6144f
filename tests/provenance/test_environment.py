"""What a sidecar says of machine and software."""

import subprocess

import numpy as np
import pytest

from ludometrics.provenance import describe_environment, resolve, root


@pytest.fixture
def fresh():
    """The description is read once a process; these tests need it read anew."""
    describe_environment.cache_clear()
    yield
    describe_environment.cache_clear()


@pytest.fixture
def checkout(tmp_path, monkeypatch, fresh):
    """A small checkout of the project, as the current folder."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "ludometrics"\n')
    (tmp_path / "code.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(*arguments):
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *settings, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_versions_and_machine(fresh, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    found = describe_environment()
    assert found["versions"]["numpy"] == np.__version__ and found["threads"] == "3"
    assert found["cores"] >= 1 and found["cpu"] and found["python"].startswith("3.")


def test_the_commit_and_whether_code_differs_from_it(checkout):
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    (checkout / "results").mkdir()
    (checkout / "results" / "t.csv").write_text("k\n")
    (checkout / "figures").mkdir()
    (checkout / "figures" / "f.svg").write_text("<svg/>")
    found = describe_environment()
    assert found["git_commit"] == git("rev-parse", "HEAD")
    assert found["git_dirty"] is False, "results and figures are what a run writes"
    (checkout / "code.py").write_text("x = 2\n")
    describe_environment.cache_clear()
    assert describe_environment()["git_dirty"] is True


def test_a_repository_around_the_project_is_not_ours(checkout, monkeypatch):
    git("init", "--quiet")
    inner = checkout / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "ludometrics"\n')
    monkeypatch.chdir(inner)
    assert describe_environment()["git_commit"] is None and describe_environment()["git_dirty"] is None


def test_a_machine_without_git(checkout, monkeypatch):
    (checkout / ".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert describe_environment()["git_commit"] is None


def test_the_root_is_found_from_below_and_only_for_this_project(checkout):
    (checkout / "notebooks" / "deep").mkdir(parents=True)
    assert root(checkout / "notebooks" / "deep") == checkout
    assert root() == checkout and resolve("results/t.csv") == checkout / "results" / "t.csv"
    assert resolve(checkout / "t.csv") == checkout / "t.csv"
    (checkout / "notebooks" / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert root(checkout / "notebooks" / "deep") == checkout


def test_outside_a_checkout_the_installed_one_serves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert root() == tmp_path or (root() / "lib" / "ludometrics").is_dir()
