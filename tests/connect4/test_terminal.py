"""A game in the terminal: moves typed, taken back, refused; the network's scores shown."""

import numpy as np
import pytest
from click.testing import CliRunner

from ludometrics.connect4.__main__ import main
from ludometrics.connect4.board import from_moves, is_over, legal_columns, winner
from ludometrics.connect4.network import new_network
from ludometrics.connect4.patterns import draw_patterns
from ludometrics.connect4.terminal import play_in_terminal
from ludometrics.connect4.weights_file import save_network


@pytest.fixture
def weights(tmp_path):
    return str(
        save_network(tmp_path / "network.npz", new_network(draw_patterns(2, 3, rng=np.random.default_rng(1))))
    )


def play(weights, typed, *options):
    return CliRunner().invoke(main, ["play", weights, *options], input="\n".join(typed) + "\n")


def test_moves_and_scores_are_shown(weights):
    # The network that knows nothing plays nearest to the centre, but stops a win it sees: here two at once.
    done = play(weights, ["1", "2", "0", "3"] + ["4"] * 3 + ["0"] * 6 + ["q"])
    assert done.exit_code == 0, done.output
    assert "Moves: 1323" in done.output
    assert (
        "The network's scores: 0: 0  1: 0  2: 0  3: 0" in done.output
        and "The network plays 3." in done.output
    )


def test_what_cannot_be_played_is_said_and_asked_again(weights):
    done = play(weights, ["7", "left", "3", "q"], "--no-values")
    assert "'7' cannot be played: allowed are 0, 1, 2, 3, 4, 5, 6, u and q" in done.output
    assert "'left' cannot be played" in done.output and "scores" not in done.output
    assert done.output.rstrip().endswith("Moves: 33")


def test_a_move_is_taken_back_and_the_second_side_can_be_played(weights):
    assert play(weights, ["u", "0", "u", "1", "q"]).output.rstrip().endswith("Moves: 13")
    second = play(weights, ["0", "u", "2", "q"], "--side", "second").output.rstrip()
    assert second.endswith("Moves: 323")


def test_a_file_that_is_none_is_named():
    done = CliRunner().invoke(main, ["play", "nothing.npz"])
    assert done.exit_code == 2 and "nothing.npz" in done.output


@pytest.mark.parametrize("side", ["first", "second"])
def test_a_whole_game_ends_with_its_result(weights, side):
    rng, said = np.random.default_rng(4), []
    legal = iter(lambda: str(rng.integers(7)), "")  # any column: what is full is asked again
    moves = play_in_terminal(weights, side=side, values=True, ask=lambda _: next(legal), say=said.append)
    final = from_moves(moves)
    assert (
        is_over(final)
        and not is_over(from_moves(moves[:-1]))
        and len(legal_columns(from_moves(moves[:-1]))) > 0
    )
    assert {1: "Yellow wins.", -1: "Red wins.", 0: "A draw."}[winner(final)] == said[-2]
    assert said[-1] == f"Moves: {moves}"
