"""Proofs that a device was there when a name was new: what it takes to have a name removed by the page.

A proof is ``ID.MAC``: the id of a game, and a keyed hash of that id and the folded name. The key stays in the folder.
"""

import hmac
import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path

from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.names import fold_name
from ludometrics.gamelog.places import SERVER_KEY
from ludometrics.provenance import write_bytes

#: Form of a proof.
PROOF = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{32}")

_MAC_DIGITS = 32  # 128 bits: short enough that a device can show several


class Proofs:
    """Makes and checks proofs with the key of a folder, which is made with the first.

    Parameters
    ----------
    folder : path
        Must exist.
    tokens : callable
        Gives so many random bytes in hexadecimal digits.

    Raises
    ------
    ValueError
        The key's file holds no key.

    Source
    ------
    Own; the keyed hash is HMAC-SHA256 (RFC 2104), its first half.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     proof = Proofs(folder).make("0" * 32, "Ann")
    ...     Proofs(folder).game_of(proof, " ANN "), Proofs(folder).game_of(proof, "Bob")
    ('00000000000000000000000000000000', None)
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, tokens: Callable[[int], str] = secrets.token_hex
    ) -> None:
        path = Path(folder) / SERVER_KEY
        with FolderLock(folder).exclusive():
            if not path.exists():
                write_bytes(path, f"{tokens(32)}\n".encode())
            os.chmod(path, 0o600)
            text = path.read_text(encoding="ascii", errors="replace").strip()
        if not re.fullmatch(r"[0-9a-f]{64}", text):
            raise ValueError(
                f"{path}: holds no key of 64 hexadecimal digits; without the file a new one is made, and proofs given "
                "so far hold no longer"
            )
        self._key = bytes.fromhex(text)

    def make(self, game_id: str, name: str) -> str:
        """Make the proof of a name by a game."""
        message = f"{game_id}\n{fold_name(name)}".encode()
        return f"{game_id}.{hmac.new(self._key, message, 'sha256').hexdigest()[:_MAC_DIGITS]}"

    def game_of(self, proof: str, name: str) -> str | None:
        """Id of the game that a genuine proof of this name speaks of; None for any other text."""
        if not PROOF.fullmatch(proof):
            return None
        game_id = proof.partition(".")[0]
        return game_id if hmac.compare_digest(proof, self.make(game_id, name)) else None
