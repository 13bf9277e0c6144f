"""Bodies of requests."""

import pytest

from ludometrics.web.bodies import choice, read_body, request_id, row_of, text, token, whole, yes
from ludometrics.web.problems import BadValueError

FIELDS = {
    "name": text(5),
    "key": token,
    "request": request_id,
    "side": choice("b", "w"),
    "ply": whole(0, 9),
    "path": row_of(whole(1, 32), 2, 3),
    "sure": yes,
}
GOOD = (
    b'{"name": "Ann", "key": "%s", "request": "%s", "side": "b", "ply": 9, "path": [1, 6], "sure": true}'
    % (b"0f" * 16, b"A-z_" * 4)
)


def test_a_good_body():
    assert read_body(GOOD, FIELDS)["path"] == [1, 6]


@pytest.mark.parametrize(
    "old, new, said",
    [
        (b'"Ann"', b'""', "name is '': a text of 1 to 5 signs"),
        (b'"Ann"', b'"Annika"', "name is 'Annika'"),
        (b'"Ann"', b"null", "name is None"),
        (b"0f0f", b"0F0f", "key is .*32 hexadecimal"),
        (b"A-z_", b"", "request is 'A-z_A-z_A-z_': 16 to 64"),
        (b'"b"', b'"black"', "side is 'black': one of 'b', 'w'"),
        (b'"b"', b'["b"]', "side is"),
        (b": 9", b": 10", "ply is 10: a whole number from 0 to 9"),
        (b": 9", b": 9.0", "ply is 9.0"),
        (b": 9", b": true", "ply is True"),
        pytest.param(b": 9", b": " + b"9" * 5000, "cannot be read", id="a number of 5000 digits"),
        (b": 9", b": NaN", "NaN"),
        (b"[1, 6]", b"[1]", "path is .*: a list of 2 to 3 values"),
        (b"[1, 6]", b"[1, 33]", "path is .*from 1 to 32"),
        (b"[1, 6]", b"[1, true]", "path is"),
        (b"[1, 6]", b'{"0": 1}', "path is"),
        (b": true", b": 1", "sure is 1: true"),
        (b'"ply": 9, ', b"", "field 'ply' is missing"),
        (b'"ply"', b'"plie"', "field 'plie' is unknown"),
        (b'"ply"', b'"side"', "twice"),
        (b'"Ann"', b'"\xff"', "not JSON in UTF-8"),
        (b'"Ann"', b'"\\ud800\x00"', "not JSON"),
        (b"{", b"", "not JSON"),
        pytest.param(b"[1, 6]", b"[" * 2000 + b"]" * 2000, r"cannot be read|is wanted", id="deep"),
    ],
)
def test_a_bad_body_is_refused_and_says_why(old, new, said):
    content = GOOD.replace(old, new, 1)
    assert content != GOOD
    with pytest.raises(BadValueError, match=said):
        read_body(content, FIELDS)


@pytest.mark.parametrize("content", [b"", b"[]", b'"x"', b"null", b"\0", b"[" * 900, b"{}" * 2])
def test_what_is_no_object_is_refused(content):
    with pytest.raises(BadValueError):
        read_body(content, {})


def test_a_message_is_short_whatever_was_sent():
    with pytest.raises(BadValueError) as caught:
        read_body(b'{"%s": 1}' % (b"x" * 3000), FIELDS)
    assert len(str(caught.value)) < 250
