"""Names of the files and folders that stand in a folder of games beside the daily files."""

from ludometrics.gamelog.lock import LOCK_FILE
from ludometrics.gamelog.transaction import TRANSACTION

#: Ledger of versions dealt, audit of removals, register of exports.
LEDGER, AUDIT, REGISTER = "assignments.jsonl", "audit.jsonl", "exports.json"
#: Folder of the games being played; key of the server, and its lock against a second one.
LIVE, SERVER_KEY, SERVER_LOCK = "live", "server.key", ".server.lock"
#: All of them. They are not names of players.
OWN_NAMES = frozenset(
    (LOCK_FILE, TRANSACTION, LEDGER, f"{LEDGER}.lock", AUDIT, REGISTER, LIVE, SERVER_KEY, SERVER_LOCK)
)
