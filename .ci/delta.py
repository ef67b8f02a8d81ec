"""Tables that delta-rs and plainsight write for each other, run by .ci/delta."""

import json
import os
import subprocess
import sys

import pyarrow
import pyarrow.compute
import pyarrow.parquet
from deltalake import DeltaTable, write_deltalake

PROGRAM = sys.argv[1]


def plainsight(*arguments: str) -> str:
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stdout


def rows(statement: str) -> list[dict]:
    answer = plainsight("sql", "--key-file", "key", "--format", "json", "-c", statement)
    return [json.loads(line) for line in answer.splitlines()]


plainsight("key", "new", "key")
plainsight("generate", "--notes", "600", "--patients", "40", "--seed", "5", "--out", "wh")
notes = pyarrow.parquet.read_table("wh/notes")

# Written in partitions, in several versions, some of them behind a checkpoint; rows are deleted, and a partition is written anew.
for begin in range(0, notes.num_rows, 100):
    write_deltalake("table", notes.slice(begin, 100), mode="append", partition_by=["note_type"])
table = DeltaTable("table")
patient = notes["patient_id"][0].as_py()
table.delete(f"patient_id = '{patient}'")
table.create_checkpoint()
kind = notes["note_type"][1].as_py()
left = table.to_pyarrow_table()
some = left.filter(pyarrow.compute.equal(left["note_type"], kind)).slice(0, 3)
write_deltalake("table", some, mode="overwrite", predicate=f"note_type = '{kind}'", partition_by=["note_type"])

expected = DeltaTable("table").to_pyarrow_table()
ids = sorted(expected["note_id"].to_pylist())
assert 0 < len(ids) < notes.num_rows
assert sorted(row["note_id"] for row in rows("SELECT note_id FROM 'table'")) == ids
kinds = {row["note_type"]: row["notes"] for row in rows("SELECT note_type, count(*) AS notes FROM 'table/' GROUP BY note_type")}
counted = expected.group_by("note_type").aggregate([("note_id", "count")]).to_pylist()
assert kinds == {row["note_type"]: row["note_id_count"] for row in counted}, kinds
plainsight("run", "--notes", "table", "--patients", "wh/patients", "--out", "out", "--key-file", "key", "--keep-columns", "note_id,note_type")
assert sorted(row["note_id"] for row in rows("SELECT note_id FROM 'out/'")) == ids
plainsight("verify", "--notes", "table", "--out", "out", "--patients", "wh/patients", "--key-file", "key", "--keep-columns", "note_id,note_type")

# And the other way round: what is appended here is read there, and what is appended there is read here.
create = "CREATE EXTERNAL TABLE released (note_id TEXT, text TEXT, length BIGINT) STORED AS DELTA LOCATION 'released'"
insert = "INSERT INTO released SELECT note_id, deidentify(text, patient_id), length(text) FROM 'table'"
plainsight("sql", "--key-file", "key", "-c", f"{create}; {insert}")
released = DeltaTable("released").to_pyarrow_table()
assert sorted(released["note_id"].to_pylist()) == ids
ours = {row["note_id"]: row["text"] for row in rows("SELECT note_id, text FROM 'released'")}
assert ours == dict(zip(released["note_id"].to_pylist(), released["text"].to_pylist()))
write_deltalake("released", released.slice(0, 5), mode="append")
assert rows("SELECT count(*) AS notes FROM 'released'") == [{"notes": len(ids) + 5}]
assert len(DeltaTable("released").history()) == 3

# In partitions, too, whoever made the table.
create = "CREATE EXTERNAL TABLE parted (note_id TEXT, text TEXT, note_type TEXT) STORED AS DELTA PARTITIONED BY (note_type) LOCATION 'parted'"
insert = "INSERT INTO parted (note_id, note_type, text) SELECT note_id, note_type || ' / 50%', deidentify(text, patient_id) FROM 'table'"
plainsight("sql", "--key-file", "key", "-c", f"{create}; {insert}")
theirs = DeltaTable("parted")
assert theirs.metadata().partition_columns == ["note_type"]
parted = theirs.to_pyarrow_table()
counted = parted.group_by("note_type").aggregate([("note_id", "count")]).to_pylist()
assert {f"{kind} / 50%": notes for kind, notes in kinds.items()} == {row["note_type"]: row["note_id_count"] for row in counted}, counted
assert {row["note_id"]: row["text"] for row in parted.to_pylist()} == ours
write_deltalake("parted", parted.slice(0, 5), mode="append", partition_by=["note_type"])
assert rows("SELECT count(*) AS notes FROM 'parted'") == [{"notes": len(ids) + 5}]
plainsight("sql", "-c", "CREATE EXTERNAL TABLE t STORED AS DELTA LOCATION 'table'; INSERT INTO t SELECT * FROM t WHERE note_id IN (SELECT note_id FROM t LIMIT 7)")
assert DeltaTable("table").to_pyarrow_table().num_rows == len(ids) + 7

# Everything holds. The reading threads of pyarrow may outlive the interpreter's last moments, which then aborts: it ends without them.
sys.stdout.flush()
os._exit(0)
