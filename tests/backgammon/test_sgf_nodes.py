import pytest

from ludometrics.backgammon.sgf_nodes import parse_sgf, unescaped


def test_properties_values_and_lines():
    found = parse_sgf("(;FF[4]MI[length:3][game:0]\n;W[31]\n\n;B[42]C[a\nb])\n(;PW[Ada])")
    assert found.damage is None
    first, second = found.trees
    assert [node.line for node in first.nodes] == [1, 2, 4]
    assert first.nodes[0].properties == {"FF": ["4"], "MI": ["length:3", "game:0"]}
    assert first.nodes[2].text("C") == "a\nb"
    assert (first.nodes[0].text("none"), second.nodes[0].line, second.whole) == ("", 6, True)


@pytest.mark.parametrize(
    "written, meant",
    [(r"a\]b", "a]b"), (r"a\\", "a\\"), (r"a\:b", "a:b"), ("a\\\nb", "ab"), ("plain", "plain")],
)
def test_escapes(written, meant):
    # FF[4]: a backslash keeps the next letter as it is, and joins two lines before the end of one.
    assert unescaped(written) == meant
    assert parse_sgf(f"(;C[{written}])").trees[0].nodes[0].text("C") == meant


def test_the_first_variation_is_followed():
    found = parse_sgf("(;A[1];B[2](;B[3](;B[4])(;B[5]))(;B[6]))(;A[7])")
    assert [[next(iter(node.properties.values()))[0] for node in tree.nodes] for tree in found.trees] == [
        ["1", "2", "3", "4"],
        ["7"],
    ]


def test_a_name_that_comes_again_adds_its_values():
    assert parse_sgf("(;AB[a]AB[b])").trees[0].nodes[0].properties == {"AB": ["a", "b"]}


@pytest.mark.parametrize(
    "text, nodes, damage",
    [
        ("(;A[1];B[2", 2, (1, "neither a node nor a property")),
        ("(;A[1]\n;B[2]", 2, (2, "the file ends within a game")),
        ("(;A[1]\n;B[2])\n)", 2, (3, "a bracket closes no game")),
        ("(;A[1]\n[2];\n%", 2, (3, "neither a node nor a property")),
        (";A[1]", 0, (1, "a node outside a game")),
        ("(A[1])", 0, (1, "property A outside a node")),
        ("(;[1])", 1, (1, "a value without the name of its property")),
    ],
)
def test_damage(text, nodes, damage):
    found = parse_sgf(text)
    assert found.damage == damage
    assert sum(len(tree.nodes) for tree in found.trees) == nodes


def test_a_tree_that_is_not_closed_is_not_whole():
    assert [tree.whole for tree in parse_sgf("(;A[1])(;A[2]").trees] == [True, False]
