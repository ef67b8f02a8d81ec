"""What a client over ADBC may and may not, run by .ci/flight."""

import os
import threading

import polars
from notes import connect

TOKEN = os.environ["PLAINSIGHT_TOKEN"]


def refused(statement: str, says: str, token: str | None = TOKEN, **login: str) -> None:
    try:
        with connect(token, **login) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            cursor.fetchall()
    except Exception as error:  # noqa: BLE001: drivers raise what they like
        assert says.lower() in str(error).lower(), f"{statement}: {error}"
    else:
        raise AssertionError(f"{statement} was not refused")


raw = polars.read_parquet("wh/notes/**/*.parquet")
patients = polars.read_parquet("wh/patients/**/*.parquet")
names = set(patients["family_name"]) | set(raw["note_id"]) | set(raw["patient_id"])

with connect(TOKEN) as connection:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM notes")
        frame = cursor.fetch_df()
        assert len(frame) == raw.height and list(frame.columns) == raw.columns, frame
        everything = frame.to_csv()
        assert not any(name in everything for name in names), "a canary came through"
        for name, found in [(next(iter(names)), False), ("", True)]:
            cursor.execute("SELECT count(*) FROM notes WHERE text LIKE ?", [f"%{name}%"])
            assert (cursor.fetchone()[0] > 0) == found, "a parameter was not heeded"
        cursor.adbc_prepare("SELECT note_id FROM notes LIMIT 2")
    assert [table["table_name"] for catalog in connection.adbc_get_objects().read_all().to_pylist()
            for schema in catalog["catalog_db_schemas"] for table in schema["db_schema_tables"]] == ["notes"]
    assert connection.adbc_get_table_schema("notes").names == raw.columns
    assert connection.adbc_get_info()["vendor_name"] == "plainsight"

with connect(None, username=os.environ["PLAINSIGHT_USER"], password=os.environ["PLAINSIGHT_PASSWORD"]) as connection:
    assert polars.read_database("SELECT count(*) AS notes FROM notes", connection=connection)["notes"][0] == raw.height

refused("SELECT count(*) FROM notes WHERE note_id = ?", "parameters")
refused("SELECT 1", "token", token="plainsight_wrong")
refused("SELECT 1", "wrong", token=None, username="ann", password="wrong horse battery")
refused("SELECT shift_date(DATE '2020-01-01', 'P1')", "shift_date")
refused("COPY notes TO 'x.csv'", "not allowed")
refused("SELECT * FROM '/etc/passwd'", "not found")
refused("DELETE FROM notes", "not allowed")

with connect(TOKEN) as connection, connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM generate_series(1, 9000000000000) WHERE value % 7 = 8")
    threading.Timer(1, cursor.adbc_cancel).start()
    try:
        cursor.fetchall()
    except Exception as error:  # noqa: BLE001
        assert "cancel" in str(error).lower(), error
    else:
        raise AssertionError("the query was not cancelled")
print("ADBC: rows, tables, both logins, refusals, cancelling")
