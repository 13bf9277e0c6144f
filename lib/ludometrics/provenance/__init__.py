"""Where a number comes from: parameters checked, random streams, tables with sidecars, published claims.

A notebook checks its parameters with `validate`, draws from the generators of `replication_streams`, and
writes each table with `write_table`, which lays a JSON sidecar beside the CSV. Published numbers are set
beside ours with `claim` and `write_replication`; `python -m ludometrics.provenance verify` compares every
file with its sidecar.
"""

from ludometrics.provenance.environment import describe_environment
from ludometrics.provenance.parameters import ParameterError, validate
from ludometrics.provenance.paths import resolve, root
from ludometrics.provenance.replication import CLAIM_COLUMNS, claim, join_replications, write_replication
from ludometrics.provenance.sidecar import (
    file_sha256,
    read_sidecar,
    sidecar_path,
    write_bytes,
    write_sidecar,
)
from ludometrics.provenance.streams import named_stream, replication_streams
from ludometrics.provenance.tables import merge_cells, read_table, write_table
from ludometrics.provenance.verify import Finding, recompute, verify

__all__ = [
    "CLAIM_COLUMNS",
    "Finding",
    "ParameterError",
    "claim",
    "describe_environment",
    "file_sha256",
    "join_replications",
    "merge_cells",
    "named_stream",
    "read_sidecar",
    "read_table",
    "recompute",
    "replication_streams",
    "resolve",
    "root",
    "sidecar_path",
    "validate",
    "verify",
    "write_bytes",
    "write_replication",
    "write_sidecar",
    "write_table",
]
